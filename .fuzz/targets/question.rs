//! Any text as a question to the miniature knowledge base: it is parsed, understood and answered, or refused with a
//! mistake that lies inside it; what was read tiles its words, and what it was understood as, asked in filters, finds the same.

#![no_main]

mod tiles;

use std::cell::OnceCell;
use std::path::Path;

use dlbench::KnowledgeBase;
use dlbench::ask::parse::QueryError;
use libfuzzer_sys::{Corpus, fuzz_target};
use tiles::tiles;

fuzz_target!(|question: &str| -> Corpus {
    match ask(question) {
        // Words that nobody knows may stop a question; what was understood of it then finds more.
        Ok((total, None)) => assert_eq!(total, 0, "{question:?} is stopped"),
        Ok((total, Some(equivalent))) => {
            let again = ask(&equivalent);
            assert!(
                again.as_ref().is_ok_and(|(found, _)| *found == total),
                "{question:?} finds {total}, and in filters, {equivalent:?}: {again:?}"
            );
        }
        Err(QueryError::Grammar(mistake)) => {
            assert!(question.get(mistake.span.clone()).is_some(), "{question:?}: no place {:?}", mistake.span);
            assert!(!mistake.message.is_empty() && !mistake.label.is_empty(), "{question:?}: {mistake:?}");
        }
        Err(failure) => panic!("{question:?}: {failure}"),
    }
    Corpus::Keep
});

/// How many measurements a question finds, and the question in filters, unless a word stopped it.
fn ask(question: &str) -> Result<(usize, Option<String>), QueryError> {
    thread_local! {
        static KB: OnceCell<(KnowledgeBase, tempfile::TempDir)> = const { OnceCell::new() };
    }
    KB.with(|kb| {
        let (kb, _) = kb.get_or_init(|| {
            let cache = tempfile::TempDir::new().expect("a temporary folder");
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/acceptance/kb");
            let kb = KnowledgeBase::open_with_cache(root, cache.path()).expect("the miniature knowledge base");
            (kb, cache)
        });
        kb.query(question).map(|answer| {
            tiles(question, &answer.read_as);
            (answer.total, (!answer.is_stopped).then_some(answer.question))
        })
    })
}

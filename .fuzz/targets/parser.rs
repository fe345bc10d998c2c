//! Any text as a question that is parsed alone: its spans tile the words, and `parse(print(question))` is the question again.

#![no_main]

mod tiles;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use dlbench::ask::parse::{QueryError, Question, parse, print};
use dlbench::model::{Lookup, Name};
use dlbench::{DatabaseError, KnowledgeBase};
use libfuzzer_sys::{Corpus, fuzz_target};
use tiles::tiles;

/// The names of the miniature knowledge base, in memory.
struct Names {
    all: Arc<[Name]>,
    of: HashMap<String, Vec<Name>>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let cache = tempfile::TempDir::new().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/acceptance/kb");
    let kb = KnowledgeBase::open_with_cache(root, cache.path()).expect("the miniature knowledge base");
    let all = kb.names().all().expect("its names");
    let mut of: HashMap<String, Vec<Name>> = HashMap::new();
    all.iter().for_each(|name| of.entry(name.normal.clone()).or_default().push(name.clone()));
    Names { all, of }
});

impl Lookup for Names {
    type Error = DatabaseError;

    fn exact(&self, normal: &str) -> Result<Vec<Name>, DatabaseError> {
        Ok(self.of.get(normal).cloned().unwrap_or_default())
    }

    fn all(&self) -> Result<Arc<[Name]>, DatabaseError> {
        Ok(Arc::clone(&self.all))
    }
}

fuzz_target!(|text: &str| -> Corpus {
    match parse(text, &*NAMES) {
        Ok(question) => {
            tiles(text, &question.spans);
            let printed = print(&question);
            match parse(&printed, &*NAMES) {
                Ok(again) => {
                    tiles(&printed, &again.spans);
                    let [said, again] = [question, again].map(|question| Question { spans: Vec::new(), ..question });
                    assert_eq!(again, said, "{text:?} is printed as {printed:?}");
                }
                Err(error) => panic!("{text:?} is printed as {printed:?}: {error}"),
            }
        }
        Err(QueryError::Grammar(mistake)) => {
            assert!(text.get(mistake.span.clone()).is_some(), "{text:?}: no place {:?}", mistake.span);
            assert!(!mistake.message.is_empty() && !mistake.label.is_empty(), "{text:?}: {mistake:?}");
        }
        Err(failure) => panic!("{text:?}: {failure}"),
    }
    Corpus::Keep
});

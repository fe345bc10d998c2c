//! What a question is about: comparisons without a `vs`, names that nothing here has, what stands on what. Each must have its kind
//! of answer, and its conclusion must say some things and not others.

use dlbench::KnowledgeBase;

use crate::{REPOSITORY, shared_cache};

/// Questions, the kind of answer, what the conclusion says and what it must not say; several parts have a `|` between them, and `-` is
/// none. A part that begins with `^` stands first.
const TABLE: &str = include_str!("subjects.tsv");

/// Fewer would be no sample.
const LEAST: usize = 40;

#[test]
fn conclusions_are_about_what_is_asked() {
    let kb = KnowledgeBase::open_with_cache(REPOSITORY, shared_cache()).expect("the knowledge base opens");
    let (mut asked, mut wrong) = (0, Vec::new());
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [question, intent, says, says_not] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has four columns: {line:?}");
        };
        asked += 1;
        let answer = kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        let text = &answer.conclusion.text;
        let parts = |column: &'static str| column.split('|').filter(|part| *part != "-");
        let is_said = |part: &str| match part.strip_prefix('^') {
            Some(beginning) => text.starts_with(beginning),
            None => text.contains(part),
        };
        let lacking: Vec<&str> = parts(says).filter(|part| !is_said(part)).collect();
        let others: Vec<&str> = parts(says_not).filter(|part| is_said(part)).collect();
        let found = answer.intent.to_string();
        if found != intent || !lacking.is_empty() || !others.is_empty() {
            wrong.push(format!("{question}: {found}, lacks {lacking:?}, and says {others:?}: {text}"));
        }
    }
    println!("questions about what they name: {} of {asked}", asked - wrong.len());
    assert!(asked >= LEAST, "only {asked} questions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! What a question asks and under which conditions, on the real knowledge base: two orders at once, limits that another limit or entity
//! sets, prices by provider and time, what is excluded or unknown. All questions share one process.

use dlbench::KnowledgeBase;

use crate::{REPOSITORY, shared_cache};

/// Questions with what their conclusion has, and has not.
const TABLE: &str = include_str!("conditions.tsv");

#[test]
fn what_is_asked_under_which_conditions_is_what_the_conclusion_says() {
    let kb = KnowledgeBase::open_with_cache(REPOSITORY, shared_cache()).expect("the knowledge base opens");
    let mut wrong = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [question, has, lacks] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has three columns: {line:?}");
        };
        let answer = kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        // What was not understood is told beside the conclusion.
        let ignored: String = answer.ignored.iter().map(|word| format!(" `{word}` not understood")).collect();
        let text = format!("{}{ignored}", answer.conclusion.text);
        let is_said = has == "-" || text.contains(has);
        let is_lacking = lacks == "-" || !text.contains(lacks);
        if !is_said || !is_lacking {
            wrong.push(format!("{question}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

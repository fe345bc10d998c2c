//! What the conclusion says on the real knowledge base, question by question. Each table has questions of one kind, with the kind of
//! answer and what its conclusion says and must not say.

use crate::real_kb::knowledge_base;

/// A table has fewer lines only where somebody cut it.
const LEAST: usize = 20;

/// Asks each question of a table. A line has the question, the intent or `-` for any, what the conclusion says and what it must not
/// say; several parts have a `|` between them, `-` is none, and a part that begins with `^` stands first. Words that were not
/// understood are told beside the conclusion, and count as said.
#[track_caller]
fn holds(table: &'static str) {
    let kb = knowledge_base();
    let (mut asked, mut wrong) = (0, Vec::new());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [question, intent, says, says_not] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has four columns: {line:?}");
        };
        asked += 1;
        let answer = kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        let ignored: String = answer.ignored.iter().map(|word| format!(" `{word}` not understood")).collect();
        let text = format!("{}{ignored}", answer.conclusion.text);
        let parts = |column: &'static str| column.split('|').filter(|part| *part != "-");
        let is_said = |part: &str| match part.strip_prefix('^') {
            Some(beginning) => text.starts_with(beginning),
            None => text.contains(part),
        };
        let lacking: Vec<&str> = parts(says).filter(|part| !is_said(part)).collect();
        let others: Vec<&str> = parts(says_not).filter(|part| is_said(part)).collect();
        let found = answer.intent.to_string();
        if intent != "-" && found != intent || !lacking.is_empty() || !others.is_empty() {
            wrong.push(format!("{question}: {found}, lacks {lacking:?}, and says {others:?}: {text}"));
        }
    }
    println!("conclusions as the table has them: {} of {asked}", asked - wrong.len());
    assert!(asked >= LEAST, "only {asked} questions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn subjects_are_what_a_conclusion_is_about() {
    holds(include_str!("subjects.tsv"));
}

#[test]
fn headlines_say_what_the_pairs_below_them_do() {
    holds(include_str!("comparisons.tsv"));
}

#[test]
fn conditions_are_heeded_or_told() {
    holds(include_str!("conditions.tsv"));
}

#[test]
fn rankings_and_relations_say_what_they_are_of() {
    holds(include_str!("rankings.tsv"));
}

#[test]
fn words_are_read_whole_or_told() {
    holds(include_str!("words.tsv"));
}

#[test]
fn facts_and_grades_are_told_first() {
    holds(include_str!("facts.tsv"));
}

//! Sentences as people write them: what kind of answer each wants, and which words were read as what.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dlbench::ask::answer::Answer;

use crate::REPOSITORY;
use crate::real_kb::knowledge_base;

/// Sentences with their intents, readings and words that are left out.
const TABLE: &str = include_str!("sentences.tsv");

/// Words that a question may have without anything being said of them: grammar, words of the field that narrow nothing, and those
/// that ask for the kind of answer that is given.
const SILENT: &str = include_str!("silent-words.txt");

/// Fewer would be no sample of how people ask.
const LEAST: usize = 150;

/// Facets whose values a question names; none of them may be read where none is named.
const NAMED: &[&str] = &[
    "device",
    "network",
    "framework",
    "dataset",
    "source",
    "instance",
    "class",
    "vendor",
    "architecture",
    "precision",
    "stage",
    "task",
    "license",
    "language",
    "text",
];

/// How many questions of each kind there are, and how many of them were understood.
#[derive(Default)]
struct Score {
    kinds: BTreeMap<String, (usize, usize)>,
    wrong: Vec<String>,
}

impl Score {
    fn count(&mut self, kind: &str, question: &str, wrong: Option<String>) {
        let (asked, right) = self.kinds.entry(kind.to_owned()).or_default();
        *asked += 1;
        *right += usize::from(wrong.is_none());
        self.wrong.extend(wrong.map(|wrong| format!("{question}: {wrong}")));
    }

    /// Prints the score by kind, and fails where less than `percent` are right.
    fn hold(&self, what: &str, percent: usize) {
        for (kind, (asked, right)) in &self.kinds {
            println!("{what}, {kind}: {right} of {asked}");
        }
        let asked: usize = self.kinds.values().map(|(asked, _)| asked).sum();
        let right: usize = self.kinds.values().map(|(_, right)| right).sum();
        println!("{what}: {right} of {asked}\n{}", self.wrong.join("\n"));
        assert!(right * 100 >= asked * percent, "{what}: {right} of {asked}\n{}", self.wrong.join("\n"));
    }
}

#[test]
fn sentences_are_read_as_people_mean_them() {
    let kb = knowledge_base();
    let (mut intents, mut readings) = (Score::default(), Score::default());
    let mut asked = 0;
    let mut unsaid: Vec<String> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [question, intent, read_as, ignored] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has four columns: {line:?}");
        };
        asked += 1;
        let answer = kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        let found = answer.intent.to_string();
        intents.count(intent, question, (found != intent).then(|| format!("{found} instead of {intent}")));
        readings.count(intent, question, misread(&answer, read_as, ignored));
        unsaid.extend(lost_words(question, &answer));
    }
    assert!(asked >= LEAST, "only {asked} sentences");
    intents.hold("intents made out", 95);
    readings.hold("sentences read rightly", 95);
    assert!(unsaid.is_empty(), "words of which nothing was made and nothing is said: {unsaid:#?}");
}

/// The words of a question that stand in no reading, are not told as left out, and say something.
pub fn lost_words(question: &str, answer: &Answer) -> Option<String> {
    let lines = || SILENT.lines().filter(|line| !line.starts_with('#'));
    let of_question = lines().filter_map(|line| line.split_once('\t')).filter(|(_, of)| *of == question);
    let silent = lines().filter(|line| !line.contains('\t')).flat_map(str::split_whitespace);
    let words = |text: &str| -> Vec<String> {
        let of = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '+' | '\'' | '&'));
        // Whose something is is named without the ending: `soumith's`.
        let bare = of.map(|word| word.trim_matches(['.', '\'']).trim_end_matches("'s").to_lowercase());
        bare.filter(|word| !word.is_empty()).collect()
    };
    let mut said: BTreeSet<String> = answer.read_as.iter().flat_map(|read| words(&read.text)).collect();
    said.extend(answer.ignored.iter().chain(&answer.unknown_names).flat_map(|text| words(text)));
    said.extend(answer.notes.iter().filter(|note| note.is_of_reading()).flat_map(|note| words(&note.to_string())));
    let is_said = |word: &str| said.contains(word) || word.strip_suffix('s').is_some_and(|one| said.contains(one));
    let is_lost = |word: &String| {
        !is_said(word) && !silent.clone().any(|one| one == word) && !of_question.clone().any(|(one, _)| one == word)
    };
    let lost: Vec<String> = words(question).into_iter().filter(|word| is_lost(word)).collect();
    (!lost.is_empty()).then(|| format!("{question}: {}", lost.join(" ")))
}

/// What of a sentence was read wrongly.
fn misread(answer: &Answer, expected: &str, ignored: &str) -> Option<String> {
    let mut expected: Vec<&str> = expected.split(' ').filter(|reading| *reading != "-").collect();
    let mut wrong = Vec::new();
    for read in &answer.read_as {
        let minus = if read.text.starts_with('-') { "-" } else { "" };
        let values = read.values.iter().map(|value| format!("{minus}{}:{}", read.facet, value.replace(' ', "_")));
        let values: Vec<String> = values.collect();
        let before = expected.len();
        let known = expected.iter().any(|reading| values.iter().any(|value| value == reading));
        expected.retain(|reading| !values.iter().any(|value| value == reading));
        // The same entity may be named twice.
        if before == expected.len() && !known && NAMED.contains(&read.facet.as_str()) && !is_named(answer, &values) {
            wrong.push(format!("`{}` was read as {} {}", read.text, read.facet, read.values.join(",")));
        }
    }
    wrong.extend(expected.iter().map(|reading| format!("{reading} was not read")));
    let left_out = if answer.ignored.is_empty() { "-".to_owned() } else { answer.ignored.join(" ") };
    if left_out != ignored {
        wrong.push(format!("left out: {left_out}"));
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// Whether two readings share a value, so that the second one names nothing new.
fn is_named(answer: &Answer, values: &[String]) -> bool {
    let named = |value: &String| {
        let of = |facet: &str, other: &str| *value == format!("{facet}:{}", other.replace(' ', "_"));
        let has = answer.read_as.iter().filter(|read| read.values.iter().any(|other| of(&read.facet, other)));
        has.count() > 1
    };
    values.iter().any(named)
}

/// The questions of practice, where they lie beside the repository: each with the kind of answer that a person wants.
#[test]
fn the_questions_of_practice_are_understood() {
    let file = Path::new(REPOSITORY).join("../shared/questions.tsv");
    let Ok(table) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: the questions do not lie beside the repository ({} is missing)", file.display());
        return;
    };
    let kb = knowledge_base();
    let (mut intents, mut told) = (Score::default(), Score::default());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [question, kind, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has three columns: {line:?}");
        };
        let answer = match kb.query(question) {
            Ok(answer) => answer,
            Err(error) => {
                let wrong = (kind != "none").then(|| error.to_string());
                intents.count(kind, question, wrong);
                continue;
            }
        };
        let found = answer.intent.to_string();
        // Whether a network fits is a fact for some, a relation of two facts for others.
        let fits =
            kind == "fact" && found == "relation" && answer.read_as.iter().any(|read| read.facet == "parameters");
        let right = kind == "none" || kind == found || fits;
        intents.count(kind, question, (!right).then(|| format!("{found} instead of {kind}")));
        told.count(kind, question, lost(question, &answer));
    }
    intents.hold("intents of the questions of practice", 95);
    told.hold("names of the questions of practice that are read or told as left out", 95);
}

/// The words with a number in them, which are names and sizes, that no reading and no list of words left out has.
fn lost(question: &str, answer: &Answer) -> Option<String> {
    let squeezed = |text: &str| text.to_lowercase().replace([' ', '-', '|'], "");
    let said: Vec<String> = answer
        .read_as
        .iter()
        .map(|read| squeezed(&read.text))
        .chain(answer.ignored.iter().map(|word| squeezed(word)))
        .collect();
    let words = question.split([' ', ',', '|', ':', '<', '>', '=']).map(|word| word.trim_end_matches(['?', '.', '+']));
    let numbered = words.filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let lost: Vec<&str> = numbered.filter(|word| !said.iter().any(|text| text.contains(&squeezed(word)))).collect();
    (!lost.is_empty()).then(|| format!("lost: {}", lost.join(" ")))
}

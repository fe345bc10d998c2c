//! Questions as people type them: each must be read as the canonical form beside it, and what is not read must be said.

use std::collections::{BTreeMap, BTreeSet};

use dlbench::ask::parse::{parse, print};

use crate::canonical::Form;
use crate::real_kb::knowledge_base;

/// Questions, their canonical forms, the first entry of the answer, and what the answer must say.
const TABLE: &str = include_str!("questions.tsv");

/// Fewer would be no sample of how people ask.
const LEAST: usize = 1_200;

/// A line of the table.
struct Line<'a> {
    question: &'a str,
    /// Forms of which each is right; none where the question names what is not here.
    meant: Vec<&'a str>,
    must: Vec<&'a str>,
}

fn lines() -> Vec<Line<'static>> {
    let of = |line: &'static str| {
        let [question, meant, _, must] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has four columns: {line:?}");
        };
        let listed = |text: &'static str, by: &str| -> Vec<&'static str> {
            if text == "-" { Vec::new() } else { text.split(by).collect() }
        };
        Line { question, meant: listed(meant, " ~ "), must: listed(must, "|") }
    };
    TABLE.lines().filter(|line| !line.starts_with('#')).map(of).collect()
}

#[test]
fn questions_are_read_as_people_mean_them() {
    let kb = knowledge_base();
    let names = kb.names();
    let mut score: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut wrong, mut said) = (Vec::new(), 0);
    for line in lines().into_iter().filter(|line| !line.meant.is_empty()) {
        let read = parse(line.question, names).unwrap_or_else(|error| panic!("{}: {error}", line.question));
        let form = |text: &&str| match parse(text, names) {
            Ok(meant) if !text.contains('…') => Form::of(&print(&meant)),
            _ => Form::of(text),
        };
        let meant: Vec<Form> = line.meant.iter().map(form).collect();
        let printed = print(&read);
        let right = meant.iter().any(|form| form.agrees(&Form::of(&printed)));
        let of = score.entry(meant[0].ask().to_owned()).or_default();
        of.0 += usize::from(right);
        of.1 += 1;
        if !right {
            said += usize::from(read.spans.iter().any(|span| span.how.is_unread()));
            wrong.push(format!("{}\n    meant: {}\n    read:  {printed}", line.question, line.meant.join(" ~ ")));
        }
    }
    let (right, asked) = score.values().fold((0, 0), |(a, b), (right, of)| (a + right, b + of));
    println!(
        "{}\nby kind: {score:?}; read as meant: {right} of {asked}; unread words said in {said}",
        wrong.join("\n")
    );
    assert!(asked >= LEAST, "only {asked} questions");
    assert!(right * 100 >= asked * 92, "{right} of {asked}");
    assert!(said * 10 >= wrong.len() * 9, "of {} read amiss only {said} say a word that was not read", wrong.len());
}

#[test]
fn names_that_are_not_here_are_said() {
    let kb = knowledge_base();
    let mut silent = Vec::new();
    for line in lines().into_iter().filter(|line| line.meant.is_empty()) {
        let read = parse(line.question, kb.names()).unwrap_or_else(|error| panic!("{}: {error}", line.question));
        let unread: Vec<&str> =
            read.spans.iter().filter(|span| span.how.is_unread()).map(|span| span.text.as_str()).collect();
        let unread = unread.join(" ").to_lowercase();
        if !line.must.iter().all(|part| unread.contains(&part.to_lowercase())) {
            silent.push(format!("{}: {unread:?} are not read", line.question));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// The words of people that the reader knows.
const LEXICON: &str = include_str!("../library/ask/parse/lexicon.toml");

/// A phrase without what does not matter in it.
fn tight(text: &str) -> String {
    let kept = text.to_lowercase();
    kept.chars().filter(|letter| !letter.is_whitespace() && !"-/_,?!.;:()\"'".contains(*letter)).collect()
}

#[test]
fn every_phrase_of_the_lexicon_is_used_by_a_question() {
    let mut used = BTreeSet::new();
    for line in lines() {
        let words: Vec<&str> = line.question.split_whitespace().collect();
        for from in 0..words.len() {
            for to in from + 1..=words.len().min(from + 7) {
                let phrase = tight(&words[from..to].join(" "));
                // A unit stands behind its number: `8gb`.
                used.insert(
                    phrase
                        .trim_start_matches(|letter: char| letter.is_ascii_digit() || "$€<>=~".contains(letter))
                        .to_owned(),
                );
                used.insert(phrase);
            }
        }
    }
    let lexicon: toml::Table = LEXICON.parse().expect("the lexicon is TOML");
    let mut unused = Vec::new();
    for (section, entries) in &lexicon {
        for phrases in entries.as_table().into_iter().flat_map(toml::Table::values) {
            let phrases = phrases.as_array().into_iter().flatten().filter_map(toml::Value::as_str);
            let unknown = phrases.filter(|phrase| !tight(phrase).is_empty() && !used.contains(&tight(phrase)));
            unused.extend(unknown.map(|phrase| format!("[{section}] {phrase}")));
        }
    }
    assert!(unused.is_empty(), "no question has these {}: {}", unused.len(), unused.join(", "));
}

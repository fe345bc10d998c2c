//! What an answer comes to, before the rows that it rests on.

use std::collections::BTreeSet;

use super::super::table::Table;
use super::super::{DIM, paragraph};
use super::entries::EntryTable;
use crate::ask::answer::Answer;
use crate::ask::conclude::{Entry, NAMES_IN_LIST};
use crate::ask::question::{Intent, is_in_other_currency, is_like_a_name, is_limit};
use crate::rows::Note;
use crate::values::text::{and_list, counted};

/// A conclusion takes no more lines than this.
const MOST_LINES: usize = 12;
/// So few facts of so few subjects are all said.
const FEW: usize = 3;
/// A list on its page.
const MOST_LISTED: usize = 16;
/// So many more names of a list are told in a line.
const MOST_NAMED: usize = 30;
/// The numbers of an overview on its page.
const MOST_IN_OVERVIEW: usize = 10;
/// The entries of a conclusion in a document.
const MOST_IN_DOCUMENT: usize = 20;

/// The conclusion: what was read by a near name, the sentence, and its entries.
pub fn text(answer: &Answer, width: usize) -> String {
    let mut text = String::new();
    let sentence = in_words(answer);
    if !sentence.is_empty() {
        text.push_str(&paragraph("", &sentence, width));
    }
    if let Some(entries) = EntryTable::of(answer).filter(|_| !rows_are_the_entries(answer)) {
        let shared = entries.shared();
        if !shared.is_empty() {
            text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", &shared, width)));
        }
        let room = MOST_LINES.saturating_sub(text.lines().count());
        let (table, hidden) = fitted(&entries, room, width);
        // The sentence of a ranking names its first: where it leaves a table no room there is none.
        let is_ranking = answer.intent == Intent::Ranking;
        if !is_ranking || table.lines().count() <= room {
            text.push_str(&table);
            let has_room = text.lines().count() < MOST_LINES;
            let more = if is_ranking { hidden_ranks(&entries, hidden, width) } else { hidden_in_words(hidden) };
            text.extend((has_room || !is_ranking).then_some(more));
        }
    }
    text
}

/// As many entries as fit the lines, at least one, and how many that are.
fn fitted(entries: &EntryTable<'_>, room: usize, width: usize) -> (String, usize) {
    let mut most = entries.len().min(room.max(1));
    loop {
        let (text, _) = entries.table(most).text_alone(width);
        let lines = text.lines().count() + usize::from(most < entries.len());
        if most == 1 || lines <= room {
            return (text, entries.len() - most);
        }
        most -= 1;
    }
}

/// Says how many entries are not shown.
fn hidden_in_words(hidden: usize) -> String {
    if hidden > 0 { format!("{DIM}{hidden} more: -f json{DIM:#}\n") } else { String::new() }
}

/// Those of a ranking that have no line in their order, with their values, as far as they fit one line.
fn hidden_ranks(entries: &EntryTable<'_>, hidden: usize, width: usize) -> String {
    let ranks = entries.ranks_behind(entries.len() - hidden).unwrap_or_default();
    let line = |shown: usize| match ranks.len() - shown {
        0 => format!("then {}", ranks.join(", ")),
        more => format!("then {} and {more} more: -f json", ranks[..shown].join(", ")),
    };
    match (1..=ranks.len()).rev().map(line).find(|line| line.chars().count() <= width) {
        Some(line) => format!("{DIM}{line}{DIM:#}\n"),
        None => hidden_in_words(hidden),
    }
}

/// Names what of a list has no line, as long as that is no list of its own.
fn hidden_names(entries: &EntryTable<'_>, hidden: usize, width: usize) -> String {
    let names = match hidden {
        1..=MOST_NAMED => entries.names_behind(entries.len() - hidden),
        _ => None,
    };
    match names {
        Some(names) => {
            let text = format!("{hidden} more: {}", names.join(", "));
            format!("{DIM}{}{DIM:#}", paragraph("", &text, width))
        }
        None => hidden_in_words(hidden),
    }
}

/// Rows that would match if they said more.
pub(super) fn asides(answer: &Answer, width: usize) -> String {
    let mut text = String::new();
    for aside in asides_in_words(answer) {
        text.push_str(&paragraph("", &aside, width));
    }
    text
}

/// Near names that were taken, what was left out, and the sentence: who reads on knows what the numbers are of.
pub(super) fn in_words(answer: &Answer) -> String {
    let near = answer.notes.iter().filter(|note| note.is_of_reading()).map(Note::to_string);
    let sentence = Some(answer.conclusion.text.clone()).filter(|text| !text.is_empty());
    near.chain(left_out(answer)).chain(sentence).collect::<Vec<_>>().join(" ")
}

/// What of the question the answer does not heed: limits that nothing can be held against, names that nothing here has, and words.
/// What follows answers less than was asked, which is said as that.
fn left_out(answer: &Answer) -> Option<String> {
    let quoted = |words: &[&String]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>();
    let (limits, others): (Vec<&String>, Vec<&String>) = answer.ignored.iter().partition(|words| is_limit(words));
    let (names, words): (Vec<&String>, Vec<&String>) = others.into_iter().partition(|words| is_like_a_name(words));
    let mut told = Vec::new();
    if !limits.is_empty() {
        let is_foreign = limits.iter().any(|limit| is_in_other_currency(limit));
        let why = if is_foreign { " (prices here are in US dollars)" } else { "" };
        told.push(format!("Not applied: {}{why}; without it:", and_list(&quoted(&limits))));
    }
    if !names.is_empty() {
        let is = if names.len() == 1 { "is no name" } else { "are no names" };
        let it = if names.len() == 1 { "it" } else { "them" };
        told.push(format!("{} {is} known here; without {it}:", and_list(&quoted(&names))));
    }
    if !words.is_empty() {
        told.push(format!("Answered without {}, not understood:", and_list(&quoted(&words))));
    }
    (!told.is_empty()).then(|| told.join(" "))
}

/// What is unstated, in a sentence.
pub(super) fn asides_in_words(answer: &Answer) -> Vec<String> {
    let mut asides = Vec::new();
    if !answer.unstated.is_empty() {
        let rows = answer.unstated.iter().map(|unstated| {
            format!("{} more if the {} was stated", counted(unstated.rows, "row", "rows"), unstated.field)
        });
        asides.push(format!("Would match, too: {}.", and_list(&rows.collect::<Vec<_>>())));
    }
    asides
}

/// The entries as a table of a document, with what all of them share as its caption.
pub(super) fn table(answer: &Answer) -> Option<Table> {
    let entries = EntryTable::of(answer)?;
    Some(Table { caption: entries.shared(), ..entries.table(MOST_IN_DOCUMENT) })
}

/// Whether the sentence, or the table of rows, of facts or of entries that follows, says all that the entries do.
fn rows_are_the_entries(answer: &Answer) -> bool {
    match answer.intent {
        Intent::Lookup => !answer.measurements.is_empty(),
        Intent::List | Intent::Overview => true,
        Intent::Fact | Intent::Grade => is_said(&answer.conclusion.entries),
        _ => false,
    }
}

/// Whether a sentence says all of some facts or grades: those of one subject, and one of a few.
fn is_said(entries: &[Entry]) -> bool {
    let subjects: BTreeSet<String> = entries.iter().map(|entry| format!("{:?}", entry.subjects)).collect();
    let quantities: BTreeSet<&str> = entries.iter().map(|entry| entry.quantity.as_str()).collect();
    subjects.len() < 2 || subjects.len() <= FEW && quantities.len() <= FEW
}

/// What a list holds beyond the names that its sentence has, and the numbers of an overview: they stand in the place of rows.
pub(super) fn entries_for_rows(answer: &Answer, width: usize) -> String {
    let most = match answer.intent {
        Intent::List => MOST_LISTED,
        Intent::Overview => MOST_IN_OVERVIEW,
        _ => return String::new(),
    };
    let Some(entries) = EntryTable::of(answer) else { return String::new() };
    if answer.intent == Intent::List && entries.len() <= NAMES_IN_LIST {
        return String::new();
    }
    let mut text = "\n".to_owned();
    let shared = entries.shared();
    if !shared.is_empty() {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("", &shared, width)));
    }
    let (table, hidden) = fitted(&entries, most, width);
    text.push_str(&table);
    text.push_str(&match answer.intent {
        Intent::List => hidden_names(&entries, hidden, width),
        _ => hidden_in_words(hidden),
    });
    text
}

//! The joined answer: the question as it was read, then the numbers, then the facts.

mod asked;
mod brief;
mod cells;
mod columns;
mod conclusion;
mod counts;
mod document;
mod entries;
mod explanation;
mod facts;
mod flat;
mod groups;
mod labels;
mod layout;
mod marks;
mod numbers;
mod pivoted_entries;
mod telling;
mod tested;
mod view;

use super::{DIM, heading, paragraph};
use crate::ask::answer::Answer;
use crate::ask::question::{Intent, ReadAs};
use crate::model::Facet;
use crate::rows::Note;
use crate::values::text::{counted, printable};
pub use conclusion::text as conclusion_text;
pub use document::{about, html, latex, markdown, page, sheet, typst, typst_document};
pub use explanation::explanation;
pub use facts::citation;
pub use flat::{flat, write_csv};
use layout::Numbers;
pub use view::AnswerView;

/// The answer for a person at a terminal: what it comes to first, then the rows, then the facts.
pub fn text(answer: &Answer, view: &AnswerView, width: usize) -> String {
    let mut text = conclusion::text(answer, width);
    text.push_str(&conclusion::asides(answer, width));
    text.push_str(&read_as(answer, width));
    text.push_str(&rows(answer, view, width));
    text.push_str(&counts::text(answer, width));
    text.push_str(&match view.facts {
        true => facts::text(answer, width),
        false => brief::text(answer, width),
    });
    let notes: Vec<&Note> = answer.notes.iter().filter(|note| view.facts || is_news(note, answer)).collect();
    if view.facts && !notes.is_empty() {
        text.push_str(&format!("\n{}", heading("Notes")));
    }
    for note in notes {
        text.push_str(&paragraph(if view.facts { "  - " } else { "- " }, &note.to_string(), width));
    }
    if !answer.suggestions.is_empty() && !is_answered(answer) {
        text.push_str(&format!("\n{}", heading("Nearby questions")));
        for near in &answer.suggestions {
            let total = counted(near.total, "measurement", "measurements");
            text.push_str(&format!("  dlbench query {}  {DIM}{total}{DIM:#}\n", shell_word(&printable(&near.query))));
        }
    }
    text
}

/// The rows, or the entities that were asked for instead of rows.
fn rows(answer: &Answer, view: &AnswerView, width: usize) -> String {
    let concluded = !answer.conclusion.text.is_empty();
    let entries = match answer.measurements.is_empty() && !view.facts {
        true => conclusion::entries_for_rows(answer, width),
        false => String::new(),
    };
    if answer.measurements.is_empty() && answer.listed.is_some() {
        let table = facts::asked_for(answer).filter(|_| !view.facts);
        return table.map_or(entries, |table| facts::under_heading(&table, width));
    }
    if !answer.unknown_names.is_empty() && answer.measurements.is_empty() {
        return String::new();
    }
    if answer.measurements.is_empty() && answer.total > 0 && concluded && view.page.only_telling {
        let rows = counted(answer.total, "measurement matches, too", "measurements match, too");
        return format!("{entries}{DIM}{rows}: --limit 10 shows some{DIM:#}\n");
    }
    match answer.total {
        0 if concluded && answer.measurements.is_empty() => entries,
        0 if answer.measurements.is_empty() => "\nNo measurement matches.\n".to_owned(),
        _ => format!("\n{}", Numbers::of(answer, view).text(width)),
    }
}

/// Whether a note says what the page does not say elsewhere.
fn is_news(note: &Note, answer: &Answer) -> bool {
    match note {
        // The first line says it, or a warning does.
        Note::Fuzzy { .. } | Note::StatesNone { .. } | Note::NotKept { .. } | Note::LeftOut { .. } => false,
        // The legend under the rows says it, or it is about what --facts shows.
        Note::MixedPrecision { .. }
        | Note::DerivedThroughput { .. }
        | Note::Family { .. }
        | Note::FactsOfPage { .. } => false,
        // They are about how rows are to be compared; those behind a conclusion are comparable, or it says in what they are not.
        Note::Revisions { .. } | Note::NotComparable { .. } | Note::NotStated { .. } => {
            !answer.measurements.is_empty() && !answer.behind_conclusion
        }
        Note::Standing { .. } => !answer.measurements.is_empty(),
        Note::CatalogOnly => answer.conclusion.text.is_empty(),
        // The conclusion says what is not known; a fact needs no measurement.
        Note::NoMatch { .. } | Note::EmptiedBy { .. } | Note::NoMatchInAll => !is_answered(answer),
        _ => true,
    }
}

/// Whether it is of no consequence that no measurement matches: the catalog answers, or what is asked about is not known.
fn is_answered(answer: &Answer) -> bool {
    let by_catalog = matches!(answer.intent, Intent::Fact | Intent::Grade | Intent::List);
    by_catalog && !answer.conclusion.entries.is_empty() || !answer.unknown_names.is_empty()
}

/// A question as a shell takes it.
fn shell_word(question: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | ':' | ',' | '+');
    if question.chars().all(plain) {
        format!("\"{question}\"")
    } else {
        format!("'{}'", question.replace('\'', r"'\''"))
    }
}

fn read_as(answer: &Answer, width: usize) -> String {
    let mut text = String::new();
    // A word that was read as a condition on a metric asks for that metric as well: it is told once.
    let is_told = |read: &ReadAs| {
        let mut others = answer.read_as.iter().filter(|other| other.facet == Facet::Metric.key());
        read.facet == "quantity" && others.any(|other| other.text == read.text && other.values == read.values)
    };
    let parts: Vec<String> = answer.read_as.iter().filter(|read| !is_told(read)).map(reading).collect();
    if !parts.is_empty() {
        text.push_str(&format!("{DIM}{}{DIM:#}", paragraph("read as  ", &parts.join(" · "), width)));
    }
    text
}

/// `V100 = device tesla-v100 (family of 10)`.
fn reading(read: &ReadAs) -> String {
    let values = match read.values.as_slice() {
        [first, rest @ ..] if read.how == "family" && rest.len() > 1 => {
            format!("{first} (family, {} members)", rest.len())
        }
        [first, second, rest @ ..] if rest.len() > 1 => format!("{first}, {second} and {} more", rest.len()),
        values => values.join(", "),
    };
    let how = match read.how.as_str() {
        "fuzzy" => " (nearest name)",
        _ => "",
    };
    if let Some(left_out) = read.text.strip_prefix('-') {
        return format!("{left_out} = not {} {values}{how}", read.facet);
    }
    if read.text == values || read.text == format!("{} {values}", read.facet) {
        format!("{} {values}{how}", read.facet)
    } else {
        format!("{} = {} {values}{how}", read.text, read.facet)
    }
}

//! The answer on a page: what limits it, the first line, one table, what must be known, facts and sources.

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
mod long;
mod marks;
mod numbers;
mod pairs;
mod parts;
mod pivoted_entries;
mod telling;
mod tested;
mod view;

use super::{DIM, heading, paragraph};
use crate::ask::answer::{Answer, Place, WordedRemark, shell_word};
use crate::ask::parse::{How, Span};
use crate::values::text::printable;
pub use conclusion::text as conclusion_text;
pub use document::{about, html, latex, markdown, page, sheet, typst, typst_document};
pub use explanation::explanation;
pub use facts::citation;
pub use flat::{flat, write_csv};
use layout::Numbers;
pub use long::{write_json, write_ndjson};
pub use parts::{AnswerParts, parts};
pub use view::AnswerView;

/// Remarks on a terminal, unless all are asked for.
const MOST_REMARKS: usize = 3;

/// The answer for a person at a terminal.
pub fn text(answer: &Answer, view: &AnswerView, width: usize) -> String {
    let sentences = conclusion::sentences(answer);
    let mut text: String = sentences.iter().map(|sentence| paragraph("", sentence, width)).collect();
    text.push_str(&read_as(answer, width));
    if answer.is_stopped {
        return text;
    }
    let values = conclusion::values(answer, width);
    if !values.is_empty() {
        text.push_str(&format!("\n{values}"));
    }
    if !answer.measurements.is_empty() {
        text.push_str(&format!("\n{}", Numbers::of(answer, view).text(width)));
    }
    text.push_str(&counts::text(answer, width));
    text.push_str(&remarks(answer, view, width));
    text.push_str(&match view.facts {
        true => facts::text(answer, width),
        false => brief::text(answer, width),
    });
    if !answer.suggestions.is_empty() && answer.is_empty() {
        text.push_str(&format!("\n{}", heading("Nearby questions")));
        for near in &answer.suggestions {
            let query = shell_word(&printable(&near.query));
            text.push_str(&format!("  dlbench query {query}  {DIM}{} rows{DIM:#}\n", near.total));
        }
    }
    text
}

/// What must be known to use the answer: the most important, or all.
fn remarks(answer: &Answer, view: &AnswerView, width: usize) -> String {
    let is_shown = |remark: &&WordedRemark| view.notes || remark.place == Place::Behind;
    let most = if view.notes { usize::MAX } else { MOST_REMARKS };
    let shown = answer.remarks.iter().filter(is_shown).take(most);
    let text: String = shown.map(|remark| paragraph("- ", &remark.text, width)).collect();
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Where the words of a question went, in a line that a person may skip; nothing where the words are explicit filters.
fn read_as(answer: &Answer, width: usize) -> String {
    let is_telling = |span: &&Span| {
        !span.how.is_unread() && !matches!(span.how, How::Filler | How::Filter) && !span.values.is_empty()
    };
    let parts: Vec<String> = answer.read_as.iter().filter(is_telling).filter_map(reading).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!("{DIM}{}{DIM:#}", paragraph("read as  ", &parts.join(" · "), width)),
    }
}

/// `V100 = device tesla-v100`; nothing where the words say as much.
fn reading(span: &Span) -> Option<String> {
    let values = match span.values.as_slice() {
        [first, second, rest @ ..] if rest.len() > 1 => format!("{first}, {second} and {} more", rest.len()),
        values => values.join(", "),
    };
    let how = if span.how == How::Nearest { " (nearest name)" } else { "" };
    let is_same = span.text.eq_ignore_ascii_case(&values);
    (!is_same || span.how == How::Nearest).then(|| format!("{} = {} {values}{how}", span.text, span.facet))
}

//! Renders an answer on one page: limiting remarks, the first line, one table, further remarks, facts and sources.

mod brief;
mod document;
mod entries;
mod facts;
mod layout;
mod numbers;

pub use document::{
    AnswerParts, about, flat, html, latex, markdown, page, parts, sheet, typst, typst_document, write_csv, write_json,
    write_ndjson,
};
pub use entries::text as conclusion_text;
pub use facts::citation;
pub use layout::AnswerView;
use layout::Numbers;

use super::table::Table;
use super::{DIM, heading, paragraph};
use crate::ask::answer::{Answer, Explanation, Place, WordedRemark, shell_word};
use crate::ask::parse::{How, Span};
use crate::values::text::printable;
use crate::values::{Grid, GridColumn};

/// Maximum number of remarks on a terminal, unless all are requested.
const MOST_REMARKS: usize = 3;

/// The answer for a terminal.
pub fn text(answer: &Answer, view: &AnswerView, width: usize) -> String {
    let sentences = entries::sentences(answer);
    let mut text: String = sentences.iter().map(|sentence| paragraph("", sentence, width)).collect();
    text.push_str(&read_as(answer, width));
    if answer.is_stopped {
        return text;
    }
    let values = entries::values(answer, width);
    if !values.is_empty() {
        text.push_str(&format!("\n{values}"));
    }
    if !answer.measurements.is_empty() {
        text.push_str(&format!("\n{}", Numbers::of(answer, view).text(width)));
    }
    text.push_str(&numbers::text(answer, width));
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

/// Remarks that affect how the answer may be used: the most important ones, or all.
fn remarks(answer: &Answer, view: &AnswerView, width: usize) -> String {
    let is_shown = |remark: &&WordedRemark| view.notes || remark.place == Place::Behind;
    let most = if view.notes { usize::MAX } else { MOST_REMARKS };
    let shown = answer.remarks.iter().filter(is_shown).take(most);
    let text: String = shown.map(|remark| paragraph("- ", &remark.text, width)).collect();
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// A line that says how the question's words were read; empty if they are explicit filters.
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

/// How one span was read, such as `V100 = device tesla-v100`; `None` if that only repeats its words.
fn reading(span: &Span) -> Option<String> {
    let values = match span.values.as_slice() {
        [first, second, rest @ ..] if rest.len() > 1 => format!("{first}, {second} and {} more", rest.len()),
        values => values.join(", "),
    };
    let how = if span.how == How::Nearest { " (nearest name)" } else { "" };
    let is_same = span.text.eq_ignore_ascii_case(&values);
    (!is_same || span.how == How::Nearest).then(|| format!("{} = {} {values}{how}", span.text, span.facet))
}

/// Longer value lists are cut after this many values and the rest is counted.
const MOST_VALUES: usize = 12;

/// Renders the explanation for a terminal.
pub fn explanation(explanation: &Explanation, width: usize) -> String {
    let mut text = format!("\n{}", heading("How it was read"));
    let mut words = Grid::of_texts(&["words", "about", "read as", "how", "rule"]);
    for (span, rule) in &explanation.spans {
        let mut values: Vec<String> = span.values.iter().take(MOST_VALUES).cloned().collect();
        if span.values.len() > MOST_VALUES {
            values.push(format!("and {} more", span.values.len() - MOST_VALUES));
        }
        let how: &str = span.how.into();
        let cells = [span.text.as_str(), &span.facet, &values.join(", "), how, rule];
        words.push(cells.map(str::to_owned).to_vec());
    }
    text.push_str(&Table::from(&words).text_alone(width).0);
    text.push_str(&paragraph("canonical: ", &explanation.question, width));
    let mut parts = Grid { columns: vec![GridColumn::text("part"), GridColumn::number("rows")], rows: Vec::new() };
    for (part, rows) in &explanation.parts {
        parts.push(vec![part.clone(), rows.to_string()]);
    }
    parts.push(vec!["all of it".to_owned(), explanation.total.to_string()]);
    text.push_str(&format!("\n{}", heading("Rows of each part")));
    text.push_str(&Table::from(&parts).text_alone(width).0);
    text
}

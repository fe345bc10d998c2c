//! The page of wanted measurements, the most decisive first, and which of them this server's machine can make.

use maud::html;

use super::grid::{Links, drawn};
use super::layout;
use super::links::{about, measurement};
use crate::refusal::Refusal;
use crate::requests::WantedArguments;
use dlbench::KnowledgeBase;
use dlbench::measure::protocol::Hello;
use dlbench::render::table::{Cell, Column};
use dlbench::render::wanted::table;
use dlbench::values::text::counted;

/// Rows on the page; the API has all.
const ROWS: usize = 100;

/// The page; `worker` is the self-description of this machine's worker, if it was asked.
///
/// # Errors
///
/// When the question is too long, or a store fails.
pub(crate) fn page(request: &WantedArguments, kb: &KnowledgeBase, worker: Option<&Hello>) -> Result<String, Refusal> {
    let mut found = request.missing(kb, worker)?;
    let all = found.wanted.len();
    found.wanted.truncate(ROWS);
    let rows: Vec<String> = found.wanted.iter().map(|cell| cell.like.clone()).collect();
    let row = |_: &Column, cell: &Cell| rows.iter().find(|known| **known == cell.text).map(|id| measurement(id));
    let question = request.question.trim();
    let body = html! {
        h1 { "Wanted measurements" }
        @if question.is_empty() {
            p { "What nobody has measured, those first that would settle most of what " a href="/evidence" { "is claimed" } "." }
        } @else {
            p { "Those that hold all words of " q { (question) } ". " a href="/wanted" { "All" } }
        }
        @if all > ROWS {
            p { (counted(ROWS, "measurement", "measurements")) " of " (all) "; " a href={ (about("/api/wanted", question)) } { "all as JSON" } "." }
        }
        @if found.wanted.is_empty() { p { "There is none." } }
        @else { (drawn(&table(&found), &Links::of_cells(&row))) }
        p.quiet { (found.method) }
    };
    Ok(layout::page("Wanted measurements", "", &body))
}

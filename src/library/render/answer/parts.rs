//! The parts of an answer, for a page that puts them in an order of its own.

use super::conclusion;
use super::facts::{cited, cited_sources, cited_sources_by_id, fact_tables};
use super::layout::Numbers;
use super::view::AnswerView;
use crate::ask::answer::{Answer, Place};
use crate::render::table::Table;

/// What an answer consists of, apart from its first line.
pub struct AnswerParts {
    /// What limits the answer.
    pub before: Vec<String>,
    /// The values of the conclusion; the caption says what all of them share.
    pub values: Option<Table>,
    /// How many rows match, how many are shown, and what these share.
    pub count: String,
    /// The rows.
    pub rows: Option<Table>,
    /// The facts of the entities.
    pub facts: Vec<Table>,
    /// The sources that are cited: number, id, reference.
    pub sources: Vec<(usize, String, String)>,
}

/// The parts of an answer.
pub fn parts(answer: &Answer, view: &AnswerView) -> AnswerParts {
    let numbers = Numbers::of(answer, view);
    let has_rows = !answer.measurements.is_empty();
    let before = answer.remarks.iter().filter(|remark| remark.place == Place::Before);
    let has_cited = !cited(answer).is_empty();
    let cited = cited_sources(answer).into_iter().zip(cited_sources_by_id(answer)).filter(|_| has_cited);
    AnswerParts {
        before: before.map(|remark| remark.text.clone()).collect(),
        values: conclusion::table(answer),
        count: numbers.summary(),
        rows: has_rows.then(|| Table { caption: String::new(), ..numbers.table() }),
        facts: fact_tables(answer),
        sources: cited.map(|((number, text), (id, _))| (number, id, text)).collect(),
    }
}

//! Results of queries in Python (answers, comparisons, evidence, cards) as objects, tables and HTML.

mod comparison;

use std::sync::Arc;

use anstream::adapter::strip_str;
pub use comparison::ComparisonResult;
pub use comparison::EvidenceResult;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page};
use dlbench::ask::export::{Sheet, measurements};
use dlbench::model::References;
use dlbench::render::answer::{AnswerView, about, html, latex, markdown, page, sheet, text};
use dlbench::render::bibtex::bibtex;
use dlbench::render::table::{Paper, Table as RenderedTable};
use dlbench::render::{Format, card};
use dlbench_server::Refusal;
use dlbench_server::requests::{Cited, Shown};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arrow_table::{Table, failed};
use crate::shared::SharedKnowledgeBase;
use crate::shared::refused;

/// The output format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// Plain text for a terminal of this width.
    Terminal(usize),
    /// Markdown.
    Markdown,
    /// HTML for a notebook or page.
    Html,
    /// LaTeX for a paper.
    Latex,
}

/// The result of a request, which can be drawn in every output format.
pub trait Renderable: Send + Sync {
    /// The JSON document, as the program prints it with `-f json`.
    fn document(&self) -> serde_json::Result<String>;

    /// Draws the result in an output format.
    fn draw(&self, kb: &dlbench::KnowledgeBase, reader: ResultFormat) -> Result<String, Refusal>;

    /// The references that the result cites.
    fn references(&self, kb: &dlbench::KnowledgeBase) -> Result<References, Refusal>;

    /// The tables of the result.
    fn sheets(&self) -> Result<Vec<Sheet>, Refusal>;
}

/// The Python class of a result.
#[pyclass(frozen, name = "Result", module = "dlbench._dlbench")]
pub struct QueryResult {
    result: Box<dyn Renderable>,
    shared: Arc<SharedKnowledgeBase>,
}

impl QueryResult {
    /// Wraps a result of the shared knowledge base.
    pub fn of(result: Box<dyn Renderable>, shared: Arc<SharedKnowledgeBase>) -> Self {
        Self { result, shared }
    }

    fn render(&self, py: Python<'_>, reader: ResultFormat) -> PyResult<String> {
        let drawn = py.detach(|| self.shared.ask(|kb| self.result.draw(kb, reader)));
        drawn.map_err(|refusal| refused(py, refusal))
    }
}

#[pymethods]
impl QueryResult {
    /// The JSON document.
    fn document(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.result.document()).map_err(|error| refused(py, error.into()))
    }

    /// Plain text in lines of at most `width` columns.
    #[pyo3(signature = (width = 100))]
    fn text(&self, py: Python<'_>, width: usize) -> PyResult<String> {
        Ok(strip_str(&self.render(py, ResultFormat::Terminal(width.max(40)))?).to_string())
    }

    /// HTML for a section of a page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.render(py, ResultFormat::Html)
    }

    /// Markdown.
    fn markdown(&self, py: Python<'_>) -> PyResult<String> {
        self.render(py, ResultFormat::Markdown)
    }

    /// A LaTeX table for a paper, which cites its sources by key.
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        self.render(py, ResultFormat::Latex)
    }

    /// The cited references as BibTeX.
    fn bibtex(&self, py: Python<'_>) -> PyResult<String> {
        let references = py.detach(|| self.shared.ask(|kb| self.result.references(kb)));
        Ok(bibtex(&references.map_err(|refusal| refused(py, refusal))?))
    }

    /// The table with this name; unless `all`, without columns that have no value.
    #[pyo3(signature = (name, all = false))]
    fn table(&self, py: Python<'_>, name: &str, all: bool) -> PyResult<Table> {
        let made: Result<_, Refusal> = py.detach(|| {
            let sheets = self.result.sheets()?;
            let content = self.shared.ask(|kb| kb.content().to_owned());
            Ok(sheets.into_iter().find(|sheet| sheet.name == name).map(|sheet| Table::of(&sheet, all, &content)))
        });
        match made.map_err(|refusal| refused(py, refusal))? {
            Some(table) => table.map_err(failed),
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }
}

/// The result of a query.
pub struct AnswerResult {
    answer: Answer,
    page: Page,
    /// Whether the caller set a limit on the measurements; if so, all output formats show that page.
    is_limited: bool,
}

impl AnswerResult {
    /// Wraps an answer and the page of measurements it has.
    pub fn of(answer: Answer, page: Page, is_limited: bool) -> Self {
        Self { answer, page, is_limited }
    }

    /// The answer with as many measurements as the program shows in this output format.
    fn shown(&self, kb: &KnowledgeBase, reader: ResultFormat) -> Result<(Answer, AnswerView), Refusal> {
        let offset = self.page.offset;
        let page = match reader {
            _ if self.is_limited => self.page.clone(),
            ResultFormat::Terminal(_) => Page::for_person(offset),
            ResultFormat::Markdown | ResultFormat::Html => Page::for_document(offset),
            ResultFormat::Latex => Page { offset, ..Page::default() },
        };
        let question = &self.answer.query;
        let mut answer = kb.query_page(question, &page).map_err(|error| Refusal::of_question(question, &error))?;
        answer.facets.clone_from(&self.answer.facets);
        Ok((answer, AnswerView { page, ..AnswerView::default() }))
    }
}

impl Renderable for AnswerResult {
    fn document(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.answer)
    }

    fn draw(&self, kb: &KnowledgeBase, reader: ResultFormat) -> Result<String, Refusal> {
        let (answer, view) = self.shown(kb, reader)?;
        let about = about(&answer, kb.content());
        Ok(match reader {
            ResultFormat::Terminal(width) => text(&answer, &view, width),
            ResultFormat::Markdown => markdown(&answer, &view, &about),
            ResultFormat::Html => html(&answer, &view, &about, false),
            ResultFormat::Latex => {
                let cite = kb.references_of(&answer)?.keys();
                latex(&answer, &view, Paper { about, cite, ..Paper::default() })
            }
        })
    }

    fn references(&self, kb: &KnowledgeBase) -> Result<References, Refusal> {
        Ok(kb.references_of(&self.answer)?)
    }

    fn sheets(&self) -> Result<Vec<Sheet>, Refusal> {
        let entries = self.answer.conclusion.entries.iter().map(flattened).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![measurements(&self.answer.measurements), Sheet::from_entities("entries", entries)?])
    }
}

/// The result of `show`: a card.
pub struct CardResult {
    shown: Shown,
}

impl CardResult {
    /// Wraps a card.
    pub fn of(shown: Shown) -> Self {
        Self { shown }
    }

    /// One row per known fact.
    fn rows(&self) -> Vec<Value> {
        let known = self.shown.card.facts.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        known.map(|(fact, value)| json!({ "fact": fact, "value": text(value) })).collect()
    }
}

impl Renderable for CardResult {
    fn document(&self) -> serde_json::Result<String> {
        let (card, cited) = (&self.shown.card, Cited::from(&self.shown.references));
        serde_json::to_string(&json!({ "title": card.title, "facts": card.facts, "references": cited.references }))
    }

    fn draw(&self, kb: &KnowledgeBase, reader: ResultFormat) -> Result<String, Refusal> {
        let card = &self.shown.card;
        let cited = Cited::from(&self.shown.references);
        let sources: Vec<String> = cited.references.into_iter().map(|reference| reference.text).collect();
        let about =
            vec![format!("dlbench show: {}", card.title), format!("content of the knowledge base: {}", kb.content())];
        let table = || RenderedTable { caption: card.title.clone(), ..card::table(&card.facts) };
        Ok(match reader {
            ResultFormat::Terminal(width) => {
                card::write(&card.title, &card.facts, Format::Table, width).map_err(|error| Refusal::failed(&error))?
            }
            ResultFormat::Markdown => sheet(&table(), &sources, &about),
            ResultFormat::Html => page(&table(), &sources, &about, false),
            ResultFormat::Latex => {
                table().latex(&Paper { about, cite: self.shown.references.keys(), ..Paper::default() })
            }
        })
    }

    fn references(&self, _: &KnowledgeBase) -> Result<References, Refusal> {
        Ok(self.shown.references.clone())
    }

    fn sheets(&self) -> Result<Vec<Sheet>, Refusal> {
        Ok(vec![Sheet::from_entities("facts", self.rows())?])
    }
}

/// Flattens nested objects by one level: `{"under": {"batch-size": 8}}` becomes `{"under_batch_size": 8}`.
pub fn flattened(object: impl Serialize) -> serde_json::Result<Map<String, Value>> {
    let mut flat = Map::new();
    if let Value::Object(object) = serde_json::to_value(object)? {
        for (key, value) in object {
            match value {
                Value::Object(inner) => {
                    let key = |inner: String| format!("{key}_{}", inner.replace('-', "_"));
                    flat.extend(inner.into_iter().map(|(name, value)| (key(name), value)));
                }
                value => {
                    flat.insert(key, value);
                }
            }
        }
    }
    Ok(flat)
}

//! What a request comes to: its document, how it is drawn, what it cites, and its tables. A file for each kind of request.

mod answer;
mod card;
mod comparison;
mod evidence;
mod objects;

pub use answer::AnswerResult;
pub use card::CardResult;
pub use comparison::ComparisonResult;
pub use evidence::EvidenceResult;

use std::sync::Arc;

use anstream::adapter::strip_str;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::arrow_table::{Table, failed};
use crate::exceptions::refused;
use crate::shared::SharedKnowledgeBase;
use dlbench::ask::export::Sheet;
use dlbench::model::References;
use dlbench::render::bibtex::bibtex;
use dlbench_server::Refusal;

/// For whom something is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawnFor {
    /// A person at a terminal of this width.
    Terminal(usize),
    /// A reader of Markdown.
    Markdown,
    /// A notebook or page.
    Html,
    /// A paper.
    Latex,
}

/// What a request comes to.
pub trait Drawn: Send + Sync {
    /// Its document, as the program prints it with `-f json`.
    fn document(&self) -> serde_json::Result<String>;

    /// It for a reader.
    fn draw(&self, kb: &dlbench::KnowledgeBase, reader: DrawnFor) -> Result<String, Refusal>;

    /// What it cites.
    fn references(&self, kb: &dlbench::KnowledgeBase) -> Result<References, Refusal>;

    /// Its tables.
    fn sheets(&self) -> Result<Vec<Sheet>, Refusal>;
}

/// What a request came to.
#[pyclass(frozen, name = "Result", module = "dlbench._dlbench")]
pub struct FoundResult {
    drawn: Box<dyn Drawn>,
    shared: Arc<SharedKnowledgeBase>,
}

impl FoundResult {
    /// What a request to a knowledge base came to.
    pub fn of(drawn: Box<dyn Drawn>, shared: Arc<SharedKnowledgeBase>) -> Self {
        Self { drawn, shared }
    }

    fn drawn(&self, py: Python<'_>, reader: DrawnFor) -> PyResult<String> {
        let drawn = py.detach(|| self.shared.ask(|kb| self.drawn.draw(kb, reader)));
        drawn.map_err(|refusal| refused(py, refusal))
    }
}

#[pymethods]
impl FoundResult {
    /// Its document as JSON.
    fn document(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.drawn.document()).map_err(|error| refused(py, error.into()))
    }

    /// It for a person, in lines of at most `width` columns.
    #[pyo3(signature = (width = 100))]
    fn text(&self, py: Python<'_>, width: usize) -> PyResult<String> {
        Ok(strip_str(&self.drawn(py, DrawnFor::Terminal(width.max(40)))?).to_string())
    }

    /// It as a section of a page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.drawn(py, DrawnFor::Html)
    }

    /// It as Markdown.
    fn markdown(&self, py: Python<'_>) -> PyResult<String> {
        self.drawn(py, DrawnFor::Markdown)
    }

    /// It as a table of a paper, which cites its sources by their keys.
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        self.drawn(py, DrawnFor::Latex)
    }

    /// What it cites, as BibTeX.
    fn bibtex(&self, py: Python<'_>) -> PyResult<String> {
        let references = py.detach(|| self.shared.ask(|kb| self.drawn.references(kb)));
        Ok(bibtex(&references.map_err(|refusal| refused(py, refusal))?))
    }

    /// One of its tables; without `all` the columns that no row states are left out.
    #[pyo3(signature = (name, all = false))]
    fn table(&self, py: Python<'_>, name: &str, all: bool) -> PyResult<Table> {
        let made: Result<_, Refusal> = py.detach(|| {
            let sheets = self.drawn.sheets()?;
            let content = self.shared.ask(|kb| kb.content().to_owned());
            Ok(sheets.into_iter().find(|sheet| sheet.name == name).map(|sheet| Table::of(&sheet, all, &content)))
        });
        match made.map_err(|refusal| refused(py, refusal))? {
            Some(table) => table.map_err(failed),
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }
}

//! The Python class of an open knowledge base.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::arrow_table::{Table, failed};
use crate::results::{AnswerResult, CardResult, ComparisonResult, EvidenceResult, QueryResult, Renderable};
use crate::shared::SharedKnowledgeBase;
use crate::shared::{refused, unopened};
use dlbench::ask::FigureError;
use dlbench::ask::evidence::EvidenceRequest;
use dlbench::ask::export::{MEASUREMENTS, measurements, sheets};
use dlbench::ask::plot::{PlotError, PlotRequest};
use dlbench::model::Aspect;
use dlbench::render::figure::{self, FigureStyle, Theme};
use dlbench::{BuiltInSnapshot, FoundKnowledgeBase, Opening, default_cache};
use dlbench_server::requests::{CiteRequest, CompareArguments, QueryRequest, ResolveRequest, RowLimits, ShowRequest};
use dlbench_server::{Refusal, RefusalKind};

/// No row limit: a Python process waits only for its own queries.
const ROWS: RowLimits = RowLimits { usual: usize::MAX, most: usize::MAX };

/// An open knowledge base.
#[pyclass(frozen, module = "dlbench._dlbench")]
pub struct KnowledgeBase {
    shared: Arc<SharedKnowledgeBase>,
    /// Folder of the knowledge base.
    #[pyo3(get)]
    root: PathBuf,
    /// Hash of the content.
    #[pyo3(get)]
    content: String,
    /// Describes the knowledge base in use if none was found in the folder or its ancestors; otherwise `None`.
    #[pyo3(get)]
    elsewhere: Option<String>,
    /// Problems on opening: a damaged pulled copy, an unusable cache, skipped files with errors.
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl KnowledgeBase {
    /// Number of measurements, and of entities of each kind.
    fn counts(&self, py: Python<'_>) -> PyResult<BTreeMap<String, u64>> {
        let counts = py.detach(|| self.shared.ask(|kb| kb.counts())).map_err(|error| refused(py, error.into()))?;
        let of_kinds = counts.entities.into_iter().map(|(kind, count)| (kind.to_string(), count));
        Ok(of_kinds.chain([(MEASUREMENTS.to_owned(), counts.measurements)]).collect())
    }

    /// Answers a question, with at most `limit` measurements after the first `offset`.
    /// `structured` is a question as JSON, used instead of words.
    #[pyo3(signature = (question, structured = None, limit = None, offset = 0, facets = false))]
    fn query(
        &self,
        py: Python<'_>,
        question: String,
        structured: Option<&str>,
        limit: Option<usize>,
        offset: usize,
        facets: bool,
    ) -> PyResult<QueryResult> {
        let structured = structured.map(serde_json::from_str).transpose().map_err(|error| {
            refused(py, Refusal::new(RefusalKind::Mistake, format!("the structured question is not JSON: {error}")))
        })?;
        let request = QueryRequest { question, structured, limit, offset, facets, ..QueryRequest::default() };
        self.asked(py, |kb| Ok(AnswerResult::of(request.answer(kb, ROWS)?, request.page(ROWS)?, limit.is_some())))
    }

    /// Compares measurements; `arguments` is a request as JSON.
    fn compare(&self, py: Python<'_>, arguments: &str) -> PyResult<QueryResult> {
        self.asked(py, |kb| {
            let request: CompareArguments = serde_json::from_str(arguments)?;
            Ok(ComparisonResult::of(request.compared(kb)?))
        })
    }

    /// Checks claims against measurements; an empty question selects all claims.
    #[pyo3(signature = (question, explain = false))]
    fn evidence(&self, py: Python<'_>, question: String, explain: bool) -> PyResult<QueryResult> {
        self.asked(py, |kb| {
            let question = question.trim().to_owned();
            let request = EvidenceRequest { question: question.clone(), claims: None, explain, shuffles: None };
            let found = kb.evidence(&request).map_err(|error| Refusal::of_question(&question, &error))?;
            if found.claims.is_empty() {
                let message = format!("no claim holds all words of `{question}`");
                return Err(Refusal::new(RefusalKind::NotFound, message).help("evidence() has all claims"));
            }
            Ok(EvidenceResult::of(found))
        })
    }

    /// Everything recorded about one entity or measurement.
    #[pyo3(signature = (name, kind = None))]
    fn show(&self, py: Python<'_>, name: String, kind: Option<String>) -> PyResult<QueryResult> {
        let request = ShowRequest { name, kind };
        self.asked(py, |kb| Ok(CardResult::of(request.shown(kb)?)))
    }

    /// Draws the measurements of a question; returns SVG, the values as CSV, and Vega-Lite.
    #[pyo3(signature = (question, x = None, y = None, group = Vec::new(), facet = Vec::new(), kind = None, pareto = false, dark = false))]
    #[expect(clippy::too_many_arguments, reason = "they are those of the method in Python")]
    fn plot(
        &self,
        py: Python<'_>,
        question: String,
        x: Option<&str>,
        y: Option<&str>,
        group: Vec<String>,
        facet: Vec<String>,
        kind: Option<&str>,
        pareto: bool,
        dark: bool,
    ) -> PyResult<(String, String, String)> {
        let mistake = |message: String| Refusal::new(RefusalKind::Mistake, message);
        let aspect =
            |name: &str| Aspect::called(name).map_err(|unknown| mistake(unknown.to_string()).help(unknown.help));
        let drawn: Result<_, Refusal> = py.detach(|| {
            let named = |names: &[String]| names.iter().map(|name| aspect(name)).collect::<Result<Vec<_>, _>>();
            let kind =
                kind.map(|kind| kind.parse().map_err(|_| mistake(format!("there is no kind of figure `{kind}`"))));
            let request = PlotRequest {
                x: x.map(aspect).transpose()?,
                y: y.map(aspect).transpose()?,
                group: named(&group)?,
                facet: named(&facet)?,
                kind: kind.transpose()?,
                pareto,
                ..PlotRequest::default()
            };
            let figure = self.shared.ask(|kb| kb.figure(&question, &request)).map_err(|error| match error {
                FigureError::Query(error) => Refusal::of_question(&question, &error),
                FigureError::Plot(refused @ PlotError::Refused { .. }) => {
                    mistake(refused.to_string()).help(refused.help())
                }
                FigureError::Plot(nothing) => Refusal::new(RefusalKind::NotFound, nothing.to_string()),
            })?;
            let look = FigureStyle { theme: if dark { Theme::Dark } else { Theme::Light }, ..FigureStyle::default() };
            let csv = figure::csv(&figure).map_err(|error| Refusal::failed(&error))?;
            Ok((figure::svg(&figure, &look), csv, figure::vega_lite(&figure, &look).to_string()))
        });
        drawn.map_err(|refusal| refused(py, refusal))
    }

    /// How a spelling resolves, as JSON.
    fn resolve(&self, py: Python<'_>, kind: String, spelling: String) -> PyResult<String> {
        let request = ResolveRequest { kind, spelling };
        let read: Result<_, Refusal> =
            py.detach(|| self.shared.ask(|kb| Ok(serde_json::to_string(&request.resolved(kb)?)?)));
        read.map_err(|refusal| refused(py, refusal))
    }

    /// References of sources, given by their ids or by ids of measurements, as JSON.
    fn cite(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<String> {
        let request = CiteRequest { ids };
        let cited: Result<_, Refusal> =
            py.detach(|| self.shared.ask(|kb| Ok(serde_json::to_string(&request.cited(kb)?)?)));
        cited.map_err(|refusal| refused(py, refusal))
    }

    /// All data as tables: the measurements, each kind of entity, and `columns`, which documents every column.
    fn export(&self, py: Python<'_>) -> PyResult<Vec<Table>> {
        let tables: Result<_, Refusal> = py.detach(|| {
            self.shared.ask(|kb| {
                let knowledge = kb.knowledge().map_err(|error| Refusal::failed(&error))?;
                let content = kb.content();
                let sheets = sheets(&knowledge, content)?;
                Ok(sheets.iter().map(|sheet| Table::of(sheet, true, content)).collect::<Result<Vec<_>, _>>())
            })
        });
        tables.map_err(|refusal| refused(py, refusal))?.map_err(failed)
    }

    /// All measurements, with every field and metric.
    fn measurements(&self, py: Python<'_>) -> PyResult<Table> {
        let table: Result<_, Refusal> = py.detach(|| {
            self.shared.ask(|kb| {
                let mut sheet = measurements::<dlbench::rows::JoinedRow>([]);
                for portion in kb.all_rows()?.portions() {
                    sheet.rows.extend(measurements(portion?).rows);
                }
                Ok(Table::of(&sheet, true, kb.content()))
            })
        });
        table.map_err(|refusal| refused(py, refusal))?.map_err(failed)
    }
}

impl KnowledgeBase {
    /// Opens the knowledge base in `folder`, else the one found by the usual search, else the one built into the module.
    pub fn opened(py: Python<'_>, folder: Option<PathBuf>, built_in: Option<BuiltInSnapshot>) -> PyResult<Self> {
        let found = py.detach(|| {
            let cache = default_cache();
            dlbench::KnowledgeBase::find(folder.as_deref(), built_in, Opening::Cached, &cache)
        });
        let FoundKnowledgeBase { kb, elsewhere, warning } = found.map_err(|error| unopened(py, &error))?;
        let mut warnings: Vec<String> = warning.into_iter().collect();
        let in_memory = |why| format!("the cache cannot be used, so everything was built in memory: {why}");
        warnings.extend(kb.cache_failure().map(in_memory));
        let skipped = kb.skipped().map_err(|error| refused(py, error.into()))?;
        warnings.extend(skipped.iter().map(|file| format!("left out: {file}")));
        let (root, content) = (kb.root().to_owned(), kb.content().to_owned());
        Ok(Self { root, content, elsewhere, warnings, shared: Arc::new(SharedKnowledgeBase::of(kb)) })
    }

    /// Computes the result of a request with Python's lock released.
    fn asked<D: Renderable + 'static>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dlbench::KnowledgeBase) -> Result<D, Refusal> + Send,
    ) -> PyResult<QueryResult> {
        let drawn = py.detach(|| self.shared.ask(ask)).map_err(|refusal| refused(py, refusal))?;
        Ok(QueryResult::of(Box::new(drawn), Arc::clone(&self.shared)))
    }
}

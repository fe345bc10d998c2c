//! Comparison of measurements: a table of those that a question matches, or a verdict on some of them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{all_named, asked, named, names};
use crate::limits::{LONGEST_NAME, LONGEST_QUESTION, MOST_CELLS, MOST_NAMES};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;
use dlbench::ask::compare::{
    CompareDocument, ComparePick, CompareRequest, Compared, PairVerdict, PivotAxis, PivotDocument, Ratio,
    criterion_called, measure_called,
};
use dlbench::ask::parse::print;
use dlbench::model::Measure;
use dlbench::render::answer::{citation, page, sheet};
use dlbench::render::contradictions;
use dlbench::render::pivot::{self, CellPart, PivotStyle};
use dlbench::render::table::Table;

/// Compare measurements.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareArguments {
    /// What to compare, as in a query: `a100 vs v100 resnet-50`, `resnet152 v100 train`
    #[serde(default)]
    #[schemars(length(max = LONGEST_QUESTION))]
    pub question: String,
    /// Instead of a question: the ids of two or more measurements, such as `u39kun-2018:8wqbgj9ves`, for a verdict on whether they
    /// are comparable, field by field
    #[serde(default, deserialize_with = "names")]
    #[schemars(with = "Vec<String>", length(max = MOST_NAMES))]
    pub ids: Vec<String>,
    /// Row axes: fields of measurements or facts of the catalog, such as `device`, `framework`, `batch-size`, `architecture`; by
    /// default from the question
    #[serde(default, deserialize_with = "names")]
    #[schemars(with = "Vec<String>")]
    pub rows: Vec<String>,
    /// Column axes: the same, or `metric`
    #[serde(default, deserialize_with = "names")]
    #[schemars(with = "Vec<String>")]
    pub columns: Vec<String>,
    /// What to compare: metrics such as `throughput` and `latency`, or derived measures such as `items-per-joule`; by default the
    /// most frequent metric
    #[serde(default, deserialize_with = "names")]
    #[schemars(with = "Vec<String>")]
    pub metric: Vec<String>,
    /// Name of the row or column with which the others are compared
    #[serde(default)]
    #[schemars(length(max = LONGEST_NAME))]
    pub baseline: Option<String>,
    /// Ratios to the baseline and to the best: `speed-up` (how many times as good) or `quotient`
    #[serde(default)]
    pub relative: Option<String>,
    /// Which of several measurements a cell shows: `best`, `latest`, `median` or `all`
    #[serde(default)]
    pub pick: Option<String>,
    /// Fields in which compared values may differ; the differences are reported
    #[serde(default, deserialize_with = "names")]
    #[schemars(with = "Vec<String>")]
    pub relax: Vec<String>,
}

/// The result of a comparison.
pub enum ComparedAnswer {
    /// A table, and the question that it answers.
    Table {
        /// The question.
        question: String,
        /// The lines at the top of a document that record its origin.
        about: Vec<String>,
        /// Hash of the knowledge base's content.
        content: String,
        /// The table.
        compared: Box<Compared>,
    },
    /// The verdict on measurements.
    Verdict {
        /// The lines at the top of a document that record its origin.
        about: Vec<String>,
        /// The verdict.
        verdict: Box<PairVerdict>,
    },
}

impl CompareArguments {
    /// Runs the comparison.
    ///
    /// # Errors
    ///
    /// When the request has a mistake or is too large, nothing is found, or a store fails.
    pub fn compared(&self, kb: &KnowledgeBase) -> Result<ComparedAnswer, Refusal> {
        let request = self.request()?;
        let content = kb.content().to_owned();
        let about = |line: String| vec![line, format!("content of the knowledge base: {content}")];
        if !self.ids.is_empty() {
            let verdict = self.verdict(kb, &request)?;
            let about = about(format!("dlbench compare: {}", verdict.ids.join(" ")));
            return Ok(ComparedAnswer::Verdict { about, verdict: Box::new(verdict) });
        }
        let question = asked(&self.question)?;
        let compared = kb.compare(question, &request).map_err(|error| Refusal::of_comparison(question, error))?;
        let pivot = &compared.pivot;
        if pivot.is_empty() {
            return Err(Refusal::new(RefusalKind::NotFound, "no measurement matches that has a value")
                .help("a query with the same question shows why"));
        }
        let cells = pivot.rows.len().saturating_mul(pivot.columns.len());
        if cells > MOST_CELLS {
            let message = format!("the table would have {cells} cells; {MOST_CELLS} are the most");
            return Err(Refusal::new(RefusalKind::TooMuch, message).help("narrow the question"));
        }
        let about = about(format!("canonical form of the question: {}", print(&compared.asked.question)));
        Ok(ComparedAnswer::Table { question: question.to_owned(), about, content, compared: Box::new(compared) })
    }

    fn verdict(&self, kb: &KnowledgeBase, request: &CompareRequest) -> Result<PairVerdict, Refusal> {
        let metric = match request.measures.as_slice() {
            [] => None,
            [Measure::Metric(metric)] => Some(*metric),
            _ => return Err(Refusal::mistake("a verdict is about one metric").help("name one in `metric`")),
        };
        if self.ids.len() < 2 || !self.question.is_empty() {
            return Err(Refusal::mistake("a verdict needs two ids or more, and no question"));
        }
        let ids: Vec<String> = all_named("ids", &self.ids)?.into_iter().map(str::to_owned).collect();
        kb.verdict(&ids, metric, &request.relaxed).map_err(|error| Refusal::of_comparison("", error))
    }

    fn request(&self) -> Result<CompareRequest, Refusal> {
        let wrong = |error| Refusal::of_comparison("", error);
        let axes = |what: &str, names: &[String]| -> Result<Vec<PivotAxis>, Refusal> {
            let called = |name| PivotAxis::called(name).map_err(wrong);
            all_named(what, names)?.into_iter().map(called).collect()
        };
        let measures = all_named("metrics", &self.metric)?.into_iter().map(|name| measure_called(name).map_err(wrong));
        let relaxed = all_named("fields", &self.relax)?.into_iter().map(|name| criterion_called(name).map_err(wrong));
        let baseline = self.baseline.as_deref().map(|name| named("baseline", name)).transpose()?;
        Ok(CompareRequest {
            rows: axes("rows", &self.rows)?,
            columns: axes("columns", &self.columns)?,
            measures: measures.collect::<Result<_, _>>()?,
            baseline: baseline.map(str::to_owned),
            relative: one_of::<Ratio>("relative", self.relative.as_deref())?,
            pick: one_of::<ComparePick>("pick", self.pick.as_deref())?.unwrap_or_default(),
            relaxed: relaxed.collect::<Result<_, _>>()?,
            ..CompareRequest::default()
        })
    }
}

/// Parses a word of a closed vocabulary; the error lists all words.
fn one_of<E>(what: &str, word: Option<&str>) -> Result<Option<E>, Refusal>
where
    E: std::str::FromStr + strum::VariantArray + Copy + Into<&'static str>,
{
    let Some(word) = word else { return Ok(None) };
    word.trim().parse().map(Some).map_err(|_| {
        let words: Vec<&str> = E::VARIANTS.iter().map(|value| (*value).into()).collect();
        Refusal::mistake(format!("`{word}` is none of the values of `{what}`"))
            .help(format!("it is one of {}", words.join(", ")))
    })
}

impl ComparedAnswer {
    /// The comparison as JSON of the published schema.
    ///
    /// # Errors
    ///
    /// When a value cannot be serialised.
    pub fn document(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Table { question, about, content, compared } => {
                let pivot = &compared.pivot;
                let document = PivotDocument { query: question, about, knowledge_base: content, pivot };
                serde_json::to_value(CompareDocument::Table(document))
            }
            Self::Verdict { verdict, .. } => serde_json::to_value(CompareDocument::Verdict(verdict)),
        }
    }

    /// The comparison in Markdown.
    pub fn markdown(&self) -> String {
        let (table, sources, about) = self.parts();
        sheet(&table, &sources, about)
    }

    /// The comparison as an HTML section.
    pub fn html(&self) -> String {
        let (table, sources, about) = self.parts();
        page(&table, &sources, about, false)
    }

    /// The table, its sources, and the lines that record its origin.
    pub fn parts(&self) -> (Table, Vec<String>, &[String]) {
        match self {
            Self::Table { question, about, compared, .. } => {
                let pivot = &compared.pivot;
                let mut shown = vec![CellPart::Value];
                if pivot.baseline.is_some() {
                    shown.push(CellPart::VsBaseline);
                }
                let look = PivotStyle { shown, ..PivotStyle::default() };
                let sources = pivot.sources.iter().map(citation).collect();
                (pivot::table(pivot, question, &look), sources, about)
            }
            Self::Verdict { about, verdict: said, .. } => {
                let table = Table { caption: said.verdict.clone(), ..contradictions::verdict_table(said) };
                (table, said.sources.iter().map(citation).collect(), about)
            }
        }
    }
}

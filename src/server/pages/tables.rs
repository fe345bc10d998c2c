//! The catalog's tables, including the two of Dai and Berleant, with today's facts or as a survey reported them.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

use super::grid::{Links, drawn};
use super::layout;
use super::links::{about, card, encoded};
use crate::refusal::Refusal;
use crate::requests::{Cited, asked, named};
use dlbench::KnowledgeBase;
use dlbench::ask::evidence::{ClaimKind, EvidenceRequest, EvidenceVerdict};
use dlbench::ask::tables::{CatalogTable, TableError, TableRequest};
use dlbench::model::HardwareClassRecord;
use dlbench::render::table::Table;
use dlbench::values::EntityKind;
use strum::VariantArray as _;

/// The survey whose tables I (hardware) and II (frameworks) the catalog has as printed.
pub(crate) const SURVEY: &str = "dai-berleant-2019";

/// The request for a table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableArguments {
    #[serde(default)]
    pub question: String,
    #[serde(default)]
    pub as_reported: Option<String>,
}

impl TableArguments {
    /// The address of a table.
    pub fn address(&self, table: CatalogTable) -> String {
        match &self.as_reported {
            Some(survey) => format!("/tables/{table}?as_reported={}", encoded(survey)),
            None => format!("/tables/{table}"),
        }
    }
}

/// The tables that the survey reported; none where the knowledge base does not have the survey.
///
/// # Errors
///
/// When a store fails.
pub(crate) fn surveyed(kb: &KnowledgeBase) -> Result<&'static [CatalogTable], Refusal> {
    const BOTH: &[CatalogTable] = &[CatalogTable::Hardware, CatalogTable::Frameworks];
    Ok(if kb.ids(EntityKind::Source)?.iter().any(|source| source == SURVEY) { BOTH } else { &[] })
}

/// The page of a table.
///
/// # Errors
///
/// When the table does not exist, its filter has a mistake, or a store fails.
pub(crate) fn table(name: &str, arguments: &TableArguments, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let table = name.parse::<CatalogTable>().map_err(|_| {
        Refusal::not_found(name, CatalogTable::VARIANTS.iter().map(|table| table.to_string()).collect())
    })?;
    let filter = match arguments.question.trim() {
        "" => "",
        question => asked(question)?,
    };
    let found = table.kind().map(|kind| kb.entities(kind, filter)).transpose();
    let found = found.map_err(|error| Refusal::of_question(filter, &error))?;
    let survey = arguments.as_reported.as_deref().map(|survey| named("survey", survey)).transpose()?;
    let request = TableRequest {
        table,
        filter: filter.to_owned(),
        as_reported: survey.map(str::to_owned),
        columns: Vec::new(),
        sort: None,
        evidence: false,
        sources: false,
    };
    let built = kb.table(&request, found.as_ref()).map_err(|error| match error {
        TableError::Request { message, help } => Refusal::mistake(message).help(help),
        other => Refusal::failed(&other),
    })?;
    let caption = match survey {
        Some(survey) => format!("{}, as reported by {survey}", table.title()),
        None => table.title().to_owned(),
    };
    let references =
        kb.references(built.sources.iter().map(String::as_str), &built.citations.iter().collect::<Vec<_>>())?;
    let is_reported = surveyed(kb)?.contains(&table);
    let is_graded = table == CatalogTable::Hardware && survey.is_none() && filter.is_empty();
    let body = html! {
        h1 { (caption) }
        p.ways {
            @for other in CatalogTable::VARIANTS { a.chip href={ "/tables/" (other.to_string()) } { (other.title()) } }
            @if survey.is_none() && is_reported {
                a.chip href=(TableArguments { as_reported: Some(SURVEY.to_owned()), ..TableArguments::default() }.address(table)) { "As Dai and Berleant reported it" }
            }
        }
        @if is_graded { (grades(None, kb)?) } @else { (drawn(&Table::from(&built.grid), &Links::of_cells(&|_, _| None))) }
        h2 { "References" }
        ul { @for reference in Cited::from(&references).references { li { (reference.text) } } }
    };
    Ok(layout::page(&caption, "", &body))
}

/// The grades of all classes of hardware, or of a single one with its measured evidence, each with its verdict.
///
/// # Errors
///
/// When a store fails.
pub(super) fn grades(one: Option<(&str, &Value)>, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let only = one.map(|(class, _)| class);
    let mut classes: Vec<HardwareClassRecord> = Vec::new();
    for id in kb.ids(EntityKind::HardwareClass)?.iter().filter(|id| only.is_none_or(|only| only == *id)) {
        classes.extend(kb.entity::<HardwareClassRecord>(id)?.filter(|class| !class.grades.is_empty()));
    }
    if classes.is_empty() {
        return Ok(html! {});
    }
    let claims = if one.is_none() { kb.evidence(&EvidenceRequest::default())?.claims } else { Vec::new() };
    let verdict = |class: &str, metric: &str| match one {
        // The text begins with the verdict.
        Some((_, told)) => told[metric].as_str().and_then(|told| {
            use EvidenceVerdict::{Contradicted, Mixed, Supported};
            [Supported, Contradicted, Mixed].into_iter().find(|verdict| told.starts_with(&verdict.to_string()))
        }),
        None => {
            let mut own = claims.iter().filter(|claim| claim.kind == ClaimKind::Grade && claim.about == class);
            own.find(|claim| claim.metric.as_deref() == Some(metric)).map(|claim| claim.verdict)
        }
    };
    let better = better(kb)?;
    let mut metrics: Vec<&str> = Vec::new();
    for metric in classes.iter().flat_map(|class| class.grades.keys()) {
        if !metrics.contains(&metric.as_str()) {
            metrics.push(metric.as_str());
        }
    }
    Ok(html! {
        div.frame tabindex="0" {
            table.grades {
                thead { tr {
                    th scope="col" { "metric" }
                    @for class in &classes { th scope="col" { a href=(card(EntityKind::HardwareClass, class.id.into())) { (class.name) } } }
                    th scope="col" { "better" }
                    @if only.is_some() { th scope="col" { "why" } }
                } }
                tbody {
                    @for metric in metrics {
                        tr {
                            th scope="row" { (metric.replace('-', " ")) }
                            @for class in &classes {
                                td {
                                    @if let Some(record) = class.grades.iter().find(|(id, _)| id.as_str() == metric).map(|(_, record)| record) {
                                        @let grade = record.grade.to_string();
                                        span class={ "grade " (merit(&grade, better.get(metric).map(String::as_str))) } { (grade) }
                                        @match verdict(class.id.into(), metric) {
                                            Some(EvidenceVerdict::NoEvidence) | None => span.verdict { "not measured" },
                                            Some(verdict) => a.verdict href=(about("/evidence", &format!("{} {}", <&str>::from(class.id), metric.replace('-', " ")))) { (verdict) },
                                        }
                                    }
                                }
                                @if only.is_none_or(|only| only == <&str>::from(class.id)) && classes.last().is_some_and(|last| last.id == class.id) {
                                    td.quiet { (better.get(metric).cloned().unwrap_or_default()) }
                                }
                                @if only.is_some() {
                                    td.quiet { (class.grades.iter().find(|(id, _)| id.as_str() == metric).and_then(|(_, record)| record.rationale.clone()).unwrap_or_default()) }
                                }
                            }
                        }
                    }
                }
            }
        }
        ul.legend { li { "Grade of the catalog, then the verdict of what was measured. Green is the better end of a metric, red the worse one." } }
    })
}

/// The better grade of each metric, if there is one.
fn better(kb: &KnowledgeBase) -> Result<BTreeMap<String, String>, Refusal> {
    let request = TableRequest {
        table: CatalogTable::Hardware,
        filter: String::new(),
        as_reported: None,
        columns: Vec::new(),
        sort: None,
        evidence: false,
        sources: false,
    };
    let found = kb.entities(EntityKind::HardwareClass, "").map_err(|error| Refusal::of_question("", &error))?;
    let grid = kb.table(&request, Some(&found)).map_err(|error| Refusal::failed(&error))?.grid;
    let Some(at) = grid.columns.iter().position(|column| column.heading == "better") else {
        return Ok(BTreeMap::new());
    };
    let rows = grid.rows.into_iter().filter(|row| !row[at].is_empty());
    Ok(rows.map(|row| (row[0].to_lowercase().replace(' ', "-"), row[at].to_lowercase())).collect())
}

/// The merit of a grade, as a class name of the style sheet.
fn merit(grade: &str, better: Option<&str>) -> &'static str {
    let (grade, better) = (grade.to_lowercase(), better.unwrap_or_default());
    match (grade.as_str(), better) {
        ("high", "high") | ("low", "low") => "best",
        ("good", "high") => "good",
        ("moderate", "high" | "low") => "middle",
        ("low", "high") | ("high" | "good", "low") => "worst",
        _ => "open",
    }
}

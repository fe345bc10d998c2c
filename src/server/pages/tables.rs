//! The catalog's tables, among them the two of Dai and Berleant, as they stand today or as a survey reported them.

use maud::{PreEscaped, html};
use serde::Deserialize;

use super::frame::framed;
use super::layout;
use super::links::encoded;
use crate::refusal::Refusal;
use crate::requests::{Cited, asked, named};
use dlbench::KnowledgeBase;
use dlbench::ask::tables::{CatalogTable, TableError, TableRequest};
use dlbench::render::table::Table;
use dlbench::values::EntityKind;
use strum::VariantArray as _;

/// The survey whose tables I (hardware) and II (frameworks) the catalog keeps as they were printed.
pub(crate) const SURVEY: &str = "dai-berleant-2019";

/// What is wanted of a table.
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

/// The tables that the survey reported; none where the knowledge base does not hold it.
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
/// When there is no such table, its filter has a mistake, or a store fails.
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
    let drawn = Table { caption: caption.clone(), ..Table::from(&built.grid) };
    let body = html! {
        h1 { (caption) }
        p.ways {
            @for other in CatalogTable::VARIANTS { a href={ "/tables/" (other.to_string()) } { (other.title()) } }
            @if survey.is_none() && is_reported {
                a href=(TableArguments { as_reported: Some(SURVEY.to_owned()), ..TableArguments::default() }.address(table)) { "As Dai and Berleant reported it" }
            }
        }
        (PreEscaped(framed(&drawn.html())))
        h2 { "References" }
        ul { @for reference in Cited::from(&references).references { li { (reference.text) } } }
    };
    Ok(layout::page(&caption, "", &body))
}

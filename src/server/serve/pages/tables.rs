//! The catalog's tables, among them the two of Dai and Berleant, as they stand today or as a survey reported them.

use std::sync::Arc;

use axum::Extension;
use axum::extract::Path;
use axum::response::Response;
use maud::{PreEscaped, html};
use serde::Deserialize;

use super::layout;
use crate::held::KbState;
use crate::refusal::Refusal;
use crate::requests::{Cited, asked, named};
use crate::serve::respond::{Asked, HTML, Wanted, answered, content};
use dlbench::ask::tables::{CatalogTable, TableError, TableRequest};
use dlbench::render::table::Table;
use dlbench::values::EntityKind;
use strum::VariantArray as _;

/// The survey whose tables I (hardware) and II (frameworks) the catalog keeps as they were printed.
const SURVEY: &str = "dai-berleant-2019";

/// What is wanted of a table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableArguments {
    #[serde(default)]
    question: String,
    #[serde(default)]
    as_reported: Option<String>,
}

/// The page of a table.
pub(super) async fn table(
    Extension(state): Extension<Arc<KbState>>,
    Path(name): Path<String>,
    Asked(arguments): Asked<TableArguments>,
) -> Response {
    answered(state, Wanted::Page, move |kb| {
        let table = name.parse::<CatalogTable>().map_err(|_| {
            Refusal::not_found(&name, CatalogTable::VARIANTS.iter().map(|table| table.to_string()).collect())
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
        let surveyed = matches!(table, CatalogTable::Hardware | CatalogTable::Frameworks);
        let is_reported = surveyed && kb.ids(EntityKind::Source)?.iter().any(|source| source == SURVEY);
        let drawn = Table { caption: caption.clone(), ..Table::from(&built.grid) };
        let body = html! {
            h1 { (caption) }
            p.ways {
                @for other in CatalogTable::VARIANTS { a href={ "/tables/" (other.to_string()) } { (other.title()) } }
                @if survey.is_none() && is_reported {
                    a href={ "/tables/" (name) "?as_reported=" (SURVEY) } { "As Dai and Berleant reported it" }
                }
            }
            (PreEscaped(drawn.html()))
            h2 { "References" }
            ul { @for reference in Cited::from(&references).references { li { (reference.text) } } }
        };
        Ok(content(HTML, layout::page(&caption, "", &body)))
    })
    .await
}

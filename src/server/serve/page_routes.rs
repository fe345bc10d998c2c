//! The routes of the pages.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use axum::routing::{MethodRouter, get};

use super::api::endpoints;
use super::endpoint::Endpoint;
use super::respond::{CSV, HTML, PLAIN, RequestArguments, ResponseForm, SCRIPT, SVG, answered, content, refused};
use super::shared::Shared;
use crate::limits::LONGEST_FIRST_PAGE;
use crate::live::KbState;
use crate::pages::board::BoardRequest;
use crate::pages::evidence::EvidencePageRequest;
use crate::pages::facets::changed;
use crate::pages::figures::FigureRequest;
use crate::pages::forms::{AnswerForm, WholeAnswer};
use crate::pages::links::about;
use crate::pages::lists::ListPageRequest;
use crate::pages::tables::TableArguments;
use crate::pages::{ICON, SCRIPT as PAGE_SCRIPT, STYLE, api, cards, lists, question, start, tables, wanted};
use crate::refusal::Refusal;
use crate::requests::{CompareArguments, QueryRequest, WantedArguments};
use dlbench::KnowledgeBase;

/// All pages with their paths.
pub(super) fn all() -> Vec<(&'static str, MethodRouter<Arc<Shared>>)> {
    vec![
        ("/", get(first)),
        ("/query", get(answer)),
        ("/query/change", get(change)),
        ("/query/{form}", get(answer_as)),
        ("/compare", get(compared)),
        ("/figure", get(figure)),
        ("/figure.svg", get(figure_svg)),
        ("/figure.csv", get(figure_csv)),
        ("/entities/{kind}", get(list)),
        ("/entities/{kind}/{id}", get(entity)),
        ("/measurements/{id}", get(measurement)),
        ("/tables/{name}", get(table)),
        ("/evidence", get(evidence)),
        ("/wanted", get(missing)),
        ("/data/{file}", get(data)),
        (
            "/about/api",
            get(|| async { content(HTML, api::page(&endpoints().iter().map(described).collect::<Vec<_>>())) }),
        ),
        ("/style.css", get(|| async { content("text/css; charset=utf-8", STYLE) })),
        ("/page.js", get(|| async { content(SCRIPT, PAGE_SCRIPT) })),
        ("/icon.svg", get(|| async { content(SVG, ICON) })),
        // Browsers request this path even if no page refers to it.
        ("/favicon.ico", get(|| async { content(SVG, ICON) })),
    ]
}

/// An endpoint's description for the page about the API.
fn described(endpoint: &Endpoint) -> api::ApiPath {
    let properties =
        endpoint.arguments.as_ref().and_then(|schema| schema["properties"].as_object()).into_iter().flatten();
    let told = |schema: &serde_json::Value| schema["description"].as_str().unwrap_or_default().to_owned();
    let arguments = properties.map(|(name, schema)| (name.clone(), told(schema))).collect();
    api::ApiPath { path: endpoint.path, summary: endpoint.summary, arguments }
}

/// The state of the knowledge base for this request.
type State_ = Extension<Arc<KbState>>;

/// A text response computed from the knowledge base.
async fn made(
    state: Arc<KbState>,
    content_type: &'static str,
    make: impl FnOnce(&KnowledgeBase) -> Result<String, Refusal> + Send + 'static,
) -> Response {
    answered(state, ResponseForm::Page, move |kb| Ok(content(content_type, make(kb)?))).await
}

async fn first(Extension(state): State_, RequestArguments(request): RequestArguments<BoardRequest>) -> Response {
    let page = state.ask_within(LONGEST_FIRST_PAGE, move |kb| Ok(content(HTML, start::start(&request, kb)?)));
    page.await.unwrap_or_else(|refusal| refused(&refusal, ResponseForm::Page))
}

async fn answer(Extension(state): State_, RequestArguments(request): RequestArguments<QueryRequest>) -> Response {
    made(state, HTML, move |kb| question::page(&request, kb)).await
}

/// Redirects to the question that results from a form, so that every state has its own address.
async fn change(RequestArguments(fields): RequestArguments<Vec<(String, String)>>) -> Redirect {
    Redirect::to(&about("/query", &changed(&fields)))
}

async fn answer_as(
    Extension(state): State_,
    Path(form): Path<String>,
    RequestArguments(request): RequestArguments<QueryRequest>,
) -> Response {
    answered(state, ResponseForm::Page, move |kb| {
        let form = AnswerForm::called(&form)?;
        let text = WholeAnswer::of(&request, kb)?.written(form, kb)?;
        Ok(content(if form == AnswerForm::Csv { CSV } else { PLAIN }, text))
    })
    .await
}

async fn compared(Extension(state): State_, RequestArguments(request): RequestArguments<CompareArguments>) -> Response {
    made(state, HTML, move |kb| question::compared(&request, kb)).await
}

async fn figure(Extension(state): State_, RequestArguments(request): RequestArguments<FigureRequest>) -> Response {
    made(state, HTML, move |kb| request.page(kb)).await
}

async fn figure_svg(Extension(state): State_, RequestArguments(request): RequestArguments<FigureRequest>) -> Response {
    made(state, SVG, move |kb| request.svg(kb)).await
}

async fn figure_csv(Extension(state): State_, RequestArguments(request): RequestArguments<FigureRequest>) -> Response {
    made(state, CSV, move |kb| request.csv(kb)).await
}

async fn list(
    Extension(state): State_,
    Path(kind): Path<String>,
    RequestArguments(request): RequestArguments<ListPageRequest>,
) -> Response {
    made(state, HTML, move |kb| request.page(&kind, kb)).await
}

async fn entity(Extension(state): State_, Path((kind, id)): Path<(String, String)>) -> Response {
    made(state, HTML, move |kb| cards::entity(&kind, &id, kb, false)).await
}

async fn measurement(Extension(state): State_, Path(id): Path<String>) -> Response {
    made(state, HTML, move |kb| cards::measurement(&id, kb)).await
}

async fn table(
    Extension(state): State_,
    Path(name): Path<String>,
    RequestArguments(arguments): RequestArguments<TableArguments>,
) -> Response {
    made(state, HTML, move |kb| tables::table(&name, &arguments, kb)).await
}

async fn evidence(
    Extension(state): State_,
    RequestArguments(request): RequestArguments<EvidencePageRequest>,
) -> Response {
    made(state, HTML, move |kb| request.page(kb)).await
}

async fn missing(
    Extension(state): State_,
    State(shared): State<Arc<Shared>>,
    RequestArguments(request): RequestArguments<WantedArguments>,
) -> Response {
    made(state, HTML, move |kb| wanted::page(&request, kb, shared.options.worker.as_ref())).await
}

async fn data(Extension(state): State_, Path(file): Path<String>) -> Response {
    made(state, CSV, move |kb| lists::csv(&file, kb)).await
}

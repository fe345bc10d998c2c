//! Lists of entities, and all that is recorded of one.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Extension;
use axum::extract::Path;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use super::layout;
use super::links::{about, encoded, linked};
use crate::held::KbState;
use crate::refusal::Refusal;
use crate::requests::{Cited, ShowRequest, entities_of};
use crate::serve::respond::{HTML, Wanted, answered, content};
use dlbench::KnowledgeBase;
use dlbench::ask::tables::ListKind;
use dlbench::render::table::Table;
use dlbench::values::EntityKind;

/// All entities of a kind.
pub(super) async fn list(Extension(state): Extension<Arc<KbState>>, Path(kind): Path<String>) -> Response {
    answered(state, Wanted::Page, move |kb| {
        let kind = entities_of(&kind)?;
        let table = Table::from(&kb.list(ListKind::Entities(kind))?);
        let ids: BTreeSet<String> = kb.ids(kind)?.into_iter().collect();
        let address = |id: &str| ids.contains(id).then(|| format!("/entities/{}/{}", kind.plural(), encoded(id)));
        let section = linked(&table.html(), "<th scope=\"row\">", address);
        let title = title(kind);
        let body = html! { h1 { (title) } (PreEscaped(section)) };
        Ok(content(HTML, layout::page(title, "", &body)))
    })
    .await
}

fn title(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Framework => "Frameworks",
        EntityKind::Device => "Devices",
        EntityKind::HardwareClass => "Hardware classes",
        EntityKind::Network => "Networks",
        EntityKind::Dataset => "Data sets",
        EntityKind::Source => "Sources",
    }
}

/// The card of an entity.
pub(super) async fn entity(
    Extension(state): Extension<Arc<KbState>>,
    Path((kind, id)): Path<(String, String)>,
) -> Response {
    answered(state, Wanted::Page, move |kb| {
        let kind = entities_of(&kind)?;
        card(&ShowRequest { name: id, kind: Some(kind.to_string()) }, kb)
    })
    .await
}

/// The card of a measurement.
pub(super) async fn measurement(Extension(state): Extension<Arc<KbState>>, Path(id): Path<String>) -> Response {
    answered(state, Wanted::Page, move |kb| card(&ShowRequest { name: id, kind: Some("measurement".to_owned()) }, kb))
        .await
}

fn card(request: &ShowRequest, kb: &KnowledgeBase) -> Result<Response, Refusal> {
    let shown = request.shown(kb)?;
    let facts = &shown.card.facts;
    let id = facts["id"].as_str().unwrap_or_default();
    let name = facts["name"].as_str().unwrap_or(&shown.card.title);
    let cited = Cited::from(&shown.references);
    let body = html! {
        h1 { (name) }
        p.ways { a href=(about("/query", id)) { "What is known of it" } }
        (recorded(facts))
        h2 { "References" }
        ul {
            @for reference in &cited.references {
                li { (reference.text) @if let Some(url) = web(reference.url.as_deref()) { " " a href=(url) rel="noreferrer" { "open" } } }
            }
        }
        h3 { "BibTeX" }
        pre { (cited.bibtex) }
    };
    Ok(content(HTML, layout::page(name, "", &body)))
}

/// What is known, key by key.
fn recorded(value: &Value) -> Markup {
    let is_known = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(facts) => !facts.is_empty(),
        _ => true,
    };
    match value {
        Value::Null => html! {},
        Value::Bool(flag) => html! { (if *flag { "yes" } else { "no" }) },
        Value::Number(number) => html! { (number.to_string()) },
        Value::String(text) => match web(Some(text)) {
            Some(url) => html! { a href=(url) rel="noreferrer" { (text) } },
            None => html! { (text) },
        },
        Value::Array(items) if items.iter().any(Value::is_object) => {
            html! { ul { @for item in items { li { (recorded(item)) } } } }
        }
        Value::Array(items) => {
            html! { @for (at, item) in items.iter().enumerate() { @if at > 0 { ", " } (recorded(item)) } }
        }
        Value::Object(facts) => html! {
            dl {
                @for (key, value) in facts.iter().filter(|(_, value)| is_known(value)) {
                    dt { (key.replace('_', " ")) } dd { (recorded(value)) }
                }
            }
        },
    }
}

/// An address of the web; whatever else stands in its place is no link.
fn web(url: Option<&str>) -> Option<&str> {
    url.filter(|url| url.starts_with("https://") || url.starts_with("http://"))
}

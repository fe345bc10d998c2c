//! Cards: everything recorded about one entity or measurement.

use maud::{Markup, html};
use serde_json::Value;

use super::layout;
use super::links::{card, web};
use super::subject::subject;
use crate::refusal::Refusal;
use crate::requests::{Cited, ShowRequest, entities_of};
use dlbench::KnowledgeBase;
use dlbench::values::EntityKind;

/// The card of an entity, by id or name. On a static site, it has no rows, to limit the size; the first page looks them up.
///
/// # Errors
///
/// When there is no such entity, or a store fails.
pub(crate) fn entity(kind: &str, name: &str, kb: &KnowledgeBase, on_site: bool) -> Result<String, Refusal> {
    let kind = entities_of(kind)?;
    page(&ShowRequest { name: name.to_owned(), kind: Some(kind.to_string()) }, Some(kind), kb, on_site)
}

/// The card of a measurement, by id or the beginning of it.
///
/// # Errors
///
/// When there is no such measurement, or a store fails.
pub(crate) fn measurement(id: &str, kb: &KnowledgeBase) -> Result<String, Refusal> {
    page(&ShowRequest { name: id.to_owned(), kind: Some("measurement".to_owned()) }, None, kb, false)
}

fn page(request: &ShowRequest, kind: Option<EntityKind>, kb: &KnowledgeBase, on_site: bool) -> Result<String, Refusal> {
    let shown = request.shown(kb)?;
    let facts = &shown.card.facts;
    let id = facts["id"].as_str().unwrap_or_default();
    let name = facts["name"].as_str().unwrap_or(&shown.card.title);
    let cited = Cited::from(&shown.references);
    let sources = kb.ids(EntityKind::Source)?;
    let body = html! {
        h1 { (name) }
        @if let Some(kind) = kind { (subject(kind, id, facts, kb, on_site)?) }
        section {
            @if kind.is_some() { h2 { "Facts" } }
            (recorded(&facts_below(facts), &sources))
        }
        section {
            h2 { "References" }
            ul.sources {
                @for reference in &cited.references {
                    li { (reference.text) @if let Some(url) = web(reference.url.as_deref()) { " " a href=(url) rel="noreferrer" { "open" } } }
                }
            }
            @if !on_site { details { summary { "BibTeX" } pre { (cited.bibtex) } } }
        }
    };
    Ok(layout::page(name, "", &body))
}

/// The facts without the grades and their evidence, which have their own table.
fn facts_below(facts: &Value) -> Value {
    let mut facts = facts.clone();
    if let Some(object) = facts.as_object_mut().filter(|object| object.contains_key("grades")) {
        object.remove("grades");
        object.remove("evidence");
    }
    facts
}

/// Whether a value is known.
fn is_known(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(facts) => !facts.is_empty(),
        _ => true,
    }
}

/// The known values, key by key.
fn recorded(value: &Value, sources: &[String]) -> Markup {
    match value {
        Value::Null => html! {},
        Value::Bool(flag) => html! { (if *flag { "yes" } else { "no" }) },
        Value::Number(number) => html! { (number.to_string()) },
        Value::String(text) => match web(Some(text)) {
            Some(url) => html! { a href=(url) rel="noreferrer" { (text) } },
            None => html! { (text) },
        },
        Value::Array(items) if items.iter().any(Value::is_object) => records(items, sources),
        Value::Array(items) => {
            html! { @for (at, item) in items.iter().enumerate() { @if at > 0 { ", " } (recorded(item, sources)) } }
        }
        Value::Object(facts) => html! {
            dl {
                @for (key, value) in facts.iter().filter(|(_, value)| is_known(value)) {
                    dt { (key.replace('_', " ")) } dd { (fact(key, value, sources)) }
                }
            }
        },
    }
}

/// The value of a key; a source links to its card.
fn fact(key: &str, value: &Value, sources: &[String]) -> Markup {
    match value.as_str() {
        Some(id) if key == "source" && sources.iter().any(|source| source == id) => {
            html! { a href=(card(EntityKind::Source, id)) { (id) } }
        }
        _ => recorded(value, sources),
    }
}

/// Several records in a table, with a column for each key that occurs.
fn records(items: &[Value], sources: &[String]) -> Markup {
    let mut keys: Vec<&String> = Vec::new();
    for (key, _) in items.iter().filter_map(Value::as_object).flatten().filter(|(_, value)| is_known(value)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    html! {
        div.frame tabindex="0" {
            table {
                thead { tr { @for key in &keys { th scope="col" { (key.replace('_', " ")) } } } }
                tbody {
                    @for item in items {
                        tr { @for key in &keys { td { @if let Some(value) = item.get(key) { (fact(key, value, sources)) } } } }
                    }
                }
            }
        }
    }
}

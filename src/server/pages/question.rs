//! The answer to a question, and a comparison, as pages.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};

use super::figures::{is_drawn, picture};
use super::forms::{AnswerForm, ROWS};
use super::frame::framed;
use super::layout;
use super::links::{about, card, from_row, linked, measurement, narrowed};
use super::tokens::tokens;
use crate::refusal::Refusal;
use crate::requests::{CompareArguments, QueryRequest};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, FacetCounts};
use dlbench::model::{Aspect, Value};
use dlbench::render::answer::{AnswerView, html as section};
use dlbench::values::EntityKind;
use strum::VariantArray as _;

/// So many values of a field are links.
const MOST_VALUES: usize = 8;

/// The answer to a question.
///
/// # Errors
///
/// When the question has a mistake, asks for too much, or a store fails.
pub(crate) fn page(request: &QueryRequest, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let request = QueryRequest { facets: true, ..request.clone() };
    let mut answer = request.answer(kb, ROWS)?;
    let facets = answer.facets.take().unwrap_or_default();
    let view = AnswerView { page: request.page(ROWS)?, without_options: true, ..AnswerView::default() };
    let recorded =
        [format!("canonical form: {}", answer.question), format!("content of the knowledge base: {}", kb.content())];
    let question = answer.query.as_str();
    let body = html! {
        h1 { "Answer" }
        (tokens(&answer.query, &answer.read_as, !request.on_site))
        (PreEscaped(with_links(&section(&answer, &view, &recorded, false), &answer)))
        (pages(question, &request, &answer))
        (suggestions(&answer))
        (pictured(question, &answer, kb))
        (ways(question, &answer))
        (narrower(question, &facets))
        (entities(&answer))
    };
    Ok(layout::page(question, question, &body))
}

/// The answer, with the ids of its measurements leading to them.
fn with_links(section: &str, answer: &Answer) -> String {
    let concluded = answer.conclusion.entries.iter().flat_map(|entry| &entry.measurements).map(String::as_str);
    let ids: BTreeSet<&str> = answer.measurements.iter().map(|row| row.id()).chain(concluded).collect();
    framed(&linked(section, "<td>", |id| ids.contains(id).then(|| measurement(id))))
}

/// Rows before and behind these.
fn pages(question: &str, request: &QueryRequest, answer: &Answer) -> Markup {
    let limit = request.limit.unwrap_or(ROWS.usual).max(1);
    let next = request.offset.saturating_add(limit);
    html! {
        @if answer.total > answer.measurements.len() && !answer.measurements.is_empty() {
            p.pages {
                @if request.offset > 0 { a href=(from_row(question, request.offset.saturating_sub(limit))) rel="prev" { "Rows before" } }
                @if next < answer.total { a href=(from_row(question, next)) rel="next" { "Rows behind" } }
                span.quiet { (answer.total) " in all" }
            }
        }
    }
}

/// Questions near one that finds nothing.
fn suggestions(answer: &Answer) -> Markup {
    html! {
        @if !answer.suggestions.is_empty() {
            h3 { "Near questions" }
            ul {
                @for near in &answer.suggestions {
                    li { a href=(about("/query", &near.query)) { (near.query) } " " span.quiet { (near.total) " measurements" } }
                }
            }
        }
    }
}

/// The figure, where one can be drawn without being told its axes.
fn pictured(question: &str, answer: &Answer, kb: &KnowledgeBase) -> Markup {
    /// More take their time, and are drawn on a page of their own.
    const MOST: usize = 2_000;
    html! {
        @if (2..=MOST).contains(&answer.total) && is_drawn(question, kb) {
            h3 { "Figure" }
            (picture(question))
        }
    }
}

/// Other forms of the same answer.
fn ways(question: &str, answer: &Answer) -> Markup {
    let orders = answer.measurements.iter().flat_map(|row| row.metrics().map(|(metric, ..)| metric.key()));
    let mut orders: Vec<&str> = orders.collect();
    orders.sort_unstable();
    orders.dedup();
    html! {
        @if !orders.is_empty() && !question.contains("sort:") {
            h3 { "In order of" }
            p.ways {
                @for key in orders {
                    a href=(about("/query", &format!("{question} sort:-{key}"))) { (key) ", largest first" }
                    a href=(about("/query", &format!("{question} sort:{key}"))) { (key) ", smallest first" }
                }
            }
        }
        h3 { "As paper" }
        p.ways {
            @for form in AnswerForm::VARIANTS { a href=(about(&format!("/query/{}", form.key()), question)) { (form.name()) } }
            a href=(about("/api/query", question)) { "JSON" }
            @if answer.total > 1 {
                a href=(about("/compare", question)) { "Comparison" }
                a href=(about("/figure", question)) { "Figure" }
            }
        }
    }
}

/// The values of each field in everything found, each a narrower question.
fn narrower(question: &str, facets: &[FacetCounts]) -> Markup {
    let links: Vec<(&'static str, Vec<(String, usize)>)> = facets.iter().filter_map(values).collect();
    html! {
        @if !links.is_empty() {
            details open {
                summary { "Narrow the question" }
                div.facets {
                    @for (key, values) in &links {
                        section {
                            h3 { (key) }
                            ul {
                                @for (value, count) in values.iter().take(MOST_VALUES) {
                                    li { a href=(about("/query", &narrowed(question, key, value))) { (value) } " " span.quiet { (count) } }
                                }
                                @if values.len() > MOST_VALUES { li.quiet { (values.len() - MOST_VALUES) " more" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The filter of a field and its values, where there are several.
fn values(facet: &FacetCounts) -> Option<(&'static str, Vec<(String, usize)>)> {
    let aspect = Aspect::named(&facet.field)?;
    let text = |value: &Value| match value {
        Value::Text(text) => text.to_string(),
        Value::Count(count) => count.to_string(),
        Value::Number(number) => number.to_string(),
    };
    let values = facet.values.iter().filter_map(|value| Some((text(value.value.as_ref()?), value.count)));
    let values: Vec<(String, usize)> = values.collect();
    (values.len() > 1).then_some((aspect.key(), values))
}

/// The cards of what the answer names.
fn entities(answer: &Answer) -> Markup {
    let catalog = &answer.catalog;
    let mut cards: Vec<(EntityKind, &str, &str)> = Vec::new();
    cards.extend(catalog.devices.iter().map(|entity| (EntityKind::Device, entity.id.as_str(), entity.name.as_str())));
    let frameworks = catalog.frameworks.iter().map(|joined| &joined.framework);
    cards.extend(frameworks.map(|entity| (EntityKind::Framework, entity.id.as_str(), entity.name.as_str())));
    cards.extend(catalog.networks.iter().map(|entity| (EntityKind::Network, entity.id.as_str(), entity.name.as_str())));
    cards.extend(catalog.datasets.iter().map(|entity| (EntityKind::Dataset, entity.id.as_str(), entity.name.as_str())));
    let classes = catalog.hardware_classes.iter();
    cards.extend(classes.map(|entity| (EntityKind::HardwareClass, <&str>::from(entity.id), entity.name.as_str())));
    cards.extend(catalog.sources.iter().map(|entity| (EntityKind::Source, entity.id.as_str(), entity.name.as_str())));
    html! {
        @if !cards.is_empty() {
            details {
                summary { "Cards" }
                ul {
                    @for (kind, id, name) in cards {
                        li { a href=(card(kind, id)) { (name) } " " span.quiet { (kind.noun()) } }
                    }
                }
            }
        }
    }
}

/// A comparison.
///
/// # Errors
///
/// When the request has a mistake, there is nothing to compare, or a store fails.
pub(crate) fn compared(request: &CompareArguments, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let comparison = request.compared(kb)?;
    let question = request.question.trim();
    let body = html! {
        h1 { "Comparison" }
        @if !question.is_empty() { h2 { (question) } }
        (PreEscaped(framed(&comparison.html())))
        @if !question.is_empty() { p.ways { a href=(about("/query", question)) { "The measurements" } } }
    };
    Ok(layout::page("Comparison", question, &body))
}

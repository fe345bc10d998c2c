//! The page of an answer: the question's parts as chips, the conclusion, a chart, the sidebar of fields, and details below.

use maud::{Markup, html};

use super::chips::chips;
use super::facets::aside;
use super::figures::{is_drawn, picture};
use super::forms::{AnswerForm, ROWS};
use super::grid::{HeadLink, Links, drawn, reorder_columns};
use super::layout;
use super::links::{about, card, from_row};
use super::names::row_links;
use super::ranking::chart;
use crate::refusal::Refusal;
use crate::requests::{CompareArguments, QueryRequest};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page, Place, WordedRemark};
use dlbench::ask::parse::{Ask, Question, print};
use dlbench::model::Aspect;
use dlbench::render::answer::{AnswerParts, AnswerView, parts};
use dlbench::render::table::Column;
use dlbench::values::EntityKind;
use dlbench::values::text::counted;
use strum::VariantArray as _;

/// Maximum number of remarks shown below the answer; the others are collapsed.
const MOST_REMARKS: usize = 3;

/// The page of the answer to a question.
///
/// # Errors
///
/// When the question has a mistake, asks for too much, or a store fails.
pub(crate) fn page(request: &QueryRequest, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let request = QueryRequest { facets: true, ..request.clone() };
    // If the conclusion does not come from rows, no rows follow it; otherwise the rows that it is based on come first.
    let page = Page { only_supporting_rows: true, ..request.page(ROWS)? };
    let mut answer = request.answer_on(&page, kb)?;
    let facets = answer.facets.take().unwrap_or_default();
    let view = AnswerView { page, without_options: true, ..AnswerView::default() };
    let parts = parts(&answer, &view);
    let question = answer.query.as_str();
    let body = html! {
        h1.unseen { "Answer to " (question) }
        (chips(&answer, !request.on_site))
        @for told in &parts.before { p.note.warn { (told) } }
        p.conclusion { (first_line(&answer)) }
        (suggestions(&answer))
        div.columns-of-answer {
            div.result {
                (figure(question, &answer, &parts, request.on_site, kb))
                (remarks(&answer))
                (rows(&answer, &parts, &request))
                @if !answer.is_stopped && !request.on_site { (ways(question, &answer)) }
            }
            @if is_of_rows(&answer) { (aside(&answer, &facets, !request.on_site, kb)?) }
        }
        (below(&answer, &parts, kb))
    };
    Ok(layout::page(question, question, &body))
}

/// Whether an answer has rows that its fields can narrow.
fn is_of_rows(answer: &Answer) -> bool {
    let of_catalog = matches!(answer.ask, Ask::Fact | Ask::Grade | Ask::List | Ask::Fits);
    answer.total > 1 && !answer.is_stopped && (!of_catalog || !answer.measurements.is_empty())
}

/// The conclusion, or a note that no row matches.
fn first_line(answer: &Answer) -> &str {
    match answer.conclusion.text.as_str() {
        "" => "No row matches.",
        text => text,
    }
}

/// The chart for the kind of answer, else the figure with automatic axes; then the values as a table.
fn figure(question: &str, answer: &Answer, parts: &AnswerParts, on_site: bool, kb: &KnowledgeBase) -> Markup {
    /// Larger figures take long, and are drawn on their own page.
    const MOST: usize = 2_000;
    let chart = chart(answer);
    let has_chart = chart.is_some();
    // A static site has no figure files.
    let is_pictured = !has_chart && !on_site && (2..=MOST).contains(&answer.total) && is_drawn(question, kb);
    let links = row_links(answer, parts);
    let is_ranked = has_chart && answer.ask == Ask::Rank;
    html! {
        @if let Some(chart) = chart { (chart) }
        @if is_pictured { (picture(question)) }
        @if let Some(values) = parts.values.as_ref().filter(|_| !is_ranked) {
            @if has_chart {
                details { summary { "The pairs as a table" } (drawn(values, &Links::of_cells(&links))) }
            } @else {
                (drawn(values, &Links::of_cells(&links)))
            }
        }
    }
}

/// The remarks needed to use the answer.
fn remarks(answer: &Answer) -> Markup {
    // For a stopped answer, remarks placed elsewhere contain the nearest names of what was not found.
    let is_behind =
        |remark: &&WordedRemark| remark.place == Place::Behind || answer.is_stopped && remark.place == Place::Elsewhere;
    let is_new = |text: &&str| *text != answer.conclusion.text;
    let behind = answer.remarks.iter().filter(is_behind).map(|remark| remark.text.as_str());
    let behind: Vec<&str> = behind.filter(is_new).collect();
    let (first, rest) = behind.split_at(MOST_REMARKS.min(behind.len()));
    html! {
        @if !first.is_empty() {
            ul.remarks { @for text in first { li { (with_code(text)) } } }
            @if !rest.is_empty() {
                details.more { summary { (counted(rest.len(), "more remark", "more remarks")) } ul.remarks { @for text in rest { li { (with_code(text)) } } } }
            }
        }
    }
}

/// A text with its backquoted parts as code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The rows, with headings that sort them.
fn rows(answer: &Answer, parts: &AnswerParts, request: &QueryRequest) -> Markup {
    let Some(table) = &parts.rows else { return html! {} };
    let links = row_links(answer, parts);
    let head = |column: &Column| {
        let aspect = Aspect::keyed(column.sorts_by?).filter(|aspect| can_order(*aspect))?;
        let sorted = answer.asked.sort.filter(|(by, _)| *by == aspect).map(|(_, descending)| descending);
        // Numbers begin in descending order; a second click reverses any order.
        let descending = sorted.map_or(column.numeric, |descending| !descending);
        let question = Question { sort: Some((aspect, descending)), skip: None, ..answer.asked.clone() };
        Some(HeadLink { address: about("/query", &print(&question)), sorted })
    };
    let table = reorder_columns(table.clone());
    html! {
        section.rows {
            h2 { "Rows" }
            p.small.quiet { (parts.count) }
            @if request.on_site {
                (drawn(&table, &Links::of_cells(&links)))
            } @else {
                (drawn(&table, &Links { head: &head, cell: &links }))
            }
            (pages(answer.query.as_str(), request, answer))
        }
    }
}

/// Whether rows can be sorted by an aspect.
fn can_order(aspect: Aspect) -> bool {
    matches!(aspect, Aspect::Metric(_)) || aspect.part().is_some()
}

/// Links to the previous and next rows.
fn pages(question: &str, request: &QueryRequest, answer: &Answer) -> Markup {
    let limit = request.limit.unwrap_or(ROWS.usual).max(1);
    let next = request.offset.saturating_add(limit);
    html! {
        @if answer.total > answer.measurements.len() && !answer.measurements.is_empty() {
            p.pages {
                @if request.offset > 0 { a href=(from_row(question, request.offset.saturating_sub(limit))) rel="prev" { "Rows before" } }
                @if next < answer.total { a href=(from_row(question, next)) rel="next" { "Next " (limit.min(answer.total - next)) " rows" } }
                span.quiet { (answer.total) " in all" }
            }
        }
    }
}

/// Suggested questions when one matches nothing.
fn suggestions(answer: &Answer) -> Markup {
    html! {
        @if !answer.suggestions.is_empty() {
            ul.chips aria-label="Near questions" {
                @for near in &answer.suggestions {
                    li { a.chip href=(about("/query", &near.query)) { (near.query) " " span.label { (near.total) " rows" } } }
                }
            }
        }
    }
}

/// Links to other formats of the same answer.
fn ways(question: &str, answer: &Answer) -> Markup {
    html! {
        p.ways aria-label="The same in other forms" {
            @if answer.total > 1 {
                a.chip href=(about("/compare", question)) { "Table of comparison" }
                a.chip href=(about("/figure", question)) { "Figure" }
            }
            @for form in AnswerForm::VARIANTS { a.chip href=(about(&format!("/query/{}", form.key()), question)) { (form.name()) } }
            a.chip href=(about("/api/query", question)) { "JSON" }
        }
    }
}

/// Facts, sources, and the entities that the answer names.
fn below(answer: &Answer, parts: &AnswerParts, kb: &KnowledgeBase) -> Markup {
    let links = row_links(answer, parts);
    html! {
        @if !parts.facts.is_empty() && !answer.is_stopped {
            details { summary { "Facts" } @for facts in &parts.facts { (drawn(facts, &Links::of_cells(&links))) } }
        }
        @if !parts.sources.is_empty() {
            section {
                h2 { "Sources" }
                ol.sources {
                    @for (number, id, text) in &parts.sources {
                        li value=(number) {
                            a href=(card(EntityKind::Source, id)) { (id) }
                            (text.strip_prefix(id.as_str()).unwrap_or(text))
                        }
                    }
                }
            }
        }
        @if !answer.is_stopped { (entities(answer)) }
        p.small.quiet {
            "Read as " code { (answer.question) } br;
            "Content of the knowledge base: " (kb.content())
        }
    }
}

/// Links to the pages of the entities that the answer names.
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
    html! {
        @if !cards.is_empty() {
            details {
                summary { "What it is about" }
                ul.columns {
                    @for (kind, id, name) in cards {
                        li { a href=(card(kind, id)) { (name) } " " span.quiet { (kind.noun()) } }
                    }
                }
            }
        }
    }
}

/// The page of a comparison.
///
/// # Errors
///
/// When the request has a mistake, there is nothing to compare, or a store fails.
pub(crate) fn compared(request: &CompareArguments, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let comparison = request.compared(kb)?;
    let question = request.question.trim();
    let (table, sources, about_it) = comparison.parts();
    let body = html! {
        h1 { "Comparison" }
        (drawn(&table, &Links::of_cells(&|_, _| None)))
        @if !sources.is_empty() {
            h2 { "Sources" }
            ol.sources { @for source in &sources { li { (source) } } }
        }
        @if !question.is_empty() { p.ways { a.chip href=(about("/query", question)) { "The measurements" } } }
        p.small.quiet { @for line in about_it { (line) br; } }
    };
    Ok(layout::page("Comparison", question, &body))
}

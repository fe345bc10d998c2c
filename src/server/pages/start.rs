//! The first page: a search box, numbers of the content, rankings of current measurements, and the newest sources.

use maud::{Markup, html};

use super::board::{BoardRequest, board};
use super::layout;
use super::links::{about, card};
use super::numbers::grouped;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::model::Source;
use dlbench::values::EntityKind;

/// Number of newest sources listed.
const NEWEST: usize = 8;
/// Number of examples below the search box.
const MOST_EXAMPLES: usize = 6;

/// The first page.
///
/// # Errors
///
/// When the class or precision does not exist, or a store fails.
pub(crate) fn start(request: &BoardRequest, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let body = html! {
        (opening())
        (layout::ask("", true))
        (examples(kb))
        (tiles(kb)?)
        (board(request, false, kb)?)
        (newest(kb)?)
        (content(kb))
    };
    Ok(layout::front("Deep-learning benchmarks", &body))
}

/// The purpose of the knowledge base.
pub(crate) fn opening() -> Markup {
    html! {
        h1 { "Which hardware is good for which networks?" }
        p.lead { "Measured numbers and curated facts, each with its source. Only what can be compared is ranked." }
    }
}

/// Example questions that have an answer in this knowledge base.
fn examples(kb: &KnowledgeBase) -> Markup {
    html! {
        ul.chips.begin aria-label="Questions to begin with" {
            @for example in kb.examples().iter().take(MOST_EXAMPLES) {
                li { a.chip href=(about("/query", example.question)) title=(example.shows) { (example.question) } }
            }
        }
    }
}

/// The numbers of measurements, entities and grades.
///
/// # Errors
///
/// When a store fails.
pub(crate) fn tiles(kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let counts = kb.counts()?;
    let of = |kind: EntityKind| counts.entities.get(kind.plural()).copied().unwrap_or(0) as usize;
    let metrics = graded_metrics(kb)?;
    Ok(html! {
        div.tiles {
            a href="/entities/sources" { b { (grouped(counts.measurements as usize)) } "measurements" }
            @for (kind, name) in [
                (EntityKind::Device, "devices"),
                (EntityKind::Network, "networks"),
                (EntityKind::Framework, "frameworks"),
                (EntityKind::Source, "sources"),
            ] {
                a href={ "/entities/" (kind.plural()) } { b { (grouped(of(kind))) } (name) }
            }
            @if metrics > 0 { a href="/tables/hardware" { b { (metrics) } "graded metrics" } }
        }
    })
}

/// Number of metrics by which classes of hardware are graded.
fn graded_metrics(kb: &KnowledgeBase) -> Result<usize, Refusal> {
    let mut most = 0;
    for id in kb.ids(EntityKind::HardwareClass)? {
        let class = kb.entity::<dlbench::model::HardwareClassRecord>(&id)?;
        most = most.max(class.map_or(0, |class| class.grades.len()));
    }
    Ok(most)
}

/// The most recently published sources.
///
/// # Errors
///
/// When a store fails.
pub(crate) fn newest(kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let mut sources: Vec<Source> = Vec::new();
    for id in kb.ids(EntityKind::Source)? {
        sources.extend(kb.entity::<Source>(&id)?);
    }
    let date = |source: &Source| match (&source.commit_date, source.year) {
        (Some(date), _) => date.to_string(),
        (None, Some(year)) => year.to_string(),
        (None, None) => String::new(),
    };
    sources.sort_by_cached_key(|source| (std::cmp::Reverse(date(source)), source.id.to_string()));
    Ok(html! {
        section.newest {
            h2 { "Newest sources" }
            ul {
                @for source in sources.iter().take(NEWEST) {
                    li { a href=(card(EntityKind::Source, source.id.as_str())) { (source.name) } " " span.quiet { (source.people()) ", " (date(source)) } }
                }
            }
        }
    })
}

/// The hash of the knowledge base's content.
pub(crate) fn content(kb: &KnowledgeBase) -> Markup {
    html! { p.small.quiet { "Content of the knowledge base: " (kb.content()) } }
}

//! The first page of a site: numbers of the content, rankings, and the search box.

use maud::{Markup, html};

use super::answers::Ranking;
use crate::pages::board::{BoardRequest, board};
use crate::pages::layout::{ask, front};
use crate::pages::links::about;
use crate::pages::lists::{data, title};
use crate::pages::names::{name_of, stage_noun};
use crate::pages::start::{content, newest, opening, tiles};
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::values::EntityKind;
use dlbench::values::text::counted;
use strum::VariantArray as _;

/// Maximum number of linked rankings; the list of networks leads to the others.
const MOST_NAMED: usize = 40;

/// The page.
///
/// # Errors
///
/// When a store fails.
pub(super) fn index(kb: &KnowledgeBase, rankings: &[Ranking]) -> Result<String, Refusal> {
    let body = html! {
        (opening())
        (ask("", true))
        (tiles(kb)?)
        section id="results" aria-live="polite" {}
        noscript { p { "The box needs a script; everything else on this site does not." } }
        (board(&BoardRequest::default(), true, kb)?)
        @if !rankings.is_empty() {
            h2 { "Fastest devices by network" }
            (named(rankings, kb)?)
            @if rankings.len() > MOST_NAMED {
                p { (rankings.len() - MOST_NAMED) " more: on the cards of " a href="/entities/networks" { "networks" } "." }
            }
        }
        (newest(kb)?)
        h2 { "All of a kind" }
        ul {
            @for kind in EntityKind::VARIANTS {
                li {
                    a href={ "/entities/" (kind.plural()) } { (title(*kind)) } " "
                    span.quiet { (kb.ids(*kind)?.len()) }
                    " " a href={ "/data/" (data(*kind)) ".csv" } { "CSV" }
                }
            }
        }
        p.quiet {
            "The box finds names in any spelling and the measured rows of a network: " code { "fp16 V100 resnet152" } ", with filters such as "
            code { "device:v100 batch-size>=32 -framework:caffe2 sort:-throughput" }
            ". Whole questions are answered by the program, " code { "dlbench query" } "."
        }
        (content(kb))
    };
    Ok(front("Deep-learning benchmarks", &body))
}

fn named(rankings: &[Ranking], kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let mut links = Vec::new();
    for ranking in rankings.iter().take(MOST_NAMED) {
        let network = name_of(EntityKind::Network, ranking.network.as_str(), kb)?;
        let network = network.unwrap_or_else(|| ranking.network.to_string());
        links.push(html! {
            a href=(about("/query", &ranking.question())) { (network) ", " (stage_noun(<&str>::from(ranking.stage))) } " "
            span.quiet { (counted(ranking.devices, "device", "devices")) }
        });
    }
    Ok(html! { ul.columns { @for link in &links { li { (link) } } } })
}

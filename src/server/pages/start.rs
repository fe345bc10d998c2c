//! The first page: what there is, and questions to begin with.

use maud::{Markup, html};

use super::layout::page;
use super::links::about;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::values::text::counted;

/// The page.
///
/// # Errors
///
/// When a store fails.
pub(crate) fn start(kb: &KnowledgeBase) -> Result<String, Refusal> {
    let body = html! {
        (what_there_is(kb)?)
        h2 { "Questions to begin with" }
        ul {
            @for example in kb.examples() {
                li { a href=(about("/query", example.question)) { (example.question) } " " span.quiet { (example.shows) } }
            }
        }
        p.quiet {
            "Words in any order and spelling: precision, device, network, framework, data set, stage, vendor, licence, year. Filters: "
            code { "device:v100 batch>=32 -framework:caffe2 sort:-throughput" } "."
        }
        p { small { "Content of the knowledge base: " (kb.content()) } }
    };
    Ok(page("Deep-learning benchmarks", "", &body))
}

/// What the knowledge base is asked for, and how much it holds.
///
/// # Errors
///
/// When a store fails.
pub(crate) fn what_there_is(kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let counts = kb.counts()?;
    let sources = counts.entities.get("sources").copied().unwrap_or(0);
    let measurements = counted(counts.measurements as usize, "measurement", "measurements");
    Ok(html! {
        h1 { "Which hardware is good for which networks, and does my framework support it properly?" }
        p { (measurements) " from " (counted(sources as usize, "source", "sources")) ", and the facts that go with them." }
    })
}

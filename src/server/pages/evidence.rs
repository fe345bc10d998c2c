//! Claims of surveys tested against measurements: the verdicts in a table, then the evidence for each.

use maud::{Markup, html};
use serde::Deserialize;

use super::grid::{Links, drawn};
use super::layout;
use super::links::{about, card, encoded};
use crate::refusal::Refusal;
use crate::requests::asked;
use dlbench::KnowledgeBase;
use dlbench::ask::evidence::{ClaimEvidence, Comparison, Evidence, EvidenceRequest, EvidenceVerdict, PeriodEvidence};
use dlbench::render::evidence::table;
use dlbench::render::table::{Cell, Column};
use dlbench::values::EntityKind;
use dlbench::values::text::counted;

/// The claims to show: those that contain all words of the question, or all.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvidencePageRequest {
    #[serde(default)]
    pub question: String,
}

impl EvidencePageRequest {
    /// The page.
    ///
    /// # Errors
    ///
    /// When the question is too long, or a store fails.
    pub fn page(&self, kb: &KnowledgeBase) -> Result<String, Refusal> {
        let question = match self.question.trim() {
            "" => "",
            question => asked(question)?,
        };
        let request = EvidenceRequest { question: question.to_owned(), ..EvidenceRequest::default() };
        let found = kb.evidence(&request).map_err(|error| Refusal::of_question(question, &error))?;
        let sources = kb.ids(EntityKind::Source)?;
        Ok(layout::page("Evidence", question, &body(question, &found, &sources)))
    }
}

fn body(question: &str, found: &Evidence, sources: &[String]) -> Markup {
    let ids: Vec<&str> = found.claims.iter().map(|claim| claim.id.as_str()).collect();
    let anchor = |column: &Column, cell: &Cell| {
        (column.heading == "claim" && ids.contains(&cell.text.as_str())).then(|| format!("#{}", anchor(&cell.text)))
    };
    let overview = drawn(&table(found), &Links::of_cells(&anchor));
    html! {
        h1 { "Evidence" }
        @if question.is_empty() {
            p { "What surveys claim about hardware and frameworks, compared with what was measured up to their year, and since." }
        } @else {
            p { "Claims that hold all words of " q { (question) } ". " a href="/evidence" { "All claims" } }
        }
        @if found.claims.is_empty() { p { "There is none." } } @else { (overview) }
        p.quiet { (found.method) " What is missing: " a href="/wanted" { "wanted measurements" } "." }
        @for told in &found.claims { (claim(told, sources)) }
    }
}

/// The anchor of a claim on the page; ids of claims have words, digits, hyphens and dots.
fn anchor(id: &str) -> String {
    format!("claim-{}", encoded(id))
}

fn claim(claim: &ClaimEvidence, sources: &[String]) -> Markup {
    html! {
        section.claim {
            h2 id=(anchor(&claim.id)) { (claim.text) }
            p {
                "Said by " (source(&claim.said_by, sources))
                @if let Some(place) = &claim.place { ", " (place) }
                ". Claimed: " (claim.claimed) ". Verdict: " strong { (claim.verdict.to_string()) } "."
            }
            @for told in &claim.periods { (period(claim, told, sources)) }
            @if let Some(notes) = &claim.notes { p { (notes) } }
            p.quiet {
                "How: " (claim.formula) "." br; "Not captured: " (claim.not_captured) "." br;
                "What would change it: " (claim.would_change) "."
            }
        }
    }
}

fn period(claim: &ClaimEvidence, period: &PeriodEvidence, sources: &[String]) -> Markup {
    let year = claim.year.map_or_else(String::new, |year| year.to_string());
    let when = if period.period == "then" { format!("Up to {year}") } else { format!("Since {year}") };
    html! {
        h3 { (when) ": " (period.verdict.to_string()) }
        @if !period.comparisons.is_empty() {
            ul { @for told in &period.comparisons { li { (comparison(told, sources)) } } }
        }
    }
}

fn comparison(comparison: &Comparison, sources: &[String]) -> Markup {
    let verdict = comparison.verdict.unwrap_or(EvidenceVerdict::NoEvidence);
    let pairs = (comparison.pairs > 0).then(|| {
        let years = match comparison.years {
            Some((first, last)) if first < last => format!(", {first} to {last}"),
            Some((year, _)) => format!(", {year}"),
            None => String::new(),
        };
        let measurers = counted(comparison.measurers, "measurer", "measurers");
        format!("; {}, {measurers}{years}", counted(comparison.pairs, "pair", "pairs"))
    });
    html! {
        (comparison.in_words()) ": " (verdict.to_string()) @if let Some(pairs) = pairs { (pairs) }
        @if !comparison.sources.is_empty() {
            "; sources "
            @for (at, id) in comparison.sources.iter().enumerate() { @if at > 0 { ", " } (source(id, sources)) }
        }
    }
}

/// A source, linked to its card if it has one.
fn source(id: &str, known: &[String]) -> Markup {
    html! {
        @if known.iter().any(|known| known == id) { a href=(card(EntityKind::Source, id)) { (id) } }
        @else { a href=(about("/query", id)) { (id) } }
    }
}

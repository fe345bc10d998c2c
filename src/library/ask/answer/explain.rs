//! How a question was read: the span of each word, the canonical form, and how many measurements match each part.

use super::ask::rows_like;
use crate::ask::execute::condition;
use crate::ask::parse::{Filter, Result, Span, Term, parse, print};
use crate::stores::Stores;
use crate::stores::index::DocumentKind;

/// How a question was read.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// How each word was read, and the composition rule that used it.
    pub spans: Vec<(Span, &'static str)>,
    /// The question in the explicit language; asking it gives the same answer.
    pub question: String,
    /// Each part of the question in the explicit language, and how many measurements match it alone.
    pub parts: Vec<(String, usize)>,
    /// The number of measurements that match the whole question.
    pub total: usize,
}

/// Where each word of a question goes, and its canonical form; nothing is counted.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn read(stores: &Stores, text: &str) -> Result<(Vec<Span>, String)> {
    let question = parse(text, &stores.database)?;
    let canonical = print(&question);
    Ok((question.spans, canonical))
}

/// Explains a question without answering it.
///
/// # Errors
///
/// Returns a mistake in the question with its place, or the error of a store.
pub fn explain(stores: &Stores, text: &str) -> Result<Explanation> {
    let question = parse(text, &stores.database)?;
    let sides = (!question.sides.is_empty()).then(|| Term::Any(question.sides.clone()));
    let mut parts = Vec::new();
    for term in question.subject.terms.iter().cloned().chain(sides) {
        let filter = Filter { terms: vec![term] };
        let leaves = stores.index.count(DocumentKind::Measurement, &condition(stores, &filter)?)?;
        parts.push((crate::ask::parse::print_filter(&filter), leaves));
    }
    let total = stores.index.count(DocumentKind::Measurement, &rows_like(stores, &question)?)?;
    let spans = question.spans.iter().map(|span| (span.clone(), span.rule)).collect();
    Ok(Explanation { spans, question: print(&question), parts, total })
}

//! Suggestions for a question that finds nothing: the same question with one condition less.

use super::document::Suggestion;
use crate::ask::execute::condition;
use crate::ask::execute::plan::rows_asked;
use crate::ask::execute::unread::LONGEST_QUERY;
use crate::ask::parse::{Question, Result, print};
use crate::stores::Stores;
use crate::stores::index::DocumentKind;

/// At most this many questions are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// The questions with one term less that match rows, those with most rows first.
pub(super) fn nearest_questions(stores: &Stores, question: &Question) -> Result<Vec<Suggestion>> {
    let mut suggestions = Vec::new();
    let terms = &question.subject.terms;
    for at in (0..terms.len()).filter(|_| terms.len() > 1) {
        let mut weaker = question.clone();
        weaker.subject.terms.remove(at);
        let total = stores.index.count(DocumentKind::Measurement, &condition(stores, &rows_asked(&weaker))?)?;
        let query = print(&weaker);
        // Nobody types a question that spells out the devices of a group.
        if total > 0 && query.len() <= LONGEST_QUERY {
            suggestions.push(Suggestion { query, total });
        }
    }
    suggestions.sort_by(|a, b| b.total.cmp(&a.total).then(a.query.cmp(&b.query)));
    suggestions.truncate(MAX_SUGGESTIONS);
    Ok(suggestions)
}

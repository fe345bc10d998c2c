//! What to say when nothing was found: which words emptied the answer, and which questions nearby have one.

use super::document::Suggestion;
use crate::ask::question::QueryError;
use crate::ask::question::{Question, near_replacements, understand};
use crate::rows::Note;
use crate::stores::Stores;
use crate::stores::index::DocumentKind;

/// At most this many questions are suggested.
const MOST: usize = 3;

/// The note that names what emptied the answer, and the nearest questions with measurements, best first.
pub(super) fn explain_empty(
    understood: &Question,
    stores: &Stores,
) -> Result<(Option<Note>, Vec<Suggestion>), QueryError> {
    let clauses = &understood.clauses;
    let mut suggestions = Vec::new();
    let mut culprit: Option<(usize, &str)> = None;
    for (at, clause) in clauses.iter().enumerate() {
        let others: Vec<&str> = clauses
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, clause)| clause.text.as_str())
            .collect();
        for replacement in near_replacements(clause, stores)? {
            let mut words = others.clone();
            words.push(&replacement);
            suggest(&mut suggestions, words.join(" "), stores)?;
        }
        if others.is_empty() {
            continue;
        }
        let left = stores.index.count(DocumentKind::Measurement, &understood.condition_without(Some(at)))?;
        if left > 0 {
            suggestions.push(Suggestion { query: others.join(" "), total: left });
            if culprit.is_none_or(|(most, _)| left > most) {
                culprit = Some((left, &clause.text));
            }
        }
    }
    if suggestions.is_empty() && clauses.len() > 1 {
        for clause in clauses {
            let left = stores.index.count(DocumentKind::Measurement, &clause.condition)?;
            if left > 0 {
                suggestions.push(Suggestion { query: clause.text.clone(), total: left });
            }
        }
    }
    suggestions.sort_by(|a, b| b.total.cmp(&a.total).then(a.query.cmp(&b.query)));
    suggestions.dedup();
    suggestions.truncate(MOST);
    let note = match (culprit, clauses.as_slice()) {
        (Some((without, part)), _) => Some(Note::EmptiedBy { part: part.to_owned(), without }),
        (None, []) => None,
        (None, [only]) => Some(Note::NoMatch { part: only.text.clone() }),
        (None, _) => Some(Note::NoMatchInAll),
    };
    Ok((note, suggestions))
}

fn suggest(suggestions: &mut Vec<Suggestion>, question: String, stores: &Stores) -> Result<(), QueryError> {
    // A replacement is a known name, so this recursion ends here: its question is not empty-handed in the same word.
    let understood = match understand(&question, stores) {
        Err(QueryError::Grammar(_)) => return Ok(()),
        other => other?,
    };
    let total = stores.index.count(DocumentKind::Measurement, &understood.condition_without(None))?;
    if total > 0 {
        suggestions.push(Suggestion { query: question, total });
    }
    Ok(())
}

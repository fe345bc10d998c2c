//! Each kind of question has its kind of conclusion.

mod by_catalog;
mod by_intent;
mod concluded;
mod known;
mod open_wishes;
mod partial_training;
mod unknown;

use self::known::conclude_known;
use self::unknown::{fit_besides_unknown, rows_of_any_work};
use super::basis::conclusion::Conclusion;
use super::basis::search_result::SearchResult;
use super::lookup::unknown_subject;
use crate::ask::question::{QueryError, Question};
use crate::stores::Stores;

pub use concluded::Concluded;

/// Draws the conclusion of an answer.
///
/// Where a question about measurements comes to nothing, conditions are taken back one at a time, and the conclusion says which.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Concluded, QueryError> {
    let intent = question.wanted.intent;
    if let Some(unkept) = &question.wanted.unkept {
        let text = match question.wanted.unkept_changes {
            true => format!("What `{unkept}` changes is not known: no source here says anything of it."),
            false => format!("Nothing is ranked by `{unkept}`: no source here states it of anything."),
        };
        return Ok(Concluded { conclusion: Conclusion { text, entries: Vec::new() }, intent, follows: false });
    }
    let of_rows = |conclusion| Concluded { conclusion, intent, follows: false };
    if let Some(unknown) = unknown_subject::conclude(stores, question, found)? {
        // Those that are known are compared all the same, and one alone is told.
        let known = match unknown_subject::without_unknown_sides(stores, question)? {
            Some(several) => Some(several),
            None => unknown_subject::with_one_known_side(stores, question)?,
        };
        let Some(known) = known else {
            return Ok(of_rows(match fit_besides_unknown(stores, question, found)? {
                Some(told) => Conclusion { text: format!("{} {}", unknown.text, told.text), ..told },
                None => unknown,
            }));
        };
        let hits = stores.index.measurements(&known.condition_without(None), None, &[], 0, 0)?;
        let Concluded { conclusion, .. } = conclude_known(stores, &known, &SearchResult { hits: &hits, ..*found })?;
        if conclusion.text.is_empty() {
            return Ok(of_rows(unknown));
        }
        let alone =
            match question.wanted.sides.iter().find(|side| known.clauses.iter().any(|one| one.text == side.text)) {
                Some(side) if known.wanted.sides.is_empty() => format!("Of `{}` alone: ", side.text),
                _ => String::new(),
            };
        let of_any_work = match alone.is_empty() {
            true => None,
            false => rows_of_any_work(stores, &known, &hits)?,
        };
        let text = format!("{} {alone}{}", unknown.text, of_any_work.as_ref().unwrap_or(&conclusion.text));
        let conclusion = Conclusion { text, ..conclusion };
        return Ok(Concluded { conclusion, intent: known.wanted.intent, follows: false });
    }
    conclude_known(stores, question, found)
}

#[cfg(test)]
impl super::basis::sample::Sample {
    /// The conclusion on a question.
    pub fn conclude(&self, question: &Question) -> Conclusion {
        let catalog = crate::rows::JoinedCatalog::default();
        let condition = question.condition_without(None);
        let hits = self.stores.index.measurements(&condition, None, &[], 0, 20).unwrap();
        conclude(&self.stores, question, &SearchResult { hits: &hits, catalog: &catalog }).unwrap().conclusion
    }
}

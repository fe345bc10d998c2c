//! Questions about something that the knowledge base does not know: one clear sentence instead of all rows.

use strum::VariantArray as _;

use super::conclusion::Conclusion;
use super::found::Found;
use super::listed::name_of;
use super::wording::Names;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Lookup as _, Name};
use crate::stores::Stores;
use crate::stores::database::Database;
use crate::stores::index::DocumentKind;
use crate::stores::resolve::{begins_product, is_english, nearest_names};
use crate::values::EntityKind;
use crate::values::spelling::normalise;
use crate::values::text::and_list;

/// So many names are offered.
const NEAREST: usize = 3;
/// No two names have more letters in common from their beginnings; each length is a search.
const LONGEST_BEGINNING: usize = 40;
/// Letters of a name that others must begin with to be near it.
const BEGINNING: usize = 4;

/// The names that a question is about and that nothing here has: what its reader marked, sides of a comparison, and words
/// that were searched as text where so nothing was found.
///
/// # Errors
///
/// When a store fails.
pub fn unknown_names(stores: &Stores, question: &Question, total: usize) -> Result<Vec<String>, QueryError> {
    let mut unknown = question.wanted.unknown_names.clone();
    let mut add = |clause: &Clause| {
        if !unknown.contains(&clause.text) {
            unknown.push(clause.text.clone());
        }
    };
    for side in question.wanted.sides.iter().filter(|side| is_text(side)) {
        if !is_known(stores, side)? {
            add(side);
        }
    }
    if total == 0 {
        for clause in question.clauses.iter().filter(|clause| is_name(clause)) {
            if !is_known(stores, clause)? {
                add(clause);
            }
        }
    }
    Ok(unknown)
}

/// Says that what is asked about is not known, and what is nearest to it.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(
    stores: &Stores,
    question: &Question,
    found: &Found<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let unknown = unknown_names(stores, question, found.hits.total)?;
    if unknown.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let mut near = Vec::new();
    let mut called = Names::default();
    for name in &unknown {
        near.extend(nearest(stores, name, &mut called)?);
    }
    near.truncate(NEAREST);
    let near = match near.is_empty() {
        true => String::new(),
        false => format!("; nearest: {}", near.join(", ")),
    };
    Ok(Some(Conclusion {
        text: format!("{} {is} not in the knowledge base{near}.", and_list(&names)),
        entries: Vec::new(),
    }))
}

/// The question without the sides that nothing here has; `None` where fewer than two are left.
pub(super) fn without_unknown_sides(stores: &Stores, question: &Question) -> Result<Option<Question>, QueryError> {
    let mut known = question.clone();
    known.wanted.sides.clear();
    for side in &question.wanted.sides {
        if !is_text(side) || is_known(stores, side)? {
            known.wanted.sides.push(side.clone());
        }
    }
    Ok((known.wanted.sides.len() > 1).then_some(known))
}

/// Whether a clause is a word searched as text that may be a name: one with a figure in it, or none that is English.
fn is_name(clause: &Clause) -> bool {
    let is_word = is_text(clause) && clause.sides.is_empty() && !clause.text.starts_with(['"', '-']);
    let letters = clause.text.chars().filter(|c| c.is_alphabetic()).count();
    let has_figure = clause.text.chars().any(|c| c.is_ascii_digit());
    is_word && letters > 0 && (has_figure || letters > BEGINNING && !is_english(&clause.text.to_lowercase()))
}

/// Whether a clause is nothing but words that were searched as text.
fn is_text(clause: &Clause) -> bool {
    matches!(clause.readings.as_slice(), [reading] if reading.read_as.how == "text")
}

/// Whether any measurement or entity has the words.
fn is_known(stores: &Stores, clause: &Clause) -> Result<bool, QueryError> {
    if begins_product::<Database>(&clause.text, &stores.database)? {
        return Ok(false);
    }
    if stores.index.count(DocumentKind::Measurement, &clause.condition)? > 0 {
        return Ok(true);
    }
    for kind in EntityKind::VARIANTS {
        if stores.index.count(DocumentKind::Entity(*kind), &clause.condition)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is called nearly so, else what begins so.
fn nearest(stores: &Stores, word: &str, names: &mut Names) -> Result<Vec<String>, QueryError> {
    let mut near: Vec<Name> = nearest_names::<Database>(word, &stores.database, NEAREST)?;
    if near.is_empty() {
        near = beginning_alike(stores, &normalise(word))?;
    }
    let mut called: Vec<String> = Vec::new();
    for name in near {
        let Some(kind) = name.facet.entity_kind() else { continue };
        let name = name_of(stores, names, kind, &name.value)?;
        if !called.contains(&name) && called.len() < NEAREST {
            called.push(name);
        }
    }
    Ok(called)
}

/// The names that share the longest beginning with a word, as long as it is more than a few letters or an English word.
fn beginning_alike(stores: &Stores, word: &str) -> Result<Vec<Name>, QueryError> {
    let letters: Vec<char> = word.chars().collect();
    let leads = letters.iter().take_while(|c| c.is_alphabetic()).count();
    for length in (BEGINNING..letters.len().min(LONGEST_BEGINNING)).rev() {
        let beginning: String = letters[..length].iter().collect();
        if leads < BEGINNING || is_english(&beginning) {
            break;
        }
        let mut names = stores.database.beginning(&beginning)?;
        if !names.is_empty() {
            names.sort_by_key(|name| name.normal.len());
            return Ok(names);
        }
    }
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use crate::ask::question::Intent;

    #[test]
    fn what_is_not_known_is_said_with_what_is_nearest() {
        let sample = Sample::of(&[]);
        let question = sample.question("deepnet-99", Intent::Overview);
        let conclusion = sample.conclude(&question);
        assert!(
            conclusion.text.starts_with("`deepnet-99` is not in the knowledge base; nearest: DeepNet-"),
            "{}",
            conclusion.text
        );
        assert!(conclusion.entries.is_empty());
    }
}

//! Questions with the device that is nearest in the place of one that nothing here is called.

use super::less::replaced;
use super::near_products::near_products;
use super::unknown_subject::{is_known, is_text, of_series};
use crate::ask::conclude::basis::listed_kinds::name_of;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Aspect, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;

/// So many are tried.
const NEAREST: usize = 3;

/// The ids of what is nearest to names that nothing here is called, the nearest first.
pub(super) fn nearest_first(stores: &Stores, unknown: &[String]) -> Result<Vec<String>, QueryError> {
    let mut ids = Vec::new();
    for name in unknown {
        let near = near_products(stores, name)?;
        ids.extend(near.into_iter().chain(of_series(stores, name)?).map(|near| near.value));
    }
    Ok(ids)
}

/// The question about the device that is nearest to the one which nothing here is called and has rows of all else that is asked
/// for, with its name; `None` where more than one name is unknown, or where none is near.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn about_nearest(
    stores: &Stores,
    question: &Question,
) -> Result<Option<(Question, String)>, QueryError> {
    let [unknown] = question.wanted.unknown_names.as_slice() else { return Ok(None) };
    let Some(at) = question.clauses.iter().position(|clause| clause.text == *unknown) else { return Ok(None) };
    let names_work = |clause: &Clause| matches!(clause.plain_kind(), Some("network" | "task" | "parameters"));
    if !question.clauses.iter().any(names_work) {
        return Ok(None);
    }
    let of_others = |devices: Condition| {
        let mut about = replaced(question, &[at], devices);
        about.wanted.unknown_names.clear();
        about
    };
    let rest = of_others(Condition::All(Vec::new()));
    let hits = stores.index.measurements(&rest.condition_without(None), None, &[], 0, 0)?;
    let device = Aspect::Field(Field::Device);
    let counts = RowCounts::of(stores, &hits, device)?;
    let near = nearest_first(stores, std::slice::from_ref(unknown))?;
    let Some(id) = near.into_iter().find(|id| counts.rows_of(id) > 0) else { return Ok(None) };
    let name = Names::default().of(device, &id, stores)?;
    Ok(Some((of_others(Condition::Facet(Facet::Device, vec![id])), name)))
}

/// The comparison with the device that is nearest in the place of the one of two sides that nothing here is called, and how it is
/// called; the nearest come first.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn with_nearest_side(
    stores: &Stores,
    question: &Question,
) -> Result<Vec<(Question, String)>, QueryError> {
    let mut places = Vec::new();
    for (at, side) in question.wanted.sides.iter().enumerate() {
        if is_text(side) && !is_known(stores, side)? {
            places.push(at);
        }
    }
    let ([at], 2) = (places.as_slice(), question.wanted.sides.len()) else { return Ok(Vec::new()) };
    let is_device = question.wanted.sides[1 - *at].plain_kind() == Some(Facet::Device.key());
    if !is_device || question.wanted.intent != Intent::Comparison {
        return Ok(Vec::new());
    }
    let mut names = Names::default();
    let mut all = Vec::new();
    for id in nearest_first(stores, std::slice::from_ref(&question.wanted.sides[*at].text))?.into_iter().take(NEAREST) {
        let name = name_of(stores, &mut names, EntityKind::Device, &id)?;
        let mut other = question.clone();
        let (key, filter) = (Facet::Device.key(), format!("device:{id}"));
        let condition = Condition::Facet(Facet::Device, vec![id.clone()]);
        other.wanted.sides[*at] = Clause::of(&name, key, vec![id], filter, condition);
        other.wanted.unknown_names.clear();
        if stores.index.count(DocumentKind::Measurement, &other.condition_of_side(&other.wanted.sides[*at]))? > 0 {
            all.push((other, name));
        }
    }
    Ok(all)
}

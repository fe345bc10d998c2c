//! The question about the device that is nearest to one that nothing here is called.

use super::less::replaced;
use super::near_products::{near_products, whole_series};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::Condition;

/// The ids of what is nearest to names that nothing here is called, the nearest first.
pub(super) fn nearest_first(stores: &Stores, unknown: &[String]) -> Result<Vec<String>, QueryError> {
    let mut ids = Vec::new();
    for name in unknown {
        let near = near_products(stores, name)?;
        ids.extend(near.into_iter().chain(whole_series(stores, name)?).map(|near| near.value));
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

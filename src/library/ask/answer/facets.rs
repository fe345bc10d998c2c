//! Facet counts: how often each value occurs in all measurements that a question finds.
//!
//! The question has already counted what its measurements share, so no measurement is read.

use super::document::{Answer, FacetCounts, ValueCount};
use crate::ask::parse::Result;
use crate::model::{Aspect, Value};
use crate::stores::Stores;
use crate::values::Decimal;

/// Counts the values of each field over all measurements that an answer found, and of the facts that the catalog joins to
/// them.
///
/// # Errors
///
/// When a store fails.
pub fn facets(stores: &Stores, answer: &Answer) -> Result<Vec<FacetCounts>> {
    let columns = stores.database.aspects(is_counted)?;
    let facets = Aspect::all().filter_map(|aspect| {
        let column = columns.get(&aspect)?;
        let rows = &answer.shares[aspect.part()? as usize];
        Some(ordered(aspect, column.counts(rows).collect(), answer.total))
    });
    Ok(facets.filter(|facet| !facet.values.is_empty()).collect())
}

/// Whether an aspect is worth counting: some differ in nearly every measurement.
fn is_counted(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Field(field) => field.is_counted(),
        Aspect::Fact(fact) => fact.is_counted(),
        _ => true,
    }
}

fn ordered(aspect: Aspect, mut values: Vec<(&str, usize)>, total: usize) -> FacetCounts {
    let known: usize = values.iter().map(|(_, count)| count).sum();
    if aspect.is_numeric() {
        // Equally frequent values are sorted by number; each is parsed once.
        let size = |text: &str| text.parse::<f64>().unwrap_or(f64::INFINITY);
        let mut sized: Vec<(f64, (&str, usize))> = values.into_iter().map(|entry| (size(entry.0), entry)).collect();
        sized.sort_by(|(a, (_, x)), (b, (_, y))| y.cmp(x).then(a.total_cmp(b)));
        values = sized.into_iter().map(|(_, entry)| entry).collect();
    } else {
        values.sort_unstable_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
    }
    let value = |text: &str| match aspect {
        Aspect::Metric(_) => None,
        aspect if aspect.is_numeric() => match text.parse() {
            Ok(count) => Some(Value::Count(count)),
            Err(_) => Some(text.parse::<Decimal>().map_or(Value::Text(text.into()), Value::Number)),
        },
        _ => Some(Value::Text(text.into())),
    };
    FacetCounts {
        field: aspect.json_key(),
        values: values.into_iter().map(|(text, count)| ValueCount { value: value(text), count }).collect(),
        not_stated: total.saturating_sub(known),
    }
}

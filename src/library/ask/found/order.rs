//! The order of rows: as requested, otherwise by the first quantity of the answer, best first.

use crate::ask::execute::Outcome;
use crate::ask::parse::{QueryError, Question};
use crate::model::{Aspect, Direction, Field, Part};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;
use crate::stores::index::{Sort, SortKey};

/// The order of all rows; `None` keeps the order of the catalog.
///
/// # Errors
///
/// When the database fails.
pub(in crate::ask) fn order_of(
    stores: &Stores,
    question: &Question,
    outcome: &Outcome,
) -> Result<Option<Sort>, QueryError> {
    let by_quantity = || {
        let aspect = Aspect::keyed(&outcome.entries.first()?.quantity)?;
        let direction = match aspect {
            Aspect::Metric(metric) => metric.direction(),
            Aspect::Derived(measure) => measure.direction(),
            _ => return None,
        };
        Some((aspect, direction == Direction::Higher))
    };
    let Some((aspect, descending)) = question.sort.or_else(by_quantity) else { return Ok(None) };
    let by = match (aspect, aspect.part()) {
        (Aspect::Metric(metric), _) => SortKey::Metric(metric),
        (Aspect::Derived(measure), _) => SortKey::Metric(measure.rate()),
        (Aspect::Field(field), None) => SortKey::Field(field),
        (shared, Some(part)) => SortKey::Shared(part, ranks(&stores.database.aspect(shared)?, shared.is_numeric())),
        (_, None) => SortKey::Shared(Part::Setup, Vec::new()),
    };
    Ok(Some(Sort { by, descending }))
}

/// The protocols of rows that were disputed, superseded or retracted, which come last, and the standing of each.
///
/// # Errors
///
/// When the database fails.
pub(in crate::ask) fn last_protocols(stores: &Stores) -> Result<(Vec<u32>, AspectColumn), QueryError> {
    let standings = stores.database.aspect(Aspect::Field(Field::Standing))?;
    Ok((standings.shares_with(|_| true), standings))
}

/// The sort value of each share: its number, or the alphabetical rank of its text.
fn ranks(column: &AspectColumn, numeric: bool) -> Vec<Option<f64>> {
    let mut values: Vec<&str> = column.values().collect();
    values.sort_unstable();
    let rank = |value: &str| match numeric {
        true => value.parse().ok(),
        false => values.binary_search(&value).ok().map(|place| place as f64),
    };
    column.shares().map(|value| value.and_then(rank)).collect()
}

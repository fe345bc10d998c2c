//! What rows measured of a metric, from the least to the largest value.

use indexmap::IndexMap;

use super::conclusion::Entry;
use super::fact_wording::number_text;
use crate::ask::question::{QueryError, Question};
use crate::model::Metric;
use crate::stores::Stores;
use crate::values::text::counted;

/// A sentence and an entry about all rows of a question that have a metric; `None` where none has.
///
/// The rows are of any network and setup: it is a range of what was seen, and nothing is compared in it.
///
/// # Errors
///
/// When the index fails.
pub fn measured_range(
    stores: &Stores,
    question: &Question,
    metric: Metric,
) -> Result<Option<(String, Entry)>, QueryError> {
    let columns = stores.index.columns(&question.condition_without(None), &[metric])?;
    let values: Vec<f64> = columns.metrics.into_iter().flatten().filter(|value| !value.is_nan()).collect();
    let least = values.iter().copied().min_by(f64::total_cmp);
    let largest = values.iter().copied().max_by(f64::total_cmp);
    let (Some(low), Some(high)) = (least, largest) else { return Ok(None) };
    let (name, unit) = metric.heading().split_once(" [").unwrap_or((metric.heading(), ""));
    let unit = unit.trim_end_matches(']');
    let rows = counted(values.len(), "row", "rows");
    let sentence = format!("Measured {name}: {} to {} {unit} in {rows}.", number_text(low), number_text(high));
    let entry = Entry {
        subjects: IndexMap::new(),
        quantity: metric.key().to_owned(),
        unit: (!unit.is_empty()).then(|| unit.to_owned()),
        low: Some(low),
        high: Some(high),
        n: values.len(),
        ..Entry::default()
    };
    Ok(Some((sentence, entry)))
}

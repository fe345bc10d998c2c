//! Accuracies that a source states separately from speeds: a network's accuracy is the same in all runs of the same recipe.

use std::collections::HashMap;

use crate::model::{Field, Metric};
use crate::rows::JoinedRow;
use crate::values::Decimal;

/// What an accuracy depends on, besides its source: the network, the data and the number formats.
const ACCURACY_KEY_FIELDS: &[Field] = &[
    Field::Network,
    Field::InputShape,
    Field::SequenceLength,
    Field::Precision,
    Field::Quantization,
    Field::WeightFormat,
    Field::Framework,
];

/// The quality metric of each row that does not state it, taken from rows of the same source and recipe; `None` if those
/// disagree.
pub(super) fn qualities(rows: &[JoinedRow], metric: Metric) -> Vec<Option<Decimal>> {
    if !metric.is_of_quality() {
        return vec![None; rows.len()];
    }
    let mut stated: HashMap<Vec<Option<String>>, Option<Decimal>> = HashMap::new();
    for (key, (value, _)) in rows.iter().filter_map(|row| Some((accuracy_key(row), row.metric(metric)?))) {
        let agreed = stated.entry(key).or_insert(Some(value));
        if agreed.is_some_and(|agreed| agreed.value() != value.value()) {
            *agreed = None;
        }
    }
    rows.iter()
        .map(|row| match row.metric(metric) {
            Some(_) => None,
            None => stated.get(&accuracy_key(row)).copied().flatten(),
        })
        .collect()
}

fn accuracy_key(row: &JoinedRow) -> Vec<Option<String>> {
    let recorded = row.recorded();
    let source = Some(recorded.source().to_string());
    let stated = ACCURACY_KEY_FIELDS.iter().map(|field| recorded.get(*field).map(ToString::to_string));
    std::iter::once(source).chain(stated).collect()
}

//! Scaling efficiency: throughput relative to one device of the same kind with the same batch and data.

use std::collections::HashMap;

use crate::comparability::{Criterion, depends_on};
use crate::model::{Field, Metric, Tier};
use crate::rows::JoinedRow;
use crate::values::Decimal;

/// Significant digits of an efficiency.
const DIGITS: u8 = 3;

/// Throughput of each row over that of the same number of single devices, based on the best single-device run that is otherwise
/// equal; 1 for that run itself, `None` if there is no such run.
pub(super) fn efficiencies(rows: &[JoinedRow]) -> Vec<Option<Decimal>> {
    let throughput = |row: &JoinedRow| row.metric(Metric::ThroughputPerS).map(|(value, _)| value.value());
    let mut single: HashMap<Vec<Option<String>>, Vec<(f64, &JoinedRow)>> = HashMap::new();
    for row in rows.iter().filter(|row| row.recorded().count(Field::DeviceCount) == Some(1)) {
        if let (Some(key), Some(value)) = (like(row), throughput(row).filter(|value| *value > 0.0)) {
            single.entry(key).or_default().push((value, row));
        }
    }
    let efficiency = |row: &JoinedRow| {
        let devices = row.recorded().count(Field::DeviceCount)?;
        let place = |row: &JoinedRow| row.recorded().text(Field::Instance).map(str::to_owned);
        // Prefers a single-device run on the same instance, if there is one.
        let best = single.get(&like(row)?)?.iter().max_by(|(a, one), (b, other)| {
            let is_here = |candidate: &JoinedRow| place(candidate) == place(row);
            is_here(one).cmp(&is_here(other)).then(a.total_cmp(b)).then_with(|| other.id().cmp(one.id()))
        });
        let (one, reference) = best?;
        let is_reference = reference.id() == row.id();
        let share = throughput(row)? / (devices as f64 * one);
        (devices > 1 || is_reference).then(|| Decimal::derived(share, DIGITS)).flatten()
    };
    rows.iter().map(efficiency).collect()
}

/// What runs must share so that they differ only in the number of devices; `None` if throughput depends on a batch size that is
/// not stated.
fn like(row: &JoinedRow) -> Option<Vec<Option<String>>> {
    let (compared, facts) = (row.compared_row(), row.facts());
    let metric = Metric::ThroughputPerS;
    let of_count = |field: Field| field == Field::DeviceCount || field.varies_with(Field::DeviceCount);
    let decides = |criterion: &Criterion| {
        let tier = criterion.tier(metric, facts.is_of_layers());
        let is_of_count = matches!(criterion, Criterion::Field(field) if of_count(*field));
        *criterion == Criterion::Source || matches!(tier, Some(Tier::Identity | Tier::Axis)) && !is_of_count
    };
    let batch = Criterion::Field(Field::BatchSize);
    if compared.compared(batch).is_none() && depends_on(&compared, batch, metric) {
        return None;
    }
    // Synthetic data arrive faster than real data.
    let data = row.recorded().text(Field::Data).map(str::to_owned);
    let stated = |criterion: Criterion| compared.compared(criterion).map(std::borrow::Cow::into_owned);
    Some(Criterion::all().filter(decides).map(stated).chain([data]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparability::ComparisonFacts;
    use crate::model::{Measurement, Value};

    /// A run on `devices` devices; a batch of 0 means not stated.
    fn run(devices: i64, batch: i64, rate: &str, data: &str) -> JoinedRow {
        let text = |field, value: &str| (field, Value::Text(value.into()));
        let mut fields = vec![
            text(Field::Network, "deepnet-50"),
            text(Field::Stage, "train"),
            text(Field::Counts, "image"),
            text(Field::Data, data),
            (Field::DeviceCount, Value::Count(devices)),
        ];
        fields.extend((batch > 0).then_some((Field::BatchSize, Value::Count(batch))));
        let metrics = vec![(Metric::ThroughputPerS, rate.parse().unwrap())];
        JoinedRow::new(Measurement::new("a".parse().unwrap(), fields, metrics), ComparisonFacts::default())
    }

    #[test]
    fn an_efficiency_is_against_the_same_batch_and_data_only() {
        let efficiency = |rows: &[JoinedRow]| -> Vec<Option<String>> {
            efficiencies(rows).into_iter().map(|value| value.map(|value| value.to_string())).collect()
        };
        let some = |text: &str| Some(text.to_owned());
        let alike = [run(1, 32, "100", "synthetic"), run(4, 32, "380", "synthetic")];
        assert_eq!(efficiency(&alike), [some("1.000"), some("0.9500")]);
        assert_eq!(efficiency(&[run(1, 32, "100", "synthetic"), run(4, 64, "380", "synthetic")])[1], None);
        assert_eq!(efficiency(&[run(1, 32, "100", "synthetic"), run(4, 32, "380", "real")])[1], None);
        assert_eq!(efficiency(&[run(1, 0, "100", "real"), run(4, 0, "380", "real")]), [None, None], "any batch");
    }
}

//! What each number of devices came to, where no two rows differ in that number alone: the best of each, in a setting of its own.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources, spread_out};
use crate::ask::conclude::basis::wording::{Names, name_of, rounded, stage_name, three, unit};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Direction, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::text::and_list;

/// What is told of each number, the usual measure of many devices first.
const METRICS: &[Metric] = &[Metric::TimeToAccuracyS, Metric::TotalS, Metric::EpochS, Metric::ThroughputPerS];

/// So many numbers of devices are told in the sentence.
const MOST_IN_TEXT: usize = 8;

/// The rows of one task: the best value of each number of devices with its hit, and how many rows have it.
type ByCount = BTreeMap<i64, (f64, usize, usize)>;

/// Tells the best of each number of devices for the task that the most numbers were measured in; `None` where none was in two.
pub(super) fn conclude(
    stores: &Stores,
    values: &SharedValues,
    condition: &Condition,
) -> Result<Option<Conclusion>, QueryError> {
    let hits = HitColumns::of(stores, condition, METRICS)?;
    for &metric in METRICS {
        let Some(by_count) = widest(values, &hits, metric).filter(|by_count| by_count.len() > 1) else { continue };
        let (mut names, mut ids, mut entries) = (Names::default(), RowIds::default(), Vec::new());
        let device = Aspect::Field(Field::Device);
        let devices: BTreeSet<u32> =
            by_count.values().map(|(_, hit, _)| values.number(device, &hits.parts(*hit))).collect();
        let mut told = Vec::new();
        let mut task = String::new();
        for (count, (value, hit, rows)) in &by_count {
            let parts = hits.parts(*hit);
            let text = |field: Field| values.text(Aspect::Field(field), &parts).map(str::to_owned);
            if task.is_empty() {
                let network = text(Field::Network).unwrap_or_default();
                let network = names.of(Aspect::Field(Field::Network), &network, stores)?;
                task = format!("{network} {}", stage_name(&text(Field::Stage).unwrap_or_default()));
            }
            let unit = unit(Measure::Metric(metric), text(Field::Counts).as_deref());
            // Devices of several kinds are no series of one.
            let of = match text(Field::Device).filter(|_| devices.len() > 1) {
                Some(device) => format!(" ({})", names.of(Aspect::Field(Field::Device), &device, stores)?),
                None => String::new(),
            };
            told.push((*count, format!("{count}{of}: {} {}", three(*value), unit.clone().unwrap_or_default())));
            entries.push(Entry {
                subjects: IndexMap::from([(Field::DeviceCount.key().to_owned(), Value::Count(*count))]),
                quantity: metric.key().to_owned(),
                value: Some(EntryValue::Number(rounded(*value))),
                unit,
                n: *rows,
                under: shared(values, [&parts], &[Field::DeviceCount]),
                measurements: ids.of(stores, &[hits.row(*hit)])?,
                sources: sources(values, [&parts]),
                ..Entry::default()
            });
        }
        let places: Vec<usize> = (0..told.len()).collect();
        let said = spread_out(&places, MOST_IN_TEXT).into_iter().map(|at| told[at].1.trim().to_owned());
        let text = format!(
            "{} by the number of devices, {}, each the best of its rows in a setting of its own (no two rows differ in \
             that number alone, so it is no clean scaling): {}.",
            task.trim(),
            name_of(Measure::Metric(metric)),
            and_list(&said.collect::<Vec<_>>())
        );
        return Ok(Some(Conclusion { text, entries }));
    }
    Ok(None)
}

/// Of all tasks that rows did the one that most numbers of devices did.
fn widest(values: &SharedValues, hits: &HitColumns, metric: Metric) -> Option<ByCount> {
    let task = [Field::Network, Field::Stage, Field::Counts, Field::Dataset, Field::Division, Field::AccuracyTarget];
    let mut tasks: BTreeMap<Vec<u32>, ByCount> = BTreeMap::new();
    for (hit, &value) in hits.values(metric).iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        let parts = hits.parts(hit);
        let Some(count) = values.count(Field::DeviceCount, &parts).filter(|_| values.stands(&parts)) else { continue };
        let key = task.iter().map(|field| values.number(Aspect::Field(*field), &parts)).collect();
        let best = tasks.entry(key).or_default().entry(count).or_insert((value, hit, 0));
        best.2 += 1;
        let is_better = if metric.direction() == Direction::Lower { value < best.0 } else { value > best.0 };
        if is_better {
            (best.0, best.1) = (value, hit);
        }
    }
    tasks
        .into_values()
        .max_by_key(|by_count| (by_count.len(), by_count.values().map(|(.., rows)| *rows).sum::<usize>()))
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Field};

    #[test]
    fn numbers_of_devices_that_nothing_else_keeps_alike_are_told_each_for_itself() {
        let rows = r#"
[[table]]
columns = ["device-count", "batch-size", "throughput-per-s"]
rows = [[8, 16, 800], [8, 32, 900], [64, 8, 5000]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Field(Field::DeviceCount));
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device-count 8 900", "device-count 64 5000"], "{}", conclusion.text);
        assert!(conclusion.text.contains("8: 900 images/s and 64: 5000 images/s"), "{}", conclusion.text);
    }
}

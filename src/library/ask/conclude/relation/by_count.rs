//! What each number of devices came to, where no two rows differ in that number alone: the best of each, in a setting of its own.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources, spread_out};
use crate::ask::conclude::basis::wording::{Names, name_of, percent_of, rounded, stage_name, three, unit};
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

/// Of one kind of device so many numbers are a series of it; of fewer the best of any kind are told.
const A_SERIES: usize = 3;

/// The rows of one task: the best value of each number of devices with its hit, and how many rows have it.
type ByCount = BTreeMap<i64, (f64, usize, usize)>;

/// Tells the best of each number of devices, of those within a range where one is asked for, for the task that the most numbers were
/// measured in, of one kind of device where a few are; `None` where none was in two.
pub(super) fn conclude(
    stores: &Stores,
    values: &SharedValues,
    condition: &Condition,
    range: Option<(i64, i64)>,
) -> Result<Option<Conclusion>, QueryError> {
    let hits = HitColumns::of(stores, condition, METRICS)?;
    let is_wanted = |count: i64| range.is_none_or(|(low, high)| (low..=high).contains(&count));
    for &metric in METRICS {
        let of = |of_device: bool| widest(values, &hits, (metric, of_device), &is_wanted);
        let of_one_kind = of(true).filter(|by_count| by_count.len() >= A_SERIES);
        let Some(by_count) = of_one_kind.or_else(|| of(false)).filter(|by_count| by_count.len() > 1) else { continue };
        let (mut names, mut ids, mut entries) = (Names::default(), RowIds::default(), Vec::new());
        let device = Aspect::Field(Field::Device);
        let devices: BTreeSet<u32> =
            by_count.values().map(|(_, hit, _)| values.number(device, &hits.parts(*hit))).collect();
        let of_sources: BTreeSet<&str> =
            by_count.values().map(|(_, hit, _)| values.source(&hits.parts(*hit))).collect();
        let mut told = Vec::new();
        let mut task = String::new();
        for (count, (value, hit, rows)) in &by_count {
            let parts = hits.parts(*hit);
            let text = |field: Field| values.text(Aspect::Field(field), &parts).map(str::to_owned);
            if task.is_empty() {
                let network = text(Field::Network).unwrap_or_default();
                let network = names.of(Aspect::Field(Field::Network), &network, stores)?;
                task = format!("{network} {}", stage_name(&text(Field::Stage).unwrap_or_default()));
                if let Some(device) = text(Field::Device).filter(|_| devices.len() == 1) {
                    task = format!("{task} on {}", names.of(Aspect::Field(Field::Device), &device, stores)?);
                }
            }
            let unit = unit(Measure::Metric(metric), text(Field::Counts).as_deref());
            // Devices of several kinds are no series of one.
            let of = match text(Field::Device).filter(|_| devices.len() > 1) {
                Some(device) => format!(" ({})", names.of(Aspect::Field(Field::Device), &device, stores)?),
                // Another round is run with other software.
                None if of_sources.len() > 1 => format!(" ({})", values.source(&parts)),
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
        let text = match share_of_linear(&by_count, metric).filter(|_| devices.len() == 1) {
            Some(share) => format!("{text} {share}"),
            None => text,
        };
        return Ok(Some(Conclusion { text, entries }));
    }
    Ok(None)
}

/// What the largest number comes to over the smallest: `From 8 to 64 devices it is 5.20 times as fast, 65 % of linear.`
fn share_of_linear(by_count: &ByCount, metric: Metric) -> Option<String> {
    let ((few, (one, ..)), (many, (all, ..))) = (by_count.first_key_value()?, by_count.last_key_value()?);
    let faster = if metric.direction() == Direction::Lower { one / all } else { all / one };
    let share = faster * *few as f64 / *many as f64;
    Some(format!(
        "From {few} to {many} devices it is {} times as fast, {} of linear, settings being what they are.",
        three(faster),
        percent_of(share)
    ))
}

/// Of all tasks that rows did, on one kind of device each or on any, the one that most numbers of devices did.
fn widest(
    values: &SharedValues,
    hits: &HitColumns,
    (metric, of_device): (Metric, bool),
    is_wanted: &impl Fn(i64) -> bool,
) -> Option<ByCount> {
    let task = [Field::Network, Field::Stage, Field::Counts, Field::Dataset, Field::Division, Field::AccuracyTarget];
    let task: Vec<Field> = task.into_iter().chain(of_device.then_some(Field::Device)).collect();
    let mut tasks: BTreeMap<Vec<u32>, ByCount> = BTreeMap::new();
    for (hit, &value) in hits.values(metric).iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        let parts = hits.parts(hit);
        let count = values.count(Field::DeviceCount, &parts).filter(|count| values.stands(&parts) && is_wanted(*count));
        let Some(count) = count else { continue };
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

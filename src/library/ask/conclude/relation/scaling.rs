//! Scaling: the throughput of several devices over that of one, all else being equal.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::by_count;
use super::ranked_scaling;
use super::scaling_steps::{Scaling, Step, VARIED, grouped, without_far};
use crate::ask::conclude::basis::asked_names::asked_names;
use crate::ask::conclude::basis::axis_condition::{condition_beside, without_metric};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::matched_pairs::Spread;
use crate::ask::conclude::basis::series::{Series, series_along};
use crate::ask::conclude::basis::spans::spans;
use crate::ask::conclude::basis::wording::{Names, pairs_in_words, percent_of, rounded, three, unit};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Derived, Direction, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted, or_list};

/// What scales, the usual measure first.
const METRICS: &[Metric] = &[Metric::ThroughputPerS, Metric::EpochS];

/// So many devices have entries of their own.
const MOST_DEVICES: usize = 8;

/// What is worth a word of setups that are others.
const APART: &[Field] = &[Field::Network, Field::Stage, Field::Scenario, Field::Device, Field::Framework];

/// So many other numbers of devices are told.
const MOST_IN_TEXT: usize = 4;

/// Tells how throughput grows with the number of devices.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    // A training time follows from the throughput: either is told.
    let question = &without_metric(question);
    let (condition, is_about) = condition_beside(question, Field::DeviceCount);
    let hits = HitColumns::of(stores, &condition, METRICS)?;
    let wanted = match is_about {
        true => counts_of(&values, &HitColumns::of(stores, &question.condition_without(None), &[])?),
        false => BTreeSet::new(),
    };
    let mut names = Names::default();
    let asked = asked_names(stores, question, &mut names)?;
    let range = asked_range(question);
    // `16 to 256 GPUs` is over 16 of them.
    let base = range.map_or(1, |(low, _)| low);
    let mut scaling = Scaling { stores, values: &values, names, asked, base, left_out: 0, ids: RowIds::default() };
    let lead = range.and_then(|range| unmeasured_ends(range, &counts_of(&values, &hits)));
    let with_lead = |told: Conclusion| match &lead {
        Some(lead) => Conclusion { text: format!("{lead} {}", told.text), ..told },
        None => told,
    };
    for &metric in METRICS {
        let of_count = |parts: &PartNumbers| values.count(Field::DeviceCount, parts);
        let mut series = series_along(&values, &hits, metric, VARIED, of_count);
        series.retain(|series| series.contains_key(&base));
        let several = |count: &i64| *count > base && (wanted.is_empty() || wanted.contains(count));
        let steps = series.iter().enumerate().flat_map(|(at, series)| steps((at, series), metric, base, several));
        let (steps, far) = without_far(steps.collect());
        if !steps.is_empty() {
            scaling.left_out = far.len();
            if let Some(ranked) = ranked_scaling::conclude((&mut scaling, question), &steps)? {
                return Ok(with_lead(ranked));
            }
            let mut told = scaling.conclusion(metric, &series, &steps)?;
            // Pods are measured by the time of a whole training, which no two setups alike tell.
            let reached = steps.iter().map(|step| step.devices).max().unwrap_or_default();
            if range.is_some_and(|(_, high)| reached < high)
                && let Some(farther) = by_count::conclude(stores, &values, &condition, range)?
                && farther.entries.iter().any(|entry| devices_of(entry) > reached)
            {
                told.text = format!("{} {}", told.text, farther.text);
                told.entries.extend(farther.entries);
            }
            return Ok(with_lead(with_threshold(question, told)));
        }
    }
    if let Some(by_count) = by_count::conclude(stores, &values, &condition, range)? {
        return Ok(with_lead(by_count));
    }
    let counts = counts_of(&values, &hits);
    let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
    let stated = if counts.is_empty() {
        "none states how many devices worked".to_owned()
    } else {
        format!("counts of devices: {}", counts.join(", "))
    };
    let text = format!(
        "No two rows differ in the number of devices alone, one of them on one device ({}; {stated}).",
        counted(hits.len(), "row", "rows")
    );
    Ok(with_lead(Conclusion { text, entries: Vec::new() }))
}

/// Of how many devices an entry is.
fn devices_of(entry: &Entry) -> i64 {
    match entry.subjects.get(Field::DeviceCount.key()) {
        Some(Value::Count(devices)) => *devices,
        _ => 0,
    }
}

/// From how many devices to how many a question asks, where it says both.
fn asked_range(question: &Question) -> Option<(i64, i64)> {
    let key = Field::DeviceCount.key();
    let mut values = question.read_as().filter(|read| read.facet == key).flat_map(|read| &read.values);
    values.find_map(|value| {
        let (low, high) = value.split_once("..")?;
        Some((low.parse().ok()?, high.parse().ok()?))
    })
}

/// Which ends of a range no row has, and how far those go that there are.
fn unmeasured_ends((low, high): (i64, i64), counts: &BTreeSet<i64>) -> Option<String> {
    let missing: Vec<String> =
        [low, high].iter().filter(|count| !counts.contains(count)).map(ToString::to_string).collect();
    let (least, most) = (counts.first()?, counts.last()?);
    let ends = or_list(&missing.iter().map(String::as_str).collect::<Vec<_>>());
    (!missing.is_empty())
        .then(|| format!("No row that meets the rest is of {ends} devices; measured are {least} to {most}."))
}

/// The numbers of devices that some rows state.
fn counts_of(values: &SharedValues, hits: &HitColumns) -> BTreeSet<i64> {
    (0..hits.len()).filter_map(|hit| values.count(Field::DeviceCount, &hits.parts(hit))).collect()
}

/// The efficiency of each number of devices of a series against the base.
fn steps((at, series): (usize, &Series), metric: Metric, base: i64, wanted: impl Fn(&i64) -> bool) -> Vec<Step> {
    let Some(one) = series.get(&base) else { return Vec::new() };
    let steps = series.iter().filter(|(count, _)| wanted(count)).map(|(count, many)| {
        let faster =
            if metric.direction() == Direction::Lower { one.value / many.value } else { many.value / one.value };
        Step { devices: *count, series: at, efficiency: faster * base as f64 / *count as f64, many: *many, one: *one }
    });
    steps.collect()
}

/// From how many devices on the mean efficiency lies within the limit that a question sets: `until it drops below 90 %`.
fn with_threshold(question: &Question, told: Conclusion) -> Conclusion {
    let Some(limit) = question.wanted.limits.iter().find(|limit| limit.measure == Derived::ScalingEfficiency) else {
        return told;
    };
    let key = Derived::ScalingEfficiency.key();
    let first = told.entries.iter().filter(|entry| entry.quantity == key).find_map(|entry| match entry.value {
        Some(EntryValue::Number(value)) if limit.is_met_by(value) => {
            Some((entry.subjects.get(Field::DeviceCount.key())?.to_string(), value, entry.n))
        }
        _ => None,
    });
    let lead = match first {
        Some((count, value, n)) => format!(
            "`{}` holds from {count} devices on: the mean is {} of linear scaling there (n = {n}).",
            limit.text,
            percent_of(value)
        ),
        None => format!("`{}` holds for the mean of no number of devices that was measured.", limit.text),
    };
    Conclusion { text: format!("{lead} {}", told.text), ..told }
}

impl Scaling<'_> {
    fn conclusion(&mut self, metric: Metric, series: &[Series], all: &[Step]) -> Result<Conclusion, QueryError> {
        let by_count = grouped(all, |step| step.devices);
        let mut entries = Vec::new();
        for (devices, steps) in &by_count {
            entries.push(self.efficiency(*devices, steps)?);
        }
        let ends = all.iter().flat_map(|step| [&step.many.parts, &step.one.parts]);
        let under = shared(self.values, ends, VARIED);
        let text = self.text(&entries, &by_count, &under)?;
        // The series that goes farthest is told in full.
        if let Some(longest) = series.first() {
            entries.extend(self.values_of(longest, metric)?);
        }
        if !under.contains_key(Field::Device.key()) {
            entries.extend(self.by_device(all)?);
        }
        Ok(Conclusion { text, entries })
    }

    /// What was measured along one series.
    fn values_of(&mut self, series: &Series, metric: Metric) -> Result<Vec<Entry>, QueryError> {
        let parts: Vec<PartNumbers> = series.values().map(|run| run.parts).collect();
        let under = shared(self.values, &parts, VARIED);
        let mut entries = Vec::new();
        for (count, run) in series {
            let counts = self.values.text(Aspect::Field(Field::Counts), &run.parts);
            entries.push(Entry {
                subjects: IndexMap::from([(Field::DeviceCount.key().to_owned(), Value::Count(*count))]),
                quantity: metric.key().to_owned(),
                value: Some(EntryValue::Number(rounded(run.value))),
                unit: unit(Measure::Metric(metric), counts),
                n: 1,
                under: under.clone(),
                measurements: self.ids.of(self.stores, &[run.row])?,
                sources: sources(self.values, [&run.parts]),
                ..Entry::default()
            });
        }
        Ok(entries)
    }

    /// The efficiency of each device at its largest number, the devices with the most pairs first.
    fn by_device(&mut self, all: &[Step]) -> Result<Vec<Entry>, QueryError> {
        let device = Aspect::Field(Field::Device);
        let devices = grouped(all, |step| self.values.number(device, &step.many.parts));
        let mut devices: Vec<(u32, Vec<&Step>)> = devices.into_iter().collect();
        devices.sort_by_key(|(number, steps)| (std::cmp::Reverse(steps.len()), *number));
        let mut entries = Vec::new();
        for (_, steps) in devices.into_iter().take(MOST_DEVICES) {
            let Some(most) = steps.iter().map(|step| step.devices).max() else { continue };
            let at_most: Vec<&Step> = steps.into_iter().filter(|step| step.devices == most).collect();
            entries.push(self.efficiency(most, &at_most)?);
        }
        Ok(entries)
    }

    /// `8 devices are 7.77 times as fast as one, 97.1 % of linear scaling (…). The same setups reach 98 % on 4 devices.`
    ///
    /// Means over different setups are no curve: what other numbers of devices come to is told of the setups of the first, and
    /// of others apart.
    fn text(
        &mut self,
        entries: &[Entry],
        by_count: &BTreeMap<i64, Vec<&Step>>,
        under: &IndexMap<String, Option<Value>>,
    ) -> Result<String, QueryError> {
        // The most devices that about as many pairs support as any.
        let most = entries.iter().map(|entry| entry.n).max().unwrap_or_default();
        let last = entries.iter().zip(by_count).rev().find(|(entry, _)| 2 * entry.n >= most);
        let Some((last, (&devices, steps))) = last else { return Ok(String::new()) };
        let Some(EntryValue::Number(efficiency)) = last.value else { return Ok(String::new()) };
        let frame = self.frame(steps, under)?;
        let spread = match (last.low, last.high) {
            (Some(low), Some(high)) => {
                let spread = Spread::of(steps.iter().map(|step| step.efficiency));
                let half = if spread.is_some_and(Spread::is_middle_half) { "middle half " } else { "" };
                format!(", {half}{} to {}", percent_of(low), percent_of(high))
            }
            _ => String::new(),
        };
        let mean = if last.n > 1 { "geometric mean of " } else { "" };
        let one = if self.base == 1 { "one".to_owned() } else { self.base.to_string() };
        let mut text = format!(
            "{devices} devices are {} times as fast as {one}, {} of linear scaling{frame}: {mean}{}{spread}.",
            three(efficiency * devices as f64 / self.base as f64),
            percent_of(efficiency),
            pairs_in_words(last.n),
        );
        let own: BTreeSet<usize> = steps.iter().map(|step| step.series).collect();
        let (mut same, mut others) = (Vec::new(), Vec::new());
        for (entry, (count, steps)) in entries.iter().zip(by_count).filter(|(_, (count, _))| **count != devices) {
            let of_own = steps.iter().filter(|step| own.contains(&step.series)).map(|step| step.efficiency);
            match Spread::of(of_own) {
                Some(spread) if 2 * spread.n >= own.len() => {
                    let n = if spread.n == own.len() { String::new() } else { format!(" ({} of them)", spread.n) };
                    same.push(format!("{} on {count}{n}", percent_of(spread.mean)));
                }
                _ => others.push((entry, *count)),
            }
        }
        if !same.is_empty() {
            let setups = if own.len() == 1 { "The same setup reaches" } else { "The same setups reach" };
            text.push_str(&format!(" {setups} {}.", and_list(&same)));
        }
        others.sort_by_key(|(entry, _)| std::cmp::Reverse(entry.n));
        others.truncate(MOST_IN_TEXT);
        let mut told = Vec::new();
        for (entry, count) in others {
            let Some(EntryValue::Number(value)) = entry.value else { continue };
            let differs =
                |key: &&String| entry.under.get(*key) != under.get(*key) && APART.iter().any(|of| of.key() == *key);
            let apart = entry.under.keys().filter(differs);
            let apart: IndexMap<String, Option<Value>> =
                apart.filter_map(|key| Some((key.clone(), Some(entry.under.get(key)?.clone()?)))).collect();
            let apart = self.names.frame(&apart, self.stores)?;
            let apart = if apart.is_empty() { String::new() } else { format!("; {apart}") };
            told.push(format!("{count} devices {} (n = {}{apart})", percent_of(value), entry.n));
        }
        if !told.is_empty() {
            text.push_str(&format!(" In other setups: {}.", told.join(", ")));
        }
        if self.left_out > 0 {
            text.push_str(&format!(" Left out: {} far from all others.", counted(self.left_out, "pair", "pairs")));
        }
        Ok(text)
    }

    /// What some steps share and in what they differ, in brackets.
    fn frame(&mut self, steps: &[&Step], under: &IndexMap<String, Option<Value>>) -> Result<String, QueryError> {
        let stated = under.iter().filter(|(_, value)| value.is_some()).map(|(key, value)| (key.clone(), value.clone()));
        let asked = self.asked.iter().filter(|(key, _)| !under.contains_key(*key)).map(|(_, name)| name.clone());
        let mut words: Vec<String> = asked.collect();
        words.extend(Some(self.names.frame(&stated.collect(), self.stores)?).filter(|frame| !frame.is_empty()));
        let is_told = |field: Field| under.contains_key(field.key()) || VARIED.contains(&field);
        words.extend(spans(self.values, steps.iter().map(|step| &step.many.parts), is_told));
        Ok(if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) })
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, number, told};
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Field};

    #[test]
    fn several_devices_stand_against_one_all_else_being_equal() {
        let rows = r#"
[[table]]
columns = ["device-count", "batch-size", "throughput-per-s"]
rows = [[1, 16, 100], [2, 16, 180], [4, 16, 300], [8, 32, 900]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Field(Field::DeviceCount));
        let conclusion = sample.conclude(&question);
        let of = |quantity: &str| {
            let entries = conclusion.entries.iter().filter(|entry| entry.quantity == quantity);
            entries.map(told).collect::<Vec<_>>()
        };
        assert_eq!(of("scaling-efficiency"), ["device-count 2 0.9", "device-count 4 0.75"], "{}", conclusion.text);
        assert_eq!(of("throughput-per-s"), ["device-count 1 100", "device-count 2 180", "device-count 4 300"]);
        assert_eq!(conclusion.entries.iter().map(number).filter(|value| value.is_nan()).count(), 0);
    }
}

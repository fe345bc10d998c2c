//! Along the batch: how throughput and latency grow with it, and where throughput flattens.

use crate::ask::conclude::ranking;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::metric_by_batch;
use crate::ask::conclude::basis::axis_condition::{condition_beside, without_metric};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources, spread_out};
use crate::ask::conclude::basis::matched_pairs::{Run, Spread};
use crate::ask::conclude::basis::series::{Series, series_along};
use crate::ask::conclude::basis::wording::{Names, rounded, three, unit};
use crate::ask::conclude::ranking::largest_batch;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{Quantity, QueryError, Question, ReadAs};
use crate::model::{Aspect, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted, or_list};

/// Throughput is flat from where it has this share of the most that the series reaches.
const FLAT: f64 = 0.9;

/// So many pairs are named behind an entry.
const NAMED_PAIRS: usize = 3;

/// A series of one setup is worth telling from so many batches on.
const A_SERIES: usize = 3;

/// What varies along the axis.
const VARIED: &[Field] = &[Field::BatchSize, Field::BatchSizeGlobal];

/// Tells how throughput and latency grow with the batch.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    if let Some(metric) = metric_by_batch::metric_of(question) {
        return metric_by_batch::conclude(stores, question, metric);
    }
    let values = SharedValues::read(stores)?;
    // Throughput and latency follow from each other where the batch is known: either is told.
    let (condition, is_limited) = condition_beside(&without_metric(question), Field::BatchSize);
    let metrics = [Metric::ThroughputPerS, Metric::LatencyMs];
    let hits = HitColumns::of(stores, &condition, &metrics)?;
    let lead = if is_limited { out_of_bounds(stores, question, &values, &hits)? } else { String::new() };
    let mut batches = Batches { stores, values: &values, hits: &hits, names: Names::default(), ids: RowIds::default() };
    let series = series_along(&values, &hits, Metric::ThroughputPerS, VARIED, |parts| values.batch(parts));
    let Some(longest) = series.first().filter(|series| series.len() > 1) else {
        let text = format!("{lead}No two rows differ in the batch size alone. {}", batches_measured(&values, &hits));
        return Ok(Conclusion { text, entries: Vec::new() });
    };
    let narrow = [Field::Network, Field::Device].iter().all(|field| ranking::is_about(question, *field));
    let mut entries = batches.doublings(&series)?;
    let told = batches.of_series(longest)?;
    let mut text = batches.text_of_series(longest)?;
    let of_latency = question.wanted.quantities.contains(&Quantity::Metric(Metric::LatencyMs));
    let general = batches.text_of_doublings(&entries, &series, of_latency);
    if narrow || entries.is_empty() {
        text = format!("{text} {general}").trim().to_owned();
        entries = told.into_iter().chain(entries).collect();
    } else {
        text = format!("{general} {text}");
        entries.extend(told);
    }
    Ok(Conclusion { text: format!("{lead}{text}"), entries })
}

/// What is said where no row has a batch within the limits that a question sets: `No row … `past 64`; the largest batch is 64.`
fn out_of_bounds(
    stores: &Stores,
    question: &Question,
    values: &SharedValues,
    hits: &HitColumns,
) -> Result<String, QueryError> {
    let within = HitColumns::of(stores, &without_metric(question).condition_without(None), &[])?;
    let batches = (0..hits.len()).filter_map(|hit| values.batch(&hits.parts(hit)));
    if !within.is_empty() {
        return Ok(last_not_measured(question, &batches.collect()));
    }
    let Some(largest) = batches.max().filter(|_| within.is_empty()) else { return Ok(String::new()) };
    let limits = question.clauses.iter().filter(|clause| clause.plain_kind() == Some(Field::BatchSize.key()));
    let limits: Vec<String> = limits.map(|clause| format!("`{}`", clause.text)).collect();
    Ok(format!("No row that meets the rest has a batch {}; the largest is {largest}. ", or_list(&limits)))
}

/// `from batch 1 to batch 128`, where no row has the last of them: `No row that meets the rest has batch 128; measured are 32 and 256. `
fn last_not_measured(question: &Question, batches: &BTreeSet<i64>) -> String {
    let of_batch = |read: &&ReadAs| read.facet == Field::BatchSize.key();
    let values = question.read_as().filter(of_batch).flat_map(|read| &read.values);
    let ends = values.filter_map(|value| value.split_once("..")?.1.parse::<i64>().ok());
    let Some(last) = ends.max().filter(|last| !batches.contains(last)) else { return String::new() };
    let near = [batches.range(..last).next_back(), batches.range(last..).next()];
    let near: Vec<String> = near.into_iter().flatten().map(i64::to_string).collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("No row that meets the rest has batch {last}; nearest to it: {}. ", and_list(&near)),
    }
}

/// Which batches rows have, and the best throughput of all.
fn batches_measured(values: &SharedValues, hits: &HitColumns) -> String {
    let mut rows: BTreeMap<i64, usize> = BTreeMap::new();
    for hit in 0..hits.len() {
        if let Some(batch) = values.batch(&hits.parts(hit)) {
            *rows.entry(batch).or_default() += 1;
        }
    }
    let all = counted(hits.len(), "row", "rows");
    if rows.is_empty() {
        return format!("None of {all} states a batch.");
    }
    const SHOWN: usize = 8;
    let told: Vec<String> = rows.iter().take(SHOWN).map(|(batch, n)| format!("{batch} ({n})")).collect();
    let more = if rows.len() > SHOWN { ", …" } else { "" };
    let best = largest_batch::best(values, hits).unwrap_or_default();
    format!("Measured, of {all}: batch {}{more}.{best}", told.join(", "))
}

struct Batches<'b> {
    stores: &'b Stores,
    values: &'b SharedValues,
    hits: &'b HitColumns,
    names: Names,
    ids: RowIds,
}

impl Batches<'_> {
    /// What a batch of twice the size gains, over all series that have both.
    fn doublings(&mut self, series: &[Series]) -> Result<Vec<Entry>, QueryError> {
        let mut steps: BTreeMap<i64, Vec<(f64, Run, Run)>> = BTreeMap::new();
        for series in series {
            for (batch, run) in series {
                if let Some(double) = series.get(&(2 * batch)) {
                    steps.entry(*batch).or_default().push((double.value / run.value, *double, *run));
                }
            }
        }
        let mut entries = Vec::new();
        for (batch, mut pairs) in steps {
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let spread = Spread::of(pairs.iter().map(|pair| pair.0));
            let rows: Vec<u64> = spread_out(&pairs, NAMED_PAIRS)
                .into_iter()
                .flat_map(|(_, double, one)| [double.row, one.row])
                .collect();
            let parts: Vec<PartNumbers> = pairs.iter().flat_map(|(_, double, one)| [double.parts, one.parts]).collect();
            let place = |batch| IndexMap::from([(Field::BatchSize.key().to_owned(), Value::Count(batch))]);
            entries.push(Entry {
                subjects: place(2 * batch),
                baseline: Some(place(batch)),
                under: shared(self.values, &parts, VARIED),
                measurements: self.ids.of(self.stores, &rows)?,
                sources: sources(self.values, &parts),
                ..Spread::entry(spread, "speed-up", pairs.len())
            });
        }
        Ok(entries)
    }

    /// Throughput, and latency where it is stated, of one series.
    fn of_series(&mut self, series: &Series) -> Result<Vec<Entry>, QueryError> {
        let parts: Vec<PartNumbers> = series.values().map(|run| run.parts).collect();
        let under = shared(self.values, &parts, VARIED);
        let mut entries = Vec::new();
        for (batch, run) in series {
            let latency = self.latency(run);
            let counts = self.values.text(Aspect::Field(Field::Counts), &run.parts);
            let mut entry = |metric: Metric, value: f64| -> Result<Entry, QueryError> {
                Ok(Entry {
                    subjects: IndexMap::from([(Field::BatchSize.key().to_owned(), Value::Count(*batch))]),
                    quantity: metric.key().to_owned(),
                    value: Some(EntryValue::Number(rounded(value))),
                    unit: unit(Measure::Metric(metric), counts),
                    n: 1,
                    under: under.clone(),
                    measurements: self.ids.of(self.stores, &[run.row])?,
                    sources: sources(self.values, [&run.parts]),
                    ..Entry::default()
                })
            };
            entries.push(entry(Metric::ThroughputPerS, run.value)?);
            if let Some(latency) = latency {
                entries.push(entry(Metric::LatencyMs, latency)?);
            }
        }
        Ok(entries)
    }

    /// The latency of the row of a run.
    fn latency(&self, run: &Run) -> Option<f64> {
        let hit = (0..self.hits.len()).find(|hit| self.hits.row(*hit) == run.row)?;
        self.hits.values(Metric::LatencyMs).get(hit).copied().filter(|latency| latency.is_finite())
    }

    fn text_of_series(&mut self, series: &Series) -> Result<String, QueryError> {
        let (Some((least, first)), Some((most, last))) = (series.first_key_value(), series.last_key_value()) else {
            return Ok(String::new());
        };
        let best = series.values().map(|run| run.value).fold(0.0, f64::max);
        let flat = series.iter().find(|(_, run)| run.value >= FLAT * best).map_or(*most, |(batch, _)| *batch);
        let parts: Vec<PartNumbers> = series.values().map(|run| run.parts).collect();
        let under = shared(self.values, &parts, VARIED);
        let stated = under.into_iter().filter(|(_, value)| value.is_some()).collect();
        let frame = self.names.frame(&stated, self.stores)?;
        let counts = self.values.text(Aspect::Field(Field::Counts), &first.parts);
        let unit = unit(Measure::Metric(Metric::ThroughputPerS), counts).unwrap_or_default();
        let latency = match (self.latency(first), self.latency(last)) {
            (Some(a), Some(b)) => format!(", latency of a batch from {} to {} ms", three(a), three(b)),
            _ => String::new(),
        };
        let source = sources(self.values, &parts).join(", ");
        // Where no more was measured it is not known where it is flat.
        let flat = match flat == *most {
            true => "no larger batch was measured in it".to_owned(),
            false => format!("batch {flat} has {} % or more of the best", FLAT * 100.0),
        };
        let kind = if series.len() < A_SERIES { "Two batches" } else { "The longest series" };
        Ok(format!(
            "{kind} ({frame}; {source}): from batch {least} to {most} throughput goes from {} to {} {unit}{latency}; {flat}.",
            three(first.value),
            three(last.value),
        ))
    }

    /// What twice the batch gains in throughput; told of the latency it is how many times as long a batch takes.
    fn text_of_doublings(&self, entries: &[Entry], series: &[Series], of_latency: bool) -> String {
        let told = entries.iter().filter_map(|entry| {
            let Some(EntryValue::Number(gain)) = entry.value else { return None };
            let batch = entry.baseline.as_ref()?.get(Field::BatchSize.key())?;
            Some((batch.to_string(), gain, entry.n))
        });
        let told: Vec<(String, f64, usize)> = told.collect();
        // The doublings that most series support, in the order of the batch.
        const SHOWN: usize = 8;
        let least = {
            let mut counts: Vec<usize> = told.iter().map(|(.., n)| *n).collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            counts.get(SHOWN - 1).copied().unwrap_or_default()
        };
        let shown: Vec<String> = told
            .iter()
            .filter(|(.., n)| *n >= least)
            .take(SHOWN)
            .map(|(batch, gain, _)| format!("{batch} x{}", three(if of_latency { 2.0 / *gain } else { *gain })))
            .collect();
        if shown.is_empty() {
            return String::new();
        }
        let what = match of_latency {
            true => "A batch of twice the size takes (x2 would be linear), by the batch it starts from",
            false => {
                "Twice the batch gives in throughput (x2 would halve the time of an item), by the batch it starts from"
            }
        };
        format!(
            "{what}: {} (geometric means over {}).",
            shown.join(", "),
            counted(series.len(), "matched series", "matched series")
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Field};

    #[test]
    fn twice_the_batch_has_a_gain_and_the_series_a_place_where_it_is_flat() {
        let rows = r#"
[[table]]
columns = ["batch-size", "throughput-per-s", "latency-ms"]
rows = [[1, 100, 10], [2, 180, 11.1], [4, 200, 20], [8, 205, 39]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Field(Field::BatchSize));
        let conclusion = sample.conclude(&question);
        let gains: Vec<String> =
            conclusion.entries.iter().filter(|entry| entry.quantity == "speed-up").map(told).collect();
        assert_eq!(gains, ["batch-size 2 1.8", "batch-size 4 1.111", "batch-size 8 1.025"]);
        assert!(conclusion.text.contains("batch 4 has 90 % or more of the best"), "{}", conclusion.text);
    }
}

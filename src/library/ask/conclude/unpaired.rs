//! Sides that nothing pairs: what the rows of one come to where the other has none, and the two rows that are nearest.

use std::collections::BTreeMap;

use super::compared_sides::ComparedSide;
use super::comparison::{Comparison, stated_alone};
use super::conclusion::{Entry, EntryValue};
use super::evidence::{shared, sources};
use super::nearest_pair::{NearestPair, NothingShared, nearest_pair};
use super::wording::{name_of, rounded, three, unit};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Measure, Metric};
use crate::values::text::{and_list, counted};

impl Comparison<'_> {
    /// Which sides have no rows, and what the others come to.
    pub(super) fn without_rows(
        &mut self,
        without: &[&ComparedSide],
        sides: &[&ComparedSide],
        metrics: &[Metric],
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let names: Vec<&str> = without.iter().map(|side| side.side.name.as_str()).collect();
        let have = if names.len() == 1 { "has" } else { "have" };
        let text = format!("{} {have} no measurements under these conditions", and_list(&names));
        let (mut told, mut entries) = (Vec::new(), Vec::new());
        for side in sides {
            let (words, entry) = self.in_numbers(side, metrics)?;
            told.push(words);
            entries.extend(entry);
        }
        Ok(match sides {
            [] => (format!("{text}, so nothing can be paired."), entries),
            [_] => (format!("{text}, so nothing can be paired; {}.", told.join("; ")), entries),
            _ => (format!("{text}."), Vec::new()),
        })
    }

    /// What the rows of one side come to: `T4 has 12 rows, throughput 100 to 400 images/s`.
    fn in_numbers(&mut self, side: &ComparedSide, metrics: &[Metric]) -> Result<(String, Option<Entry>), QueryError> {
        let rows = format!("{} has {}", side.side.name, counted(side.hits.len(), "row", "rows"));
        let stating = |metric: &&Metric| side.hits.values(**metric).iter().any(|value| value.is_finite());
        let Some(&metric) = metrics.iter().find(stating) else { return Ok((rows, None)) };
        let mut runs: Vec<(f64, usize)> = Vec::new();
        for (hit, value) in side.hits.values(metric).iter().enumerate() {
            runs.extend(value.is_finite().then_some((*value, hit)));
        }
        runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (Some((low, _)), Some((high, _))) = (runs.first(), runs.last()) else { return Ok((rows, None)) };
        let (middle, middle_hit) = runs[(runs.len() - 1) / 2];
        let parts: Vec<PartNumbers> = runs.iter().map(|(_, hit)| side.hits.parts(*hit)).collect();
        let counts = Aspect::Field(Field::Counts);
        let of_first = self.values.number(counts, &parts[0]);
        let alike = parts.iter().all(|parts| self.values.number(counts, parts) == of_first);
        let unit = unit(self.measure(metric), self.values.text(counts, &parts[0]).filter(|_| alike));
        let under = shared(self.values, &parts, &self.varied);
        let frame = self.names.frame(&stated_alone(&under), self.stores)?;
        let frame = if frame.is_empty() { String::new() } else { format!(" ({frame})") };
        let range = if low == high { three(*low) } else { format!("{} to {}", three(*low), three(*high)) };
        let words = format!("{rows}, {} {}{frame}", name_of(self.measure(metric)), in_unit(&range, unit.as_deref()));
        let entry = Entry {
            subjects: side.side.subjects.clone(),
            quantity: self.measure(metric).key().to_owned(),
            value: Some(EntryValue::Number(rounded(middle))),
            unit,
            low: (runs.len() > 1).then(|| rounded(*low)),
            high: (runs.len() > 1).then(|| rounded(*high)),
            n: runs.len(),
            under,
            measurements: self.ids.of(self.stores, &[side.hits.row(middle_hit)])?,
            sources: sources(self.values, &parts),
            ..Entry::default()
        };
        Ok((words, Some(entry)))
    }

    /// What is compared: the derived measure in the place of the metric that it follows from.
    fn measure(&self, metric: Metric) -> Measure {
        self.derived.map_or(Measure::Metric(metric), Measure::Derived)
    }

    /// Where rows of both sides are no pairs: the two that are nearest, with their numbers and what keeps them apart.
    pub(super) fn no_pair(
        &mut self,
        subject: &ComparedSide,
        baseline: &ComparedSide,
        metrics: &[Metric],
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let counts = format!(
            "No row of {} matches one of {} in everything else ({} and {})",
            subject.side.name,
            baseline.side.name,
            counted(subject.hits.len(), "row", "rows"),
            baseline.hits.len()
        );
        let nearest = nearest_pair(self.stores, self.values, &subject.hits, &baseline.hits, metrics, &self.varied)?;
        let nearest = match nearest {
            Ok(nearest) => nearest,
            Err(NothingShared::Metric) => {
                return Ok((format!("{counts}: they have no metric in common."), Vec::new()));
            }
            Err(NothingShared::Network) => {
                let (own, other) = (self.networks(subject)?, self.networks(baseline)?);
                return Ok((format!("{counts}: they have no network in common. {own}; {other}."), Vec::new()));
            }
        };
        let ends = [&nearest.subject.parts, &nearest.baseline.parts];
        let under = shared(self.values, ends, &self.varied);
        let frame = self.names.frame(&stated_alone(&under), self.stores)?;
        let frame = if frame.is_empty() { String::new() } else { format!(" ({frame})") };
        let differs = self.differences(&nearest)?;
        let differs = if differs.is_empty() { String::new() } else { format!("; they differ in {differs}") };
        let mut told = Vec::new();
        let mut entries = Vec::new();
        for (side, run) in [(&subject.side, &nearest.subject), (&baseline.side, &nearest.baseline)] {
            let unit = unit(self.measure(nearest.metric), self.values.text(Aspect::Field(Field::Counts), &run.parts));
            told.push(format!("{} with {}", side.name, in_unit(&three(run.value), unit.as_deref())));
            entries.push(Entry {
                subjects: side.subjects.clone(),
                quantity: self.measure(nearest.metric).key().to_owned(),
                value: Some(EntryValue::Number(rounded(run.value))),
                unit,
                n: 1,
                under: shared(self.values, [&run.parts], &self.varied),
                measurements: self.ids.of(self.stores, &[run.row])?,
                sources: sources(self.values, [&run.parts]),
                ..Entry::default()
            });
        }
        let text = format!(
            "{}{frame} are nearest, and not strictly comparable ({}){differs}. {counts}.",
            told.join(" and "),
            nearest.verdict,
        );
        Ok((text, entries))
    }

    /// Which networks a side ran most: `Coral USB Accelerator ran SSD-MobileNet v1 (2 rows)`.
    fn networks(&mut self, side: &ComparedSide) -> Result<String, QueryError> {
        const MOST_NAMED: usize = 3;
        let network = Aspect::Field(Field::Network);
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        for hit in 0..side.hits.len() {
            let named = self.values.text(network, &side.hits.parts(hit));
            named.into_iter().for_each(|id| *rows.entry(id).or_default() += 1);
        }
        let mut rows: Vec<(&str, usize)> = rows.into_iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut told = Vec::new();
        for (id, count) in rows.iter().take(MOST_NAMED) {
            told.push(format!("{} ({count})", self.names.of(network, id, self.stores)?));
        }
        if let Some(more) = rows.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            told.push(format!("{more} more"));
        }
        Ok(format!("{} ran {}", side.side.name, and_list(&told)))
    }

    /// In what two rows differ: `framework (vLLM against TensorRT)`.
    fn differences(&mut self, nearest: &NearestPair) -> Result<String, QueryError> {
        let mut told = Vec::new();
        for &field in &nearest.differs {
            let mut sides = Vec::new();
            for run in [&nearest.subject, &nearest.baseline] {
                sides.push(match self.values.value(field, &run.parts) {
                    Some(value) => self.names.of(Aspect::Field(field), &value.to_string(), self.stores)?,
                    None => "not stated".to_owned(),
                });
            }
            told.push(format!("{} ({})", field.heading(), sides.join(" against ")));
        }
        Ok(and_list(&told))
    }
}

/// A number with its unit.
fn in_unit(number: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| number.to_owned(), |unit| format!("{number} {unit}"))
}

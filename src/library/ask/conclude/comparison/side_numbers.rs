//! What the rows of one side come to, where no row of another one stands against them.

use std::collections::{BTreeMap, BTreeSet};

use super::compared_sides::ComparedSide;
use super::inputs::SideComparison;
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{shared, sources, stated_alone};
use crate::ask::conclude::basis::spans::spans;
use crate::ask::conclude::basis::wording::{name_of, rounded, stage_name, three, unit};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::physics::is_one_sample;
use crate::model::{Aspect, Field, Measure, Metric};
use crate::values::text::{and_list, counted};

impl SideComparison<'_> {
    /// What the rows of one side come to: `T4 has 12 rows, throughput 100 to 400 images/s`.
    pub(super) fn in_numbers(
        &mut self,
        side: &ComparedSide,
        metrics: &[Metric],
    ) -> Result<(String, Option<Entry>), QueryError> {
        let rows = format!("{} has {}", side.side.name, counted(side.hits.len(), "row", "rows"));
        let stating = |metric: &&Metric| side.hits.values(**metric).iter().any(|value| value.is_finite());
        let Some(&metric) = metrics.iter().find(stating) else { return Ok((rows, None)) };
        let mut runs: Vec<(f64, usize)> = Vec::new();
        for (hit, value) in side.hits.values(metric).iter().enumerate() {
            runs.extend(value.is_finite().then_some((*value, hit)));
        }
        let fallen = self.keep_standing(side, &mut runs);
        let counted_rows = self.keep_one_item(side, metric, &mut runs);
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
        let is_told = |field: Field| under.contains_key(field.key());
        let frame: Vec<String> = Some(frame)
            .filter(|frame| !frame.is_empty())
            .into_iter()
            .chain(spans(self.values, &parts, is_told))
            .collect();
        let frame = if frame.is_empty() { String::new() } else { format!(" ({})", frame.join(", ")) };
        let range = if low == high { three(*low) } else { format!("{} to {}", three(*low), three(*high)) };
        // Over several networks, or items of different kinds, there is no range that says anything.
        let is_of_one = alike && is_told(Field::Network) && is_told(Field::Stage);
        if !is_of_one && !self.varied.contains(&Field::Network) {
            let most = self.in_most_rows(side, metric, &runs)?;
            return Ok((format!("{rows}{fallen}{frame}{most}"), None));
        }
        let words = format!(
            "{rows}{fallen}, {} {}{counted_rows}{frame}",
            name_of(self.measure(metric)),
            in_unit(&range, unit.as_deref())
        );
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

    /// What most of the rows come to that are of one network, stage and item: `; most are of ResNet-50 training, 100 to 400 images/s
    /// (12 rows)`.
    fn in_most_rows(
        &mut self,
        side: &ComparedSide,
        metric: Metric,
        runs: &[(f64, usize)],
    ) -> Result<String, QueryError> {
        let [network, stage, counts] = [Field::Network, Field::Stage, Field::Counts].map(Aspect::Field);
        let mut groups: BTreeMap<[u32; 3], Vec<(f64, PartNumbers)>> = BTreeMap::new();
        for (value, hit) in runs {
            let parts = side.hits.parts(*hit);
            let key = [network, stage, counts].map(|aspect| self.values.number(aspect, &parts));
            groups.entry(key).or_default().push((*value, parts));
        }
        let largest = groups.into_iter().filter(|([network, ..], _)| *network > 0).max_by_key(|(_, runs)| runs.len());
        let Some((_, group)) = largest else { return Ok(String::new()) };
        let (Some((low, first)), Some((high, _))) = (group.first(), group.last()) else { return Ok(String::new()) };
        let id = self.values.text(network, first).unwrap_or_default();
        let name = self.names.of(network, id, self.stores)?;
        let stage = self.values.text(stage, first).map_or_else(String::new, |stage| format!(" {}", stage_name(stage)));
        let unit = unit(self.measure(metric), self.values.text(counts, first));
        let range = if low == high { three(*low) } else { format!("{} to {}", three(*low), three(*high)) };
        Ok(format!(
            "; of most, {name}{stage}, the {} is {} ({})",
            name_of(self.measure(metric)),
            in_unit(&range, unit.as_deref()),
            counted(group.len(), "row", "rows")
        ))
    }

    /// Keeps the rows that stand as they were published, where there are any; what is said of the others.
    fn keep_standing(&self, side: &ComparedSide, runs: &mut Vec<(f64, usize)>) -> String {
        let stands = |hit: usize| self.values.stands(&side.hits.parts(hit));
        let fallen: Vec<usize> = runs.iter().map(|(_, hit)| *hit).filter(|hit| !stands(*hit)).collect();
        let standing = Aspect::Field(Field::Standing);
        let words: BTreeSet<&str> =
            fallen.iter().filter_map(|hit| self.values.text(standing, &side.hits.parts(*hit))).collect();
        let words = and_list(&words.into_iter().collect::<Vec<_>>());
        match fallen.len() {
            0 => String::new(),
            all if all == runs.len() => format!(", all {words}"),
            some => {
                runs.retain(|(_, hit)| stands(*hit));
                format!(", {some} of them {words} and not told")
            }
        }
    }

    /// Keeps the rows that count what most of them count: samples and queries are no range together. How many these are.
    fn keep_one_item(&self, side: &ComparedSide, metric: Metric, runs: &mut Vec<(f64, usize)>) -> String {
        if metric.items_per().is_none() {
            return String::new();
        }
        let counts = |hit: usize| self.values.text(Aspect::Field(Field::Counts), &side.hits.parts(hit));
        let mut rows: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        runs.iter().for_each(|(_, hit)| *rows.entry(counts(*hit)).or_default() += 1);
        // Of as many of each those are told that most others count, too.
        let is_usual = |item: Option<&str>| item.and_then(|item| item.parse().ok()).is_some_and(is_one_sample);
        let most = rows.iter().max_by_key(|(item, rows)| (**rows, is_usual(**item)));
        let Some((most, kept)) = most.map(|(item, rows)| (*item, *rows)).filter(|_| rows.len() > 1) else {
            return String::new();
        };
        runs.retain(|(_, hit)| counts(*hit) == most);
        format!(" in {kept} of them")
    }

    /// What is compared: the derived measure in the place of the metric that it follows from.
    pub(super) fn measure(&self, metric: Metric) -> Measure {
        self.derived.map_or(Measure::Metric(metric), Measure::Derived)
    }
}

/// A number with its unit.
pub(super) fn in_unit(number: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| number.to_owned(), |unit| format!("{number} {unit}"))
}

//! The rows found in groups: of one metric, and alike in the values of some fields. Columns are read, never rows, so that
//! half a million hits are grouped in milliseconds.

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::ask::hits::{HitColumns, NumberMap, SharedValues};
use crate::model::{Aspect, Direction, Field, Metric, Part};

/// The group of a hit on which no conclusion rests.
const NONE: u32 = u32::MAX;

/// The numbers that shares of a part have in some fields.
type FieldNumbers = Vec<u32>;

/// Each hit in its group.
#[derive(Debug, Clone)]
pub(in crate::ask::conclude) struct RowGroups {
    /// The group of each hit, or [`NONE`].
    group_of: Vec<u32>,
    groups: Vec<Group>,
    /// How many rows state percentiles or extremes alone, and are in none.
    pub passed_over: usize,
}

/// What the rows of a group have in common.
#[derive(Debug, Clone)]
struct Group {
    metric: Metric,
    /// The numbers of its values in the fields by which it was told from others, in their order.
    key: FieldNumbers,
    rows: usize,
}

/// The rows of a group.
#[derive(Debug, Clone)]
pub(in crate::ask::conclude) struct GroupRows {
    /// What its values are.
    pub metric: Metric,
    /// Its hits.
    pub hits: Vec<usize>,
    /// The value of each hit.
    values: Vec<f64>,
}

impl RowGroups {
    /// The rows that stand, by the first of the metrics that they state. Percentiles and extremes are passed over where there
    /// are other values.
    pub fn by_metric(values: &SharedValues, hits: &HitColumns, metrics: &[Metric]) -> Self {
        let columns: Vec<&[f64]> = metrics.iter().map(|metric| hits.values(*metric)).collect();
        let stated =
            |hit: usize| columns.iter().position(|column| column.get(hit).is_some_and(|value| !value.is_nan()));
        let mut middle = vec![NONE; hits.len()];
        let mut extremes = Vec::new();
        for (hit, group) in middle.iter_mut().enumerate() {
            let parts = hits.parts(hit);
            let Some(metric) = stated(hit).filter(|_| values.stands(&parts)) else { continue };
            if values.is_extreme(&parts) {
                extremes.push((hit, metric as u32));
            } else {
                *group = metric as u32;
            }
        }
        if middle.iter().all(|group| *group == NONE) {
            for (hit, metric) in extremes.drain(..) {
                middle[hit] = metric;
            }
        }
        let groups = metrics.iter().map(|metric| Group { metric: *metric, key: Vec::new(), rows: 0 });
        Self { group_of: middle, groups: groups.collect(), passed_over: extremes.len() }.counted()
    }

    /// The same groups, each divided by the values of more fields; `None` where that makes more than so many.
    pub fn divided(&self, values: &SharedValues, hits: &HitColumns, fields: &[Field], most: usize) -> Option<Self> {
        let parts = fields.chunk_by(|a, b| a.part() == b.part());
        let mut divided = Cow::Borrowed(self);
        for (fields, part) in parts.filter_map(|fields| Some((fields, fields.first()?.part()?))) {
            divided = Cow::Owned(divided.divided_by_part(values, hits, part, fields, most)?);
        }
        Some(divided.into_owned())
    }

    fn divided_by_part(
        &self,
        values: &SharedValues,
        hits: &HitColumns,
        part: Part,
        fields: &[Field],
        most: usize,
    ) -> Option<Self> {
        let (number_of, numbers) = numbers_of_shares(values, fields, hits.distinct(part));
        // Where a group and the numbers of a share meet: the new group, once one is known.
        let mut places = vec![NONE; self.groups.len() * numbers.len()];
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of = vec![NONE; self.group_of.len()];
        for (hit, old) in self.group_of.iter().enumerate().filter(|(_, group)| **group != NONE) {
            let number = number_of.get(hits.part(hit, part) as usize).copied().unwrap_or_default() as usize;
            let place = &mut places[*old as usize * numbers.len() + number];
            if *place == NONE {
                if groups.len() == most {
                    return None;
                }
                *place = groups.len() as u32;
                let Group { metric, key, .. } = &self.groups[*old as usize];
                groups.push(Group { metric: *metric, key: [key.as_slice(), &numbers[number]].concat(), rows: 0 });
            }
            group_of[hit] = *place;
        }
        Some(Self { group_of, groups, passed_over: self.passed_over }.counted())
    }

    fn counted(mut self) -> Self {
        for group in self.group_of.iter().filter(|group| **group != NONE) {
            self.groups[*group as usize].rows += 1;
        }
        self
    }

    /// How many groups have rows.
    pub fn len(&self) -> usize {
        self.groups.iter().filter(|group| group.rows > 0).count()
    }

    /// The groups that have rows of metrics that pass: those whose first field has the number first, then the largest, so many
    /// at most.
    pub fn first(
        &self,
        hits: &HitColumns,
        first: Option<u32>,
        most: usize,
        passes: impl Fn(Metric) -> bool,
    ) -> Vec<GroupRows> {
        let mut order: Vec<usize> = (0..self.groups.len())
            .filter(|group| self.groups[*group].rows > 0 && passes(self.groups[*group].metric))
            .collect();
        let place = |group: usize| {
            let Group { key, rows, .. } = &self.groups[group];
            (first.is_some() && key.first().copied() != first, Reverse(*rows), key)
        };
        order.sort_by(|a, b| place(*a).cmp(&place(*b)));
        order.truncate(most);
        let mut slots = vec![NONE; self.groups.len()];
        let mut found: Vec<GroupRows> = Vec::with_capacity(order.len());
        for group in order {
            slots[group] = found.len() as u32;
            let Group { metric, rows, .. } = &self.groups[group];
            let (hits, values) = (Vec::with_capacity(*rows), Vec::with_capacity(*rows));
            found.push(GroupRows { metric: *metric, hits, values });
        }
        for (hit, group) in self.group_of.iter().enumerate() {
            let slot = slots.get(*group as usize).and_then(|slot| found.get_mut(*slot as usize));
            if let Some(group) = slot {
                group.hits.push(hit);
                group.values.push(hits.values(group.metric)[hit]);
            }
        }
        found
    }
}

/// For each of some shares of the fields' part which of the distinct numbers it has; and these.
fn numbers_of_shares(
    values: &SharedValues,
    fields: &[Field],
    shares: impl Iterator<Item = u32>,
) -> (Vec<u32>, Vec<FieldNumbers>) {
    let columns: Vec<_> = fields.iter().map(|field| values.column(Aspect::Field(*field))).collect();
    let mut number_of = Vec::new();
    let mut distinct = Vec::new();
    let mut known: NumberMap<FieldNumbers, u32> = NumberMap::default();
    for share in shares {
        let numbers: FieldNumbers =
            columns.iter().map(|column| column.map_or(0, |column| column.number(share))).collect();
        let number = *known.entry(numbers).or_insert_with_key(|numbers| {
            distinct.push(numbers.clone());
            distinct.len() as u32 - 1
        });
        number_of.resize(share as usize, 0);
        number_of.push(number);
    }
    (number_of, distinct)
}

impl GroupRows {
    /// The same with those hits alone that pass.
    pub fn kept(&self, passes: impl Fn(usize) -> bool) -> Self {
        let rows = self.hits.iter().copied().zip(self.values.iter().copied()).filter(|(hit, _)| passes(*hit));
        let (hits, values) = rows.unzip();
        Self { metric: self.metric, hits, values }
    }

    /// Values and hits of the best rows, so many at most, the best first; of equal values the earlier hit.
    pub fn best(&self, direction: Direction, most: usize) -> Vec<(f64, usize)> {
        let mut rows: Vec<(f64, usize)> = self.values.iter().copied().zip(self.hits.iter().copied()).collect();
        let better = |a: &(f64, usize), b: &(f64, usize)| {
            let by_value = a.0.total_cmp(&b.0);
            (if direction == Direction::Lower { by_value } else { by_value.reverse() }).then(a.1.cmp(&b.1))
        };
        if most < rows.len() {
            rows.select_nth_unstable_by(most, better);
            rows.truncate(most);
        }
        rows.sort_by(better);
        rows
    }

    /// Its values, the least first.
    pub fn sorted_values(&self) -> Vec<f64> {
        let mut values = self.values.clone();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// The least and the largest of its values.
    pub fn range(&self) -> Option<(f64, f64)> {
        let least = self.values.iter().copied().min_by(f64::total_cmp)?;
        Some((least, self.values.iter().copied().max_by(f64::total_cmp)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;
    use crate::ask::question::Intent;

    const ROWS: &str = r#"
[[table]]
columns = ["network", "stage", "precision", "throughput-per-s", "statistic"]
rows = [
  ["deepnet-50", "eval", "fp32", 100, "median"],
  ["deepnet-50", "eval", "fp16", 400, "median"],
  ["deepnet-50", "eval", "fp16", 900, "p99"],
  ["deepnet-50", "train", "fp32", 30, "median"],
]
"#;

    #[test]
    fn rows_are_grouped_by_what_they_state_and_percentiles_left_out() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let question = sample.question("network:deepnet-50", Intent::Lookup);
        let values = SharedValues::read(&sample.stores).unwrap();
        let metrics = [Metric::LatencyMs, Metric::ThroughputPerS];
        let hits = HitColumns::of(&sample.stores, &question.condition_without(None), &metrics).unwrap();
        let by_metric = RowGroups::by_metric(&values, &hits, &metrics);
        assert_eq!(by_metric.len(), 1, "no row states a latency");
        let groups = by_metric.divided(&values, &hits, &[Field::Network, Field::Stage], 9).unwrap();
        let told = groups.first(&hits, None, 9, |_| true);
        assert_eq!(told.iter().map(|group| group.hits.len()).collect::<Vec<_>>(), [2, 1], "the largest first");
        assert_eq!(told[0].range(), Some((100.0, 400.0)));
        assert_eq!(told[0].best(Direction::Higher, 1)[0].0, 400.0);
        assert_eq!(told[0].best(Direction::Lower, 5).len(), 2);
        assert!(groups.divided(&values, &hits, &[Field::Precision], 2).is_none(), "that makes three");
        assert_eq!(groups.divided(&values, &hits, &[Field::Precision], 3).unwrap().len(), 3);
    }
}

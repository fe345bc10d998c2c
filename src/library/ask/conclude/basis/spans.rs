//! In what rows that are told together differ, so that nobody takes a range or a mean for one of a single setting:
//! `2 networks, 1 to 8 devices of 3 kinds, batch 1 to 64`.

use std::collections::BTreeSet;

use super::wording::stage_name;
use crate::ask::hits::{PartNumbers, SharedValues, distinct};
use crate::model::{Aspect, Field};
use crate::values::text::{and_list, counted};

/// So many values of a field are named; more are counted.
const MOST_NAMED: usize = 3;

/// What rows differ in, in the order in which it is told; a field that is told elsewhere, or that is what is compared, is
/// passed over.
pub(in crate::ask::conclude) fn spans<'p>(
    values: &SharedValues,
    rows: impl IntoIterator<Item = &'p PartNumbers>,
    is_told: impl Fn(Field) -> bool,
) -> Vec<String> {
    let rows: Vec<&PartNumbers> = rows.into_iter().collect();
    let spans = Spans { values, rows };
    let open = |field: Field| !is_told(field);
    let mut told = Vec::new();
    if open(Field::Network) {
        told.extend(spans.counted(Field::Network, "network", "networks"));
    }
    for (field, many) in [(Field::Stage, "stages"), (Field::Scenario, "scenarios"), (Field::Precision, "precisions")] {
        told.extend(open(field).then(|| spans.named(field, many)).flatten());
    }
    told.extend(spans.devices(open(Field::DeviceCount), open(Field::Device)));
    if open(Field::BatchSize) {
        told.extend(spans.batches());
    }
    if open(Field::Framework) {
        told.extend(spans.counted(Field::Framework, "framework", "frameworks"));
    }
    told
}

/// Longer values are whole sentences of a source, which tables show.
pub(in crate::ask::conclude) const LONGEST_VALUE: usize = 32;

/// What may tell the ends of a range apart that is over one network, device and batch.
const APART: &[Field] = &[
    Field::SequenceLength,
    Field::InputLength,
    Field::OutputLength,
    Field::Component,
    Field::Threads,
    Field::Timed,
    Field::Mode,
    Field::Partition,
    Field::Setting,
];

/// What tells the rows at the ends of a range apart: `sequence 128 to 384`, `mode compiled to eager`.
pub(in crate::ask::conclude) fn told_apart(
    values: &SharedValues,
    low: &PartNumbers,
    high: &PartNumbers,
) -> Option<String> {
    let differing = |field: &Field| {
        let [low, high] = [low, high].map(|parts| values.text(Aspect::Field(*field), parts));
        let is_short = |text: &str| text.len() <= LONGEST_VALUE;
        low.zip(high)
            .filter(|(low, high)| low != high && is_short(low) && is_short(high))
            .map(|(low, high)| (*field, low, high))
    };
    let (field, low, high) = APART.iter().find_map(differing)?;
    let number = |text: &str| text.parse::<f64>().ok();
    let (first, last) = if number(low) > number(high) { (high, low) } else { (low, high) };
    Some(format!("{} {first} to {last}", field.heading()))
}

struct Spans<'p> {
    values: &'p SharedValues,
    rows: Vec<&'p PartNumbers>,
}

impl Spans<'_> {
    /// The different values that rows state of a field, sorted.
    fn distinct(&self, field: Field) -> BTreeSet<&str> {
        let (Some(part), Some(column)) = (field.part(), self.values.column(Aspect::Field(field))) else {
            return BTreeSet::new();
        };
        let shares: Vec<u32> = self.rows.iter().map(|parts| parts[part as usize]).collect();
        distinct(&shares).filter_map(|share| column.of(share)).collect()
    }

    /// `3 networks`, where there are several.
    fn counted(&self, field: Field, one: &str, many: &str) -> Option<String> {
        Some(self.distinct(field).len()).filter(|count| *count > 1).map(|count| counted(count, one, many))
    }

    /// `inference and training`, or how many where they are many.
    fn named(&self, field: Field, many: &str) -> Option<String> {
        let distinct = self.distinct(field);
        match distinct.len() {
            0 | 1 => None,
            2..=MOST_NAMED => {
                let name = |value: &str| if field == Field::Stage { stage_name(value) } else { value }.to_owned();
                Some(and_list(&distinct.into_iter().map(name).collect::<Vec<_>>()))
            }
            count => Some(format!("{count} {many}")),
        }
    }

    /// `1 to 8 devices of 3 kinds`.
    fn devices(&self, with_count: bool, with_kind: bool) -> Option<String> {
        let range = self.range(|parts| self.values.count(Field::DeviceCount, parts)).filter(|_| with_count);
        let kinds = Some(self.distinct(Field::Device).len()).filter(|kinds| with_kind && *kinds > 1);
        match (range, kinds) {
            (Some((least, most)), Some(kinds)) => Some(format!("{least} to {most} devices of {kinds} kinds")),
            (Some((least, most)), None) => Some(format!("{least} to {most} devices")),
            (None, Some(kinds)) => Some(format!("{kinds} kinds of device")),
            (None, None) => None,
        }
    }

    /// `batch 1 to 64`, of one device where that is known.
    fn batches(&self) -> Option<String> {
        let of_one = self.range(|parts| self.values.batch(parts)).map(|range| ("batch", range));
        let of_all = || Some(("global batch", self.range(|parts| self.values.count(Field::BatchSizeGlobal, parts))?));
        let (name, (least, most)) = of_one.or_else(of_all)?;
        Some(format!("{name} {least} to {most}"))
    }

    /// From the least to the largest of a number, where rows differ in it.
    fn range(&self, number: impl Fn(&PartNumbers) -> Option<i64>) -> Option<(i64, i64)> {
        let numbers = || self.rows.iter().filter_map(|parts| number(parts));
        let (least, most) = (numbers().min()?, numbers().max()?);
        (least < most).then_some((least, most))
    }
}

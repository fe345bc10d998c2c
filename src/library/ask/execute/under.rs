//! What an entry is based on: the ids and sources of its rows, and the values they share.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;
use strum::VariantArray as _;

use super::outcome::{Entry, EntryValue};
use crate::ask::hits::{PartNumbers, SharedValues, distinct};
use crate::ask::parse::Result;
use crate::model::physics::is_one_sample;
use crate::model::{Aspect, Field, Measure, Part, Value};
use crate::stores::Stores;
use crate::values::text::plural;

/// The fields that decide comparability and are worth mentioning, in the order of sentences.
const FRAME: &[&[Field]] = {
    use Field::*;
    &[
        &[Network, Stage, Scenario, Division, Precision, Quantization, BatchSize],
        &[DeviceCount, Device, DeviceSlice, Threads, Framework, FrameworkVersion, Backend],
        &[Dataset, InputShape, SequenceLength, Component, InputLength, OutputLength],
        &[Layout, Mode, Partition, Setting, AccuracyTarget, RelativeAccuracyTarget, Epochs, Statistic],
    ]
};

/// Whether a field is worth mentioning even if no row states it.
fn is_expected(field: Field) -> bool {
    use Field::*;
    matches!(field, Network | Stage | Precision | BatchSize | DeviceCount | Device | Framework)
}

/// Fields that vary with a compared device or framework, but are choices of their own.
const INDEPENDENT_CHOICES: &[Field] = &[Field::Threads, Field::Mode, Field::Layout];

/// The values that all rows share, by filter key; `None` if none of them states the field. Fields that vary are left out.
pub(in crate::ask) fn shared<'p>(
    values: &SharedValues,
    rows: impl IntoIterator<Item = &'p PartNumbers>,
    varied: &[Field],
) -> IndexMap<String, Option<Value>> {
    let rows: Vec<&PartNumbers> = rows.into_iter().collect();
    let Some(first) = rows.first().copied() else { return IndexMap::new() };
    let shares: [Vec<u32>; Part::VARIANTS.len()] = std::array::from_fn(|part| {
        let of_part: Vec<u32> = rows.iter().map(|parts| parts[part]).collect();
        distinct(&of_part).collect()
    });
    let mut under = IndexMap::new();
    for &field in FRAME.iter().copied().flatten() {
        let goes_with =
            |varied: &Field| field == *varied || field.varies_with(*varied) && !INDEPENDENT_CHOICES.contains(&field);
        if varied.iter().any(goes_with) {
            continue;
        }
        let alike = match (field, field.part(), values.column(field)) {
            // The batch size per device may follow from the global batch size.
            (Field::BatchSize, ..) => {
                let batch = values.batch(first);
                rows.iter().all(|parts| values.batch(parts) == batch)
            }
            (_, Some(part), Some(column)) => {
                let number = column.number(first[part as usize]);
                shares[part as usize].iter().all(|share| column.number(*share) == number)
            }
            // No row states the field.
            _ => true,
        };
        let first = values.value(field, first);
        if alike && (first.is_some() || is_expected(field)) {
            under.insert(field.key().to_owned(), first);
        }
    }
    under
}

impl Entry {
    /// An entry based on rows that may differ in the varied fields.
    pub(super) fn resting_on(values: &SharedValues, rows: &[PartNumbers], varied: &[Field]) -> Self {
        let under = shared(values, rows, varied);
        Self { n: rows.len(), under, sources: sources(values, rows), ..Self::default() }
    }

    /// An entry with a value of a measure that the rows state.
    pub(super) fn measured(values: &SharedValues, of: (Measure, f64), rows: &[PartNumbers], varied: &[Field]) -> Self {
        let (measure, value) = of;
        Self {
            quantity: measure.key().to_owned(),
            value: Some(EntryValue::Number(value)),
            unit: unit(measure, rows.first().and_then(|row| values.text(Field::Counts, row))),
            ..Self::resting_on(values, rows, varied)
        }
    }
}

/// The sources of some rows, sorted.
pub(in crate::ask) fn sources<'p>(values: &SharedValues, of: impl IntoIterator<Item = &'p PartNumbers>) -> Vec<String> {
    let setups: Vec<u32> = of.into_iter().map(|parts| parts[Part::Setup as usize]).collect();
    let column = values.column(Aspect::Source);
    let sources: BTreeSet<&str> = distinct(&setups).filter_map(|setup| column?.of(setup)).collect();
    sources.into_iter().map(str::to_owned).collect()
}

/// A cache of row ids.
#[derive(Debug, Default)]
pub(in crate::ask) struct RowIds {
    known: HashMap<u64, String>,
}

impl RowIds {
    /// The ids of rows, in the same order.
    pub fn of(&mut self, stores: &Stores, rows: &[u64]) -> Result<Vec<String>> {
        let mut new: Vec<u64> = rows.iter().copied().filter(|row| !self.known.contains_key(row)).collect();
        new.sort_unstable();
        new.dedup();
        // Every row of the index is in the store.
        for (row, measurement) in new.iter().zip(stores.database.measurements(&new)?) {
            self.known.insert(*row, measurement.id().to_owned());
        }
        Ok(rows.iter().filter_map(|row| self.known.get(row).cloned()).collect())
    }
}

/// The unit of a measure; for a number of items, what the items are, if known.
pub(in crate::ask) fn unit(measure: Measure, counts: Option<&str>) -> Option<String> {
    if let Some(per) = measure.items_per() {
        return Some(format!("{}/{per}", counts.map_or_else(|| "items".to_owned(), plural)));
    }
    let (_, unit) = measure.heading().split_once(" [")?;
    Some(unit.trim_end_matches(']').to_owned())
}

/// The number of the counted item; images, samples and unstated items of one network are the same work (0).
pub(in crate::ask) fn item_counted(values: &SharedValues, parts: &PartNumbers) -> u32 {
    let counts = Aspect::Field(Field::Counts);
    match values.text(counts, parts) {
        Some(text) if !text.parse().ok().is_some_and(is_one_sample) => values.number(counts, parts),
        _ => 0,
    }
}

/// At most `most` items (two or more), evenly spread from the first to the last.
pub(in crate::ask) fn spread_out<T: Copy>(items: &[T], most: usize) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most).filter_map(|at| items.get(at * (items.len() - 1) / (most - 1)).copied()).collect()
}

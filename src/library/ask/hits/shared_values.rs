//! The values of setups, workloads, protocols and batches, as numbers of distinct values.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use crate::comparability::{ComparisonFacts, RowKind};
use crate::model::{Aspect, Fact, Field, FieldType, Part, Value};
use crate::stores::Stores;
use crate::stores::database::{AspectColumn, DatabaseError};
use crate::values::Statistic;

/// The setup, workload, protocol and batch of a row, by [`Part`].
pub type PartNumbers = [u32; Part::VARIANTS.len()];

/// Facts of the entities in a row that conclusions need.
const FACTS: &[Fact] = &[Fact::Class, Fact::Task, Fact::Year, Fact::Parameters];

/// Fields whose texts vary so much that nothing is compared by them.
const NOT_COMPARED: &[Field] = &[Field::Host, Field::Os, Field::Container, Field::Software];

/// Fields that are not compared, but decide whether a row counts, what it counts as, or what it cost.
const ALSO: &[Field] = &[Field::Standing, Field::Outcome, Field::RelativeAccuracyTarget, Field::PriceUsdPerHour];

/// A value derived from an aspect, computed once for each share of its part.
#[derive(Debug)]
pub struct PerShare<T> {
    part: Part,
    by_share: Vec<T>,
}

impl<T: Copy + Default> PerShare<T> {
    /// Creates it from the derived value of each share of a part.
    pub fn new(part: Part, by_share: Vec<T>) -> Self {
        Self { part, by_share }
    }

    /// The derived value of a row; the default if the share is unknown.
    pub fn of(&self, parts: &PartNumbers) -> T {
        self.by_share.get(parts[self.part as usize] as usize).copied().unwrap_or_default()
    }
}

/// The values of all compared fields for all shares, read once. Equal numbers mean equal values; 0 means not stated.
#[derive(Debug)]
pub struct SharedValues {
    columns: BTreeMap<Aspect, AspectColumn>,
    /// Parsed once for each share, because they are read for each row.
    batches: PerShare<Option<i64>>,
    global_batches: PerShare<Option<i64>>,
    device_counts: PerShare<Option<i64>>,
    /// Whether rows are disputed, superseded or withdrawn.
    in_bad_standing: PerShare<bool>,
    /// Whether values are percentiles or extremes.
    extreme: PerShare<bool>,
    /// The kind of network, as far as the task determines it.
    kinds: PerShare<RowKind>,
}

/// Derives a value from the text of an aspect, for each share.
fn per_share<T: Copy + Default>(
    columns: &BTreeMap<Aspect, AspectColumn>,
    aspect: Aspect,
    of: impl Fn(Option<&str>) -> T,
) -> PerShare<T> {
    let by_share = columns.get(&aspect).map_or_else(Vec::new, |column| column.of_shares(of));
    PerShare::new(aspect.part().unwrap_or(Part::Setup), by_share)
}

impl SharedValues {
    /// Reads all compared fields.
    pub fn read(stores: &Stores) -> Result<Self, DatabaseError> {
        Self::read_with(stores, None)
    }

    /// Reads all compared fields, and a further fact by which rows are distinguished.
    pub fn read_with(stores: &Stores, also: Option<Fact>) -> Result<Self, DatabaseError> {
        let wanted = |aspect| match aspect {
            Aspect::Source => true,
            Aspect::Field(field) => {
                !NOT_COMPARED.contains(&field) && (field.compared_tier().is_some() || ALSO.contains(&field))
            }
            Aspect::Fact(fact) => FACTS.contains(&fact) || also == Some(fact),
            _ => false,
        };
        let columns = stores.database.aspects(wanted)?;
        let counts = |field: Field| per_share(&columns, field.into(), |text| text?.parse().ok());
        let is_extreme = |word: Option<&str>| {
            word.and_then(|word| word.parse::<Statistic>().ok()).is_some_and(|statistic| !statistic.is_middle())
        };
        let kind = |task: Option<&str>| {
            let task = task.map(str::to_owned);
            RowKind::of_row(&ComparisonFacts { task, ..ComparisonFacts::default() }, false, false)
        };
        Ok(Self {
            batches: counts(Field::BatchSize),
            global_batches: counts(Field::BatchSizeGlobal),
            device_counts: counts(Field::DeviceCount),
            in_bad_standing: per_share(&columns, Field::Standing.into(), |word| word.is_some()),
            extreme: per_share(&columns, Field::Statistic.into(), is_extreme),
            kinds: per_share(&columns, Fact::Task.into(), kind),
            columns,
        })
    }

    /// The column of an aspect.
    pub fn column(&self, aspect: impl Into<Aspect>) -> Option<&AspectColumn> {
        self.columns.get(&aspect.into())
    }

    /// Derives a value from the text of an aspect, for each share.
    pub fn per_share<T: Copy + Default>(
        &self,
        aspect: impl Into<Aspect>,
        of: impl Fn(Option<&str>) -> T,
    ) -> PerShare<T> {
        per_share(&self.columns, aspect.into(), of)
    }

    /// The number of a row's value; 0 if not stated.
    pub fn number(&self, aspect: impl Into<Aspect>, parts: &PartNumbers) -> u32 {
        let aspect = aspect.into();
        let number = || Some(self.columns.get(&aspect)?.number(parts[aspect.part()? as usize]));
        number().unwrap_or_default()
    }

    /// The text of a row's value.
    pub fn text(&self, aspect: impl Into<Aspect>, parts: &PartNumbers) -> Option<&str> {
        let aspect = aspect.into();
        self.columns.get(&aspect)?.of(parts[aspect.part()? as usize])
    }

    /// The value of a field. A batch size is per device: the stated one, otherwise the global one divided by the device count.
    pub fn value(&self, field: Field, parts: &PartNumbers) -> Option<Value> {
        if field == Field::BatchSize {
            return self.batch(parts).map(Value::Count);
        }
        let text = self.text(field, parts)?;
        Some(match field.kind() {
            FieldType::Count => text.parse().map_or_else(|_| Value::Text(text.into()), Value::Count),
            FieldType::Number => text.parse().map_or_else(|_| Value::Text(text.into()), Value::Number),
            _ => Value::Text(text.into()),
        })
    }

    /// The value of a row's field as a whole number.
    pub fn count(&self, field: Field, parts: &PartNumbers) -> Option<i64> {
        match field {
            Field::BatchSize => self.batches.of(parts),
            Field::BatchSizeGlobal => self.global_batches.of(parts),
            Field::DeviceCount => self.device_counts.of(parts),
            _ => self.text(field, parts)?.parse().ok(),
        }
    }

    /// The batch size per device, stated or derived from the global batch size.
    pub fn batch(&self, parts: &PartNumbers) -> Option<i64> {
        self.count(Field::BatchSize, parts).or_else(|| {
            let global = self.count(Field::BatchSizeGlobal, parts)?;
            let devices = self.count(Field::DeviceCount, parts).filter(|devices| *devices > 0)?;
            (global % devices == 0).then_some(global / devices)
        })
    }

    /// Whether a row stands as published. Disputed, superseded or withdrawn rows are shown, but no conclusion is based on them.
    pub fn is_in_good_standing(&self, parts: &PartNumbers) -> bool {
        !self.in_bad_standing.of(parts)
    }

    /// Whether a row's value is a percentile or an extreme.
    pub fn is_extreme(&self, parts: &PartNumbers) -> bool {
        self.extreme.of(parts)
    }

    /// The kind of network in a row: single layers, images, texts.
    pub fn kind(&self, parts: &PartNumbers) -> RowKind {
        self.kinds.of(parts)
    }

    /// The source of a row.
    pub fn source(&self, parts: &PartNumbers) -> &str {
        self.text(Aspect::Source, parts).unwrap_or_default()
    }
}

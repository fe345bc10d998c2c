//! What setups, workloads, protocols and batches state, as numbers of distinct values.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use crate::comparability::{ComparisonFacts, RowKind};
use crate::model::{Aspect, Fact, Field, FieldType, Part, Value};
use crate::stores::Stores;
use crate::stores::database::{AspectColumn, DatabaseError};
use crate::values::Statistic;

/// The setup, workload, protocol and batch of a row, by [`Part`].
pub type PartNumbers = [u32; Part::VARIANTS.len()];

/// Facts of the entities that a row names, as far as conclusions need them.
const FACTS: &[Fact] = &[Fact::Class, Fact::Task, Fact::Year, Fact::Parameters];

/// Circumstances with so many different texts that nothing is compared along them.
const NOT_COMPARED: &[Field] = &[Field::Host, Field::Os, Field::Container, Field::Software];

/// What is not compared by itself, but decides whether a row counts, what it counts as and what it cost.
const ALSO: &[Field] = &[Field::Standing, Field::Outcome, Field::RelativeAccuracyTarget, Field::PriceUsdPerHour];

/// What follows from an aspect, made out once for each share of its part.
#[derive(Debug)]
pub struct Following<T> {
    part: Part,
    of_shares: Vec<T>,
}

impl<T: Copy + Default> Following<T> {
    /// What follows of each share of a part.
    pub fn new(part: Part, of_shares: Vec<T>) -> Self {
        Self { part, of_shares }
    }

    /// What follows of a row; the default where no share states the aspect.
    pub fn of(&self, parts: &PartNumbers) -> T {
        self.of_shares.get(parts[self.part as usize] as usize).copied().unwrap_or_default()
    }
}

/// The values of all compared fields for all shares, read once. Equal numbers of an aspect are equal values; 0 is not stated.
#[derive(Debug)]
pub struct SharedValues {
    columns: BTreeMap<Aspect, AspectColumn>,
    /// Read for each row, so that they are kept as numbers of their shares.
    batches: Following<Option<i64>>,
    global_batches: Following<Option<i64>>,
    device_counts: Following<Option<i64>>,
    /// Whether rows do not stand as they were published.
    fallen: Following<bool>,
    /// Whether values are percentiles or extremes.
    extreme: Following<bool>,
    /// The kind of network, as far as its task tells it.
    kinds: Following<RowKind>,
}

/// What follows from the text of an aspect.
fn following<T: Copy + Default>(
    columns: &BTreeMap<Aspect, AspectColumn>,
    aspect: Aspect,
    of: impl Fn(Option<&str>) -> T,
) -> Following<T> {
    let of_shares = columns.get(&aspect).map_or_else(Vec::new, |column| column.of_shares(of));
    Following::new(aspect.part().unwrap_or(Part::Setup), of_shares)
}

impl SharedValues {
    /// Reads them.
    pub fn read(stores: &Stores) -> Result<Self, DatabaseError> {
        Self::read_with(stores, None)
    }

    /// Reads them with a fact by which rows are distinguished besides.
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
        let counts = |field: Field| following(&columns, field.into(), |text| text?.parse().ok());
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
            fallen: following(&columns, Field::Standing.into(), |word| word.is_some()),
            extreme: following(&columns, Field::Statistic.into(), is_extreme),
            kinds: following(&columns, Fact::Task.into(), kind),
            columns,
        })
    }

    /// The values of one aspect.
    pub fn column(&self, aspect: impl Into<Aspect>) -> Option<&AspectColumn> {
        self.columns.get(&aspect.into())
    }

    /// What follows from the text of an aspect.
    pub fn following<T: Copy + Default>(
        &self,
        aspect: impl Into<Aspect>,
        of: impl Fn(Option<&str>) -> T,
    ) -> Following<T> {
        following(&self.columns, aspect.into(), of)
    }

    /// The number of a row's value, 0 where it states none.
    pub fn number(&self, aspect: impl Into<Aspect>, parts: &PartNumbers) -> u32 {
        let aspect = aspect.into();
        let number = || Some(self.columns.get(&aspect)?.number(parts[aspect.part()? as usize]));
        number().unwrap_or_default()
    }

    /// The value of a row.
    pub fn text(&self, aspect: impl Into<Aspect>, parts: &PartNumbers) -> Option<&str> {
        let aspect = aspect.into();
        self.columns.get(&aspect)?.of(parts[aspect.part()? as usize])
    }

    /// The value of a field; a batch is that of one device, as stated, else its share of the batch of all.
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

    /// A whole number of a row.
    pub fn count(&self, field: Field, parts: &PartNumbers) -> Option<i64> {
        match field {
            Field::BatchSize => self.batches.of(parts),
            Field::BatchSizeGlobal => self.global_batches.of(parts),
            Field::DeviceCount => self.device_counts.of(parts),
            _ => self.text(field, parts)?.parse().ok(),
        }
    }

    /// The batch of one device.
    pub fn batch(&self, parts: &PartNumbers) -> Option<i64> {
        self.count(Field::BatchSize, parts).or_else(|| {
            let global = self.count(Field::BatchSizeGlobal, parts)?;
            let devices = self.count(Field::DeviceCount, parts).filter(|devices| *devices > 0)?;
            (global % devices == 0).then_some(global / devices)
        })
    }

    /// Whether the row stands as it was published: what does not is shown, but no conclusion rests on it.
    pub fn stands(&self, parts: &PartNumbers) -> bool {
        !self.fallen.of(parts)
    }

    /// Whether the row's value is a percentile or an extreme.
    pub fn is_extreme(&self, parts: &PartNumbers) -> bool {
        self.extreme.of(parts)
    }

    /// The kind of network that a row is of: single layers, images, texts.
    pub fn kind(&self, parts: &PartNumbers) -> RowKind {
        self.kinds.of(parts)
    }

    /// The source of a row.
    pub fn source(&self, parts: &PartNumbers) -> &str {
        self.text(Aspect::Source, parts).unwrap_or_default()
    }
}

//! What setups, workloads, protocols and batches state, as numbers of distinct values.

use std::collections::BTreeMap;

use strum::VariantArray as _;

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

/// The values of all compared fields for all shares, read once. Equal numbers of an aspect are equal values; 0 is not stated.
#[derive(Debug)]
pub struct SharedValues {
    columns: BTreeMap<Aspect, AspectColumn>,
    /// Read for each row, so that they are kept as numbers of their shares.
    batches: Vec<Option<i64>>,
    global_batches: Vec<Option<i64>>,
    device_counts: Vec<Option<i64>>,
    /// Whether the rows of a protocol do not stand as they were published.
    fallen: Vec<bool>,
    /// Whether the values of a protocol are percentiles or extremes.
    extreme: Vec<bool>,
}

impl SharedValues {
    /// Reads them.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn read(stores: &Stores) -> Result<Self, DatabaseError> {
        Self::read_with(stores, None)
    }

    /// Reads them with a fact by which rows are distinguished besides.
    ///
    /// # Errors
    ///
    /// When the store fails.
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
        let counts = |field| -> Vec<Option<i64>> {
            let column = columns.get(&Aspect::Field(field));
            column.map_or_else(Vec::new, |column| column.of_shares(|text| text?.parse().ok()))
        };
        let standing = columns.get(&Aspect::Field(Field::Standing));
        let statistic = columns.get(&Aspect::Field(Field::Statistic));
        let is_extreme = |word: Option<&str>| {
            word.and_then(|word| word.parse::<Statistic>().ok()).is_some_and(|statistic| !statistic.is_middle())
        };
        Ok(Self {
            batches: counts(Field::BatchSize),
            global_batches: counts(Field::BatchSizeGlobal),
            device_counts: counts(Field::DeviceCount),
            fallen: standing.map_or_else(Vec::new, |column| column.of_shares(|word| word.is_some())),
            extreme: statistic.map_or_else(Vec::new, |column| column.of_shares(is_extreme)),
            columns,
        })
    }

    /// The values of one aspect.
    pub fn column(&self, aspect: Aspect) -> Option<&AspectColumn> {
        self.columns.get(&aspect)
    }

    /// The number of a row's value, 0 where it states none.
    pub fn number(&self, aspect: Aspect, parts: &PartNumbers) -> u32 {
        let share = |part: Part| parts[part as usize];
        let number = || Some(self.columns.get(&aspect)?.number(share(aspect.part()?)));
        number().unwrap_or_default()
    }

    /// The value of a row.
    pub fn text(&self, aspect: Aspect, parts: &PartNumbers) -> Option<&str> {
        self.columns.get(&aspect)?.of(parts[aspect.part()? as usize])
    }

    /// The value of a field; a batch is that of one device, as stated, else its share of the batch of all.
    pub fn value(&self, field: Field, parts: &PartNumbers) -> Option<Value> {
        if field == Field::BatchSize {
            return self.batch(parts).map(Value::Count);
        }
        let text = self.text(Aspect::Field(field), parts)?;
        Some(match field.kind() {
            FieldType::Count => text.parse().map_or_else(|_| Value::Text(text.into()), Value::Count),
            FieldType::Number => text.parse().map_or_else(|_| Value::Text(text.into()), Value::Number),
            _ => Value::Text(text.into()),
        })
    }

    /// A whole number of a row.
    pub fn count(&self, field: Field, parts: &PartNumbers) -> Option<i64> {
        let of = |counts: &[Option<i64>], part: Part| counts.get(parts[part as usize] as usize).copied().flatten();
        match field {
            Field::BatchSize => of(&self.batches, Part::Batch),
            Field::BatchSizeGlobal => of(&self.global_batches, Part::Batch),
            Field::DeviceCount => of(&self.device_counts, Part::Setup),
            _ => self.text(Aspect::Field(field), parts)?.parse().ok(),
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
        !self.fallen.get(parts[Part::Protocol as usize] as usize).copied().unwrap_or_default()
    }

    /// Whether the row's value is a percentile or an extreme.
    pub fn is_extreme(&self, parts: &PartNumbers) -> bool {
        self.extreme.get(parts[Part::Protocol as usize] as usize).copied().unwrap_or_default()
    }

    /// The source of a row.
    pub fn source(&self, parts: &PartNumbers) -> &str {
        self.text(Aspect::Source, parts).unwrap_or_default()
    }
}

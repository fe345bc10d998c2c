//! What setups, workloads, protocols and batches state, as numbers of distinct values.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use crate::model::{Aspect, Fact, Field, FieldType, Part, Value};
use crate::stores::Stores;
use crate::stores::store::{AspectColumn, StoreError};

/// The setup, workload, protocol and batch of a row, by [`Part`].
pub type PartNumbers = [u32; Part::VARIANTS.len()];

/// Facts of the entities that a row names, as far as conclusions need them.
const FACTS: &[Fact] = &[Fact::Class, Fact::Task];

/// The values of all fields for all shares, read once. Equal numbers of an aspect are equal values; 0 is not stated.
#[derive(Debug)]
pub struct SharedValues {
    columns: BTreeMap<Aspect, AspectColumn>,
}

impl SharedValues {
    /// Reads them.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn read(stores: &Stores) -> Result<Self, StoreError> {
        let wanted = |aspect| match aspect {
            Aspect::Source => true,
            Aspect::Field(field) => !field.is_remark(),
            Aspect::Fact(fact) => FACTS.contains(&fact),
            _ => false,
        };
        Ok(Self { columns: stores.store.aspects(wanted)? })
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
        self.text(Aspect::Field(field), parts)?.parse().ok()
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
        self.number(Aspect::Field(Field::Standing), parts) == 0
    }

    /// The source of a row.
    pub fn source(&self, parts: &PartNumbers) -> &str {
        self.text(Aspect::Source, parts).unwrap_or_default()
    }
}

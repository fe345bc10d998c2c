//! The keys that a reader asks a table for, recorded while it reads: the JSON Schemas follow from them.

use crate::values::EntityKind;

/// The keys of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct TableKeys {
    /// Each key and what its value is, in the order in which they are asked for.
    pub keys: Vec<(&'static str, ValueKind)>,
    /// The required keys.
    pub required: Vec<&'static str>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum ValueKind {
    Text,
    Texts,
    Word(Vec<&'static str>),
    Words(Vec<&'static str>),
    Id(EntityKind),
    Ids(EntityKind),
    Count,
    Number,
    Flag,
    Date,
    /// A table.
    One(TableKeys),
    /// An array of tables.
    Each(TableKeys),
    /// Tables by the id of an entity.
    ById(TableKeys),
    /// Tables by any id.
    ByKey(TableKeys),
    /// Numbers by one of these names.
    Numbers(Vec<&'static str>),
    /// A list of numbers.
    NumberList,
    /// A list of whole numbers, each so many or more.
    CountList(i64),
    /// Values of fields of a measurement.
    Fields,
    /// A table with keys of any name.
    Free,
}

impl TableKeys {
    /// Records a key; the first record of a key wins.
    pub fn note(&mut self, key: &'static str, kind: ValueKind) {
        if !self.keys.iter().any(|(other, _)| *other == key) {
            self.keys.push((key, kind));
        }
    }

    /// Records that a key is required.
    pub fn require(&mut self, key: &'static str) {
        if !self.required.contains(&key) {
            self.required.push(key);
        }
    }
}

//! The keys that a row of measurements can have in a file.

use strum::VariantArray;

use super::{Field, FieldType, Metric};
use crate::values::EntityKind;

/// A key of a measurement: a field or a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasurementKey {
    /// A field: how it was measured.
    Field(Field),
    /// A metric: what came out.
    Metric(Metric),
}

impl MeasurementKey {
    /// The key of this kebab-case name.
    pub fn named(name: &str) -> Option<Self> {
        let field = name.parse::<Field>().ok().filter(|field| !field.is_computed()).map(Self::Field);
        field.or_else(|| name.parse().ok().map(Self::Metric))
    }

    /// The names of all keys, in canonical order.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        let fields = Field::of_files().map(Field::key);
        fields.chain(Metric::VARIANTS.iter().map(|metric| metric.key()))
    }

    /// Whether its value is a number.
    pub fn is_number(self) -> bool {
        match self {
            Self::Field(field) => matches!(field.kind(), FieldType::Count | FieldType::Number),
            Self::Metric(_) => true,
        }
    }

    /// Its kebab-case name.
    pub fn key(self) -> &'static str {
        match self {
            Self::Field(field) => field.key(),
            Self::Metric(metric) => metric.key(),
        }
    }

    /// The field; `None` of a metric.
    pub fn field(self) -> Option<Field> {
        match self {
            Self::Field(field) => Some(field),
            Self::Metric(_) => None,
        }
    }

    /// The field that keeps the source's spelling of this one.
    pub fn raw(self) -> Option<Self> {
        self.field()?.raw().map(Self::Field)
    }

    /// The kind of entity whose id this is.
    pub fn entity(self) -> Option<EntityKind> {
        match self.field()?.kind() {
            FieldType::Entity(kind) => Some(kind),
            _ => None,
        }
    }
}

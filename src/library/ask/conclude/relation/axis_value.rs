//! A place on an axis of names or sizes, and the rows that stand there.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::versions::is_version;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, FieldType, Value};
use crate::stores::Stores;
use crate::values::Precision;

/// A place on the axis: some values that count as one, or none of them stated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AxisValue {
    /// What it is called.
    pub(super) name: String,
    /// The values as rows state them.
    pub(super) values: Vec<String>,
    /// Whether rows that state nothing count as well, beside those of the values.
    pub(super) with_unstated: bool,
}

impl AxisValue {
    /// A value that counts for itself.
    pub(super) fn of(value: &str) -> Self {
        Self { name: value.to_owned(), values: vec![value.to_owned()], with_unstated: false }
    }

    /// A number format with the mixed recipe that computes in it.
    pub(super) fn of_format(precision: Precision) -> Self {
        let also = precision.also_meant().map(|other| other.to_string());
        let values = [precision.to_string()].into_iter().chain(also).collect();
        Self { name: precision.to_string(), values, with_unstated: false }
    }

    /// Rows that state nothing.
    pub(super) fn unstated(field: Field) -> Self {
        let name = format!("rows of the same source that state no {}", field.heading());
        Self { name, values: Vec::new(), with_unstated: true }
    }

    /// What is without a feature: rows that say so, and those of the same source that say nothing of it; `None` where none say so.
    pub(super) fn without(feature: &str, all: &BTreeMap<String, usize>) -> Option<Self> {
        let feature = feature.to_lowercase();
        let is_without = |value: &&String| {
            let value = value.to_lowercase();
            ["without ", "no "].iter().any(|lead| value.strip_prefix(lead) == Some(feature.as_str()))
        };
        let values: Vec<String> = all.keys().filter(is_without).cloned().collect();
        let name = format!("rows of the same source {}", values.first()?);
        Some(Self { name, values, with_unstated: true })
    }

    /// Calls an entity by its name, and what has a version by both.
    pub(super) fn call(&mut self, field: Field, stores: &Stores, names: &mut Names) -> Result<(), QueryError> {
        if let ([value], true) = (self.values.as_slice(), field.entity_kind().is_some()) {
            self.name = names.of(Aspect::Field(field), value, stores)?;
        }
        if is_version(field) && field != Field::FrameworkVersion && !self.values.is_empty() {
            self.name = format!("{} {}", called(field).trim_end_matches(" version"), self.name);
        }
        Ok(())
    }

    /// The side of a comparison that it is.
    pub(super) fn side(&self, field: Field) -> Side {
        let value = Value::Text(self.values.first().map_or("", |value| value).into());
        let subjects = match self.values.is_empty() {
            true => IndexMap::new(),
            false => IndexMap::from([(field.key().to_owned(), value)]),
        };
        let name = match field.kind() {
            FieldType::Count if !self.values.is_empty() => format!("{} {}", self.name, field.heading()),
            _ => self.name.clone(),
        };
        Side { name, subjects, varied: vec![field], is_of_several: false, is_family: false }
    }
}

/// The rows of a place on the axis; where it is that of rows which state nothing, those of some sources alone.
pub(super) fn rows_of(
    values: &SharedValues,
    hits: &HitColumns,
    field: Field,
    side: &AxisValue,
    sources: Option<&BTreeSet<u32>>,
) -> HitColumns {
    let (Some(part), Some(column)) = (field.part(), values.column(Aspect::Field(field))) else {
        return HitColumns::default();
    };
    let takes_unstated = side.values.is_empty() || side.with_unstated;
    let is_of_side = |text: Option<&str>| match text {
        Some(value) => side.values.iter().any(|name| name == value),
        None => takes_unstated,
    };
    let of_side: Vec<bool> = column.shares().map(is_of_side).collect();
    let is_wanted = |parts: &PartNumbers| {
        let here = of_side.get(parts[part as usize] as usize).copied().unwrap_or_default();
        let of_sources = |sources: &BTreeSet<u32>| sources.contains(&values.number(Aspect::Source, parts));
        here && (!takes_unstated || sources.is_none_or(of_sources))
    };
    hits.filtered(is_wanted)
}

/// What an axis is called in a sentence.
pub(super) fn called(field: Field) -> String {
    match field {
        Field::Cuda => "CUDA version".to_owned(),
        Field::Cudnn => "cuDNN version".to_owned(),
        Field::Driver => "driver version".to_owned(),
        field => field.key().replace('-', " "),
    }
}

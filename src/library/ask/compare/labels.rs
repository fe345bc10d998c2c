//! Labels of rows and columns.

use super::CompareError;
use super::candidates::AxisValues;
use super::request::PivotAxis;
use super::table::Label;
use crate::model::{Aspect, Fact};
use crate::rows::{EntityCache, entity_kind};
use crate::stores::Stores;

/// The labels for the values of some axes.
pub(super) fn labels(
    entities: &mut EntityCache<'_>,
    stores: &Stores,
    axes: &[PivotAxis],
    values: &AxisValues,
) -> Result<Vec<Label>, CompareError> {
    let mut labels = Vec::new();
    for (axis, value) in axes.iter().zip(values) {
        let PivotAxis::Aspect(aspect) = axis else { continue };
        let name = match value {
            None => String::new(),
            Some(value) => name(entities, stores, *aspect, value)?,
        };
        labels.push(Label { value: value.clone(), name });
    }
    Ok(labels)
}

/// The display name of an aspect's value; loads the entity if it is not cached yet.
pub(super) fn name(
    entities: &mut EntityCache<'_>,
    stores: &Stores,
    aspect: Aspect,
    value: &str,
) -> Result<String, CompareError> {
    // Hardware classes are acronyms.
    if aspect == Aspect::Fact(Fact::Class) {
        return Ok(value.to_uppercase());
    }
    if let Some(kind) = entity_kind(aspect) {
        entities.load(&stores.database, kind, value)?;
    }
    Ok(entities.value_name(aspect, value).to_owned())
}

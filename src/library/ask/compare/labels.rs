//! What rows and columns are called.

use std::collections::HashMap;

use super::CompareError;
use super::candidates::Values;
use super::request::Axis;
use super::table::Label;
use crate::model::{Aspect, Dataset, Device, Field, FieldType, Framework, Joined, Network};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The names of entities, each read once.
#[derive(Default)]
pub(super) struct Names {
    known: HashMap<(EntityKind, String), String>,
}

impl Names {
    /// The labels for the values of some axes.
    pub fn labels(&mut self, stores: &Stores, axes: &[Axis], values: &Values) -> Result<Vec<Label>, CompareError> {
        let aspects = axes.iter().filter(|axis| **axis != Axis::Metric);
        let values = axes.iter().zip(values).filter(|(axis, _)| **axis != Axis::Metric).map(|(_, value)| value);
        aspects
            .zip(values)
            .map(|(axis, value)| {
                let name = match value {
                    None => String::new(),
                    Some(value) => self.name(stores, *axis, value)?,
                };
                Ok(Label { value: value.clone(), name })
            })
            .collect()
    }

    /// The name of a field's value.
    pub fn named(&mut self, stores: &Stores, field: Field, value: &str) -> Result<String, CompareError> {
        self.name(stores, Axis::Aspect(Aspect::Field(field)), value)
    }

    fn name(&mut self, stores: &Stores, axis: Axis, value: &str) -> Result<String, CompareError> {
        let kind = match axis {
            Axis::Aspect(Aspect::Field(field)) => match field.kind() {
                FieldType::Entity(kind) => kind,
                _ => return Ok(value.to_owned()),
            },
            Axis::Aspect(Aspect::Joined(Joined::Family)) => EntityKind::Network,
            _ => return Ok(value.to_owned()),
        };
        let key = (kind, value.to_owned());
        if let Some(name) = self.known.get(&key) {
            return Ok(name.clone());
        }
        let store = &stores.store;
        let name = match kind {
            EntityKind::Framework => store.entity::<Framework>(value)?.map(|entity| entity.name),
            EntityKind::Device => store.entity::<Device>(value)?.map(|device| short_name(&device)),
            EntityKind::Network => store.entity::<Network>(value)?.map(|entity| entity.name),
            EntityKind::Dataset => store.entity::<Dataset>(value)?.map(|entity| entity.name),
            _ => None,
        };
        let name = name.unwrap_or_else(|| value.to_owned());
        self.known.insert(key, name.clone());
        Ok(name)
    }
}

/// The name without the maker in front.
fn short_name(device: &Device) -> String {
    let vendor = device.vendor.as_deref().unwrap_or_default();
    let rest = device.name.strip_prefix(vendor).filter(|rest| rest.starts_with(' '));
    rest.unwrap_or(&device.name).trim().to_owned()
}

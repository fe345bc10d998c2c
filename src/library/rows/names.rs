//! What entities and values are called, for people.

use super::entities::EntityCache;
use super::row::JoinedRow;
use crate::model::{Aspect, Device, Fact, FactType, Field, Measurement, Value};
use crate::values::EntityKind;

/// The name of a device without its maker in front: `Tesla V100` of `NVIDIA Tesla V100`.
pub fn short_device_name(device: &Device) -> &str {
    let vendor = device.vendor.as_deref().unwrap_or_default();
    device.name.strip_prefix(vendor).filter(|rest| rest.starts_with(' ')).unwrap_or(&device.name).trim()
}

/// The kind of entity that the values of an aspect name.
pub fn entity_kind(aspect: Aspect) -> Option<EntityKind> {
    match aspect {
        Aspect::Field(field) => field.entity_kind(),
        Aspect::Fact(fact) => match fact.value_type() {
            FactType::Entity(kind) => Some(kind),
            _ => None,
        },
        _ => None,
    }
}

impl EntityCache<'_> {
    /// The name of an entity, a device without its maker; its id where it is not known.
    pub fn name<'n>(&'n self, kind: EntityKind, id: &'n str) -> &'n str {
        let name = match kind {
            EntityKind::Framework => self.framework(id).map(|framework| framework.name.as_str()),
            EntityKind::Device => self.device(id).map(short_device_name),
            EntityKind::Network => self.network(id).map(|network| network.name.as_str()),
            EntityKind::Dataset => self.dataset(id).map(|dataset| dataset.name.as_str()),
            EntityKind::Source | EntityKind::HardwareClass => None,
        };
        name.or_else(|| self.known_name(kind, id)).unwrap_or(id)
    }

    /// A value of an aspect as people call it: the name of an entity, else the value itself.
    pub fn value_name<'n>(&'n self, aspect: Aspect, value: &'n str) -> &'n str {
        entity_kind(aspect).map_or(value, |kind| self.name(kind, value))
    }

    /// What a row shows for an aspect, names in the place of ids; `None` when it is not known.
    pub fn shown(&self, row: &JoinedRow, aspect: Aspect) -> Option<String> {
        match self.value(row, aspect)? {
            Value::Text(text) => Some(self.value_name(aspect, &text).to_owned()),
            value => Some(value.to_string()),
        }
    }

    /// The framework of a row with its backend: `Keras on Theano`, with versions `Keras 2.0.6 on Theano 0.9.0`.
    pub fn framework_in_full(&self, row: &Measurement, versions: bool) -> String {
        let part = |name: Field, version: Field| {
            let name = self.name(EntityKind::Framework, row.text(name)?);
            Some(match row.text(version).filter(|_| versions) {
                Some(version) => format!("{name} {version}"),
                None => name.to_owned(),
            })
        };
        let front = part(Field::Framework, Field::FrameworkVersion);
        let back = part(Field::Backend, Field::BackendVersion);
        match (front, back) {
            (Some(front), Some(back)) => format!("{front} on {back}"),
            (front, back) => front.or(back).unwrap_or_default(),
        }
    }
}

/// A fact of an entity with its name where the value does not speak for itself: `memory 16 GiB`, `API Python, C++`.
pub fn labelled_fact(fact: Fact, value: &str) -> String {
    match fact.heading().split_once(" [") {
        Some((name, "10^6]")) => format!("{value} M {name}"),
        Some((name, "10^9]")) => format!("{value} G {name}"),
        Some((name, unit)) if fact.is_numeric() => format!("{name} {value} {}", unit.trim_end_matches(']')),
        _ if fact.is_numeric() || matches!(value, "yes" | "no") => format!("{} {value}", fact.heading()),
        _ => match fact {
            Fact::CoreLanguage | Fact::ApiLanguage => format!("{} {value}", fact.heading()),
            _ => value.to_owned(),
        },
    }
}

/// A value with the name of its field where it does not speak for itself: `1 device`, `batch 64`, `device memory 16 GiB`.
pub fn labelled(aspect: Aspect, value: &str) -> String {
    match aspect {
        Aspect::Fact(_) if aspect.is_numeric() => match aspect.heading().split_once(" [") {
            Some((name, unit)) => format!("{name} {value} {}", unit.trim_end_matches(']')),
            None => value.to_owned(),
        },
        _ => aspect.in_words(value),
    }
}

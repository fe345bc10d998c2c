//! What the entities and values of an answer are called, for people.

use std::collections::BTreeMap;

use crate::ask::query::{Answer, AnsweredMeasurement, Aspects};
use crate::model::{Aspect, Field, Measurement, Value};

/// The names of the answer's entities, for people.
pub(super) struct Names<'a> {
    pub(super) devices: BTreeMap<String, String>,
    pub(super) networks: BTreeMap<String, String>,
    pub(super) datasets: BTreeMap<String, String>,
    frameworks: BTreeMap<String, String>,
    aspects: Aspects<'a>,
}

impl<'a> Names<'a> {
    /// The names of everything in the answer.
    pub(super) fn of(answer: &'a Answer) -> Self {
        let catalog = &answer.catalog;
        Self {
            frameworks: catalog
                .frameworks
                .iter()
                .map(|f| (f.framework.id.to_string(), f.framework.name.clone()))
                .collect(),
            devices: catalog
                .devices
                .iter()
                .map(|device| {
                    let vendor = device.vendor.as_deref().unwrap_or_default();
                    let rest = device.name.strip_prefix(vendor).filter(|rest| rest.starts_with(' '));
                    let short = rest.unwrap_or(&device.name).trim();
                    (device.id.to_string(), short.to_owned())
                })
                .collect(),
            networks: catalog.networks.iter().map(|n| (n.id.to_string(), n.name.clone())).collect(),
            datasets: catalog.datasets.iter().map(|d| (d.id.to_string(), d.name.clone())).collect(),
            aspects: Aspects::of(catalog),
        }
    }

    /// What stands in a row's cell; empty when it is not known.
    pub(super) fn of_aspect(&self, row: &AnsweredMeasurement, aspect: Aspect) -> String {
        let recorded = row.recorded();
        let named = |names: &BTreeMap<String, String>, field: Field| {
            recorded.text(field).map_or_else(String::new, |id| names.get(id).cloned().unwrap_or_else(|| id.to_owned()))
        };
        match aspect {
            Aspect::Field(Field::Framework) => named(&self.frameworks, Field::Framework),
            Aspect::Field(Field::Backend) => named(&self.frameworks, Field::Backend),
            Aspect::Field(Field::Device) => named(&self.devices, Field::Device),
            Aspect::Field(Field::Network) => named(&self.networks, Field::Network),
            Aspect::Field(Field::Dataset) => named(&self.datasets, Field::Dataset),
            aspect => self.aspects.value(row, aspect).as_ref().map_or_else(String::new, Value::to_string),
        }
    }

    /// Whether the row names a device family and not the SKU.
    pub(super) fn names_a_family(&self, row: &Measurement) -> bool {
        row.text(Field::Device).is_some_and(|device| self.aspects.is_family(device))
    }

    /// `Keras 2.0.6 on Theano 0.9.0`.
    pub(super) fn framework_in_full(&self, row: &Measurement) -> String {
        let part = |name: Field, version: Field| {
            let id = row.text(name)?;
            let name = self.frameworks.get(id).map_or(id, String::as_str);
            Some(match row.text(version) {
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

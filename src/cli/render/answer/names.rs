//! What the entities of an answer are called, for people.

use std::collections::BTreeMap;

use crate::model::{Field, Measurement, Value};
use crate::questions::query::Answer;

/// The names of the answer's entities, for people.
pub(super) struct Names {
    pub(super) frameworks: BTreeMap<String, String>,
    pub(super) devices: BTreeMap<String, String>,
    pub(super) networks: BTreeMap<String, String>,
    pub(super) datasets: BTreeMap<String, String>,
}

impl Names {
    /// The names of everything in the answer.
    pub(super) fn of(answer: &Answer) -> Self {
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
        }
    }

    /// What stands in a row's cell.
    pub(super) fn cell(&self, row: &Measurement, field: Field) -> String {
        let named = |names: &BTreeMap<String, String>| {
            row.text(field).map_or_else(String::new, |id| names.get(id).cloned().unwrap_or_else(|| id.to_owned()))
        };
        match field {
            Field::Framework => self.framework(row),
            Field::Device => named(&self.devices),
            Field::Network => named(&self.networks),
            Field::Dataset => named(&self.datasets),
            field => row.get(field).map_or_else(String::new, Value::to_string),
        }
    }

    /// `Keras 2.0.6 on Theano 0.9.0`.
    fn framework(&self, row: &Measurement) -> String {
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

//! What the candidates of a ranking are called: one by one, as a kind, and counted.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::chosen_frame::FEW;
use super::frames::Frame;
use super::inputs::Ranking;
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Value};
use crate::rows::entity_kind;
use crate::values::text::counted;

impl Ranking<'_> {
    pub(super) fn name(&mut self, entry: &Entry) -> Result<String, QueryError> {
        if self.kind.are_settings || self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return self.name_of_system(entry);
        }
        let mut names = Vec::new();
        for (key, value) in &entry.subjects {
            let Some(aspect) = Aspect::keyed(key) else { continue };
            if aspect == Aspect::Field(Field::BatchSize) {
                names.push(format!("batch {value}"));
                continue;
            }
            if let (Aspect::Field(Field::DeviceCount), Value::Count(count)) = (aspect, value) {
                names.push(counted(*count as usize, "device", "devices"));
                continue;
            }
            names.push(self.names.of(aspect, &value.to_string(), self.stores)?);
        }
        Ok(names.join(" on "))
    }

    /// `8 x Tesla V100 (p3.16xlarge) with ResNet-50 in fastai`.
    fn name_of_system(&mut self, entry: &Entry) -> Result<String, QueryError> {
        let mut of = |field: Field| -> Result<Option<String>, QueryError> {
            let value = entry.subjects.get(field.key()).map(ToString::to_string);
            value.map(|value| self.names.of(Aspect::Field(field), &value, self.stores)).transpose()
        };
        let (device, count, instance) = (of(Field::Device)?, of(Field::DeviceCount)?, of(Field::Instance)?);
        let (network, framework) = (of(Field::Network)?, of(Field::Framework)?);
        let mut name = match (device, count) {
            (Some(device), Some(count)) => format!("{count} x {device}"),
            (device, _) => device.unwrap_or_default(),
        };
        if let Some(instance) = instance {
            name = if name.is_empty() { instance } else { format!("{name} ({instance})") };
        }
        name.extend(network.map(|network| format!(" with {network}")));
        if let Some(framework) = framework {
            name = if name.is_empty() { framework } else { format!("{name} in {framework}") };
        }
        // What else makes up a setting.
        let told = [
            Field::Device,
            Field::DeviceCount,
            Field::Instance,
            Field::Network,
            Field::Framework,
            Field::FrameworkVersion,
            Field::BatchSizeGlobal,
        ];
        let is_else = |key: &String| self.kind.are_settings && !told.iter().any(|field| field.key() == key);
        let others: IndexMap<String, Option<Value>> = entry
            .subjects
            .iter()
            .filter(|(key, _)| is_else(key))
            .map(|(key, value)| (key.clone(), Some(value.clone())))
            .collect();
        let others = self.names.frame(&others, self.stores)?;
        Ok(match (name.is_empty(), others.is_empty()) {
            (_, true) if name.is_empty() => "the only setting".to_owned(),
            (_, true) => name,
            (true, false) => others,
            (false, false) => format!("{name} ({others})"),
        })
    }

    pub(super) fn noun(&self) -> String {
        if self.kind.are_settings {
            return "setting".to_owned();
        }
        if self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return "system".to_owned();
        }
        entity_kind(self.aspect).map_or_else(|| self.aspect.key().replace('-', " "), |kind| kind.to_string())
    }

    /// `Only 2 of 9 devices with such rows were measured alike: this is no order of all.`: who is first of two is not first of all
    /// that were measured, which is to be known before the name.
    pub(super) fn measured_alike(&self, frame: &Frame) -> Option<String> {
        let ranked = frame.candidates.len();
        let one_by_one = !self.kind.are_settings && !self.kind.is_of_systems() && !self.kind.is_of_groups();
        if !(2..FEW).contains(&ranked) || !one_by_one {
            return None;
        }
        let measured = (0..self.hits.len()).map(|hit| self.values.number(self.aspect, &self.hits.parts(hit)));
        let measured = measured.filter(|number| *number > 0).collect::<HashSet<_>>().len();
        let told = format!(
            "Only {ranked} of {} with such rows were measured alike, so that this is no order of all.",
            self.count(measured)
        );
        (measured > ranked).then_some(told)
    }

    pub(super) fn count(&self, count: usize) -> String {
        if self.kind.are_settings {
            return counted(count, "setting", "settings");
        }
        if self.aspect == Aspect::Field(Field::DeviceCount) {
            return counted(count, "number of devices", "numbers of devices");
        }
        if self.kind.is_of_systems() && self.kind.identity.len() > 1 {
            return counted(count, "system", "systems");
        }
        let many = entity_kind(self.aspect).map_or_else(|| several(&self.noun()), |kind| kind.plural().to_owned());
        counted(count, &self.noun(), &many)
    }
}

/// Several of what a noun stands for: `architectures`, `classes`.
fn several(noun: &str) -> String {
    if noun.ends_with('s') { format!("{noun}es") } else { format!("{noun}s") }
}

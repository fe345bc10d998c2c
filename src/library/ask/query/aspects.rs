//! The aspects of an answer's measurements: what they state, and what the catalog says of what they name.

use std::collections::{HashMap, HashSet};

use super::answer::{AnsweredMeasurement, CatalogAnswer};
use crate::model::{Aspect, Dataset, Device, Field, Framework, Joined, Network, Setting, Source, Value};

/// Looks up the aspects of measurements in the catalog that came with them.
#[derive(Debug)]
pub struct Aspects<'c> {
    frameworks: HashMap<&'c str, &'c Framework>,
    devices: HashMap<&'c str, &'c Device>,
    networks: HashMap<&'c str, &'c Network>,
    datasets: HashMap<&'c str, &'c Dataset>,
    sources: HashMap<&'c str, &'c Source>,
    families: HashSet<&'c str>,
}

impl<'c> Aspects<'c> {
    /// The aspects by this catalog.
    pub fn of(catalog: &'c CatalogAnswer) -> Self {
        Self {
            frameworks: catalog.frameworks.iter().map(|f| (f.framework.id.as_str(), &f.framework)).collect(),
            devices: catalog.devices.iter().map(|device| (device.id.as_str(), device)).collect(),
            networks: catalog.networks.iter().map(|network| (network.id.as_str(), network)).collect(),
            datasets: catalog.datasets.iter().map(|dataset| (dataset.id.as_str(), dataset)).collect(),
            sources: catalog.sources.iter().map(|source| (source.id.as_str(), source)).collect(),
            families: catalog.devices.iter().filter_map(|device| Some(device.variant_of.as_ref()?.as_str())).collect(),
        }
    }

    /// The value of one aspect of a measurement; `None` when it is not known.
    ///
    /// A measurement that does not say otherwise was reported.
    pub fn value(&self, row: &AnsweredMeasurement, aspect: Aspect) -> Option<Value> {
        let recorded = row.recorded();
        match aspect {
            Aspect::Id => Some(text(row.id())),
            Aspect::Source => Some(text(recorded.source().as_str())),
            Aspect::Field(Field::Status) => Some(text(recorded.text(Field::Status).unwrap_or("reported"))),
            Aspect::Field(field) => recorded.get(field).cloned(),
            Aspect::Metric(metric) => row.metric(metric).map(|(value, _)| Value::Number(value)),
            Aspect::Derived(measure) => measure.of(recorded, &self.setting(row)).map(Value::Number),
            Aspect::Joined(fact) => self.fact(row, fact),
        }
    }

    /// Whether a device is a family whose SKUs are known.
    pub fn is_family(&self, device: &str) -> bool {
        self.families.contains(device)
    }

    /// The entities that a measurement names.
    fn setting(&self, row: &AnsweredMeasurement) -> Setting<'c> {
        let text = |field| row.recorded().text(field);
        Setting {
            device: text(Field::Device).and_then(|id| self.devices.get(id).copied()),
            network: text(Field::Network).and_then(|id| self.networks.get(id).copied()),
            dataset: text(Field::Dataset).and_then(|id| self.datasets.get(id).copied()),
        }
    }

    fn fact(&self, row: &AnsweredMeasurement, fact: Joined) -> Option<Value> {
        let recorded = row.recorded();
        match fact {
            Joined::License | Joined::MultiServer | Joined::Maturity => {
                let id = recorded.text(Field::Framework).or_else(|| recorded.text(Field::Backend))?;
                fact.of_framework(self.frameworks.get(id)?)
            }
            Joined::Family | Joined::Task | Joined::Parameters | Joined::MultiplyAdds => {
                fact.of_network(self.networks.get(recorded.text(Field::Network)?)?)
            }
            Joined::Year => fact.of_source(self.sources.get(recorded.source().as_str())?),
            _ => fact.of_device(self.devices.get(recorded.text(Field::Device)?)?),
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

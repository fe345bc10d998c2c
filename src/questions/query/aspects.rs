//! The aspects of an answer's measurements: what they state, and what the catalog says of what they name.

use std::collections::{HashMap, HashSet};

use super::answer::{AnsweredMeasurement, CatalogAnswer};
use crate::model::{Aspect, Device, Field, Framework, Joined, Network, Source, Value};
use crate::values::Decimal;

/// Looks up the aspects of measurements in the catalog that came with them.
#[derive(Debug)]
pub struct Aspects<'c> {
    frameworks: HashMap<&'c str, &'c Framework>,
    devices: HashMap<&'c str, &'c Device>,
    networks: HashMap<&'c str, &'c Network>,
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
            Aspect::Joined(fact) => self.fact(row, fact),
        }
    }

    /// Whether a device is a family whose SKUs are known.
    pub fn is_family(&self, device: &str) -> bool {
        self.families.contains(device)
    }

    fn fact(&self, row: &AnsweredMeasurement, fact: Joined) -> Option<Value> {
        let recorded = row.recorded();
        match fact {
            Joined::License | Joined::MultiServer | Joined::Maturity => {
                let id = recorded.text(Field::Framework).or_else(|| recorded.text(Field::Backend))?;
                of_framework(self.frameworks.get(id)?, fact)
            }
            Joined::Family | Joined::Task | Joined::Parameters | Joined::MultiplyAdds => {
                of_network(self.networks.get(recorded.text(Field::Network)?)?, fact)
            }
            Joined::Year => self.sources.get(recorded.source().as_str())?.year.map(Value::Count),
            _ => of_device(self.devices.get(recorded.text(Field::Device)?)?, fact),
        }
    }
}

/// A fact that a device brings; `None` when it is not known, or another entity's.
pub(super) fn of_device(device: &Device, fact: Joined) -> Option<Value> {
    match fact {
        Joined::Class => Some(text(device.class.into())),
        Joined::Vendor => device.vendor.as_deref().map(text),
        Joined::Architecture => device.architecture.as_deref().map(text),
        Joined::Memory => number(device.memory_gib),
        Joined::Bandwidth => number(device.bandwidth_gb_per_s),
        Joined::Tdp => number(device.tdp_w),
        Joined::Released => device.release_date.as_ref().map(|date| text(&date.to_string())),
        _ => None,
    }
}

/// A fact that a framework brings; `None` when it is not known, or another entity's.
pub(super) fn of_framework(framework: &Framework, fact: Joined) -> Option<Value> {
    match fact {
        Joined::License => framework.license.as_deref().map(text),
        Joined::MultiServer => framework.multi_server.map(|yes| text(if yes { "yes" } else { "no" })),
        Joined::Maturity => framework.status.map(|status| text(status.into())),
        _ => None,
    }
}

/// A fact that a network brings; `None` when it is not known, or another entity's.
pub(super) fn of_network(network: &Network, fact: Joined) -> Option<Value> {
    match fact {
        Joined::Family => network.family.as_ref().map(|family| text(family.as_str())),
        Joined::Task => network.task.as_deref().map(text),
        Joined::Parameters => number(network.parameters_m),
        Joined::MultiplyAdds => number(network.multiply_adds_g),
        _ => None,
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn number(number: Option<Decimal>) -> Option<Value> {
    number.map(Value::Number)
}

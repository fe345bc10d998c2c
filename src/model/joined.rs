//! Where in an entity each joined fact lies.

use super::{Device, Framework, Joined, Network, Source, Value};
use crate::values::Decimal;

impl Joined {
    /// What a device brings; `None` when it is not known, or another entity's.
    pub fn of_device(self, device: &Device) -> Option<Value> {
        match self {
            Self::Class => Some(text(device.class.into())),
            Self::Vendor => device.vendor.as_deref().map(text),
            Self::Architecture => device.architecture.as_deref().map(text),
            Self::Memory => number(device.memory_gib),
            Self::Bandwidth => number(device.bandwidth_gb_per_s),
            Self::Tdp => number(device.tdp_w),
            Self::Released => device.release_date.as_ref().map(|date| text(&date.to_string())),
            _ => None,
        }
    }

    /// What a framework brings; `None` when it is not known, or another entity's.
    pub fn of_framework(self, framework: &Framework) -> Option<Value> {
        match self {
            Self::License => framework.license.as_deref().map(text),
            Self::MultiServer => framework.multi_server.map(|yes| text(if yes { "yes" } else { "no" })),
            Self::Maturity => framework.status.map(|status| text(status.into())),
            _ => None,
        }
    }

    /// What a network brings; `None` when it is not known, or another entity's.
    pub fn of_network(self, network: &Network) -> Option<Value> {
        match self {
            Self::Family => network.family.as_ref().map(|family| text(family.as_str())),
            Self::Task => network.task.as_deref().map(text),
            Self::Parameters => number(network.parameters_m),
            Self::MultiplyAdds => number(network.multiply_adds_g),
            _ => None,
        }
    }

    /// What a source brings; `None` when it is not known, or another entity's.
    pub fn of_source(self, source: &Source) -> Option<Value> {
        match self {
            Self::Year => source.year.map(Value::Count),
            _ => None,
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn number(number: Option<Decimal>) -> Option<Value> {
    number.map(Value::Number)
}

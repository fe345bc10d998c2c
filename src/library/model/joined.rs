//! The facts of the catalog that a measurement has by the entities that it names.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Device, Framework, Network, Source, Value};
use crate::values::Decimal;

/// A fact that a measurement has by the entities that it names. The kebab-case name is its key, the same as in filters.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Joined {
    /// Hardware class of the device.
    Class,
    /// Maker of the device.
    Vendor,
    /// Micro-architecture of the device.
    Architecture,
    /// Memory of the device, GiB.
    Memory,
    /// Memory bandwidth of the device, 10^9 byte/s.
    Bandwidth,
    /// Thermal design power of the device, W.
    Tdp,
    /// When the device came out.
    Released,
    /// Licence of the framework, an SPDX expression.
    License,
    /// Whether the framework trains on several machines.
    MultiServer,
    /// How alive the framework is.
    Maturity,
    /// The family of the network.
    Family,
    /// Task of the network.
    Task,
    /// Parameters of the network, millions.
    Parameters,
    /// Multiply-adds of the network's forward pass, 10^9.
    MultiplyAdds,
    /// Year of the source.
    Year,
}

impl Joined {
    /// What a device brings; `None` when it is not known, or another entity's fact.
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

    /// What a framework brings; `None` when it is not known, or another entity's fact.
    pub fn of_framework(self, framework: &Framework) -> Option<Value> {
        match self {
            Self::License => framework.license.as_deref().map(text),
            Self::MultiServer => framework.multi_server.map(|yes| text(if yes { "yes" } else { "no" })),
            Self::Maturity => framework.status.map(|status| text(status.into())),
            _ => None,
        }
    }

    /// What a network brings; `None` when it is not known, or another entity's fact.
    pub fn of_network(self, network: &Network) -> Option<Value> {
        match self {
            Self::Family => network.family.as_ref().map(|family| text(family.as_str())),
            Self::Task => network.task.as_deref().map(text),
            Self::Parameters => number(network.parameters_m),
            Self::MultiplyAdds => number(network.multiply_adds_g),
            _ => None,
        }
    }

    /// What a source brings; `None` when it is not known, or another entity's fact.
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

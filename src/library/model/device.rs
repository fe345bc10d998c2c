//! A device family or SKU.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Citation, Value};
use crate::values::{Date, Decimal, EntityId, HardwareClass};

/// A device: a SKU refers to its family in `variant_of`; a family has the facts that its SKUs share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Device {
    /// The file name without its extension.
    pub id: EntityId,
    /// The name as its vendor writes it.
    pub name: String,
    /// Other names in use; each belongs to one device only.
    pub aliases: Vec<String>,
    /// The family.
    pub variant_of: Option<EntityId>,
    /// Hardware class.
    pub class: HardwareClass,
    /// Vendor.
    pub vendor: Option<String>,
    /// Micro-architecture.
    pub architecture: Option<String>,
    /// Name of the die.
    pub chip: Option<String>,
    /// SXM2, PCIe …
    pub form_factor: Option<String>,
    /// Memory of the board, GiB.
    pub memory_gib: Option<Decimal>,
    /// HBM2, GDDR6 …
    pub memory_type: Option<String>,
    /// Memory bandwidth of the board, 10^9 byte/s.
    pub bandwidth_gb_per_s: Option<Decimal>,
    /// CUDA cores, stream processors or CPU cores.
    pub cores: Option<i64>,
    /// Matrix units.
    pub tensor_cores: Option<i64>,
    /// Thermal design power, W.
    pub tdp_w: Option<Decimal>,
    /// Base clock, MHz.
    pub base_clock_mhz: Option<Decimal>,
    /// Boost clock, MHz.
    pub boost_clock_mhz: Option<Decimal>,
    /// Process node, nm.
    pub process_nm: Option<Decimal>,
    /// Release date.
    pub release_date: Option<Date>,
    /// Price at launch, US dollars.
    pub launch_price_usd: Option<Decimal>,
    /// CUDA compute capability.
    pub compute_capability: Option<String>,
    /// PCI vendor and device ids.
    pub pci_ids: Vec<String>,
    /// Dense peak throughput by number format, TFLOP/s (TOP/s for integers).
    pub peak_tflops: BTreeMap<NumberFormat, Decimal>,
    /// Cloud offers.
    pub cloud: Vec<CloudOffer>,
    /// The cheapest recent offer; computed from `cloud`, not stated in files.
    pub rent: Option<Rent>,
    /// Remarks.
    pub notes: Option<String>,
    /// The sources of the facts.
    pub sources: Vec<Citation>,
    /// Wrong or doubtful claims of surveys, by source, then by free key.
    pub reported: BTreeMap<EntityId, BTreeMap<String, Value>>,
}

impl Device {
    /// The names of its micro-architecture; for a chip with two kinds of cores also each core's: `Cortex-A76 + Cortex-A55`.
    pub fn architectures(&self) -> impl Iterator<Item = &str> {
        let all = self.architecture.as_deref();
        let each = all.into_iter().flat_map(|all| all.split(" + ")).filter(move |core| Some(*core) != all);
        all.into_iter().chain(each)
    }
}

/// A number format with a peak of its own; `-tensor` is the matrix unit's.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum NumberFormat {
    /// 64-bit floating point.
    Fp64,
    /// 64-bit floating point on matrix units.
    Fp64Tensor,
    /// 32-bit floating point.
    Fp32,
    /// TensorFloat-32 on matrix units.
    Tf32Tensor,
    /// 16-bit floating point.
    Fp16,
    /// 16-bit floating point on matrix units.
    Fp16Tensor,
    /// Bfloat16.
    Bf16,
    /// Bfloat16 on matrix units.
    Bf16Tensor,
    /// 8-bit floating point on matrix units.
    Fp8Tensor,
    /// 8-bit integers.
    Int8,
    /// 8-bit integers on matrix units.
    Int8Tensor,
    /// 4-bit integers on matrix units.
    Int4Tensor,
}

impl NumberFormat {
    /// Whether it is computed on matrix units.
    pub fn is_on_matrix_unit(self) -> bool {
        <&str>::from(self).ends_with("-tensor")
    }

    /// The same format on plain units; `None` for a plain format, and for a format that only matrix units support.
    pub fn on_plain_units(self) -> Option<Self> {
        <&str>::from(self).strip_suffix("-tensor")?.parse().ok()
    }
}

/// A cloud instance with the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CloudOffer {
    /// Cloud provider.
    pub provider: String,
    /// Name of the instance type.
    pub instance: String,
    /// Number of devices in an instance.
    pub devices: Option<i64>,
    /// Price of the instance, US dollars per hour.
    pub usd_per_hour: Option<Decimal>,
    /// Date of the price.
    pub as_of: Option<Date>,
    /// Source of the offer.
    pub source: EntityId,
}

/// The cheapest recent offer of a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rent {
    /// US dollars per hour for one device.
    pub usd_per_hour: Decimal,
    /// The device in the offer: this one, its family or, for a family, a member.
    pub device: EntityId,
    /// Cloud provider.
    pub provider: String,
    /// Name of the instance type.
    pub instance: String,
    /// Date of the price.
    pub as_of: Option<Date>,
    /// Source of the offer.
    pub source: EntityId,
}

/// `1.80 USD/h, Hill h.8, 2018-05`.
impl fmt::Display for Rent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} USD/h, {} {}, ", self.usd_per_hour, self.provider, self.instance)?;
        match self.as_of {
            Some(as_of) => write!(f, "{as_of}"),
            None => f.write_str("date not stated"),
        }
    }
}

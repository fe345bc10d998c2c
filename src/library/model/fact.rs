//! The facts of catalog entities that a question can filter by.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Catalog, Device, Framework, HardwareClassRecord, Network, NumberFormat};
use crate::values::{Decimal, EntityKind, Grade, Unit};

/// A fact of an entity. The kebab-case name is the key of a filter (`memory>=16GB`); the 12 hardware metrics have the
/// keys of the catalog's own list.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Fact {
    /// Memory of the board, GiB.
    Memory,
    /// HBM2, GDDR6 …
    MemoryType,
    /// Memory bandwidth of the board, 10^9 byte/s.
    Bandwidth,
    /// CUDA cores, stream processors or CPU cores.
    Cores,
    /// Matrix units.
    TensorCores,
    /// Thermal design power, W.
    Tdp,
    /// Base clock, MHz.
    BaseClock,
    /// Boost clock, MHz.
    BoostClock,
    /// Process node, nm.
    Process,
    /// Year in which the device came out.
    Released,
    /// Price at launch, US dollars.
    LaunchPrice,
    /// The cheapest offer, for one device, US dollars an hour.
    Price,
    /// SXM2, PCIe …
    FormFactor,
    /// Name of the die.
    Chip,
    /// CUDA compute capability.
    ComputeCapability,
    /// Dense peak in fp64, TFLOP/s.
    PeakFp64,
    /// Dense peak in fp64 on matrix units, TFLOP/s.
    PeakFp64Tensor,
    /// Dense peak in fp32, TFLOP/s.
    PeakFp32,
    /// Dense peak in tf32 on matrix units, TFLOP/s.
    PeakTf32Tensor,
    /// Dense peak in fp16, TFLOP/s.
    PeakFp16,
    /// Dense peak in fp16 on matrix units, TFLOP/s.
    PeakFp16Tensor,
    /// Dense peak in bf16, TFLOP/s.
    PeakBf16,
    /// Dense peak in bf16 on matrix units, TFLOP/s.
    PeakBf16Tensor,
    /// Dense peak in fp8 on matrix units, TFLOP/s.
    PeakFp8Tensor,
    /// Dense peak in int8, TOP/s.
    PeakInt8,
    /// Dense peak in int8 on matrix units, TOP/s.
    PeakInt8Tensor,
    /// Dense peak in int4 on matrix units, TOP/s.
    PeakInt4Tensor,
    /// A family that the network belongs to.
    Family,
    /// Trainable parameters, millions.
    Parameters,
    /// Multiply-adds of a forward pass of one sample, 10^9.
    MultiplyAdds,
    /// Year of the paper.
    Published,
    /// A language of the core.
    CoreLanguage,
    /// A language with an official interface.
    ApiLanguage,
    /// A network that the makers verified.
    TestedNetwork,
    /// A data set that the makers verified.
    TestedDataset,
    /// Who maintains the framework.
    Steward,
    /// Year of the first public release.
    FirstRelease,
}

/// The value of a fact.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue {
    /// In the fact's unit; a grade by its rank, a date by its year.
    Number(f64),
    /// A word or an id.
    Word(String),
}

impl Fact {
    /// The key of a filter.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// What has the fact.
    pub fn kind(self) -> EntityKind {
        match self {
            Self::Family | Self::Parameters | Self::MultiplyAdds | Self::Published => EntityKind::Network,
            Self::CoreLanguage
            | Self::ApiLanguage
            | Self::TestedNetwork
            | Self::TestedDataset
            | Self::Steward
            | Self::FirstRelease => EntityKind::Framework,
            _ => EntityKind::Device,
        }
    }

    /// The unit of a number; `None` where the fact is a word.
    pub fn unit(self) -> Option<Unit> {
        Some(match self {
            Self::MemoryType
            | Self::FormFactor
            | Self::Chip
            | Self::ComputeCapability
            | Self::Family
            | Self::CoreLanguage
            | Self::ApiLanguage
            | Self::TestedNetwork
            | Self::TestedDataset
            | Self::Steward => return None,
            Self::Memory => Unit::Gibibytes,
            Self::Bandwidth => Unit::GigabytesPerSecond,
            Self::Cores | Self::TensorCores | Self::Released | Self::Published | Self::FirstRelease => Unit::Count,
            Self::Tdp => Unit::Watts,
            Self::BaseClock | Self::BoostClock => Unit::Megahertz,
            Self::Process => Unit::Nanometres,
            Self::LaunchPrice => Unit::Dollars,
            Self::Price => Unit::DollarsPerHour,
            Self::Parameters => Unit::Millions,
            Self::MultiplyAdds => Unit::Billions,
            Self::PeakFp64
            | Self::PeakFp64Tensor
            | Self::PeakFp32
            | Self::PeakTf32Tensor
            | Self::PeakFp16
            | Self::PeakFp16Tensor
            | Self::PeakBf16
            | Self::PeakBf16Tensor
            | Self::PeakFp8Tensor
            | Self::PeakInt8
            | Self::PeakInt8Tensor
            | Self::PeakInt4Tensor => Unit::TeraOperations,
        })
    }

    fn of_peak(format: NumberFormat) -> Self {
        match format {
            NumberFormat::Fp64 => Self::PeakFp64,
            NumberFormat::Fp64Tensor => Self::PeakFp64Tensor,
            NumberFormat::Fp32 => Self::PeakFp32,
            NumberFormat::Tf32Tensor => Self::PeakTf32Tensor,
            NumberFormat::Fp16 => Self::PeakFp16,
            NumberFormat::Fp16Tensor => Self::PeakFp16Tensor,
            NumberFormat::Bf16 => Self::PeakBf16,
            NumberFormat::Bf16Tensor => Self::PeakBf16Tensor,
            NumberFormat::Fp8Tensor => Self::PeakFp8Tensor,
            NumberFormat::Int8 => Self::PeakInt8,
            NumberFormat::Int8Tensor => Self::PeakInt8Tensor,
            NumberFormat::Int4Tensor => Self::PeakInt4Tensor,
        }
    }
}

/// How good a grade is, the best being the largest. A survey's `good` stands between `moderate` and `high`.
pub fn rank_of(grade: Grade) -> f64 {
    match grade {
        Grade::Low => 1.0,
        Grade::Moderate => 2.0,
        Grade::Good => 3.0,
        Grade::High => 4.0,
    }
}

/// The facts of one entity by their keys.
pub type Facts = Vec<(String, FactValue)>;

/// The facts of a device; what only its family states is the family's.
pub fn facts_of_device(device: &Device) -> Facts {
    let mut facts = Facts::new();
    let mut number = |fact: Fact, value: Option<f64>| {
        facts.extend(value.map(|value| (fact.to_string(), FactValue::Number(value))));
    };
    let decimal = |value: Option<Decimal>| value.map(Decimal::value);
    number(Fact::Memory, decimal(device.memory_gib));
    number(Fact::Bandwidth, decimal(device.bandwidth_gb_per_s));
    number(Fact::Cores, device.cores.map(|cores| cores as f64));
    number(Fact::TensorCores, device.tensor_cores.map(|cores| cores as f64));
    number(Fact::Tdp, decimal(device.tdp_w));
    number(Fact::BaseClock, decimal(device.base_clock_mhz));
    number(Fact::BoostClock, decimal(device.boost_clock_mhz));
    number(Fact::Process, decimal(device.process_nm));
    number(Fact::Released, device.release_date.map(|date| f64::from(date.year())));
    number(Fact::LaunchPrice, decimal(device.launch_price_usd));
    let offers = device.cloud.iter().filter_map(|offer| {
        let devices = offer.devices.filter(|devices| *devices > 0)?;
        Some(offer.usd_per_hour?.value() / devices as f64)
    });
    number(Fact::Price, offers.min_by(f64::total_cmp));
    for (format, peak) in &device.peak_tflops {
        number(Fact::of_peak(*format), Some(peak.value()));
    }
    let words = [
        (Fact::MemoryType, &device.memory_type),
        (Fact::FormFactor, &device.form_factor),
        (Fact::Chip, &device.chip),
        (Fact::ComputeCapability, &device.compute_capability),
    ];
    facts.extend(words.into_iter().filter_map(|(fact, word)| Some((fact.to_string(), word_of(word.as_ref()?)))));
    facts
}

/// The facts of a network; its families are all those it descends from.
pub fn facts_of_network(network: &Network, catalog: &Catalog) -> Facts {
    let lineage = catalog.network_lineage(&network.id);
    let mut facts: Facts =
        lineage.iter().map(|ancestor| (Fact::Family.to_string(), word_of(ancestor.as_str()))).collect();
    let numbers = [
        (Fact::Parameters, network.parameters_m.map(Decimal::value)),
        (Fact::MultiplyAdds, network.multiply_adds_g.map(Decimal::value)),
        (Fact::Published, network.year.map(|year| year as f64)),
    ];
    facts.extend(numbers.into_iter().filter_map(|(fact, number)| Some((fact.to_string(), FactValue::Number(number?)))));
    facts
}

/// The facts of a framework. One that was tested on a family was tested on its members.
pub fn facts_of_framework(framework: &Framework, catalog: &Catalog) -> Facts {
    let mut facts = Facts::new();
    let mut words = |fact: Fact, words: &mut dyn Iterator<Item = &str>| {
        facts.extend(words.map(|word| (fact.to_string(), word_of(word))));
    };
    words(Fact::CoreLanguage, &mut framework.core_languages.iter().map(String::as_str));
    words(Fact::ApiLanguage, &mut framework.api_languages.iter().map(String::as_str));
    words(Fact::TestedNetwork, &mut catalog.networks_tested_by(framework).into_iter().map(|network| network.as_str()));
    words(Fact::TestedDataset, &mut framework.tested_datasets.iter().map(|dataset| dataset.as_str()));
    words(Fact::Steward, &mut framework.steward.iter().map(String::as_str));
    if let Some(date) = framework.first_release {
        facts.push((Fact::FirstRelease.to_string(), FactValue::Number(f64::from(date.year()))));
    }
    facts
}

/// The grades of a hardware class, by hardware metric.
pub fn facts_of_hardware_class(class: &HardwareClassRecord) -> Facts {
    class.grades.iter().map(|(metric, record)| (metric.to_string(), FactValue::Number(rank_of(record.grade)))).collect()
}

fn word_of(word: impl AsRef<str>) -> FactValue {
    FactValue::Word(word.as_ref().to_owned())
}

//! What the facts of devices are compared by: ratios that devices of one kind have nearly in common, and texts that they share.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Device, NumberFormat};
use crate::values::HardwareClass;

use Like::{Architecture, Capability, Die, DieSeries, Gpus, MemoryType, ProductLine};
use NumberFormat::{Bf16Tensor, Fp8Tensor, Fp16, Fp16Tensor, Fp32, Fp64, Int8Tensor, Tf32Tensor};

/// Fewer others are no company.
pub(super) const FEWEST_OTHERS: usize = 2;

/// A number that devices of one kind have nearly in common.
pub(super) struct Relation {
    pub what: &'static str,
    /// The facts it is made of, the most suspicious first.
    pub keys: &'static [&'static str],
    pub value: fn(&Device) -> Option<f64>,
    /// Kinds in which it is compared: the first one with two others counts.
    pub likes: &'static [Like],
    /// The nearest other differs by at most this factor.
    pub within: f64,
}

/// A peak of matrix units over that of fp32.
fn over_fp32(device: &Device, format: NumberFormat) -> Option<f64> {
    ratio(peak(device, format), fp32(device))
}

/// What devices have in common whose numbers are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Like {
    Die,
    DieSeries,
    Capability,
    Architecture,
    MemoryType,
    ProductLine,
    Gpus,
}

impl Like {
    /// What the device has in common with others of its kind, and the fact that says so.
    pub fn of(self, device: &Device, kin: &Kin) -> Option<(String, &'static str)> {
        match self {
            Die => Some((device.chip.clone()?, "chip")),
            // `GA` of GA102: an architecture's dies are called alike.
            DieSeries => Some((die_series(device)?, "chip")),
            Capability => kin.capability.clone(),
            Architecture => kin.architecture.clone(),
            MemoryType => Some((device.memory_type.clone()?, "memory-type")),
            ProductLine => {
                let own = device.vendor.as_ref().and_then(|vendor| device.name.strip_prefix(vendor.as_str()));
                Some((own.unwrap_or(&device.name).split_whitespace().next()?.to_owned(), "name"))
            }
            Gpus => (device.class == HardwareClass::Gpu).then(|| ("GPUs".to_owned(), "class")),
        }
    }
}

/// The letters that a die's name begins with.
fn die_series(device: &Device) -> Option<String> {
    let chip = device.chip.as_deref().filter(|_| device.class == HardwareClass::Gpu)?;
    let letters: String = chip.chars().take_while(char::is_ascii_uppercase).collect();
    (letters.len() >= 2 && letters.len() < chip.len()).then_some(letters)
}

/// What a device is one of: as its entry says, else as others with its die say. Each with the fact that says so.
#[derive(Debug, Default)]
pub(super) struct Kin {
    pub capability: Option<(String, &'static str)>,
    pub architecture: Option<(String, &'static str)>,
}

impl Kin {
    /// The kin of each device.
    pub fn of_all(devices: &[&Device]) -> Vec<Self> {
        let of_dies = |fact: fn(&Device) -> Option<&str>| {
            let mut dies: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for device in devices {
                if let (Some(die), Some(value)) = (device.chip.as_deref(), fact(device)) {
                    dies.entry(die).or_default().insert(value);
                }
            }
            dies
        };
        let capability: fn(&Device) -> Option<&str> = |device| device.compute_capability.as_deref();
        let architecture: fn(&Device) -> Option<&str> = |device| device.architecture.as_deref();
        let dies = (of_dies(capability), of_dies(architecture));
        let one = |values: Option<&BTreeSet<&str>>| match values.map(|values| values.iter().collect::<Vec<_>>()) {
            Some(values) if values.len() == 1 => Some((values[0].to_string(), "chip")),
            _ => None,
        };
        let kin = devices.iter().map(|device| {
            let die = device.chip.as_deref().unwrap_or_default();
            let own = |value: Option<&str>, key| Some((value?.to_owned(), key));
            Self {
                capability: own(capability(device), "compute-capability").or_else(|| one(dies.0.get(die))),
                architecture: own(architecture(device), "architecture").or_else(|| one(dies.1.get(die))),
            }
        });
        kin.collect()
    }
}

pub(super) fn peak(device: &Device, format: NumberFormat) -> Option<f64> {
    Some(device.peak_tflops.get(&format)?.value()).filter(|peak| *peak > 0.0)
}

/// The fp32 peak as stated, else as cores and clock give it: two operations a clock of each core, where nothing says that
/// the architecture does more.
pub(super) fn fp32(device: &Device) -> Option<f64> {
    let computed = || {
        let is_plain = device.class == HardwareClass::Gpu && device.vendor.as_deref() == Some("NVIDIA");
        let (cores, clock) = (device.cores.filter(|_| is_plain)?, device.boost_clock_mhz?);
        Some(2.0 * cores as f64 * clock.value() / 1e6)
    };
    peak(device, NumberFormat::Fp32).or_else(computed)
}

pub(super) fn ratio(over: Option<f64>, under: Option<f64>) -> Option<f64> {
    let (over, under) = (over?, under?);
    (over > 0.0 && under > 0.0).then(|| over / under)
}

pub(super) fn peaks(device: &Device, over: NumberFormat, under: NumberFormat) -> Option<f64> {
    ratio(peak(device, over), peak(device, under))
}

fn price(device: &Device) -> Option<f64> {
    device.launch_price_usd.map(|price| price.value())
}

fn bandwidth(device: &Device) -> Option<f64> {
    device.bandwidth_gb_per_s.map(|bandwidth| bandwidth.value())
}

/// What the relation is in 1000 operations a clock: TFLOP/s over units times MHz.
pub(super) fn a_clock(device: &Device, peak: Option<f64>, units: Option<i64>) -> Option<f64> {
    ratio(Some(peak? * 1e6), Some(units? as f64 * device.boost_clock_mhz?.value()))
}

/// A year as a factor, so that years apart are factors apart.
fn year(device: &Device) -> Option<f64> {
    device.release_date.map(|date| (f64::from(date.year()) / YEARS_OF_A_FACTOR).exp())
}

const YEARS_OF_A_FACTOR: f64 = 10.0;
/// Boards of one compute capability come out within this time of another, e^(2.4/10).
const WITHIN_YEARS: f64 = 1.27;
/// Boards with one die within less than two years, e^(1.7/10): the V100S came one after the other V100.
const WITHIN_YEARS_OF_DIE: f64 = 1.19;

/// Ratios of peaks are exact but for rounding and clocks of their own.
const EXACT: f64 = 1.15;

#[rustfmt::skip]
pub(super) const RELATIONS: &[Relation] = &[
    Relation { what: "the fp64 peak over that of fp32", keys: &["peak-tflops.fp64", "peak-tflops.fp32"], value: |d| peaks(d, Fp64, Fp32), likes: &[Capability], within: 1.25 },
    Relation { what: "the fp16 peak over that of fp32", keys: &["peak-tflops.fp16", "peak-tflops.fp32"], value: |d| peaks(d, Fp16, Fp32), likes: &[Capability], within: 2.1 },
    Relation { what: "cores for each matrix unit", keys: &["tensor-cores", "cores"], value: |d| ratio(d.cores.map(|n| n as f64), d.tensor_cores.map(|n| n as f64)), likes: &[Capability], within: 1.25 },
    Relation { what: "the operations of a matrix unit in a clock", keys: &["peak-tflops.fp16-tensor", "tensor-cores", "boost-clock-mhz"], value: |d| a_clock(d, peak(d, Fp16Tensor), d.tensor_cores), likes: &[Capability], within: EXACT },
    Relation { what: "the fp16 peak of matrix units over that of fp32", keys: &["peak-tflops.fp16-tensor", "peak-tflops.fp32"], value: |d| ratio(peak(d, Fp16Tensor), fp32(d)), likes: &[Capability, Die, Architecture], within: EXACT },
    Relation { what: "the bf16 peak of matrix units over that of fp32", keys: &["peak-tflops.bf16-tensor", "peak-tflops.fp32"], value: |d| over_fp32(d, Bf16Tensor), likes: &[Capability, Die, Architecture], within: EXACT },
    Relation { what: "the fp8 peak of matrix units over that of fp32", keys: &["peak-tflops.fp8-tensor", "peak-tflops.fp32"], value: |d| over_fp32(d, Fp8Tensor), likes: &[Capability, Die, Architecture], within: EXACT },
    Relation { what: "the int8 peak of matrix units over that of fp32", keys: &["peak-tflops.int8-tensor", "peak-tflops.fp32"], value: |d| over_fp32(d, Int8Tensor), likes: &[Capability, Die, Architecture], within: EXACT },
    Relation { what: "the int8 peak of matrix units over that of fp16", keys: &["peak-tflops.int8-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Int8Tensor, Fp16Tensor), likes: &[Capability, Gpus], within: EXACT },
    Relation { what: "the TF32 peak of matrix units over that of fp16", keys: &["peak-tflops.tf32-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Tf32Tensor, Fp16Tensor), likes: &[Gpus], within: EXACT },
    Relation { what: "the fp8 peak of matrix units over that of fp16", keys: &["peak-tflops.fp8-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Fp8Tensor, Fp16Tensor), likes: &[Capability, Gpus], within: EXACT },
    Relation { what: "the fp8 peak of matrix units over that of int8", keys: &["peak-tflops.fp8-tensor", "peak-tflops.int8-tensor"], value: |d| peaks(d, Fp8Tensor, Int8Tensor), likes: &[Capability, Gpus], within: EXACT },
    Relation { what: "the bf16 peak of matrix units over that of fp16", keys: &["peak-tflops.bf16-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Bf16Tensor, Fp16Tensor), likes: &[Gpus], within: 2.1 },
    Relation { what: "the fp32 peak for each watt", keys: &["tdp-w", "peak-tflops.fp32"], value: |d| ratio(peak(d, Fp32), d.tdp_w.map(|watts| watts.value())), likes: &[Capability, Architecture], within: 2.0 },
    Relation { what: "the bandwidth for the fp32 peak", keys: &["bandwidth-gb-per-s", "peak-tflops.fp32"], value: |d| ratio(bandwidth(d), peak(d, Fp32)), likes: &[Die, Capability], within: 2.0 },
    Relation { what: "the bandwidth", keys: &["bandwidth-gb-per-s"], value: bandwidth, likes: &[MemoryType], within: 2.0 },
    Relation { what: "the bandwidth for each GiB", keys: &["memory-gib", "bandwidth-gb-per-s"], value: |d| ratio(bandwidth(d), d.memory_gib.map(|gib| gib.value())), likes: &[Capability, Architecture], within: 3.2 },
    Relation { what: "the fp16 peak of matrix units", keys: &["peak-tflops.fp16-tensor"], value: |d| peak(d, Fp16Tensor), likes: &[Capability], within: 2.0 },
    Relation { what: "the memory", keys: &["memory-gib"], value: |d| d.memory_gib.map(|gib| gib.value()), likes: &[Die], within: 3.2 },
    Relation { what: "the process", keys: &["process-nm"], value: |d| d.process_nm.map(|nm| nm.value()), likes: &[Die, Capability, Architecture], within: 1.3 },
    Relation { what: "the price of the fp32 peak", keys: &["launch-price-usd", "peak-tflops.fp32"], value: |d| ratio(price(d), peak(d, Fp32)), likes: &[ProductLine], within: 2.5 },
    Relation { what: "the price", keys: &["launch-price-usd"], value: price, likes: &[ProductLine], within: 3.0 },
    Relation { what: "the base clock over the boost clock", keys: &["base-clock-mhz", "boost-clock-mhz"], value: |d| ratio(d.base_clock_mhz.map(|mhz| mhz.value()), d.boost_clock_mhz.map(|mhz| mhz.value())), likes: &[Gpus], within: 1.3 },
    Relation { what: "the boost clock", keys: &["boost-clock-mhz"], value: |d| d.boost_clock_mhz.map(|mhz| mhz.value()), likes: &[Capability, Architecture], within: 1.5 },
    Relation { what: "the power for each GiB", keys: &["tdp-w", "memory-gib"], value: |d| ratio(d.tdp_w.map(|watts| watts.value()), d.memory_gib.map(|gib| gib.value())), likes: &[Capability, Architecture], within: 4.0 },
    Relation { what: "the year", keys: &["release-date"], value: year, likes: &[Die], within: WITHIN_YEARS_OF_DIE },
    Relation { what: "the year", keys: &["release-date"], value: year, likes: &[Die, Capability, Architecture], within: WITHIN_YEARS },
];

/// A text that devices of one kind have in common, and how many others must agree on it.
pub(super) type Shared = (&'static str, fn(&Device) -> Option<String>, Like, usize);

pub(super) const SHARED: &[Shared] = &[
    ("compute-capability", |d| d.compute_capability.clone(), Die, FEWEST_OTHERS),
    ("architecture", |d| d.architecture.clone(), Die, FEWEST_OTHERS),
    ("architecture", |d| d.architecture.clone(), DieSeries, FEWEST_OTHERS),
    ("vendor", |d| d.vendor.clone(), Die, 1),
    ("memory-type", generation_of_memory, Die, FEWEST_OTHERS),
    ("architecture", |d| d.architecture.clone(), Capability, FEWEST_OTHERS),
    ("class", |d| Some(d.class.to_string()), Die, FEWEST_OTHERS),
    ("class", |d| Some(d.class.to_string()), Capability, FEWEST_OTHERS),
    ("vendor", |d| d.vendor.clone(), Capability, FEWEST_OTHERS),
];

/// `GDDR6` of `GDDR6X`: boards with one die may have either.
fn generation_of_memory(device: &Device) -> Option<String> {
    let kind = device.memory_type.as_ref()?;
    // A die may have any generation of stacked memory.
    if kind.starts_with("HBM") {
        return Some("HBM".to_owned());
    }
    Some(kind.trim_end_matches(|c: char| c.is_ascii_alphabetic() && !c.is_ascii_digit()).to_owned())
}

//! A fact that contradicts the other facts of its device, or those of its like.

use std::collections::{BTreeMap, HashMap};

use crate::contribute::lint::{Check, Findings, LintContext, Rule, Sample, nearest_factors};
use crate::model::{Code, Device, NumberFormat, Severity};
use crate::reading::{Located, Step};
use crate::values::{EntityKind, HardwareClass};

use Like::{Architecture, Capability, Die, Gpus, MemoryType, ProductLine};
use NumberFormat::{Bf16Tensor, Fp8Tensor, Fp16, Fp16Tensor, Fp32, Fp64, Int4Tensor, Int8Tensor, Tf32Tensor};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(217),
    title: "a fact that contradicts the others of its device",
    severity: Severity::Warning,
    page: "The facts of a device are bound to each other: cores times clock times two is the fp32 peak; matrix units times clock is the fp16 peak by a number of its architecture; fp64, fp16 and int8 are fixed shares of another peak; power, bandwidth, price and year stay near those of the same die, compute capability or architecture. The rule compares each ratio with the nearest other device of the same kind, and names the fact that takes part in most of what does not fit.

A peak twice as high is most often the sparse one: peaks here are dense. A fact that is right and strange (a board cut down, another accumulator) is excepted with its reason.",
    sample: Sample::edited("catalog/devices/nova-100-16gb.toml", "boost-clock-mhz = 1500", "boost-clock-mhz = 1250"),
    check: Check::Catalog(find),
};

/// A number that devices of one kind have nearly in common.
struct Relation {
    what: &'static str,
    /// The facts it is made of, the most suspicious first.
    keys: &'static [&'static str],
    value: fn(&Device) -> Option<f64>,
    /// Kinds in which it is compared: the first one with two others counts.
    likes: &'static [Like],
    /// The nearest other differs by at most this factor.
    within: f64,
}

/// What devices have in common whose numbers are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Like {
    Die,
    Capability,
    Architecture,
    MemoryType,
    ProductLine,
    Gpus,
}

impl Like {
    /// What the device has in common with others of its kind, and the fact that says so.
    fn of(self, device: &Device) -> Option<(String, &'static str)> {
        match self {
            Die => Some((device.chip.clone()?, "chip")),
            Capability => Some((device.compute_capability.clone()?, "compute-capability")),
            Architecture => Some((device.architecture.clone()?, "architecture")),
            MemoryType => Some((device.memory_type.clone()?, "memory-type")),
            ProductLine => {
                let own = device.vendor.as_ref().and_then(|vendor| device.name.strip_prefix(vendor.as_str()));
                Some((own.unwrap_or(&device.name).split_whitespace().next()?.to_owned(), "name"))
            }
            Gpus => (device.class == HardwareClass::Gpu).then(|| ("GPUs".to_owned(), "class")),
        }
    }
}

fn peak(device: &Device, format: NumberFormat) -> Option<f64> {
    Some(device.peak_tflops.get(&format)?.value()).filter(|peak| *peak > 0.0)
}

fn ratio(over: Option<f64>, under: Option<f64>) -> Option<f64> {
    let (over, under) = (over?, under?);
    (over > 0.0 && under > 0.0).then(|| over / under)
}

fn peaks(device: &Device, over: NumberFormat, under: NumberFormat) -> Option<f64> {
    ratio(peak(device, over), peak(device, under))
}

fn price(device: &Device) -> Option<f64> {
    device.launch_price_usd.map(|price| price.value())
}

fn bandwidth(device: &Device) -> Option<f64> {
    device.bandwidth_gb_per_s.map(|bandwidth| bandwidth.value())
}

/// What the relation is in 1000 operations a clock: TFLOP/s over units times MHz.
fn a_clock(device: &Device, peak: Option<f64>, units: Option<i64>) -> Option<f64> {
    ratio(Some(peak? * 1e6), Some(units? as f64 * device.boost_clock_mhz?.value()))
}

/// A year as a factor, so that years apart are factors apart.
fn year(device: &Device) -> Option<f64> {
    device.release_date.map(|date| (f64::from(date.year()) / YEARS_OF_A_FACTOR).exp())
}

const YEARS_OF_A_FACTOR: f64 = 10.0;
/// Boards with one die come out within this time of another, e^(2.4/10).
const WITHIN_YEARS: f64 = 1.27;

/// Ratios of peaks are exact but for rounding and clocks of their own.
const EXACT: f64 = 1.15;

#[rustfmt::skip]
const RELATIONS: &[Relation] = &[
    Relation { what: "the fp64 peak over that of fp32", keys: &["peak-tflops.fp64", "peak-tflops.fp32"], value: |d| peaks(d, Fp64, Fp32), likes: &[Capability], within: 1.25 },
    Relation { what: "the fp16 peak over that of fp32", keys: &["peak-tflops.fp16", "peak-tflops.fp32"], value: |d| peaks(d, Fp16, Fp32), likes: &[Capability], within: 2.1 },
    Relation { what: "cores for each matrix unit", keys: &["tensor-cores", "cores"], value: |d| ratio(d.cores.map(|n| n as f64), d.tensor_cores.map(|n| n as f64)), likes: &[Capability], within: 1.25 },
    Relation { what: "the operations of a matrix unit in a clock", keys: &["peak-tflops.fp16-tensor", "tensor-cores", "boost-clock-mhz"], value: |d| a_clock(d, peak(d, Fp16Tensor), d.tensor_cores), likes: &[Capability], within: EXACT },
    Relation { what: "the fp16 peak of matrix units over that of fp32", keys: &["peak-tflops.fp16-tensor", "peak-tflops.fp32"], value: |d| peaks(d, Fp16Tensor, Fp32), likes: &[Capability], within: EXACT },
    Relation { what: "the int8 peak of matrix units over that of fp16", keys: &["peak-tflops.int8-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Int8Tensor, Fp16Tensor), likes: &[Gpus], within: EXACT },
    Relation { what: "the TF32 peak of matrix units over that of fp16", keys: &["peak-tflops.tf32-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Tf32Tensor, Fp16Tensor), likes: &[Gpus], within: EXACT },
    Relation { what: "the fp8 peak of matrix units over that of fp16", keys: &["peak-tflops.fp8-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Fp8Tensor, Fp16Tensor), likes: &[Gpus], within: EXACT },
    Relation { what: "the fp8 peak of matrix units over that of int8", keys: &["peak-tflops.fp8-tensor", "peak-tflops.int8-tensor"], value: |d| peaks(d, Fp8Tensor, Int8Tensor), likes: &[Gpus], within: EXACT },
    Relation { what: "the bf16 peak of matrix units over that of fp16", keys: &["peak-tflops.bf16-tensor", "peak-tflops.fp16-tensor"], value: |d| peaks(d, Bf16Tensor, Fp16Tensor), likes: &[Gpus], within: 2.1 },
    Relation { what: "the fp32 peak for each watt", keys: &["tdp-w", "peak-tflops.fp32"], value: |d| ratio(peak(d, Fp32), d.tdp_w.map(|watts| watts.value())), likes: &[Capability, Architecture], within: 2.0 },
    Relation { what: "the bandwidth for the fp32 peak", keys: &["bandwidth-gb-per-s", "peak-tflops.fp32"], value: |d| ratio(bandwidth(d), peak(d, Fp32)), likes: &[Die, Capability], within: 2.0 },
    Relation { what: "the bandwidth", keys: &["bandwidth-gb-per-s"], value: bandwidth, likes: &[MemoryType], within: 2.0 },
    Relation { what: "the bandwidth for each GiB", keys: &["memory-gib", "bandwidth-gb-per-s"], value: |d| ratio(bandwidth(d), d.memory_gib.map(|gib| gib.value())), likes: &[Capability, Architecture], within: 3.2 },
    Relation { what: "the process", keys: &["process-nm"], value: |d| d.process_nm.map(|nm| nm.value()), likes: &[Die, Capability, Architecture], within: 1.3 },
    Relation { what: "the price of the fp32 peak", keys: &["launch-price-usd", "peak-tflops.fp32"], value: |d| ratio(price(d), peak(d, Fp32)), likes: &[ProductLine], within: 2.5 },
    Relation { what: "the price", keys: &["launch-price-usd"], value: price, likes: &[ProductLine], within: 3.0 },
    Relation { what: "the base clock over the boost clock", keys: &["base-clock-mhz", "boost-clock-mhz"], value: |d| ratio(d.base_clock_mhz.map(|mhz| mhz.value()), d.boost_clock_mhz.map(|mhz| mhz.value())), likes: &[Gpus], within: 1.3 },
    Relation { what: "the boost clock", keys: &["boost-clock-mhz"], value: |d| d.boost_clock_mhz.map(|mhz| mhz.value()), likes: &[Capability, Architecture], within: 1.5 },
    Relation { what: "the power for each GiB", keys: &["tdp-w", "memory-gib"], value: |d| ratio(d.tdp_w.map(|watts| watts.value()), d.memory_gib.map(|gib| gib.value())), likes: &[Capability, Architecture], within: 4.0 },
    Relation { what: "the year", keys: &["release-date"], value: year, likes: &[Die, Capability, Architecture], within: WITHIN_YEARS },
];

/// A text that devices of one kind have in common, and how many others must agree on it.
type Shared = (&'static str, fn(&Device) -> Option<String>, Like, usize);

const SHARED: &[Shared] = &[
    ("compute-capability", |d| d.compute_capability.clone(), Die, FEWEST_OTHERS),
    ("architecture", |d| d.architecture.clone(), Die, FEWEST_OTHERS),
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

/// What was compared, and whether it fits.
struct Tested {
    keys: Vec<&'static str>,
    fits: bool,
    told: String,
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let devices: Vec<&Device> = context.loaded.catalog.devices.values().collect();
    let mut tested: Vec<Vec<Tested>> = devices.iter().map(|device| formulas(device)).collect();
    for relation in RELATIONS {
        compare(&devices, relation, &mut tested);
    }
    for shared in SHARED {
        compare_texts(&devices, shared, &mut tested);
    }
    for (device, tested) in devices.iter().zip(tested) {
        if let Some(place) = context.place(EntityKind::Device, device.id.as_str()) {
            blame(device, place, tested, found);
        }
    }
}

/// What follows from a formula, whatever other devices have.
fn formulas(device: &Device) -> Vec<Tested> {
    let mut all = Vec::new();
    if let Some(ratio) =
        a_clock(device, peak(device, Fp32), device.cores).filter(|_| device.class == HardwareClass::Gpu)
    {
        let each = if is_dual_issue(device) { 4.0 } else { 2.0 };
        let told = format!("cores times clock give {:.2} operations a clock and core, {each} are done", ratio);
        all.push(Tested {
            keys: vec!["peak-tflops.fp32", "boost-clock-mhz", "cores"],
            fits: (0.92..1.08).contains(&(ratio / each)),
            told,
        });
    }
    bounds(device, &mut all);
    let known =
        device.compute_capability.as_deref().and_then(|own| MATRIX_OPERATIONS.iter().find(|(of, _)| *of == own));
    if let (Some((_, each)), Some(ratio)) = (known, a_clock(device, peak(device, Fp16Tensor), device.tensor_cores)) {
        all.push(Tested {
            keys: vec!["peak-tflops.fp16-tensor", "tensor-cores", "boost-clock-mhz", "compute-capability"],
            fits: (0.88..1.08).contains(&(ratio / each)),
            told: format!("a matrix unit would do {ratio:.0} dense fp16 operations a clock, it does {each}"),
        });
    }
    all
}

/// What no device of its time exceeds.
fn bounds(device: &Device, all: &mut Vec<Tested>) {
    let mut test = |keys: &[&'static str], value: Option<f64>, range: std::ops::RangeInclusive<f64>, what: &str| {
        if let Some(value) = value {
            all.push(Tested {
                keys: keys.to_vec(),
                fits: range.contains(&value),
                told: format!("{what} is {}, expected {} to {}", short(value), range.start(), range.end()),
            });
        }
    };
    let clock = |clock: Option<crate::values::Decimal>| clock.map(|mhz| mhz.value());
    let clocks = ratio(clock(device.base_clock_mhz), clock(device.boost_clock_mhz));
    test(&["base-clock-mhz", "boost-clock-mhz"], clocks, 0.25..=1.01, "the base clock over the boost clock");
    test(
        &["peak-tflops.int4-tensor", "peak-tflops.int8-tensor"],
        peaks(device, Int4Tensor, Int8Tensor),
        0.9..=2.2,
        "the int4 peak of matrix units over that of int8",
    );
    let watts = device.tdp_w.map(|watts| watts.value());
    if device.class != HardwareClass::Cpu {
        let gib = device.memory_gib.map(|gib| gib.value()).filter(|gib| *gib >= 1.0);
        test(&["tdp-w", "memory-gib"], ratio(watts, gib), 0.3..=500.0, "the power for each GiB");
    }
    let highest = device.peak_tflops.values().map(|peak| peak.value()).reduce(f64::max);
    test(
        &["tdp-w"],
        ratio(highest, watts).filter(|_| highest > Some(1.0)),
        0.0..=60.0,
        "the highest peak for each watt",
    );
    let latest = PROCESSES.iter().rev().find(|(year, _)| device.release_date.is_some_and(|date| date.year() >= *year));
    if let Some((_, coarsest)) = latest.filter(|_| device.class == HardwareClass::Gpu) {
        test(&["process-nm"], device.process_nm.map(|nm| nm.value()), 1.0..=*coarsest, "the process");
    }
}

/// The coarsest process of a GPU that came out from a year on: the GeForce 6800 of 2004 has 130 nm, the Titan Black of 2014
/// 28, the Titan V of 2017 12, with a process to spare.
const PROCESSES: &[(u16, f64)] = &[(2000, 180.0), (2006, 130.0), (2012, 45.0), (2019, 28.0)];

/// Dense fp16 operations of a matrix unit in a clock, by compute capability: NVIDIA's white papers of V100, Turing, A100,
/// GA102, Ada and H100 (64, 64, 256, 128, 128 and 512 multiply-adds).
const MATRIX_OPERATIONS: &[(&str, f64)] =
    &[("7.0", 128.0), ("7.5", 128.0), ("8.0", 512.0), ("8.6", 256.0), ("8.9", 256.0), ("9.0", 1024.0)];

/// AMD's RDNA 3 and CDNA 3 issue two fp32 instructions at once, and their peaks count both (AMD's instruction set guides).
fn is_dual_issue(device: &Device) -> bool {
    device.architecture.as_deref().is_some_and(|own| ["RDNA 3", "CDNA 3"].contains(&own))
}

/// Fewer others are no company.
const FEWEST_OTHERS: usize = 2;

fn compare(devices: &[&Device], relation: &Relation, tested: &mut [Vec<Tested>]) {
    let mut done = vec![false; devices.len()];
    for like in relation.likes {
        let mut groups: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut of_like = "";
        for (at, device) in devices.iter().enumerate() {
            if let (Some(value), Some((kind, key))) = ((relation.value)(device), like.of(device)) {
                groups.entry(kind).or_default().push((at, value));
                of_like = key;
            }
        }
        for (kind, members) in groups.into_iter().filter(|(_, members)| members.len() > FEWEST_OTHERS) {
            let values: Vec<f64> = members.iter().map(|(_, value)| *value).collect();
            for ((at, value), factor) in members.iter().zip(nearest_factors(&values)) {
                // Boards with a compute capability are told apart by it: an architecture has small and large ones.
                let told_apart = *like == Architecture && devices[*at].compute_capability.is_some();
                if told_apart || std::mem::replace(&mut done[*at], true) {
                    continue;
                }
                let mut keys = relation.keys.to_vec();
                if *like != Gpus && !keys.contains(&of_like) {
                    keys.push(of_like);
                }
                let told = match relation.keys == ["release-date"] {
                    true => format!("it came out years from the others of {kind}"),
                    false => {
                        format!("{} is {}, {factor:.1} times off the nearest of {kind}", relation.what, short(*value))
                    }
                };
                tested[*at].push(Tested { keys, fits: factor <= relation.within, told });
            }
        }
    }
}

fn compare_texts(devices: &[&Device], (key, value, like, fewest): &Shared, tested: &mut [Vec<Tested>]) {
    let mut groups: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let mut of_like = "";
    for (at, device) in devices.iter().enumerate() {
        if let (Some(value), Some((kind, key))) = (value(device), like.of(device)) {
            groups.entry(kind).or_default().push((at, value));
            of_like = key;
        }
    }
    for (kind, members) in groups.into_iter().filter(|(_, members)| members.len() > *fewest) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, value) in &members {
            *counts.entry(value).or_default() += 1;
        }
        for (at, value) in &members {
            let others = counts.iter().filter(|(other, _)| **other != value).max_by_key(|(other, n)| (**n, **other));
            let alone = counts[value.as_str()] == 1 && others.is_some_and(|(_, n)| *n >= *fewest);
            let usual = others.map_or("", |(other, _)| other);
            let told = format!("{key} is {value:?}, with the others of {kind} it is {usual:?}");
            tested[*at].push(Tested { keys: vec![key, of_like], fits: !alone, told });
        }
    }
}

/// Tells of the facts that take part in what does not fit, the one that explains most first.
fn blame(device: &Device, place: &Located<()>, tested: Vec<Tested>, found: &mut Findings) {
    let (passed, mut failed): (Vec<Tested>, Vec<Tested>) = tested.into_iter().partition(|tested| tested.fits);
    while !failed.is_empty() {
        let score = |key: &str| {
            let of = |all: &[Tested]| all.iter().filter(|tested| tested.keys.contains(&key)).count() as i64;
            of(&failed) * 2 - of(&passed)
        };
        let keys: Vec<&'static str> = failed.iter().flat_map(|tested| tested.keys.iter().copied()).collect();
        let mut worst = keys[0];
        for key in keys {
            if score(key) > score(worst) {
                worst = key;
            }
        }
        let (explained, rest): (Vec<Tested>, Vec<Tested>) =
            failed.into_iter().partition(|tested| tested.keys.contains(&worst));
        failed = rest;
        let message = format!("`{worst}` of `{}` does not fit: {}", device.id, explained[0].told);
        let steps = worst.split('.').map(Step::from);
        let finding = found.at(place, steps, message, "contradicts the device's other facts").of(&device.id);
        if explained.len() > 1 {
            let others: Vec<&str> = explained[1..].iter().map(|tested| tested.told.as_str()).collect();
            finding.help(others.join("; "));
        }
        for key in explained[0].keys.iter().filter(|key| **key != worst) {
            finding.beside(key.split('.').map(Step::from), "or this");
        }
    }
}

/// A number to three digits.
fn short(value: f64) -> String {
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

//! Finds facts that contradict other facts of the same device, or the facts of similar devices.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use Like::{Architecture, Capability, Die, DieSeries, Gpus, MemoryType, Process, ProductLine};
use NumberFormat::{Bf16Tensor, Fp8Tensor, Fp16, Fp16Tensor, Fp32, Fp64, Int8Tensor, Tf32Tensor};

use super::device_bounds::{FactCheck, bounds, peak, peaks, ratio, short};
use crate::comparability::nearest_factors;
use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Device, NumberFormat, Severity};
use crate::reading::{Located, Step};
use crate::values::{Date, EntityKind, HardwareClass};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(217),
    title: "a fact that contradicts the others of its device",
    severity: Severity::Warning,
    page: "The facts of a device are bound to each other: cores times clock times two is the fp32 peak; matrix units times clock is the fp16 peak by a number of its architecture; fp64, fp16 and int8 are fixed shares of another peak, and int8 is no slower than fp16; memory, bandwidth, cores and peaks of one GPU of a board are one share of the board's; power, bandwidth, price and year stay near those of the same die, compute capability or architecture. The rule compares each ratio with the nearest other device of the same kind, and names the fact that takes part in most of what does not fit.

A peak twice as high is most often the sparse one: peaks here are dense. A fact that is right and strange (a board cut down, another accumulator) is excepted with its reason.",
    sample: Sample::edited("catalog/devices/nova-100-16gb.toml", "boost-clock-mhz = 1500", "boost-clock-mhz = 1250"),
    check: Check::Catalog(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let devices: Vec<&Device> = context.loaded.catalog.devices.values().collect();
    let kin = Kin::of_all(&devices);
    let mut tested: Vec<Vec<FactCheck>> = devices.iter().zip(&kin).map(|(device, kin)| formulas(device, kin)).collect();
    for relation in RELATIONS {
        compare(&devices, &kin, relation, &mut tested);
    }
    for shared in SHARED {
        compare_texts(&devices, &kin, shared, &mut tested);
    }
    compare_first(&devices, &kin, &mut tested);
    compare_twins(&devices, &kin, &mut tested);
    for (device, tested) in devices.iter().zip(tested) {
        if let Some(place) = context.place(EntityKind::Device, device.id.as_str()) {
            blame(device, place, tested, found);
            part_of_board(context, device, place, found);
        }
    }
}

/// Facts of which each device of a multi-device board has a share.
fn shared_facts(device: &Device) -> BTreeMap<String, f64> {
    let facts = [
        ("memory-gib", device.memory_gib.map(|memory| memory.value())),
        ("bandwidth-gb-per-s", device.bandwidth_gb_per_s.map(|bandwidth| bandwidth.value())),
        ("cores", device.cores.map(|cores| cores as f64)),
    ];
    let facts = facts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let peaks = device.peak_tflops.iter().map(|(format, peak)| (format!("peak-tflops.{format}"), peak.value()));
    facts.chain(peaks).filter(|(_, value)| *value > 0.0).collect()
}

/// Minimum number of agreeing shares, their tolerance (data sheets round), and the minimum deviation of the odd one.
const FEWEST_SHARES: usize = 3;
const SHARES_WITHIN: f64 = 0.01;
const SHARE_OFF: f64 = 0.1;

/// Reports the one fact whose share of the board differs from all others; for one of two GPUs the shares are half.
fn part_of_board(context: &LintContext<'_>, device: &Device, place: &Located<()>, found: &mut Findings) {
    let board = device.variant_of.as_ref().and_then(|board| context.loaded.catalog.devices.get(board));
    let Some(board) = board else { return };
    let of_board = shared_facts(board);
    let shares: Vec<(String, f64)> = shared_facts(device)
        .into_iter()
        .filter_map(|(key, own)| Some((of_board.get(&key)? / own, key)))
        .map(|(share, key)| (key, share))
        .collect();
    if let Some((key, share, parts)) = odd_share(&shares) {
        let (id, whole) = (&device.id, of_board[key]);
        let message = format!(
            "`{key}` of `{id}` is {} and that of its board `{}` {whole}; its {} other facts are 1/{parts} of the board's",
            whole / share,
            board.id,
            shares.len() - 1
        );
        found.at(place, key.split('.').map(Step::from), message, "a figure of the whole board?").of(id);
    }
}

/// The one share that differs, if all others equal the same whole fraction.
fn odd_share(shares: &[(String, f64)]) -> Option<(&str, f64, f64)> {
    let mut sorted: Vec<f64> = shares.iter().map(|(_, share)| *share).collect();
    sorted.sort_by(f64::total_cmp);
    let parts = sorted.get(sorted.len() / 2)?.round();
    let off = |share: f64| (share / parts - 1.0).abs();
    let odd: Vec<&(String, f64)> = shares.iter().filter(|(_, share)| off(*share) > SHARES_WITHIN).collect();
    let [(key, share)] = odd.as_slice() else { return None };
    let is_clear = parts >= 2.0 && shares.len() > FEWEST_SHARES && off(*share) > SHARE_OFF;
    is_clear.then_some((key.as_str(), *share, parts))
}

fn compare(devices: &[&Device], kin: &[Kin], relation: &Relation, tested: &mut [Vec<FactCheck>]) {
    let mut done = vec![false; devices.len()];
    for like in relation.likes {
        let mut groups: BTreeMap<String, Vec<(usize, f64, &str)>> = BTreeMap::new();
        for (at, device) in devices.iter().enumerate() {
            let value = (relation.value)(device).filter(|value| *value > 0.0);
            if let (Some(value), Some((kind, key))) = (value, like.of(device, &kin[at])) {
                groups.entry(kind).or_default().push((at, value, key));
            }
        }
        for (kind, members) in groups {
            let values: Vec<f64> = members.iter().map(|(_, value, _)| *value).collect();
            // In a group of two, only a matrix-unit peak twice the other's is reported; otherwise more members are needed.
            let is_pair = members.len() == 2 && is_of_matrix_units(relation.keys[0]) && *like != Like::Gpus;
            if members.len() <= FEWEST_OTHERS && !is_pair {
                continue;
            }
            for ((at, value, of_like), factor) in members.iter().zip(nearest_factors(&values)) {
                if is_pair && !(TWICE.contains(&factor) && is_above(*value, &values)) {
                    continue;
                }
                // Boards with a compute capability are grouped by it instead: an architecture has small and large ones.
                let told_apart = *like == Like::Architecture && kin[*at].capability.is_some();
                if told_apart || std::mem::replace(&mut done[*at], true) {
                    continue;
                }
                let mut keys = relation.keys.to_vec();
                let is_sparse = is_of_matrix_units(keys[0]) && TWICE.contains(&factor) && is_above(*value, &values);
                if is_sparse {
                    keys.truncate(1);
                }
                if !devices[*at].peak_tflops.contains_key(&NumberFormat::Fp32) && keys.contains(&FP32) {
                    keys.retain(|key| *key != FP32);
                    keys.extend(["cores", "boost-clock-mhz"]);
                }
                if *like != Like::Gpus && !keys.contains(of_like) {
                    keys.push(of_like);
                }
                let description = match relation.keys == ["release-date"] {
                    true => format!("it came out years from the others of {kind}"),
                    false => {
                        let sparse = if is_sparse { ": twice as high is the sparse peak" } else { "" };
                        let value = short(*value);
                        format!("{} is {value}, {factor:.1} times off the nearest of {kind}{sparse}", relation.what)
                    }
                };
                let is_consistent = factor <= relation.within;
                // A relation that allows large differences does not show which fact is right, even if it holds.
                if !is_consistent || relation.within <= EXACT {
                    tested[*at].push(FactCheck { keys, is_consistent, description });
                }
            }
        }
    }
}

const FP32: &str = "peak-tflops.fp32";

/// Ratio of a sparse peak to a dense one, with a tolerance for different clocks.
const TWICE: std::ops::RangeInclusive<f64> = 1.6..=2.4;

fn is_of_matrix_units(key: &str) -> bool {
    key.starts_with("peak-tflops.") && key.ends_with("-tensor")
}

/// Whether a value is above the median.
fn is_above(value: f64, values: &[f64]) -> bool {
    values.iter().filter(|other| **other < value).count() * 2 >= values.len()
}

/// Compares peaks of matrix units with those of a similar device if too few of its kind exist to compare ratios: one of
/// the same vendor with the same fp32 peak if the kind of the device is unknown, or one with the same die if no fp32
/// peak is known. A peak that is just twice the other is the sparse one.
fn compare_twins(devices: &[&Device], kin: &[Kin], tested: &mut [Vec<FactCheck>]) {
    const SAME: std::ops::RangeInclusive<f64> = 0.99..=1.01;
    const JUST_TWICE: std::ops::RangeInclusive<f64> = 1.96..=2.04;
    const FORMATS: &[(NumberFormat, &str)] = &[
        (NumberFormat::Fp16Tensor, "peak-tflops.fp16-tensor"),
        (NumberFormat::Bf16Tensor, "peak-tflops.bf16-tensor"),
        (NumberFormat::Fp8Tensor, "peak-tflops.fp8-tensor"),
        (NumberFormat::Int8Tensor, "peak-tflops.int8-tensor"),
    ];
    for (at, device) in devices.iter().enumerate() {
        let is_open = kin[at].capability.is_none() && kin[at].architecture.is_none();
        let by_die = fp32(device).is_none() && device.chip.is_some();
        let is_twin = |other: &&&Device| {
            let same = ratio(fp32(device), fp32(other)).is_some_and(|ratio| SAME.contains(&ratio));
            let alike = if by_die { other.chip == device.chip } else { is_open && same };
            other.id != device.id && other.vendor == device.vendor && alike
        };
        let twins: Vec<&&Device> = devices.iter().filter(is_twin).collect();
        // Boards with the same die differ in cores and clocks, so a larger twin, or one nearly as large, justifies the peak.
        let (twice, same) = if by_die { (TWICE, 0.0..=*TWICE.start()) } else { (JUST_TWICE, SAME) };
        for (format, key) in FORMATS {
            let times = |other: &&&Device| ratio(peak(device, *format), peak(other, *format));
            let alike = twins.iter().any(|other| times(other).is_some_and(|times| same.contains(&times)));
            let twin = twins.iter().find(|other| times(other).is_some_and(|times| twice.contains(&times)));
            if let Some(twin) = twin.filter(|_| !alike) {
                let by = if by_die { "of the same die" } else { "whose fp32 peak is the same" };
                let description = format!("it is twice that of `{}`, {by}: the sparse peak", twin.id);
                tested[at].push(FactCheck { keys: vec![key], is_consistent: false, description });
            }
        }
    }
}

fn compare_texts(devices: &[&Device], kin: &[Kin], (key, value, like, fewest): &Shared, tested: &mut [Vec<FactCheck>]) {
    let mut groups: BTreeMap<String, Vec<(usize, String, &str)>> = BTreeMap::new();
    for (at, device) in devices.iter().enumerate() {
        if let (Some(value), Some((kind, key))) = (value(device), like.of(device, &kin[at])) {
            groups.entry(kind).or_default().push((at, value, key));
        }
    }
    for (kind, members) in groups.into_iter().filter(|(_, members)| members.len() > *fewest) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, value, _) in &members {
            *counts.entry(value).or_default() += 1;
        }
        for (at, value, of_like) in &members {
            let others = counts.iter().filter(|(other, _)| **other != value).max_by_key(|(other, n)| (**n, **other));
            let alone = counts[value.as_str()] == 1 && others.is_some_and(|(_, n)| *n >= *fewest);
            let usual = others.map_or("", |(other, _)| other);
            let description = format!("{key} is {value:?}, with the others of {kind} it is {usual:?}");
            tested[*at].push(FactCheck { keys: vec![key, of_like], is_consistent: !alone, description });
        }
    }
}

/// Properties that appear at some point in time, and the maximum years between the first device with one and the next.
const NEW: &[(Like, f64)] = &[(Architecture, 1.2), (MemoryType, 2.5), (Process, 2.5)];

/// Finds a device released long before all others with its architecture, memory type or process.
fn compare_first(devices: &[&Device], kin: &[Kin], tested: &mut [Vec<FactCheck>]) {
    for (like, alone) in NEW {
        let mut groups: BTreeMap<String, Vec<(usize, f64, &str)>> = BTreeMap::new();
        for (at, device) in devices.iter().enumerate() {
            if let (Some(date), Some((kind, key))) = (device.release_date, like.of(device, &kin[at])) {
                groups.entry(kind).or_default().push((at, years(date), key));
            }
        }
        for (kind, members) in groups.into_iter().filter(|(_, members)| members.len() > FEWEST_OTHERS) {
            for (at, own, key) in &members {
                let others = members.iter().filter(|(other, ..)| other != at).map(|(_, year, _)| *year);
                let first = others.fold(f64::INFINITY, f64::min);
                let description = format!("it came out {:.1} years before the first other of {kind}", first - own);
                let is_consistent = first - own <= *alone;
                if !is_consistent || *like == Architecture {
                    tested[*at].push(FactCheck { keys: vec!["release-date", key], is_consistent, description });
                }
            }
        }
    }
}

/// A date in years; a missing month counts as December.
fn years(date: Date) -> f64 {
    let text = date.to_string();
    let month = text.get(5..7).and_then(|month| month.parse::<f64>().ok()).unwrap_or(12.0);
    f64::from(date.year()) + month / 12.0
}

/// Reports the facts involved in failed comparisons, starting with the one that explains most.
fn blame(device: &Device, place: &Located<()>, tested: Vec<FactCheck>, found: &mut Findings) {
    let (passed, mut failed): (Vec<FactCheck>, Vec<FactCheck>) =
        tested.into_iter().partition(|tested| tested.is_consistent);
    while !failed.is_empty() {
        let score = |key: &str| {
            let of = |all: &[FactCheck]| all.iter().filter(|tested| tested.keys.contains(&key)).count() as i64;
            of(&failed) * 2 - of(&passed)
        };
        let keys: Vec<&'static str> = failed.iter().flat_map(|tested| tested.keys.iter().copied()).collect();
        let mut worst = keys[0];
        for key in keys {
            if score(key) > score(worst) {
                worst = key;
            }
        }
        let (explained, rest): (Vec<FactCheck>, Vec<FactCheck>) =
            failed.into_iter().partition(|tested| tested.keys.contains(&worst));
        failed = rest;
        let message = format!("`{worst}` of `{}` does not fit: {}", device.id, explained[0].description);
        let steps = worst.split('.').map(Step::from);
        let finding = found.at(place, steps, message, "contradicts the device's other facts").of(&device.id);
        if explained.len() > 1 {
            let others: Vec<&str> = explained[1..].iter().map(|tested| tested.description.as_str()).collect();
            finding.help(others.join("; "));
        }
        for key in explained[0].keys.iter().filter(|key| **key != worst) {
            finding.beside(key.split('.').map(Step::from), "or this");
        }
    }
}

/// Checks formulas that hold for a device regardless of other devices.
fn formulas(device: &Device, kin: &Kin) -> Vec<FactCheck> {
    let mut all = Vec::new();
    if let Some(ratio) =
        a_clock(device, peak(device, NumberFormat::Fp32), device.cores).filter(|_| device.class == HardwareClass::Gpu)
    {
        let each = if is_dual_issue(device) { 4.0 } else { 2.0 };
        let description = format!("cores times clock give {:.2} operations a clock and core, {each} are done", ratio);
        all.push(FactCheck {
            keys: vec![FP32, "boost-clock-mhz", "cores"],
            is_consistent: (0.985..1.015).contains(&(ratio / each)),
            description,
        });
    }
    let is_of_blocks = device.class == HardwareClass::Gpu && matches!(device.vendor.as_deref(), Some("NVIDIA" | "AMD"));
    for (key, units, block) in [("cores", device.cores, CORES_OF_A_BLOCK), ("tensor-cores", device.tensor_cores, 4)] {
        if let Some(units) =
            units.filter(|_| is_of_blocks && (key == "cores" || device.vendor.as_deref() == Some("NVIDIA")))
        {
            let description =
                format!("{units} are not a multiple of {block}, the number of a multiprocessor or half of one");
            all.push(FactCheck { keys: vec![key], is_consistent: units % block == 0, description });
        }
    }
    bounds(device, &mut all);
    matrix_units(device, kin, &mut all);
    all
}

/// The fp64 rate of NVIDIA's multiprocessors as a fraction of fp32, by compute capability (CUDA C++ Programming Guide,
/// throughput of arithmetic instructions). 8.6 is left out because the lists disagree; sources round.
const FP64_SHARES: &[(&str, f64)] = &[
    ("5.2", 1.0 / 32.0),
    ("6.0", 0.5),
    ("6.1", 1.0 / 32.0),
    ("7.0", 0.5),
    ("7.5", 1.0 / 32.0),
    ("8.0", 0.5),
    ("9.0", 0.5),
];

const ROUNDED: std::ops::Range<f64> = 1.03..1.3;

/// Checks the operations per clock of matrix units in each number format, and the fp64 fraction.
fn matrix_units(device: &Device, kin: &Kin, all: &mut Vec<FactCheck>) {
    let Some((own, said_by)) = &kin.capability else { return };
    let share = FP64_SHARES.iter().find(|(of, _)| of == own).map(|(_, share)| *share);
    // A ratio this near to the expected one may be rounded; it is not evidence for or against the facts.
    let is_told = |ratio: &f64| share.is_none_or(|share| !ROUNDED.contains(&(ratio / share).max(share / ratio)));
    if let (Some(share), Some(ratio)) = (share, peaks(device, NumberFormat::Fp64, NumberFormat::Fp32).filter(is_told)) {
        all.push(FactCheck {
            keys: vec!["peak-tflops.fp64", "peak-tflops.fp32", said_by],
            is_consistent: (0.75..1.3).contains(&(ratio / share)),
            description: format!(
                "the fp64 peak is {} of that of fp32, by its compute capability it is {}",
                short(ratio),
                short(share)
            ),
        });
    }
    let Some((_, each)) = MATRIX_OPERATIONS.iter().find(|(of, _)| of == own) else { return };
    for (format, key, times, capabilities) in MATRIX_FORMATS {
        let known = capabilities.is_empty() || capabilities.contains(&own.as_str());
        let Some(ratio) = a_clock(device, peak(device, *format), device.tensor_cores).filter(|_| known) else {
            continue;
        };
        let done = each * times;
        all.push(FactCheck {
            keys: vec![key, "tensor-cores", "boost-clock-mhz", said_by],
            is_consistent: (0.88..1.08).contains(&(ratio / done)),
            description: format!("a matrix unit would do {ratio:.0} dense {format} operations a clock, it does {done}"),
        });
    }
}

/// Multiprocessors have 64, 128 or 192 cores, AMD's compute units 64 (white papers of both vendors). Older boards with
/// smaller units (before Kepler and GCN) still have a multiple of 64.
const CORES_OF_A_BLOCK: i64 = 64;

/// Operations of a matrix unit in a format relative to fp16, and the compute capabilities for which that holds (an
/// empty list means all of [`MATRIX_OPERATIONS`]); from the same white papers.
const MATRIX_FORMATS: &[(NumberFormat, &str, f64, &[&str])] = &[
    (NumberFormat::Fp16Tensor, "peak-tflops.fp16-tensor", 1.0, &[]),
    (NumberFormat::Int8Tensor, "peak-tflops.int8-tensor", 2.0, &["7.5", "8.0", "8.6", "8.9", "9.0"]),
    (NumberFormat::Int4Tensor, "peak-tflops.int4-tensor", 4.0, &["7.5", "8.0", "8.6", "8.9"]),
    (NumberFormat::Fp8Tensor, "peak-tflops.fp8-tensor", 2.0, &["8.9", "9.0"]),
    (NumberFormat::Tf32Tensor, "peak-tflops.tf32-tensor", 0.5, &["8.0", "9.0"]),
];

/// Dense fp16 operations of a matrix unit per clock, by compute capability (NVIDIA's white papers of V100, Turing,
/// A100, GA102, Ada and H100: 64, 64, 256, 128, 128 and 512 multiply-adds).
const MATRIX_OPERATIONS: &[(&str, f64)] =
    &[("7.0", 128.0), ("7.5", 128.0), ("8.0", 512.0), ("8.6", 256.0), ("8.9", 256.0), ("9.0", 1024.0)];

/// AMD's RDNA 3 and CDNA 3 issue two fp32 instructions at once, and their peaks count both (AMD's instruction set guides).
fn is_dual_issue(device: &Device) -> bool {
    device.architecture.as_deref().is_some_and(|own| ["RDNA 3", "CDNA 3"].contains(&own))
}

/// A comparison needs at least this many other devices.
const FEWEST_OTHERS: usize = 2;

/// A number that is nearly equal among devices of one kind.
struct Relation {
    pub what: &'static str,
    /// The facts that it is computed from, the most suspicious first.
    pub keys: &'static [&'static str],
    pub value: fn(&Device) -> Option<f64>,
    /// The groupings in which it is compared; the first one with two other devices is used.
    pub likes: &'static [Like],
    /// Maximum factor to the nearest other device.
    pub within: f64,
}

/// A matrix-unit peak divided by the fp32 peak.
fn over_fp32(device: &Device, format: NumberFormat) -> Option<f64> {
    ratio(peak(device, format), fp32(device))
}

/// The property by which similar devices are grouped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Like {
    Die,
    DieSeries,
    Capability,
    Architecture,
    MemoryType,
    Process,
    ProductLine,
    Gpus,
}

impl Like {
    /// The device's group in this grouping, and the fact that determines it.
    pub fn of(self, device: &Device, kin: &Kin) -> Option<(String, &'static str)> {
        match self {
            Die => Some((device.chip.clone()?, "chip")),
            // Dies of one architecture share their first letters: `GA` of GA102.
            DieSeries => Some((die_series(device)?, "chip")),
            Capability => kin.capability.clone().map(|(version, key)| (format!("compute capability {version}"), key)),
            Architecture => kin.architecture.clone(),
            MemoryType => Some((device.memory_type.clone()?, "memory-type")),
            Process => Some((format!("{} nm", device.process_nm?), "process-nm")),
            ProductLine => {
                let own = device.vendor.as_ref().and_then(|vendor| device.name.strip_prefix(vendor.as_str()));
                Some((own.unwrap_or(&device.name).split_whitespace().next()?.to_owned(), "name"))
            }
            Gpus => (device.class == HardwareClass::Gpu).then(|| ("GPUs".to_owned(), "class")),
        }
    }
}

/// The letters at the start of a die's name.
fn die_series(device: &Device) -> Option<String> {
    let chip = device.chip.as_deref().filter(|_| device.class == HardwareClass::Gpu)?;
    let letters: String = chip.chars().take_while(char::is_ascii_uppercase).collect();
    (letters.len() >= 2 && letters.len() < chip.len()).then_some(letters)
}

/// The compute capability and architecture of a device, as its entry or other devices with its die state, with the fact used.
#[derive(Debug, Default)]
struct Kin {
    pub capability: Option<(String, &'static str)>,
    pub architecture: Option<(String, &'static str)>,
}

impl Kin {
    /// The kin of each device, in order.
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

/// The fp32 peak as stated; for NVIDIA GPUs otherwise computed from cores and clock, with two operations per core and
/// clock.
fn fp32(device: &Device) -> Option<f64> {
    let computed = || {
        let is_plain = device.class == HardwareClass::Gpu && device.vendor.as_deref() == Some("NVIDIA");
        let (cores, clock) = (device.cores.filter(|_| is_plain)?, device.boost_clock_mhz?);
        Some(2.0 * cores as f64 * clock.value() / 1e6)
    };
    peak(device, NumberFormat::Fp32).or_else(computed)
}

fn price(device: &Device) -> Option<f64> {
    device.launch_price_usd.map(|price| price.value())
}

fn bandwidth(device: &Device) -> Option<f64> {
    device.bandwidth_gb_per_s.map(|bandwidth| bandwidth.value())
}

/// Operations per unit and clock: TFLOP/s times 10^6 over units times MHz.
fn a_clock(device: &Device, peak: Option<f64>, units: Option<i64>) -> Option<f64> {
    ratio(Some(peak? * 1e6), Some(units? as f64 * device.boost_clock_mhz?.value()))
}

/// The release year as an exponential, so that a difference in years becomes a factor.
fn year(device: &Device) -> Option<f64> {
    device.release_date.map(|date| (f64::from(date.year()) / YEARS_OF_A_FACTOR).exp())
}

const YEARS_OF_A_FACTOR: f64 = 10.0;

/// Maximum gap between releases of one compute capability: 2.4 years, as e^(2.4/10).
const WITHIN_YEARS: f64 = 1.27;

/// Maximum gap between releases with one die: 1.7 years, as e^(1.7/10); the V100S came that long after the V100 with 32 GB.
const WITHIN_YEARS_OF_DIE: f64 = 1.19;

/// Ratios of peaks are exact except for rounding and different clocks.
const EXACT: f64 = 1.15;

#[rustfmt::skip]
const RELATIONS: &[Relation] = &[
    Relation { what: "the fp64 peak over that of fp32", keys: &["peak-tflops.fp64", "peak-tflops.fp32"], value: |d| peaks(d, Fp64, Fp32), likes: &[Capability], within: 1.25 },
    Relation { what: "the fp16 peak over that of fp32", keys: &["peak-tflops.fp16", "peak-tflops.fp32"], value: |d| peaks(d, Fp16, Fp32), likes: &[Capability], within: 2.1 },
    Relation { what: "cores for each matrix unit", keys: &["tensor-cores", "cores"], value: |d| ratio(d.cores.map(|n| n as f64), d.tensor_cores.map(|n| n as f64)), likes: &[Capability], within: 1.003 },
    Relation { what: "the operations of a matrix unit in a clock", keys: &["peak-tflops.fp16-tensor", "tensor-cores", "boost-clock-mhz"], value: |d| a_clock(d, peak(d, Fp16Tensor), d.tensor_cores), likes: &[Capability, ProductLine], within: EXACT },
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
    Relation { what: "the power for each core", keys: &["tdp-w", "cores"], value: |d| ratio(d.tdp_w.map(|watts| watts.value()), d.cores.map(|n| n as f64)).filter(|_| d.class == HardwareClass::Cpu), likes: &[ProductLine], within: 2.0 },
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

/// A text fact that devices of one group share, and the number of other devices that must agree on it.
type Shared = (&'static str, fn(&Device) -> Option<String>, Like, usize);

const SHARED: &[Shared] = &[
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

/// The generation of a memory type: `GDDR6` for `GDDR6X`, since boards with one die may have either.
fn generation_of_memory(device: &Device) -> Option<String> {
    let kind = device.memory_type.as_ref()?;
    // Boards with one die may have any generation of stacked memory.
    if kind.starts_with("HBM") {
        return Some("HBM".to_owned());
    }
    Some(kind.trim_end_matches(|c: char| c.is_ascii_alphabetic() && !c.is_ascii_digit()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_is_shortened() {
        let told = [0.0, -0.0, 1234.5, 0.001_234, f64::MAX, f64::NAN].map(short);
        assert_eq!([told[0].as_str(), told[2].as_str(), told[3].as_str()], ["0.000000", "1234", "0.00123"]);
    }

    #[test]
    fn one_fact_of_a_part_is_not_its_share_of_the_board() {
        let odd = |shares: &[f64]| {
            let shares: Vec<_> = shares.iter().enumerate().map(|(at, share)| (at.to_string(), *share)).collect();
            odd_share(&shares).map(|(key, ..)| key.to_owned())
        };
        assert_eq!(odd(&[2.0, 1.0, 2.005, 2.0]).as_deref(), Some("1"));
        assert_eq!(odd(&[2.0, 2.0, 2.0, 2.0]), None);
        assert_eq!(odd(&[1.0, 1.0, 1.0, 2.0]), None, "a member of a family is not a part of it");
        assert_eq!(odd(&[2.0, 1.0, 2.0]), None, "too few");
    }
}

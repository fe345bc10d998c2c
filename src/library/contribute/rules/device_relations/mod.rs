//! A fact that contradicts the other facts of its device, or those of its like.

mod formulas;
mod relations;
mod tested;

use std::collections::{BTreeMap, HashMap};

use formulas::formulas;
use relations::{FEWEST_OTHERS, Kin, Like, RELATIONS, Relation, SHARED, Shared, fp32, peak, ratio};
use tested::{Tested, short};

use crate::comparability::nearest_factors;
use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Device, NumberFormat, Severity};
use crate::reading::{Located, Step};
use crate::values::{Date, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(217),
    title: "a fact that contradicts the others of its device",
    severity: Severity::Warning,
    page: "The facts of a device are bound to each other: cores times clock times two is the fp32 peak; matrix units times clock is the fp16 peak by a number of its architecture; fp64, fp16 and int8 are fixed shares of another peak; power, bandwidth, price and year stay near those of the same die, compute capability or architecture. The rule compares each ratio with the nearest other device of the same kind, and names the fact that takes part in most of what does not fit.

A peak twice as high is most often the sparse one: peaks here are dense. A fact that is right and strange (a board cut down, another accumulator) is excepted with its reason.",
    sample: Sample::edited("catalog/devices/nova-100-16gb.toml", "boost-clock-mhz = 1500", "boost-clock-mhz = 1250"),
    check: Check::Catalog(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let devices: Vec<&Device> = context.loaded.catalog.devices.values().collect();
    let kin = Kin::of_all(&devices);
    let mut tested: Vec<Vec<Tested>> = devices.iter().zip(&kin).map(|(device, kin)| formulas(device, kin)).collect();
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
        }
    }
}

fn compare(devices: &[&Device], kin: &[Kin], relation: &Relation, tested: &mut [Vec<Tested>]) {
    let mut done = vec![false; devices.len()];
    for like in relation.likes {
        let mut groups: BTreeMap<String, Vec<(usize, f64, &str)>> = BTreeMap::new();
        for (at, device) in devices.iter().enumerate() {
            if let (Some(value), Some((kind, key))) = ((relation.value)(device), like.of(device, &kin[at])) {
                groups.entry(kind).or_default().push((at, value, key));
            }
        }
        for (kind, members) in groups {
            let values: Vec<f64> = members.iter().map(|(_, value, _)| *value).collect();
            // Of two, a peak of matrix units that is twice that of the other is told; else two are too few.
            let is_pair = members.len() == 2 && is_of_matrix_units(relation.keys[0]) && *like != Like::Gpus;
            if members.len() <= FEWEST_OTHERS && !is_pair {
                continue;
            }
            for ((at, value, of_like), factor) in members.iter().zip(nearest_factors(&values)) {
                if is_pair && !(TWICE.contains(&factor) && is_above(*value, &values)) {
                    continue;
                }
                // Boards with a compute capability are told apart by it: an architecture has small and large ones.
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
                let told = match relation.keys == ["release-date"] {
                    true => format!("it came out years from the others of {kind}"),
                    false => {
                        let sparse = if is_sparse { ": twice as high is the sparse peak" } else { "" };
                        let value = short(*value);
                        format!("{} is {value}, {factor:.1} times off the nearest of {kind}{sparse}", relation.what)
                    }
                };
                tested[*at].push(Tested { keys, fits: factor <= relation.within, told });
            }
        }
    }
}

/// The key of the fp32 peak.
const FP32: &str = "peak-tflops.fp32";

/// A sparse peak is twice the dense one; boards differ by their clocks.
const TWICE: std::ops::RangeInclusive<f64> = 1.6..=2.4;

fn is_of_matrix_units(key: &str) -> bool {
    key.starts_with("peak-tflops.") && key.ends_with("-tensor")
}

/// Whether a value lies above the middle one.
fn is_above(value: f64, values: &[f64]) -> bool {
    values.iter().filter(|other| **other < value).count() * 2 >= values.len()
}

/// Peaks of matrix units beside those of a device that is alike where too few are of one kind to compare ratios: of one
/// vendor with the same fp32 peak where nothing says what the device is one of, or of one die where no fp32 peak is known.
/// A peak that is just twice theirs is the sparse one.
fn compare_twins(devices: &[&Device], kin: &[Kin], tested: &mut [Vec<Tested>]) {
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
        // Boards with one die differ by cores and clocks, the largest of them least from a larger one.
        let (twice, same) = if by_die { (TWICE, 0.0..=*TWICE.start()) } else { (JUST_TWICE, SAME) };
        for (format, key) in FORMATS {
            let times = |other: &&&Device| ratio(peak(device, *format), peak(other, *format));
            let alike = twins.iter().any(|other| times(other).is_some_and(|times| same.contains(&times)));
            let twin = twins.iter().find(|other| times(other).is_some_and(|times| twice.contains(&times)));
            if let Some(twin) = twin.filter(|_| !alike) {
                let by = if by_die { "of the same die" } else { "whose fp32 peak is the same" };
                let told = format!("it is twice that of `{}`, {by}: the sparse peak", twin.id);
                tested[at].push(Tested { keys: vec![key], fits: false, told });
            }
        }
    }
}

fn compare_texts(devices: &[&Device], kin: &[Kin], (key, value, like, fewest): &Shared, tested: &mut [Vec<Tested>]) {
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
            let told = format!("{key} is {value:?}, with the others of {kind} it is {usual:?}");
            tested[*at].push(Tested { keys: vec![key, of_like], fits: !alone, told });
        }
    }
}

/// Years between the first device of an architecture and the next one, at most.
const YEARS_ALONE: f64 = 1.2;

/// A device that came out long before every other of its architecture.
fn compare_first(devices: &[&Device], kin: &[Kin], tested: &mut [Vec<Tested>]) {
    let mut groups: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, device) in devices.iter().enumerate() {
        if let (Some(date), Some((architecture, _))) = (device.release_date, &kin[at].architecture) {
            groups.entry(architecture).or_default().push((at, years(date)));
        }
    }
    for (architecture, members) in groups.into_iter().filter(|(_, members)| members.len() > FEWEST_OTHERS) {
        for (at, own) in &members {
            let others = members.iter().filter(|(other, _)| other != at).map(|(_, year)| *year);
            let first = others.fold(f64::INFINITY, f64::min);
            let told = format!("it came out {:.1} years before the first other of {architecture}", first - own);
            let keys = vec!["release-date", kin[*at].architecture.as_ref().map_or("architecture", |(_, key)| *key)];
            tested[*at].push(Tested { keys, fits: first - own <= YEARS_ALONE, told });
        }
    }
}

/// A date in years; the end of what is known of it.
fn years(date: Date) -> f64 {
    let text = date.to_string();
    let month = text.get(5..7).and_then(|month| month.parse::<f64>().ok()).unwrap_or(12.0);
    f64::from(date.year()) + month / 12.0
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

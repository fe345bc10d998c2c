//! Finds impossible figures of devices and networks, and figures that a name, a precision or the desktop board contradicts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Device, Field, NumberFormat, Severity};
use crate::reading::{Located, Step};
use crate::values::text::normalise;
use crate::values::{Decimal, EntityKind, HardwareClass, Precision};

pub(in crate::contribute) const IMPLAUSIBLE_DEVICE: Rule = Rule {
    code: Code::new(212),
    title: "figures of a device that cannot be",
    severity: Severity::Error,
    page: "Units slip: MB for GiB, GFLOP/s for TFLOP/s, mW for W. And some figures bound each other: a matrix unit is not slower than the plain one of its format, fp16 not much slower on it than fp32, plain fp16 at most four times as fast as fp32, the boost clock not below the base clock, and NVIDIA's boards before compute capability 7.0 have no matrix units.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", "memory-gib = 32768"),
    check: Check::Catalog(find_implausible_device),
};

/// Maximum fp16 peak over fp32 without matrix units: twice, on the A100 and H100 four times (NVIDIA's white papers).
const MOST_OVER_FP32: f64 = 4.5;

/// The first compute capability with tensor cores, Volta (table of features by compute capability, CUDA C++ Programming Guide).
const FIRST_MATRIX_UNITS: (u32, u32) = (7, 0);

fn find_implausible_device(context: &LintContext<'_>, found: &mut Findings) {
    for (id, device) in &context.loaded.catalog.devices {
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        for (key, value, least, most, unit) in [
            ("memory-gib", device.memory_gib, 0.000_01, 8192.0, "GiB"),
            ("bandwidth-gb-per-s", device.bandwidth_gb_per_s, 0.01, 50_000.0, "GB/s"),
            ("tdp-w", device.tdp_w, 0.000_1, 30_000.0, "W"),
            ("base-clock-mhz", device.base_clock_mhz, 1.0, 10_000.0, "MHz"),
            ("boost-clock-mhz", device.boost_clock_mhz, 1.0, 10_000.0, "MHz"),
            ("process-nm", device.process_nm, 1.0, 1000.0, "nm"),
            ("launch-price-usd", device.launch_price_usd, 0.5, 5_000_000.0, "US dollars"),
        ] {
            if let Some(value) = value.filter(|value| !(least..=most).contains(&value.value())) {
                let message = format!("`{key}` of `{id}` is {value} {unit}");
                let label = if value.value() == 0.0 { "what is not known is left out" } else { "is the unit right?" };
                found.at(place, [key.into()], message, label).of(id);
            }
        }
        if let (Some(base), Some(boost)) = (device.base_clock_mhz, device.boost_clock_mhz)
            && boost.value() < base.value()
        {
            let message = format!("the boost clock of `{id}` is below its base clock of {base} MHz");
            found.at(place, ["boost-clock-mhz".into()], message, "below the base clock").of(id);
        }
        let is_older = context.capability(id.as_str()).filter(|own| *own < FIRST_MATRIX_UNITS);
        if let Some((major, minor)) = is_older {
            let of_units = || device.peak_tflops.keys().find(|format| format.is_on_matrix_unit());
            let cores = device.tensor_cores.map(|_| vec!["tensor-cores".into()]);
            let peak = || Some(vec!["peak-tflops".into(), Step::from(<&str>::from(of_units()?))]);
            if let Some(steps) = cores.or_else(peak) {
                let message = format!("`{id}` has compute capability {major}.{minor} and no matrix units");
                found.at(place, steps, message, "they came with 7.0").of(id);
            }
        }
        for (format, peak) in &device.peak_tflops {
            let key = || ["peak-tflops".into(), Step::from(<&str>::from(format))];
            if peak.value() > 100_000.0 {
                let message = format!("the {format} peak of `{id}` is {peak} TFLOP/s");
                found.at(place, key(), message, "is it in GFLOP/s?").of(id);
            }
            let fp32 = device.peak_tflops.get(&NumberFormat::Fp32).map(|peak| peak.value()).filter(|fp32| *fp32 > 0.0);
            if let (NumberFormat::Fp16 | NumberFormat::Bf16, Some(times)) =
                (format, fp32.map(|fp32| peak.value() / fp32))
                && times > MOST_OVER_FP32
            {
                let message =
                    format!("the {format} peak of `{id}` is {times:.0} times that of fp32, without matrix units");
                found.at(place, key(), message, "is it that of matrix units, or of int8?").of(id);
                break;
            }
            let Some(plain) =
                format.on_plain_units().and_then(|plain| device.peak_tflops.get(&plain).map(|p| (plain, p)))
            else {
                continue;
            };
            if peak.value() < plain.1.value() * 0.99 {
                let message = format!("the {format} peak of `{id}` is below its {} peak of {}", plain.0, plain.1);
                found.at(place, key(), message, "a matrix unit is not slower").of(id);
            }
        }
    }
}

pub(in crate::contribute) const IMPLAUSIBLE_NETWORK: Rule = Rule {
    code: Code::new(213),
    title: "figures of a network that cannot be",
    severity: Severity::Error,
    page: "Parameters are in millions, multiply-adds in 10^9 for one sample, forward. Every convolution uses each of its weights at least once, so a network of images with fewer multiply-adds than parameters has a unit wrong; so has one that uses a weight many times for each pixel.",
    sample: Sample::edited("catalog/networks/deepnet-18.toml", "1.8", "1800000"),
    check: Check::Catalog(find_implausible_network),
};

fn find_implausible_network(context: &LintContext<'_>, found: &mut Findings) {
    for (id, network) in &context.loaded.catalog.networks {
        let Some(place) = context.place(EntityKind::Network, id.as_str()) else { continue };
        if let Some(parameters) = network.parameters_m.filter(|p| p.value() > 2_000_000.0) {
            let message = format!("`{id}` has {parameters} million parameters");
            found.at(place, ["parameters-m".into()], message, "is it in thousands or ones?").of(id);
        }
        let (Some(parameters), Some(work)) = (network.parameters_m, network.multiply_adds_g) else { continue };
        if parameters.value() == 0.0 {
            continue;
        }
        // Without a stated shape, assume the largest image of a camera.
        let extents = network.input_shape.as_ref().map_or_else(|| "3x4096x4096".to_owned(), ToString::to_string);
        let pixels: f64 = extents.split('x').skip(1).filter_map(|extent| extent.parse::<f64>().ok()).product();
        let uses = work.value() * 1e9 / (parameters.value() * 1e6);
        // A network that enlarges its image works on more pixels than its input has; biases are added, not multiplied.
        let least = if network.input_shape.is_some() { 0.9 } else { 0.0 };
        if !(least..=16.0 * pixels.max(1.0)).contains(&uses) {
            let message = format!("`{id}` would use each of its {parameters} million parameters {uses:.3} times");
            // The parameters are wrong if no other network of the task has as many; otherwise the multiply-adds are.
            let others =
                context.loaded.catalog.networks.values().filter(|other| other.id != *id && other.task == network.task);
            let most =
                others.filter_map(|other| other.parameters_m).fold(0.0, |most, other| f64::max(most, other.value()));
            let many = uses < 1.0 && parameters.value() > most;
            let key = if many { "parameters-m" } else { "multiply-adds-g" };
            found.at(place, [key.into()], message, "parameters are in millions, multiply-adds in 10^9").of(id);
        }
    }
}

pub(in crate::contribute) const MEMORY_CONTRADICTS_NAME: Rule = Rule {
    code: Code::new(216),
    title: "a name that states another memory",
    severity: Severity::Warning,
    page: "The SKU is called after a memory that its entry does not have: `memory-gib` is that of a sibling, or the entry was copied from it and the rest of it may be the sibling's, too.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", "memory-gib = 16"),
    check: Check::Catalog(find_memory_contradicts_name),
};

/// Matches a memory size: `16GB`, `16 GB`, `16 GiB`.
static STATED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(\d{1,4})[\s-]?gi?b\b").expect("the pattern is tested by the rule's samples"));

fn find_memory_contradicts_name(context: &LintContext<'_>, found: &mut Findings) {
    for (id, device) in &context.loaded.catalog.devices {
        let (Some(memory), Some(place)) = (device.memory_gib, context.place(EntityKind::Device, id.as_str())) else {
            continue;
        };
        let stated = |text: &str| STATED.captures(text).and_then(|found| found[1].parse::<f64>().ok());
        let by_alias = || device.aliases.iter().find_map(|alias| stated(alias));
        let Some(stated) = stated(&device.name).or_else(|| stated(id.as_str())).or_else(by_alias) else { continue };
        // A factor of a thousand means MiB for GiB, which another rule reports.
        let siblings = (stated / 20.0..stated * 20.0).contains(&memory.value());
        if siblings && !(stated * LEAST_OF_NAME..=stated).contains(&memory.value()) {
            let message = format!("`{id}` is called after {stated} GB and has {memory} GiB");
            found.at(place, ["memory-gib".into()], message, "another memory than that of its name").of(id);
        }
    }
}

/// Minimum share of the memory in the name: boards reserve some for error correction, and 10^9 bytes are 0.93 GiB.
const LEAST_OF_NAME: f64 = 0.9;

pub(in crate::contribute) const MISSING_FORMAT: Rule = Rule {
    code: Code::new(311),
    title: "a precision that the device does not have",
    severity: Severity::Warning,
    page: "TF32 and bf16 came with compute capability 8.0 (Ampere), fp8 with 8.9 (Ada, Hopper): the CUDA C++ Programming Guide lists the arithmetic of each. Software can imitate bf16, so that an attempt is not proof; but a fast run in a format that the device lacks was one in another format.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""fp16", 16"#, r#""fp8", 16"#),
    check: Check::Claim(find_missing_format),
};

fn find_missing_format(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let first = match measurement.precision() {
        Some(Precision::Tf32 | Precision::Bf16 | Precision::AmpBf16) => (8, 0),
        Some(Precision::Fp8) => (8, 9),
        _ => return,
    };
    if measurement.metrics().is_empty() {
        return;
    }
    let Some(id) = measurement.text(Field::Device) else { return };
    let Some(own) = context.capability(id).filter(|own| *own < first) else { return };
    let precision = measurement.precision().map(|precision| precision.to_string()).unwrap_or_default();
    let message = format!(
        "`{id}` has compute capability {}.{} and no {precision}, which came with {}.{}",
        own.0, own.1, first.0, first.1
    );
    found.in_row(row, Field::Precision.key(), message, "the device computes in another format").rests_on(
        EntityKind::Device,
        Some(id),
        "compute-capability",
    );
}

pub(in crate::contribute) const LAPTOP_FIGURES: Rule = Rule {
    code: Code::new(222),
    title: "a laptop's device with the figures of the desktop board",
    severity: Severity::Warning,
    page: "A laptop's GPU shares the name of a desktop board and little else: it draws half the power or less, and has another chip, fewer cores or slower memory. An entry with the desktop's power, or with its bandwidth, peak or cores where nothing else says that both have one chip, was copied from the desktop board. The vendor's page of the laptop part, or TechPowerUp's, has its own figures.",
    sample: Sample::edited("catalog/devices/nova-90-laptop.toml", "tdp-w = 90", "tdp-w = 200"),
    check: Check::Catalog(find_laptop_figures),
};

/// Words that mark a laptop variant, as people write them.
const FORMS: &[&str] =
    &["laptop gpu", "laptop", "notebook", "mobile", "max-q design", "max-q", "maxq", "max q", "with"];

/// The normalised name without the words that mark a laptop variant; `None` if it has no such word.
fn desktop_name(name: &str) -> Option<String> {
    let mut plain = name.to_lowercase();
    for form in FORMS {
        plain = plain.replace(form, " ");
    }
    let has_form = FORMS.iter().any(|form| *form != "with" && name.to_lowercase().contains(form));
    // A number of three or four digits followed by `m`: `RTX 5070m`, `RX 7900M`, `A770M`.
    let mut words: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    let mut has_m = false;
    for word in &mut words {
        let of_m = |stem: &str| {
            let figures = stem.bytes().rev().take_while(u8::is_ascii_digit).count();
            (3..=4).contains(&figures)
        };
        if !has_form && let Some(stem) = word.strip_suffix('m').filter(|stem| of_m(stem)) {
            *word = stem.to_owned();
            has_m = true;
        }
    }
    (has_form || has_m).then(|| board_name(&words.join(" ")))
}

/// The normalised name without vendor, product line, and the size or power that distinguishes members.
fn board_name(name: &str) -> String {
    static SIZE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)[(,]?\s*\b\d+\s*(?:gb|gib|g|w|watt)\b\s*\)?").expect("the pattern is tested")
    });
    let normal = normalise(&SIZE.replace_all(name, " "));
    let mut name = normal.as_str();
    for word in ["nvidia", "amd", "intel", "geforce", "radeon", "quadro"] {
        name = name.strip_prefix(word).unwrap_or(name);
    }
    name.to_owned()
}

/// The key of a fact, and the function that reads it from an entry.
type Figure = (&'static str, fn(&Device) -> Option<f64>);

fn number(value: Option<Decimal>) -> Option<f64> {
    value.map(|value| value.value())
}

const FIGURES: &[Figure] = &[
    ("bandwidth-gb-per-s", |d| number(d.bandwidth_gb_per_s)),
    ("cores", |d| d.cores.map(|cores| cores as f64)),
    ("peak-tflops.fp32", |d| number(d.peak_tflops.get(&NumberFormat::Fp32).copied())),
    ("peak-tflops.fp16-tensor", |d| number(d.peak_tflops.get(&NumberFormat::Fp16Tensor).copied())),
    ("boost-clock-mhz", |d| number(d.boost_clock_mhz)),
];

/// A laptop part draws less than this share of the desktop board's power.
const MOST_POWER: f64 = 0.95;

fn find_laptop_figures(context: &LintContext<'_>, found: &mut Findings) {
    let devices = &context.loaded.catalog.devices;
    let mut boards: BTreeMap<String, Vec<&Device>> = BTreeMap::new();
    for device in devices.values() {
        let spellings = device.aliases.iter().chain([&device.name]);
        for spelling in spellings.filter(|spelling| desktop_name(spelling).is_none()) {
            let members = boards.entry(board_name(spelling)).or_default();
            if !members.iter().any(|known| known.id == device.id) {
                members.push(device);
            }
        }
    }
    for (id, device) in devices.iter().filter(|(_, device)| device.class == HardwareClass::Gpu) {
        let spellings = device.aliases.iter().chain([&device.name]);
        let mut names = spellings.filter_map(|spelling| desktop_name(spelling));
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        let Some(boards) = names.find_map(|name| boards.get(&name)) else { continue };
        for board in boards.iter().filter(|board| board.id != *id) {
            if compare(device, board, place, found) {
                break;
            }
        }
    }
}

/// Reports the figures that a laptop device shares with a desktop board; returns whether it shares any.
fn compare(device: &Device, board: &Device, place: &Located<()>, found: &mut Findings) -> bool {
    let id = &device.id;
    let mut is_copied = false;
    let power = number(device.tdp_w).zip(number(board.tdp_w)).filter(|(own, other)| *own >= other * MOST_POWER);
    if let Some((own, other)) = power {
        let message = format!("`{id}` draws {own} W, and the desktop's `{}` {other} W", board.id);
        found.at(place, ["tdp-w".into()], message, "the power of the desktop board?").of(id);
        is_copied = true;
    }
    let is_of_chip = device.chip.is_some() && device.chip == board.chip;
    if is_of_chip && device.cores.is_some() && device.cores == board.cores {
        return is_copied;
    }
    for (key, figure) in FIGURES {
        let same = figure(device).zip(figure(board)).filter(|(own, other)| own == other);
        // A chip with fewer active cores may have the same memory and clock.
        if is_of_chip && matches!(*key, "bandwidth-gb-per-s" | "boost-clock-mhz") {
            continue;
        }
        if let Some((own, _)) = same {
            let message = format!("`{id}` has `{key}` = {own}, as the desktop's `{}`", board.id);
            let steps = key.split('.').map(Step::from);
            found.at(place, steps, message, "the figure of the desktop board?").of(id);
            is_copied = true;
        }
    }
    is_copied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desktop_board_of_a_laptop_name_is_known() {
        for (name, board) in [
            ("GeForce RTX 5090 Laptop GPU", Some("rtx5090")),
            ("RTX 2070 with Max-Q Design", Some("rtx2070")),
            ("RTX 5070 Mobile", Some("rtx5070")),
            ("RTX5070m", Some("rtx5070")),
            ("NVIDIA RTX 4080 Mobile (150W)", Some("rtx4080")),
            ("GeForce RTX 3080 Max-Q 8GB", Some("rtx3080")),
            ("Radeon RX 7900M", Some("rx7900")),
            ("Arc A770M", Some("arca770")),
            ("RTX 5090", None),
            ("Snapdragon 8", None),
        ] {
            assert_eq!(desktop_name(name).as_deref(), board, "{name}");
        }
    }
}

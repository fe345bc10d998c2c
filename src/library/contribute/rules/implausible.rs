//! Figures of devices and networks that cannot be, and what a name or a precision says otherwise.

use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::reading::Step;
use crate::values::{EntityKind, Precision};

pub(in crate::contribute) const IMPLAUSIBLE_DEVICE: Rule = Rule {
    code: Code::new(212),
    title: "figures of a device that cannot be",
    severity: Severity::Error,
    page: "Units slip: MB for GiB, GFLOP/s for TFLOP/s, mW for W. And some figures bound each other: a matrix unit is not slower than the plain one of its format, fp16 not much slower on it than fp32, the boost clock not below the base clock.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", "memory-gib = 32768"),
    check: Check::Catalog(find_implausible_device),
};

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
                found.at(place, [key.into()], message, "is the unit right?").of(id);
            }
        }
        if let (Some(base), Some(boost)) = (device.base_clock_mhz, device.boost_clock_mhz)
            && boost.value() < base.value()
        {
            let message = format!("the boost clock of `{id}` is below its base clock of {base} MHz");
            found.at(place, ["boost-clock-mhz".into()], message, "below the base clock").of(id);
        }
        for (format, peak) in &device.peak_tflops {
            let key = || ["peak-tflops".into(), Step::from(<&str>::from(format))];
            if peak.value() > 100_000.0 {
                let message = format!("the {format} peak of `{id}` is {peak} TFLOP/s");
                found.at(place, key(), message, "is it in GFLOP/s?").of(id);
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
    page: "Parameters are in millions, multiply-adds in 10^9 for one sample, forward. Every convolution uses each of its weights at least once, so a network of images with fewer multiply-adds than a tenth of its parameters has a unit wrong; so has one that uses a weight many times for each pixel.",
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
        // Without a shape it may be an image of any camera.
        let extents = network.input_shape.as_ref().map_or_else(|| "3x4096x4096".to_owned(), ToString::to_string);
        let pixels: f64 = extents.split('x').skip(1).filter_map(|extent| extent.parse::<f64>().ok()).product();
        let uses = work.value() * 1e9 / (parameters.value() * 1e6);
        // A network that enlarges its image works on more pixels than it gets.
        let least = if network.input_shape.is_some() { 0.1 } else { 0.0 };
        if !(least..=16.0 * pixels.max(1.0)).contains(&uses) {
            let message = format!("`{id}` would use each of its {parameters} million parameters {uses:.3} times");
            found.at(place, ["multiply-adds-g".into()], message, "10^9 for one sample").of(id);
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

/// `16GB`, `16 GB`, `16 GiB`.
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
        // A thousand times as much is MiB taken for GiB, which has a rule of its own.
        let siblings = (stated / 20.0..stated * 20.0).contains(&memory.value());
        if siblings && (memory.value() - stated).abs() > stated * SLACK {
            let message = format!("`{id}` is called after {stated} GB and has {memory} GiB");
            found.at(place, ["memory-gib".into()], message, "another memory than that of its name").of(id);
        }
    }
}

/// Boards keep some of their memory for error correction, and 10^9 byte are 0.93 GiB.
const SLACK: f64 = 0.1;

pub(in crate::contribute) const MISSING_FORMAT: Rule = Rule {
    code: Code::new(311),
    title: "a precision that the device does not have",
    severity: Severity::Warning,
    page: "TF32 and bf16 came with compute capability 8.0 (Ampere), fp8 with 8.9 (Ada, Hopper): the CUDA C++ Programming Guide lists the arithmetic of each. Software can imitate bf16, so that an attempt is no proof; but a fast run in a format that the device lacks was one in another format.",
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

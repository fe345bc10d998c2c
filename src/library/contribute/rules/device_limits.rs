//! Rows that exceed their device's limits or hardly use them: peak, memory, power, rated rates, and the fp16 speedup.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::plausible_rate::{Claim, claim, claim_of_product, judged, rate, slips};
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::bytes_of;
use crate::model::{Code, Field, Measurement, Metric, NumberFormat, Severity};
use crate::values::{Counted, EntityKind, HardwareClass, Precision, Stage};

pub(in crate::contribute) const OVER_PEAK: Rule = Rule {
    code: Code::new(401),
    title: "more work than the device can do",
    severity: Severity::Error,
    page: "The row claims more operations a second than the dense peak of the device in that format: the network's multiply-adds (twice, a multiply-add is two operations; three passes for training) times the items a second, over the peak times the number of devices. Boards run above their nominal clock where heat and power allow it, so a GPU may claim 15 % more. Without a stated precision the fastest format counts.

A matrix product whose label states its sizes (`M 5124, N 700, K 2048`) is two operations for each of their product. The message says which slip would explain the number. Networks that consist of 3x3 convolutions (VGG, AlexNet) may claim 2.25 times the peak of a plain format, because Winograd's method makes their results with 16 multiplications for 36. A source may err: then except this rule with the reason.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "2.0"),
    check: Check::Claim(find_over_peak),
};

fn find_over_peak(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let claim = claim(context, row.get()).or_else(|| claim_of_product(context, row.get()));
    let Some(claim) = claim.filter(|claim| claim.utilisation > claim.allowance) else { return };
    let message = format!(
        "{:.0} % of the peak of `{}`: {:.1} of {:.1} TFLOP/s in {}",
        claim.utilisation * 100.0,
        row.get().text(Field::Device).unwrap_or_default(),
        claim.achieved,
        claim.peak * claim.devices,
        claim.format,
    );
    let finding = found.in_row(row, claim.key, message, "faster than the device can compute");
    judged(finding, &claim, row.get());
    finding.help(match slips(&claim, row.get()) {
        Some(slips) => format!("this would explain it: {slips}; or a digit, or the decimal point, is wrong"),
        None => "is a digit, or the decimal point, wrong? Is it this network, this device, this precision?".to_owned(),
    });
}

pub(in crate::contribute) const NEAR_PEAK: Rule = Rule {
    code: Code::new(402),
    title: "nearly all the work that the device can do",
    severity: Severity::Warning,
    page: "Above 85 % of the dense peak (of a GPU at a boost 15 % above the nominal clock). Long matrix products come close, whole networks hardly: the figure may be right, but look again.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "8.0"),
    check: Check::Claim(find_near_peak),
};

fn find_near_peak(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let near = |claim: &Claim| (0.85..=1.0).contains(&(claim.utilisation / claim.allowance));
    let Some(claim) = claim(context, row.get()).filter(near) else { return };
    let message = format!("{:.0} % of the dense peak in {}", claim.utilisation * 100.0, claim.format);
    let finding = found.in_row(row, claim.key, message, "hardly any network comes so near");
    judged(finding, &claim, row.get());
    if let Some(slips) = slips(&claim, row.get()) {
        finding.help(format!("or: {slips}"));
    }
}

pub(in crate::contribute) const IDLE_DEVICE: Rule = Rule {
    code: Code::new(403),
    title: "hardly any work for the device",
    severity: Severity::Warning,
    page: "The row claims less than a ten-thousandth of what the device can do, or a batch that takes longer than a quarter of an hour. Small networks on large devices are slow, but not so slow.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "200000.0"),
    check: Check::Claim(find_idle_device),
};

fn find_idle_device(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let idle = |claim: &Claim| claim.utilisation < LEAST_UTILISATION;
    let Some(claim) = claim(context, row.get()).filter(idle) else { return };
    let message = format!("{:.4} % of the dense peak in {}", claim.utilisation * 100.0, claim.format);
    let finding = found.in_row(row, claim.key, message, "absurdly slow");
    judged(finding, &claim, row.get());
    if let Some(slips) = slips(&claim, row.get()) {
        finding.help(format!("this would explain it: {slips}"));
    }
}

/// Minimum utilisation: every row of the repository's knowledge base, including batch 1 on the largest devices, uses more.
const LEAST_UTILISATION: f64 = 1e-4;

pub(in crate::contribute) const OVER_MEMORY: Rule = Rule {
    code: Code::new(404),
    title: "more memory than the device has, or less than the network takes",
    severity: Severity::Error,
    page: "The row states more memory than all its devices have together, or the weights alone do not fit: parameters times the bytes of the format that they are kept in (of a GGUF type such as `Q4_K_M` the bits in its name), and gradients of the same size in training. Memory in use is also not less than the weights take in one byte each: then it is in GiB.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "12000", "20000"),
    check: Check::Claim(find_over_memory),
};

fn find_over_memory(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let limits = measurement.text(Field::Device).and_then(|device| context.limits.get(device));
    let of_entry = limits.and_then(|limits| limits.memory_gib);
    // For a chip sold with several memory sizes, the row's spelling states the size.
    let spelled = || stated_memory(measurement.text(Field::DeviceRaw)?);
    let kin = || context.memory_of_kin(measurement.text(Field::Device)?);
    let Some(memory) = of_entry.or_else(spelled).or_else(kin) else { return };
    let devices = measurement.devices() as f64;
    if let Some(used) = measurement.metric(Metric::MemoryMib)
        && used.value() > memory * devices * MIB_PER_GIB * SLACK
    {
        let message = format!("{used} MiB in use on {devices} x {memory} GiB");
        found
            .in_row(row, Metric::MemoryMib.key(), message, "more than the device has")
            .help("is it in MB or KiB, for another number of devices, or memory of the host?")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "memory-gib");
    }
    if let (Some(used), Some(parameters)) = (measurement.metric(Metric::MemoryMib), parameters(context, measurement))
        && used.value() * BYTES_PER_MIB < parameters * LEAST_BYTES
    {
        let message = format!("{used} MiB in use, and {:.1} million parameters", parameters / 1e6);
        found
            .in_row(row, Metric::MemoryMib.key(), message, "less than the weights take")
            .help("is it in GiB?")
            .rests_on(EntityKind::Network, measurement.text(Field::Network), "parameters-m");
    }
    if measurement.metrics().is_empty() {
        return;
    }
    let Some(weights) = weights(context, measurement) else { return };
    if weights > memory * devices {
        let key = match measurement.text(Field::WeightFormat) {
            Some(_) => Field::WeightFormat.key(),
            None if measurement.precision().is_some() => Field::Precision.key(),
            None => Field::Network.key(),
        };
        let message = format!("the weights take {weights:.1} GiB, {devices} x {memory} GiB are there");
        found
            .in_row(row, key, message, "does not fit into memory")
            .help("another precision, more devices, or a network of another size")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "memory-gib")
            .rests_on(EntityKind::Network, measurement.text(Field::Network), "parameters-m");
    }
}

/// The memory size in GiB in a device's spelling: `M1 7-Core GPU 8GB`.
fn stated_memory(spelling: &str) -> Option<f64> {
    static STATED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\b(\d{1,4})\s?gi?b\b").expect("the pattern is tested"));
    let mut stated = STATED.captures_iter(spelling).filter_map(|found| found[1].parse().ok());
    stated.next().filter(|_| stated.next().is_none())
}

const MIB_PER_GIB: f64 = 1024.0;

/// Tolerance: sources round, and confuse GB with GiB.
const SLACK: f64 = 1.08;

const BYTES_PER_MIB: f64 = 1024.0 * 1024.0;

/// Minimum bytes per parameter in memory: four-bit quantisation with some weights left on the host.
const LEAST_BYTES: f64 = 0.3;

/// Number of parameters of the network.
fn parameters(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    Some(network.parameters_m?.value() * 1e6)
}

/// Size in GiB of the weights, plus the gradients in training.
fn weights(context: &LintContext<'_>, measurement: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(measurement.text(Field::Network)?)?;
    let bytes = bytes_of_a_weight(measurement)?;
    let copies = if measurement.stage() == Some(Stage::Train) { 2.0 } else { 1.0 };
    Some(network.parameters_m?.value() * 1e6 * bytes * copies / (MIB_PER_GIB * MIB_PER_GIB * MIB_PER_GIB))
}

/// Bytes per weight; the storage format may differ from the compute format. `None` if the row states no format, or one
/// of unknown size.
fn bytes_of_a_weight(measurement: &Measurement) -> Option<f64> {
    match measurement.text(Field::WeightFormat) {
        Some(format) => format.parse().ok().map(bytes_of).or_else(|| bytes_of_gguf(format)),
        None => measurement.precision().map(bytes_of),
    }
}

/// Minimum bytes per weight of a GGUF type: `F16`, `Q4_K_M`, `UD-IQ2_XXS`. Scales, and layers in a wider format, add to
/// it.
fn bytes_of_gguf(format: &str) -> Option<f64> {
    let name = format.strip_prefix("UD-").unwrap_or(format);
    let digits = ["BF", "F", "IQ", "Q"].iter().find_map(|kind| name.strip_prefix(kind))?;
    let bits = digits.split('_').next()?.parse::<f64>().ok()?;
    Some(bits / 8.0)
}

pub(in crate::contribute) const OVER_POWER: Rule = Rule {
    code: Code::new(405),
    title: "more power than the board may draw, or hardly any",
    severity: Severity::Warning,
    page: "The mean power of a run stays below the thermal design power of its devices. More is the power of the whole machine (say so in `metered`: `host` or `wall`), of more devices than the row states, or of another card. A device that computes draws more than a fiftieth of it: less is in kW.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "230", "420"),
    check: Check::Claim(find_over_power),
};

fn find_over_power(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(power) = measurement.metric(Metric::PowerW) else { return };
    let limits = measurement.text(Field::Device).and_then(|device| context.limits.get(device));
    let devices = measurement.devices() as f64;
    let Some(limit) = limits.and_then(|limits| limits.tdp_w) else {
        // If the entry states no TDP, use a limit that no device of its class exceeds.
        let device = measurement.text(Field::Device).and_then(|id| context.loaded.catalog.devices.get(id));
        let is_chip = device.is_some_and(|device| matches!(device.class, HardwareClass::Cpu | HardwareClass::Gpu));
        if is_chip && power.value() > MOST_POWER * devices {
            found
                .in_row(row, Metric::PowerW.key(), format!("{power} W"), "more than any such device draws")
                .help("is it in mW?");
        }
        return;
    };
    if power.value() < limit * OVER_POWER_LEAST {
        let message = format!("{power} W where one device may draw {limit} W");
        found
            .in_row(row, Metric::PowerW.key(), message, "less than an idle board draws")
            .help("is it in kW?")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "tdp-w");
    }
    // Power of the whole machine may exceed the limit of the devices.
    let of_machine = matches!(measurement.text(Field::Metered), Some("host" | "wall"));
    if !of_machine && power.value() > limit * devices * OVER_POWER_SLACK {
        let message = format!("{power} W where {devices} x {limit} W are the limit");
        let is_milli = (OVER_POWER_LEAST..=1.0).contains(&(power.value() / 1e3 / (limit * devices)));
        found
            .in_row(row, Metric::PowerW.key(), message, "above the board's limit")
            .help(if is_milli { "is it in mW?" } else { "power of the whole machine, or of more devices?" })
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "tdp-w");
    }
}

/// More than any GPU or CPU draws, W: the largest of 2026 are designed for 1,400.
const MOST_POWER: f64 = 2000.0;

/// Minimum share of its power limit that even an idle board draws.
const OVER_POWER_LEAST: f64 = 0.02;

/// Tolerance: meters err by a few per cent, and board partners' cards may draw a fifth more than the reference.
const OVER_POWER_SLACK: f64 = 1.2;

pub(in crate::contribute) const OVER_RATED: Rule = Rule {
    code: Code::new(409),
    title: "a rate beyond what the device has",
    severity: Severity::Error,
    page: "`gflops` stays below the peak of all devices together in the row's precision, `device-gflops` below that of one, `bandwidth-gb-per-s` below that of their memory, and `speedup` over one device below their number. Each token that a language model writes needs its weights once, so their bytes over the time of a token are no more than the bandwidth. More is another unit: MB/s, MFLOP/s, FLOP/s.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "accuracy = 0.759",
        "accuracy = 0.759\nbandwidth-gb-per-s = 90000",
    ),
    check: Check::Claim(find_over_rated),
};

fn find_over_rated(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(device) = measurement.text(Field::Device).and_then(|id| context.loaded.catalog.devices.get(id)) else {
        return;
    };
    let limits = context.limits.get(device.id.as_str());
    // If the entry states no limit, use one that no device of its class reaches.
    let plain = matches!(measurement.precision(), None | Some(Precision::Fp32 | Precision::Fp64));
    let (rate, bandwidth) = match device.class {
        HardwareClass::Cpu if plain => (5e4, 1e4),
        HardwareClass::Cpu => (1e6, 1e4),
        _ if plain => (1e6, 1e5),
        _ => (1e8, 1e5),
    };
    let devices = measurement.devices() as f64;
    let id = Some(device.id.as_str());
    for (metric, devices) in [(Metric::DeviceGflops, 1.0), (Metric::Gflops, devices)] {
        let Some(value) = measurement.metric(metric) else { continue };
        let peak = limits.and_then(|limits| limits.peak(measurement.precision()));
        let highest = || Some(limits?.highest_peak()? * 1e3 * CACHED);
        let of_format = peak.map(|(peak, _)| peak * 1e3 * OVER_NOMINAL);
        let most = of_format.or_else(highest).unwrap_or(rate * CACHED) * devices;
        if value.value() > most {
            let format = peak.map_or(String::new(), |(_, format)| format!(" in {format}"));
            let message = format!("`{metric}` is {value}, and {most:.0} is the most that is possible{format}");
            found
                .in_row(row, metric.key(), message, "more than the device has")
                .help("it is in 10^9 operations a second; is the precision right?")
                .rests_on(
                    EntityKind::Device,
                    id,
                    peak.map_or(String::new(), |(_, format)| format!("peak-tflops.{format}")),
                );
        }
    }
    // GPU bandwidth benchmarks use more data than fits in the caches; other benchmarks may not.
    let slack = if device.class == HardwareClass::Gpu { OVER_NOMINAL } else { CACHED };
    let most = limits.and_then(|limits| limits.bandwidth).unwrap_or(bandwidth) * devices;
    if let Some(value) = measurement.metric(Metric::BandwidthGbPerS).filter(|value| value.value() > most * slack) {
        let message = format!("`bandwidth-gb-per-s` is {value}, the device has {most:.0}");
        found
            .in_row(row, Metric::BandwidthGbPerS.key(), message, "more than the device has")
            .help("it is in 10^9 bytes a second")
            .rests_on(EntityKind::Device, id, "bandwidth-gb-per-s");
    }
    over_bandwidth(context, row, most, found);
    // Splitting work among devices gains at most their number.
    if let Some(value) = measurement.metric(Metric::Speedup)
        && devices > 1.0
        && value.value() > devices * OVER_NOMINAL
        && measurement.text(Field::Baseline).is_some_and(|of| SINGLE_DEVICE.is_match(of))
    {
        let message = format!("{value} times as fast as one, with {devices} devices");
        found
            .in_row(row, Metric::Speedup.key(), message, "more than all devices together")
            .beside([Field::DeviceCount.key().into()], "or are there more?");
    }
}

/// Number of requests that share one read of the weights: those of a batch, or the concurrent ones.
fn batched_requests(measurement: &Measurement) -> Option<f64> {
    let fields = [Field::BatchSizeGlobal, Field::BatchSize, Field::Concurrency];
    let stated = fields.into_iter().filter_map(|field| measurement.count(field)).max();
    let is_of_llama_cpp = measurement.text(Field::WeightFormat).is_some_and(|format| bytes_of_gguf(format).is_some());
    stated.or(is_of_llama_cpp.then_some(1)).map(|requests| requests as f64)
}

/// Reports tokens that are generated faster than the weights can be read: each token needs them once, a batch shares
/// one read. More tokens per read come only from a draft model, which the setting states.
fn over_bandwidth(context: &LintContext<'_>, row: &IndexedRow<'_>, most: f64, found: &mut Findings) {
    let measurement = row.get();
    let network = measurement.text(Field::Network).and_then(|id| context.loaded.catalog.networks.get(id));
    let is_plain = measurement.text(Field::Setting).is_none() && measurement.text(Field::SpeculativeDecoding).is_none();
    if measurement.stage() != Some(Stage::Decode) || !is_plain {
        return;
    }
    let parameters = network.and_then(|network| network.active_parameters_m.or(network.parameters_m));
    let (Some(parameters), Some(bytes)) = (parameters, bytes_of_a_weight(measurement)) else { return };
    let of_token = |metric: Metric| Some((metric, measurement.metric(metric)?.value() / 1e3));
    let of_rate = || {
        let rate = measurement.metric(Metric::ThroughputPerS).filter(|_| measurement.counts() == Some(Counted::Token));
        Some((Metric::ThroughputPerS, batched_requests(measurement)? / rate?.value()))
    };
    let Some((metric, seconds)) = of_token(Metric::TimePerOutputTokenMs).or_else(of_rate) else { return };
    let read = parameters.value() * bytes / 1e3 / seconds;
    if read > most * OVER_NOMINAL {
        let message = format!(
            "`{}` weights of {bytes} bytes for each token are {read:.0} GB/s, the memory has {most:.0}",
            measurement.text(Field::Network).unwrap_or_default()
        );
        found
            .in_row(row, metric.key(), message, "faster than the weights can be read")
            .help("is a digit wrong, the batch, the format of the weights, or the number of devices?")
            .rests_on(EntityKind::Device, measurement.text(Field::Device), "bandwidth-gb-per-s")
            .rests_on(EntityKind::Network, measurement.text(Field::Network), "parameters-m");
    }
}

/// Matches a baseline of one device.
static SINGLE_DEVICE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:1|one|single)\b").expect("the pattern is tested"));

/// Boards can exceed their nominal clock, though not for long in matrix products.
const OVER_NOMINAL: f64 = 1.15;

/// Tolerance if caches can serve a part of the traffic; boards also run above their nominal clock.
const CACHED: f64 = 1.5;

pub(in crate::contribute) const FP16_GAIN: Rule = Rule {
    code: Code::new(407),
    title: "fp16 faster than the number formats allow",
    severity: Severity::Warning,
    page: "Two rows that differ in precision only cannot differ more in speed than the peaks of their formats do; where memory is the limit, fp16 moves half the bytes of fp32 and gains twice at most; and fp32 is not many times as fast as fp16.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "31.0, 2064.5", "5.0, 12800.0"),
    check: Check::Rows(find_fp16_gain),
};

/// The fields that rows must share to be compared across formats, and across the frameworks that compute in them.
const SHARED_BY_FORMATS: &[Field] = &[
    Field::Device,
    Field::Network,
    Field::InputShape,
    Field::BatchSize,
    Field::SequenceLength,
    Field::Threads,
    Field::ComputeUnit,
    Field::DeviceCount,
    Field::Stage,
];

/// No device is this many times slower in the shorter format; no pair in the knowledge base differs by ten.
const MOST_FP32_GAIN: f64 = 20.0;

/// Reports fp32 rows many times as fast as fp16 rows of the same setting and file: seconds for milliseconds, or a missing digit.
fn find_fp32_gain(context: &LintContext<'_>, found: &mut Findings) {
    type Setting<'l> = (&'l Path, Vec<String>);
    let mut rows: HashMap<Setting<'_>, Vec<usize>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let is_judged = matches!(measurement.precision(), Some(Precision::Fp32 | Precision::Fp16));
        if is_judged && measurement.metric(Metric::LatencyMs).is_some() && context.is_undisputed(measurement) {
            let setting = SHARED_BY_FORMATS.iter().map(|field| format!("{:?}", measurement.get(*field))).collect();
            rows.entry((&row.file().path, setting)).or_default().push(at);
        }
    }
    let latency = |at: &usize| context.loaded.rows[*at].get().metric(Metric::LatencyMs).map(|value| value.value());
    let mut told: Vec<(usize, usize, f64)> = Vec::new();
    for rows in rows.values().filter(|rows| rows.len() > 1) {
        let is_plain = |at: &&usize| context.loaded.rows[**at].get().precision() == Some(Precision::Fp32);
        let short = rows.iter().filter(|at| !is_plain(at)).filter_map(|at| Some((*at, latency(at)?)));
        let Some((short, fastest)) = short.min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        for plain in rows.iter().filter(is_plain) {
            let gain: f64 = latency(plain).map_or(0.0, |own| fastest / own);
            if gain.is_finite() && gain > MOST_FP32_GAIN {
                told.push((*plain, short, gain));
            }
        }
    }
    told.sort_unstable_by_key(|(at, _, _)| *at);
    for (at, short, gain) in told {
        let row = IndexedRow { at, row: &context.loaded.rows[at] };
        let message = format!("fp32 is {gain:.0} times as fast as fp16");
        found
            .in_row(&row, Metric::LatencyMs.key(), message, "in milliseconds?")
            .related(&context.loaded.rows[short], "the same in fp16");
    }
}

fn find_fp16_gain(context: &LintContext<'_>, found: &mut Findings) {
    find_fp32_gain(context, found);
    let mut pairs: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        if matches!(measurement.precision(), Some(Precision::Fp32 | Precision::Fp16 | Precision::AmpFp16))
            && rate(measurement).is_some()
            && context.is_undisputed(measurement)
        {
            pairs.entry(context.setting_but_for(at, &[Field::Precision])).or_default().push(at);
        }
    }
    let mut told: Vec<(usize, usize)> = Vec::new();
    for rows in pairs.into_values().filter(|rows| rows.len() > 1) {
        let is_plain = |at: &usize| context.loaded.rows[*at].get().precision() == Some(Precision::Fp32);
        let Some(plain) = rows.iter().copied().find(is_plain) else { continue };
        told.extend(rows.into_iter().filter(|at| !is_plain(at)).map(|at| (at, plain)));
    }
    told.sort_unstable();
    for (at, plain) in told {
        let [row, plain] = [at, plain].map(|at| &context.loaded.rows[at]);
        let limits = row.get().text(Field::Device).and_then(|device| context.limits.get(device));
        let Some(limits) = limits else { continue };
        let (Some((short, _)), Some(long)) = (limits.peak(Some(Precision::Fp16)), limits.rate(NumberFormat::Fp32))
        else {
            continue;
        };
        let (Some((fast, key)), Some((slow, _))) = (rate(row.get()), rate(plain.get())) else { continue };
        let (gain, most) = (fast / slow, (short / long).max(2.0));
        if gain > most * FP16_GAIN_SLACK {
            let message = format!("fp16 is {gain:.1} times as fast as fp32, the formats allow {most:.1}");
            found
                .in_row(&IndexedRow { at, row }, key, message, "faster than fp16 can be")
                .related(plain, "the same in fp32")
                .rests_on(EntityKind::Device, row.get().text(Field::Device), "peak-tflops.fp16")
                .rests_on(EntityKind::Device, row.get().text(Field::Device), "peak-tflops.fp16-tensor")
                .rests_on(EntityKind::Device, row.get().text(Field::Device), "peak-tflops.fp32")
                .help("is one of them another batch, network or stage?");
        }
    }
}

/// Tolerance for the variation between runs.
const FP16_GAIN_SLACK: f64 = 1.25;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    fn row(fields: &[(Field, &str)]) -> Measurement {
        let fields = fields.iter().map(|&(field, text)| (field, Value::Text(text.into())));
        Measurement::new("x".parse().unwrap(), fields.collect(), Default::default())
    }

    #[test]
    fn a_spelling_states_the_memory() {
        assert_eq!(stated_memory("M1 7\u{2011}Core GPU 8GB"), Some(8.0));
        assert_eq!(stated_memory("M2 Ultra, 192 GB"), Some(192.0));
        assert_eq!(stated_memory("K80 12GB of 24GB"), None);
    }

    #[test]
    fn a_gguf_type_states_its_bits() {
        for (format, bytes) in
            [("F16", Some(2.0)), ("BF16", Some(2.0)), ("Q4_K_M", Some(0.5)), ("UD-IQ2_XXS", Some(0.25)), ("NF4", None)]
        {
            assert_eq!(bytes_of_gguf(format), bytes, "{format}");
        }
    }

    #[test]
    fn weights_take_what_the_format_takes_in_which_they_are_kept() {
        let computed = (Field::Precision, "fp16");
        assert_eq!(bytes_of_a_weight(&row(&[computed])), Some(2.0));
        assert_eq!(bytes_of_a_weight(&row(&[computed, (Field::WeightFormat, "int4")])), Some(0.5));
        assert_eq!(bytes_of_a_weight(&row(&[computed, (Field::WeightFormat, "q4_k_m")])), None, "of no known size");
        assert_eq!(bytes_of_a_weight(&row(&[])), None);
    }
}

//! Limits that no device of its time exceeds, and the comparisons that find a device's inconsistent facts.

use NumberFormat::{Bf16Tensor, Fp16, Fp16Tensor, Int8Tensor};

use crate::model::{Device, NumberFormat};
use crate::values::HardwareClass;

/// The result of one comparison.
pub(super) struct FactCheck {
    /// The compared facts, the most suspicious first.
    pub keys: Vec<&'static str>,
    /// Whether the facts are consistent.
    pub is_consistent: bool,
    /// Description of the inconsistency.
    pub description: String,
}

/// Formats a number with three significant digits.
pub(super) fn short(value: f64) -> String {
    // The logarithm of zero is minus infinity, which casts to the smallest integer.
    let digits = 2_i32.saturating_sub(value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

pub(super) fn peak(device: &Device, format: NumberFormat) -> Option<f64> {
    Some(device.peak_tflops.get(&format)?.value()).filter(|peak| *peak > 0.0)
}

pub(super) fn ratio(over: Option<f64>, under: Option<f64>) -> Option<f64> {
    let (over, under) = (over?, under?);
    (over > 0.0 && under > 0.0).then(|| over / under)
}

pub(super) fn peaks(device: &Device, over: NumberFormat, under: NumberFormat) -> Option<f64> {
    ratio(peak(device, over), peak(device, under))
}

/// Checks limits that no device of its time exceeds.
pub(super) fn bounds(device: &Device, all: &mut Vec<FactCheck>) {
    let mut test = |keys: &[&'static str], value: Option<f64>, range: std::ops::RangeInclusive<f64>, what: &str| {
        if let Some(value) = value.filter(|value| !range.contains(value)) {
            all.push(FactCheck {
                keys: keys.to_vec(),
                is_consistent: false,
                description: format!("{what} is {}, expected {} to {}", short(value), range.start(), range.end()),
            });
        }
    };
    let clock = |clock: Option<crate::values::Decimal>| clock.map(|mhz| mhz.value());
    let clocks = ratio(clock(device.base_clock_mhz), clock(device.boost_clock_mhz));
    test(&["base-clock-mhz", "boost-clock-mhz"], clocks, 0.25..=1.01, "the base clock over the boost clock");
    if device.class == HardwareClass::Gpu {
        test(
            &["peak-tflops.fp64", "peak-tflops.fp32"],
            peaks(device, NumberFormat::Fp64, NumberFormat::Fp32),
            0.01..=1.05,
            "the fp64 peak over that of fp32",
        );
        let year = device.release_date.map_or(0, |date| date.year());
        let most = BOARDS.iter().rev().find(|(from, _)| year >= *from).map(|(_, most)| *most);
        let watts = device.tdp_w.map(|watts| watts.value());
        let what = format!("the power of a GPU of {year}, in watts,");
        test(&["tdp-w", "release-date"], watts.filter(|_| year > 0), 0.0..=most.unwrap_or(f64::MAX), &what);
    }
    test(
        &["peak-tflops.int4-tensor", "peak-tflops.int8-tensor"],
        peaks(device, NumberFormat::Int4Tensor, NumberFormat::Int8Tensor),
        0.9..=2.2,
        "the int4 peak of matrix units over that of int8",
    );
    for (keys, over, under, what) in INT8_AT_LEAST {
        test(keys, peaks(device, *over, *under), 0.0..=1.05, what);
    }
    let watts = device.tdp_w.map(|watts| watts.value());
    // Processors of servers and desktops; those of phones and single-board computers have fewer cores.
    if device.class == HardwareClass::Cpu && device.cores.is_some_and(|cores| cores >= 12) {
        test(&["tdp-w"], watts, 28.0..=800.0, "the power of a processor of many cores");
    }
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
    if let Some((year, coarsest)) = latest.filter(|_| device.class == HardwareClass::Gpu) {
        let what = format!("the process of a GPU of {year} or later, in nm,");
        test(&["process-nm"], device.process_nm.map(|nm| nm.value()), 1.0..=*coarsest, &what);
    }
}

/// No unit multiplies 16-bit numbers faster than 8-bit ones. The higher peak is reported, unless other facts show that
/// the lower one was understated.
const INT8_AT_LEAST: &[(&[&str], NumberFormat, NumberFormat, &str)] = &[
    (
        &["peak-tflops.fp16-tensor", "peak-tflops.int8-tensor"],
        Fp16Tensor,
        Int8Tensor,
        "the fp16 peak of matrix units over that of int8",
    ),
    (
        &["peak-tflops.bf16-tensor", "peak-tflops.int8-tensor"],
        Bf16Tensor,
        Int8Tensor,
        "the bf16 peak of matrix units over that of int8",
    ),
    (
        &["peak-tflops.fp16-tensor", "peak-tflops.int8"],
        Fp16Tensor,
        NumberFormat::Int8,
        "the fp16 peak of matrix units over the int8 peak",
    ),
    (&["peak-tflops.fp16", "peak-tflops.int8"], Fp16, NumberFormat::Int8, "the fp16 peak over that of int8"),
];

/// Maximum power in watts of a GPU released from that year on, with a margin: boards with two dies drew 375 (Radeon HD
/// 6990, GTX Titan Z) and 500 (Radeon R9 295X2), the H100 draws 700, Blackwell boards 1000 and more.
const BOARDS: &[(u16, f64)] = &[(2000, 250.0), (2009, 500.0), (2020, 800.0), (2024, 2000.0)];

/// The coarsest process in nm of a GPU released from that year on, with one process generation as margin: the GeForce
/// 6800 of 2004 has 130, the Titan Black of 2014 has 28, the Titan V of 2017 has 12.
const PROCESSES: &[(u16, f64)] = &[(2000, 180.0), (2006, 130.0), (2012, 45.0), (2019, 28.0)];

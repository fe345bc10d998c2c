//! What follows for a device from formulas, and what no device of its time exceeds.

use super::relations::{Kin, a_clock, peak, peaks, ratio};
use super::tested::{Tested, short};
use crate::model::{Device, NumberFormat};
use crate::values::HardwareClass;

/// What follows from a formula, whatever other devices have.
pub(super) fn formulas(device: &Device, kin: &Kin) -> Vec<Tested> {
    let mut all = Vec::new();
    if let Some(ratio) =
        a_clock(device, peak(device, NumberFormat::Fp32), device.cores).filter(|_| device.class == HardwareClass::Gpu)
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
    matrix_units(device, kin, &mut all);
    all
}

/// The share of the fp32 rate at which NVIDIA's multiprocessors compute in fp64, by compute capability: the table of the
/// throughput of arithmetic instructions in the CUDA C++ Programming Guide. Of 8.6 the lists do not agree; sources round.
const FP64_SHARES: &[(&str, f64)] = &[
    ("5.2", 1.0 / 32.0),
    ("6.0", 0.5),
    ("6.1", 1.0 / 32.0),
    ("7.0", 0.5),
    ("7.5", 1.0 / 32.0),
    ("8.0", 0.5),
    ("9.0", 0.5),
];

/// What matrix units do in a clock, by number format; and the share of fp64.
fn matrix_units(device: &Device, kin: &Kin, all: &mut Vec<Tested>) {
    let Some((own, said_by)) = &kin.capability else { return };
    let share = FP64_SHARES.iter().find(|(of, _)| of == own).map(|(_, share)| *share);
    if let (Some(share), Some(ratio)) = (share, peaks(device, NumberFormat::Fp64, NumberFormat::Fp32)) {
        all.push(Tested {
            keys: vec!["peak-tflops.fp64", "peak-tflops.fp32", said_by],
            fits: (0.75..1.3).contains(&(ratio / share)),
            told: format!(
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
        all.push(Tested {
            keys: vec![key, "tensor-cores", "boost-clock-mhz", said_by],
            fits: (0.88..1.08).contains(&(ratio / done)),
            told: format!("a matrix unit would do {ratio:.0} dense {format} operations a clock, it does {done}"),
        });
    }
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
        test(&["tdp-w", "release-date"], watts.filter(|_| year > 0), 0.0..=most.unwrap_or(f64::MAX), "the power");
    }
    test(
        &["peak-tflops.int4-tensor", "peak-tflops.int8-tensor"],
        peaks(device, NumberFormat::Int4Tensor, NumberFormat::Int8Tensor),
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

/// What a GPU of a year or later may draw at most, watts, with some to spare: boards of two dies drew 375 (Radeon HD 6990,
/// GTX Titan Z) and 500 (Radeon R9 295X2), the H100 700, Blackwell's 1000 and more.
const BOARDS: &[(u16, f64)] = &[(2000, 250.0), (2009, 500.0), (2020, 800.0), (2024, 2000.0)];

/// The coarsest process of a GPU that came out from a year on: the GeForce 6800 of 2004 has 130 nm, the Titan Black of 2014
/// 28, the Titan V of 2017 12, with a process to spare.
const PROCESSES: &[(u16, f64)] = &[(2000, 180.0), (2006, 130.0), (2012, 45.0), (2019, 28.0)];

/// How many times the fp16 operations a matrix unit does in another format, and the compute capabilities for which that
/// holds (none named: all of [`MATRIX_OPERATIONS`]): the same white papers.
const MATRIX_FORMATS: &[(NumberFormat, &str, f64, &[&str])] = &[
    (NumberFormat::Fp16Tensor, "peak-tflops.fp16-tensor", 1.0, &[]),
    (NumberFormat::Int8Tensor, "peak-tflops.int8-tensor", 2.0, &["7.5", "8.0", "8.6", "8.9", "9.0"]),
    (NumberFormat::Int4Tensor, "peak-tflops.int4-tensor", 4.0, &["7.5", "8.0", "8.6", "8.9"]),
    (NumberFormat::Fp8Tensor, "peak-tflops.fp8-tensor", 2.0, &["8.9", "9.0"]),
    (NumberFormat::Tf32Tensor, "peak-tflops.tf32-tensor", 0.5, &["8.0", "9.0"]),
];

/// Dense fp16 operations of a matrix unit in a clock, by compute capability: NVIDIA's white papers of V100, Turing, A100,
/// GA102, Ada and H100 (64, 64, 256, 128, 128 and 512 multiply-adds).
const MATRIX_OPERATIONS: &[(&str, f64)] =
    &[("7.0", 128.0), ("7.5", 128.0), ("8.0", 512.0), ("8.6", 256.0), ("8.9", 256.0), ("9.0", 1024.0)];

/// AMD's RDNA 3 and CDNA 3 issue two fp32 instructions at once, and their peaks count both (AMD's instruction set guides).
fn is_dual_issue(device: &Device) -> bool {
    device.architecture.as_deref().is_some_and(|own| ["RDNA 3", "CDNA 3"].contains(&own))
}

//! What a reader of the number must know, and what to do about it.

use super::attempt::Measured;
use super::environment::Environment;
use super::limits::RunLimits;
use super::stats::{LEAST_FOR_INTERVAL, outliers};
use super::stop_rule::StopRule;
use crate::model::Caveat;

/// Other processes may use this share of the processors unnoticed: a desktop at rest does.
pub(super) const BUSY_PCT: f64 = 5.0;

/// A hypervisor may take this share of the processors unnoticed.
const STOLEN_PCT: f64 = 1.0;

/// A clock that falls below this share of its middle was throttled or changed.
const CLOCK_DROP: f64 = 0.9;

/// More outliers than this share of the samples are said.
const MANY_OUTLIERS: f64 = 0.05;

/// The caveats of a measured configuration, each a sentence with what to do.
pub fn of(
    measured: &Measured,
    device: &str,
    environment: &Environment,
    limits: &RunLimits,
    stop: StopRule,
) -> Vec<String> {
    let mut found = Vec::new();
    let seen = &measured.observed;
    if let Some(others) = seen.others_pct.filter(|&pct| pct > BUSY_PCT) {
        found.push(Caveat::BusyMachine.because(&format!(
            "other processes used {others:.0}% of the processors; measure again when nothing else runs."
        )));
    }
    if let Some(stolen) = seen.stolen_pct.filter(|&pct| pct > STOLEN_PCT) {
        found.push(Caveat::VirtualMachine.because(&format!(
            "the host took {stolen:.0}% of the processors for others; measure on a machine of its own."
        )));
    }
    let on_cpu = device == "cpu";
    if on_cpu && let Some([low, middle, high]) = seen.clock_mhz.filter(|[low, middle, _]| *low < CLOCK_DROP * middle) {
        found.push(Caveat::ClockChanges.because(&format!(
            "{low:.0} to {high:.0} MHz around {middle:.0}; let the machine cool down, or fix its clock."
        )));
    }
    if let Some(governor) = environment.get("cpu-governor")
        && ["powersave", "ondemand", "conservative", "schedutil"].contains(&governor)
    {
        found.push(
            Caveat::FrequencyScaling
                .because(&format!("the governor is {governor}; `cpupower frequency-set -g performance` fixes it.")),
        );
    }
    if let Some(gpu) = &seen.gpu {
        for reason in &gpu.throttled {
            found.push(Caveat::Throttled.because(&format!(
                "{reason} held the GPU's clock down; cool it, or fix its clock with nvidia-smi -lgc."
            )));
        }
        if gpu.others > 0 {
            found.push(
                Caveat::SharedGpu
                    .because(&format!("{} other processes computed on it; measure again without them.", gpu.others)),
            );
        }
        if let Some([low, middle, high]) = gpu.clock_mhz.filter(|[low, middle, _]| *low < CLOCK_DROP * middle) {
            found.push(
                Caveat::GpuClockChanges
                    .because(&format!("{low:.0} to {high:.0} MHz around {middle:.0}; fix it with nvidia-smi -lgc.")),
            );
        }
    }
    if !measured.steady {
        found.push(Caveat::NotWarm.because("the times still drifted when warm-up ended; raise --time-limit."));
    }
    if stop == StopRule::Interval {
        let width = measured.summary.half_width();
        if measured.summary.n < (limits.least as usize).max(LEAST_FOR_INTERVAL) {
            found.push(Caveat::TooFewSamples.because(&format!("{}; raise --time-limit.", measured.summary.n)));
        } else if let Some(width) = width.filter(|&width| !measured.converged && width > limits.goal) {
            found.push(Caveat::WideInterval.because(&format!(
                "the median is known to {:.1}%, not {:.1}%; raise --time-limit or quieten the machine.",
                100.0 * width,
                100.0 * limits.goal
            )));
        }
    }
    let out = outliers(&measured.samples).len();
    if out as f64 > MANY_OUTLIERS * measured.samples.len() as f64 {
        found.push(
            Caveat::Outliers.because(&format!(
                "{out} of {} samples stand out; look at them in the record.",
                measured.samples.len()
            )),
        );
    }
    if let Some(overhead) = measured.ready.overhead_ns
        && overhead / 1e6 > 0.01 * measured.summary.median
    {
        found.push(Caveat::Timer.because(&format!(
            "timing itself costs {overhead:.0} ns, more than 1% of an iteration; use a larger batch."
        )));
    }
    found
}

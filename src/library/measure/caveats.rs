//! What a reader of the number must know, and what to do about it.

use super::busy::is_busy;
use super::environment::Environment;
use super::limits::RunLimits;
use super::plan_point::PlanPoint;
use super::process_run::MeasuredConfiguration;
use super::stats::outliers;
use super::steadiness::common_drift;
use super::stop_rule::StopRule;
use crate::model::Caveat;

/// A hypervisor may take this share of the processors unnoticed.
const STOLEN_PCT: f64 = 1.0;

/// A clock that falls below this share of its middle was throttled or changed.
const CLOCK_DROP: f64 = 0.9;

/// More outliers than this share of the samples are said.
const MANY_OUTLIERS: f64 = 0.05;

/// The caveats of a measured configuration, each a sentence with what to do.
pub fn of(
    measured: &MeasuredConfiguration,
    point: &PlanPoint,
    environment: &Environment,
    limits: &RunLimits,
) -> Vec<String> {
    let mut found = Vec::new();
    let seen = &measured.observed;
    let busy: Vec<f64> = measured
        .processes
        .iter()
        .filter_map(|process| process.observed.others_pct)
        .filter(|&pct| is_busy(pct))
        .collect();
    if let Some(most) = busy.iter().copied().reduce(f64::max) {
        let of_them = match (busy.len(), measured.processes.len()) {
            (_, 1) => String::new(),
            (busy, all) => format!(" beside {busy} of the {all} that were measured"),
        };
        found.push(Caveat::BusyMachine.because(&format!(
            "other processes used {most:.0}% of the processors{of_them}; measure again when nothing else runs."
        )));
    }
    if let Some(stolen) = seen.stolen_pct.filter(|&pct| pct > STOLEN_PCT) {
        found.push(Caveat::VirtualMachine.because(&format!(
            "the host took {stolen:.0}% of the processors for others; measure on a machine of its own."
        )));
    }
    let on_cpu = point.device == "cpu";
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
    if measured.processes.iter().any(|process| process.has_diverged) {
        found.push(Caveat::Diverged.because(
            "the training computed with numbers that are none, which may take another time; train in another precision.",
        ));
    }
    if point.method.stop == StopRule::Interval {
        found.extend(of_levels(measured, limits));
    }
    let out: usize = measured.processes.iter().map(|process| outliers(&process.samples).len()).sum();
    if out as f64 > MANY_OUTLIERS * measured.summary.n as f64 {
        found.push(
            Caveat::Outliers
                .because(&format!("{out} of {} samples stand out; look at them in the record.", measured.summary.n)),
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

/// What is to be said of how the levels of processes came about and how far they lie apart, where the runner's own rule decided.
fn of_levels(measured: &MeasuredConfiguration, limits: &RunLimits) -> Vec<String> {
    let mut found = Vec::new();
    let processes = measured.processes.len();
    if let Some(drift) = common_drift(measured.processes.iter().map(|process| process.samples.as_slice()))
        .filter(|drift| drift.abs() > limits.goal)
    {
        let way = if drift < 0.0 { "fell" } else { "rose" };
        found.push(Caveat::NotWarm.because(&format!(
            "within the processes the times still {way} by {:.1}%; raise --time-limit.",
            100.0 * drift.abs()
        )));
    } else if processes < 3 && measured.processes.iter().any(|process| process.is_unsteady) {
        found.push(Caveat::NotWarm.because("the times still drifted when warm-up ended; raise --time-limit."));
    }
    if processes < measured.planned {
        found.push(Caveat::TooFewProcesses.because(&format!(
            "{processes} of {}, because the run was stopped; the same command measures the rest.",
            measured.planned
        )));
    } else if processes == 1 {
        found.push(
            Caveat::TooFewProcesses.because("1, so nobody knows how far another one would differ; raise --processes."),
        );
    }
    if measured.iterations() < f64::from(limits.least) {
        found.push(Caveat::TooFewSamples.because(&format!("{}; raise --time-limit.", measured.summary.n)));
    }
    if let Some(width) = measured.levels.half_width().filter(|&width| width > limits.goal) {
        found.push(Caveat::WideInterval.because(&format!(
            "the value is known to {:.1}%, not {:.1}%; raise --time-limit or quieten the machine.",
            100.0 * width,
            100.0 * limits.goal
        )));
    }
    found
}

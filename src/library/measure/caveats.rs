//! Caveats that a reader of the value needs; detection of disturbing processes, and waiting until they end.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::environment::Environment;
use super::plan::PlanPoint;
use super::process_run::{MeasuredConfiguration, ProcessAttempt, RunObserver};
use super::resource_monitor::Ticks;
use super::stats::{common_drift, outliers};
use super::stop_rule::{LEAST_SPAN_S, RunLimits, StopRule};
use super::worker::WorkerError;
use crate::model::Caveat;

/// A larger share of the processors taken by a hypervisor, percent, is a caveat.
const STOLEN_PCT: f64 = 1.0;

/// A clock that falls below this share of its median was throttled or changed.
const CLOCK_DROP: f64 = 0.9;

/// A larger share of outliers among the samples is a caveat.
const MANY_OUTLIERS: f64 = 0.05;

/// The caveats of a measured configuration, each a sentence that includes advice.
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
        if gpu.unseen {
            found.push(Caveat::UnseenGpu.because(
                "the driver names no process on the GPU, not even the worker, as in many containers; make sure that nothing else \
                 computes on it.",
            ));
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

/// Caveats on how the levels of processes were determined and how much they vary, for the runner's own stopping rule.
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
    if let Some(span) = measured.span_s().filter(|span| processes > 1 && *span < LEAST_SPAN_S) {
        found.push(Caveat::ShortSpan.because(&format!(
            "all processes began within {:.0} min, so the interval does not include slow drift; measure without --quick.",
            (span / 60.0).max(1.0)
        )));
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

/// Other processes disturb if they use more than this share of the processors: an idle desktop uses less …
const BUSY_PCT: f64 = 5.0;

/// … or more than this many processors, so that a single computing process is detected on every machine.
const BUSY_PROCESSORS: f64 = 0.5;

/// Whether other processes that use this share of all processors (percent) disturb a measurement.
pub(super) fn is_busy(used_pct: f64) -> bool {
    static LIMIT: LazyLock<f64> = LazyLock::new(|| limit_pct(processors()));
    used_pct > *LIMIT
}

fn limit_pct(processors: usize) -> f64 {
    BUSY_PCT.min(100.0 * BUSY_PROCESSORS / processors.max(1) as f64)
}

/// Number of processors in `/proc/stat`, including those on which this process may not run.
fn processors() -> usize {
    let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    text.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu ")).count()
}

/// Observation time for the load of other processes; [`LONGER_LOOK`] confirms a load.
const LOOK: Duration = Duration::from_millis(200);

const LONGER_LOOK: Duration = Duration::from_secs(1);

/// The remaining time that a run may wait for a quiet machine.
#[derive(Debug)]
pub(super) struct QuietWait {
    left: Duration,
}

impl QuietWait {
    /// A run may wait this long in total, s.
    pub fn of(seconds: f64) -> Self {
        Self { left: Duration::try_from_secs_f64(seconds).unwrap_or_default() }
    }

    /// Whether any waiting time is left.
    pub fn may_wait(&self) -> bool {
        !self.left.is_zero()
    }

    /// Waits until other processes leave the processors alone, no time is left, or the user stops the run. Does not wait if the
    /// system does not report the load.
    pub fn wait(&mut self, observer: &mut dyn RunObserver, stop: &AtomicBool) {
        let mut is_told = false;
        while self.may_wait() && !stop.load(Ordering::Relaxed) {
            let begin = Instant::now();
            let busy = |used: &f64| is_busy(*used);
            // A short observation has few clock ticks, so a load is confirmed by a longer one.
            let Some(used) = used_pct(LOOK).filter(busy).and_then(|_| used_pct(LONGER_LOOK)).filter(busy) else {
                return;
            };
            if !is_told {
                let left = self.left.as_secs_f64();
                observer.note(&format!(
                    "other processes use {used:.0}% of the processors; waiting up to {left:.0} s for them to end (--wait)"
                ));
                is_told = true;
            }
            self.left = self.left.saturating_sub(begin.elapsed());
        }
    }
}

/// The first attempt or, if other processes disturbed it, the quieter of it and of `again`, which gets their share (percent).
pub(super) fn quieter(
    first: ProcessAttempt,
    again: impl FnOnce(f64) -> Result<ProcessAttempt, WorkerError>,
) -> Result<ProcessAttempt, WorkerError> {
    let others = |attempted: &ProcessAttempt| match attempted {
        ProcessAttempt::Measured(_, _, run) => run.observed.others_pct,
        ProcessAttempt::Failed { .. } => None,
    };
    let Some(disturbed) = others(&first).filter(|others| is_busy(*others)) else { return Ok(first) };
    let second = again(disturbed)?;
    Ok(if others(&second).is_some_and(|others| others < disturbed) { second } else { first })
}

/// Share of all processors that is used during this time, percent.
fn used_pct(within: Duration) -> Option<f64> {
    let before = Ticks::now()?;
    thread::sleep(within);
    Ticks::now().map(|after| after.used_pct_since(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::process_run::ProcessRun;
    use crate::measure::resource_monitor::ResourceUsage;
    use crate::values::Outcome;

    #[test]
    fn one_process_that_computes_is_seen_among_any_number_of_processors() {
        for processors in [1, 2, 4, 10, 16, 64, 256] {
            let of_one = 100.0 / processors as f64;
            assert!(of_one > limit_pct(processors), "{processors}");
        }
        assert_eq!(limit_pct(2), 5.0, "a desktop at rest is not");
        #[cfg(target_os = "linux")]
        assert!(processors() > 0);
    }

    #[test]
    fn what_was_disturbed_is_measured_once_more_and_the_quieter_is_kept() {
        let beside = |others_pct: f64| {
            let observed = ResourceUsage { others_pct: Some(others_pct), ..ResourceUsage::default() };
            let run = ProcessRun { observed, ..ProcessRun::default() };
            ProcessAttempt::Measured(Box::default(), 1, Box::new(run))
        };
        let failed = || ProcessAttempt::Failed { outcome: Outcome::Oom, message: String::new(), batch: 1 };
        let none = |_| -> Result<ProcessAttempt, WorkerError> { panic!("nothing disturbed it") };
        assert_eq!(quieter(beside(0.1), none).unwrap(), beside(0.1));
        assert_eq!(quieter(failed(), none).unwrap(), failed());
        assert_eq!(quieter(beside(60.0), |_| Ok(beside(0.2))).unwrap(), beside(0.2));
        assert_eq!(quieter(beside(60.0), |_| Ok(beside(90.0))).unwrap(), beside(60.0));
        assert_eq!(quieter(beside(60.0), |_| Ok(failed())).unwrap(), beside(60.0), "a number is kept");
    }
}

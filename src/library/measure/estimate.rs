//! Estimates how long a plan takes, from the multiply-adds of its networks and a short probe of the machine.

use std::sync::atomic::AtomicBool;

use super::attempt::measure;
use super::method::{OWN_METHOD, WarmUp};
use super::plan::PlanPoint;
use super::process_run::NoObserver;
use super::process_run::ProcessAttempt;
use super::stop_rule::RunLimits;
use super::stop_rule::StopRule;
use super::worker::{WorkerCommand, WorkerError};
use crate::model::physics::{OPERATIONS_PER_MULTIPLY_ADD, forward_passes};
use crate::values::Stage;

/// The peak rate of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    /// Rate of a matrix product in fp32, 10^9 operations per second.
    pub gflops: f64,
}

/// Estimated time of a configuration, s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimate {
    /// Probable time.
    Likely(f64),
    /// At most this time, unless a single iteration takes longer.
    AtMost(f64),
    /// Not known: the method has no time limit, and the work is not known.
    Unknown,
}

/// Typical rate of networks as a share of a matrix product's rate.
const NETWORK_SHARE: f64 = 0.4;

/// Time to start a worker and build a network.
const START_S: f64 = 1.0;

/// Minimum time of the runner's own method for warm-up and samples of all processes.
const LEAST_S: f64 = 1.5;

/// Iterations that a process completes regardless of the time limit: one of warm-up and one sample.
const FEWEST: f64 = 2.0;

/// Typical number of warm-up iterations of a process.
const USUAL_WARM_UP: f64 = 9.0;

impl Probe {
    /// Measures the rate; `None` if the worker has no matrix product. `answer_s` is the timeout for the worker, s.
    pub fn run(
        launch: &WorkerCommand,
        device: &str,
        answer_s: f64,
        stop: &AtomicBool,
    ) -> Result<Option<Self>, WorkerError> {
        let Ok(network) = "dlbench-matrix-product-2048".parse() else { return Ok(None) };
        let point = PlanPoint { device: device.to_owned(), ..PlanPoint::of_network(network, Stage::Eval, 512) };
        let limits = RunLimits { goal: 0.2, time_s: 1.0, answer_s, processes: Some(1), ..RunLimits::default() };
        Ok(match measure(launch, &point, 512, &limits, &mut NoObserver, stop)? {
            ProcessAttempt::Measured(ready, batch, run) => ready
                .multiply_adds
                .map(|count| OPERATIONS_PER_MULTIPLY_ADD * count as f64 * f64::from(batch))
                .map(|operations| Self { gflops: operations / OWN_METHOD.level(&run.samples) / 1e6 }),
            ProcessAttempt::Failed { .. } => None,
        })
    }
}

impl Estimate {
    /// Time of a point's processes besides warm-up and samples, s: to start, to build the network, to meter energy.
    pub fn beside_samples_s(point: &PlanPoint, limits: &RunLimits) -> f64 {
        START_S * point.method.processes(limits) as f64 + limits.energy_s.unwrap_or_default()
    }

    /// Estimates a point whose network needs `multiply_adds_g` 10^9 multiply-adds per sample.
    pub fn of(point: &PlanPoint, multiply_adds_g: Option<f64>, probe: Option<Probe>, limits: &RunLimits) -> Self {
        let batch = point.batch.unwrap_or(64);
        // A backward stage also runs the forward pass, which is not timed but takes time.
        let run = if point.stage == Stage::Backward { Stage::Train } else { point.stage };
        let gflop = |count: f64| OPERATIONS_PER_MULTIPLY_ADD * forward_passes(run) * count * f64::from(batch);
        let iteration = multiply_adds_g.zip(probe).map(|(count, probe)| gflop(count) / (NETWORK_SHARE * probe.gflops));
        let processes = point.method.processes(limits) as f64;
        let start_s = Self::beside_samples_s(point, limits);
        let fixed = |warm_up: WarmUp, stop: StopRule| Some(f64::from(warm_up.count(batch)? + stop.count(batch)?));
        match (fixed(point.method.warm_up, point.method.stop), iteration) {
            (Some(count), Some(iteration)) if !point.method.total => {
                Self::Likely(start_s + processes * count * iteration)
            }
            (None, Some(iteration)) => {
                let wanted = (processes * USUAL_WARM_UP + f64::from(limits.least)) * iteration;
                let limited = wanted.clamp(LEAST_S.min(limits.time_s), limits.time_s);
                Self::Likely(start_s + limited.max(processes * FEWEST * iteration))
            }
            (None, None) => Self::AtMost(start_s + limits.time_s),
            (Some(_), _) => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_that_is_longer_than_the_limit_is_finished_all_the_same() {
        let point = PlanPoint::of_network("resnet-50".parse().unwrap(), Stage::Train, 32);
        let limits = RunLimits { time_s: 20.0, processes: Some(1), ..RunLimits::default() };
        let seconds = |gflops: f64| match Estimate::of(&point, Some(4.0), Some(Probe { gflops }), &limits) {
            Estimate::Likely(seconds) => seconds,
            other => panic!("{other:?}"),
        };
        // 2 operations, 3 passes, 4 times 10^9 and 32 images at four tenths of the rate: 192 s.
        assert!((seconds(10.0) - (1.0 + 2.0 * 192.0)).abs() < 1e-6, "{}", seconds(10.0));
        assert!((seconds(1000.0) - 21.0).abs() < 1e-6, "{}", seconds(1000.0));
        assert_eq!(Estimate::of(&point, None, None, &limits), Estimate::AtMost(21.0));
    }
}

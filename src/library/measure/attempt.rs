//! One configuration: a fresh worker, warm-up, samples, and what happened meanwhile; or why there is no number.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::gpu::Gpu;
use super::limits::RunLimits;
use super::method::WarmUp;
use super::plan_point::PlanPoint;
use super::resource_monitor::{ResourceMonitor, ResourceUsage, available_mib, memory_kills, memory_mib};
use super::stats::{Summary, is_steady};
use super::stop_rule::{Enough, MOST_SAMPLES};
use super::worker::{Worker, WorkerCommand, WorkerError};
use super::worker_clock::objection;
use crate::values::Outcome;
use dlbench_protocol::{Event, Hello, Ready, WorkerRequest};

/// Iterations are asked for in portions that take about this long, so that talking costs nothing.
const PORTION_S: f64 = 0.5;

/// Iterations in a portion at most.
const LARGEST_PORTION: u32 = 200;

/// The share of the time limit that warm-up may take.
const WARM_UP_SHARE: f64 = 0.4;

/// The worker is ended when less than this share of the memory that was available is left.
const SPARE_MEMORY: f64 = 0.05;

/// A measured configuration. Times in ms.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What the worker prepared.
    pub ready: Ready,
    /// Samples in a batch.
    pub batch: u32,
    /// Warm-up, in order.
    pub warm_up: Vec<f64>,
    /// The samples, in order.
    pub samples: Vec<f64>,
    /// By the device's own clock.
    pub device: Option<Vec<f64>>,
    /// What the samples come to.
    pub summary: Summary,
    /// Whether warm-up ended because times were steady, or as the method fixes it.
    pub steady: bool,
    /// Whether the stopping rule was met before the time was over.
    pub converged: bool,
    /// The loss after the last iteration.
    pub loss: Option<f64>,
    /// Fraction of wrong answers after training, and how many were given.
    pub error_rate: Option<(f64, u64)>,
    /// Most memory on the device by the worker's own account, MiB.
    pub device_memory_mib: Option<f64>,
    /// What happened beside it.
    pub observed: ResourceUsage,
}

/// What became of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum Attempt {
    /// It has a number.
    Measured(Box<Measured>),
    /// It has none, for a reason that is a result too.
    Failed {
        /// Which kind of reason.
        outcome: Outcome,
        /// In one line.
        message: String,
        /// Samples in a batch.
        batch: u32,
    },
}

/// Measures a point with a batch size.
///
/// # Errors
///
/// [`WorkerError::Interrupted`], and troubles that are not the configuration's but the worker's as such.
pub fn measure(
    launch: &WorkerCommand,
    point: &PlanPoint,
    batch: u32,
    limits: &RunLimits,
    stop: &AtomicBool,
) -> Result<Attempt, WorkerError> {
    let failed = |outcome, message: String| Ok(Attempt::Failed { outcome, message, batch });
    let kills = memory_kills();
    match attempt(launch, point, batch, limits, stop) {
        Ok(measured) => Ok(Attempt::Measured(Box::new(measured))),
        Err(WorkerError::Failed { outcome, message }) => failed(outcome.parse().unwrap_or(Outcome::Crashed), message),
        Err(trouble @ WorkerError::Memory(_)) => failed(Outcome::Oom, trouble.to_string()),
        Err(trouble @ WorkerError::Silent(_)) => failed(Outcome::Timeout, trouble.to_string()),
        Err(trouble @ WorkerError::Died { killed: true, .. }) if memory_kills() > kills => {
            failed(Outcome::Oom, format!("the system had no memory left: {trouble}"))
        }
        Err(trouble @ WorkerError::Died { .. }) => failed(Outcome::Crashed, trouble.to_string()),
        Err(trouble @ (WorkerError::Interrupted | WorkerError::Start { .. } | WorkerError::Nonsense(_))) => {
            Err(trouble)
        }
    }
}

fn attempt(
    launch: &WorkerCommand,
    point: &PlanPoint,
    batch: u32,
    limits: &RunLimits,
    stop: &AtomicBool,
) -> Result<Measured, WorkerError> {
    let patience = limits.patience();
    let (mut worker, hello) = Worker::start(launch, &point.precision.to_string(), patience, stop)?;
    let available = available_mib();
    let pid = worker.pid();
    let mut guard = || {
        // The system would end somebody when memory runs out, and not surely the worker.
        let (used, left) = (memory_mib(pid)?, available_mib()?);
        (left < SPARE_MEMORY * available?).then_some(WorkerError::Memory(used))
    };
    let mut ask = |worker: &mut Worker, request: &WorkerRequest| worker.ask(request, patience, stop, &mut guard);

    let configuration = Box::new(point.configuration(batch));
    let ready = match ask(&mut worker, &WorkerRequest::Prepare { configuration })? {
        Event::Ready(ready) => ready,
        other => return Err(WorkerError::Nonsense(format!("it answered `prepare` with {other:?}"))),
    };
    let begin = Instant::now();
    let mut run = |worker: &mut Worker, count: u32| -> Result<Portion, WorkerError> {
        let asked = Instant::now();
        match ask(worker, &WorkerRequest::Iterate { count })? {
            Event::Samples { host_ns, device_ns, loss } if host_ns.len() == count as usize => {
                let waited = asked.elapsed();
                let by_device = device_ns.as_deref().unwrap_or_default();
                if !by_device.is_empty() && by_device.len() != host_ns.len() {
                    let counts = format!("{} and {}", host_ns.len(), by_device.len());
                    return Err(WorkerError::Nonsense(format!("its two clocks give {counts} times")));
                }
                let objection = [host_ns.as_slice(), by_device].into_iter().find_map(|times| objection(times, waited));
                if let Some(objection) = objection {
                    return Err(WorkerError::Nonsense(objection));
                }
                let ms = |ns: Vec<u64>| ns.into_iter().map(|ns| ns as f64 / 1e6).collect();
                Ok(Portion { host: ms(host_ns), device: device_ns.map(ms), loss })
            }
            other => Err(WorkerError::Nonsense(format!("it answered `iterate` ({count}) with {other:?}"))),
        }
    };

    let (warm_up, steady) = warm_up(&mut worker, &mut run, point.method.warm_up, batch, limits)?;
    let watch = ResourceMonitor::begin(worker.pid(), gpu_of(&point.device, &hello));
    let sampled = sample(&mut worker, &mut run, point, batch, limits, begin, warm_up.last().copied());
    let observed = watch.end();
    let Sampled { samples, device, loss, converged } = sampled?;
    let error_rate = match point.method.total {
        true => match ask(&mut worker, &WorkerRequest::Evaluate)? {
            Event::Evaluated { error_rate, samples } => Some((error_rate, samples)),
            other => return Err(WorkerError::Nonsense(format!("it answered `evaluate` with {other:?}"))),
        },
        false => None,
    };
    let device_memory_mib = match worker.finish(stop) {
        Some(Event::Done { device_memory_mib }) => device_memory_mib,
        _ => None,
    };
    let summary = Summary::of(&samples).ok_or_else(|| WorkerError::Nonsense("there are no samples".to_owned()))?;
    if summary.median <= 0.0 {
        return Err(WorkerError::Nonsense("it says that iterations take no time".to_owned()));
    }
    Ok(Measured {
        ready,
        batch,
        warm_up,
        samples,
        device,
        summary,
        steady,
        converged,
        loss,
        error_rate,
        device_memory_mib,
        observed,
    })
}

/// The GPU behind a worker's name for a device.
pub fn gpu_of(device: &str, hello: &Hello) -> Option<Gpu> {
    let ordinal = device.strip_prefix("cuda")?.trim_start_matches(':').parse().unwrap_or(0);
    let info = hello.devices.iter().find(|info| info.id == device);
    Gpu::find(ordinal, info.and_then(|info| info.pci.as_deref()))
}

struct Portion {
    host: Vec<f64>,
    device: Option<Vec<f64>>,
    loss: Option<f64>,
}

type PortionRunner<'r> = dyn FnMut(&mut Worker, u32) -> Result<Portion, WorkerError> + 'r;

fn warm_up(
    worker: &mut Worker,
    run: &mut PortionRunner<'_>,
    rule: WarmUp,
    batch: u32,
    limits: &RunLimits,
) -> Result<(Vec<f64>, bool), WorkerError> {
    let begin = Instant::now();
    let mut times = Vec::new();
    if let Some(count) = rule.count(batch) {
        while times.len() < count as usize {
            let portion = portion(times.last().copied()).min(count - times.len() as u32);
            times.extend(run(worker, portion)?.host);
        }
        return Ok((times, true));
    }
    loop {
        let portion = portion(times.last().copied());
        times.extend(run(worker, portion)?.host);
        if is_steady(&times) {
            return Ok((times, true));
        }
        if begin.elapsed().as_secs_f64() > WARM_UP_SHARE * limits.time_s || times.len() > MOST_SAMPLES {
            return Ok((times, false));
        }
    }
}

struct Sampled {
    samples: Vec<f64>,
    device: Option<Vec<f64>>,
    loss: Option<f64>,
    converged: bool,
}

fn sample(
    worker: &mut Worker,
    run: &mut PortionRunner<'_>,
    point: &PlanPoint,
    batch: u32,
    limits: &RunLimits,
    begin: Instant,
    last: Option<f64>,
) -> Result<Sampled, WorkerError> {
    let rule = point.method.stop;
    let fixed = rule.count(batch);
    let start = Instant::now();
    let mut sampled = Sampled { samples: Vec::new(), device: Some(Vec::new()), loss: None, converged: true };
    let mut last = last;
    loop {
        let mut count = portion(last);
        if let Some(fixed) = fixed {
            count = count.min(fixed - sampled.samples.len() as u32);
        }
        let portion = run(worker, count)?;
        last = portion.host.last().copied();
        sampled.samples.extend(portion.host);
        sampled.loss = portion.loss;
        sampled.device = sampled.device.zip(portion.device).map(|(mut all, more)| {
            all.extend(more);
            all
        });
        let (sampling_s, total_s) = (start.elapsed().as_secs_f64(), begin.elapsed().as_secs_f64());
        if let Enough::Stop { converged } = rule.judge(batch, &sampled.samples, sampling_s, total_s, limits) {
            sampled.converged = converged;
            return Ok(sampled);
        }
    }
}

/// How many iterations are asked for, when the last one took so many ms.
fn portion(last: Option<f64>) -> u32 {
    match last {
        None => 1,
        Some(ms) => ((PORTION_S * 1000.0 / ms.max(1e-3)) as u32).clamp(1, LARGEST_PORTION),
    }
}

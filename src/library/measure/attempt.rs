//! Runs one process of a configuration: a fresh worker, warm-up, samples, resource usage; or the reason why there is no value.

use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use dlbench_protocol::{Event, Hello, IterationUnit, Ready, SystemUsage, WorkerRequest};

use super::energy::least_window_s;
use super::gpu::Gpu;
use super::method::WarmUp;
use super::plan::PlanPoint;
use super::process_run::{ProcessAttempt, ProcessRun, RunObserver};
use super::resource_monitor::{ResourceMonitor, available_mib, memory_kills, memory_mib, reset_peak_memory};
use super::stats::{round_as_written, still_moves};
use super::stop_rule::{ProcessShare, RunLimits};
use super::worker::{Worker, WorkerCommand, WorkerError, objection};
use crate::model::{Field, FieldType};
use crate::values::{Outcome, Timing};

/// Iterations are requested in portions of about this duration, which makes the communication overhead negligible …
const PORTION_S: f64 = 0.5;

/// … but of at most this share of the process's time limit, so that the limit is not overrun.
const PORTION_SHARE: f64 = 0.1;

/// Maximum number of iterations in a portion.
const LARGEST_PORTION: u32 = 200;

/// Maximum share of a process's time limit for warm-up.
const WARM_UP_SHARE: f64 = 0.4;

/// A worker is killed when the available memory falls below this share of what was available at its start.
const SPARE_MEMORY: f64 = 0.05;

/// Runs one process of a point with this batch size. If iterations are epochs, reports the end of each to `observer`.
///
/// # Errors
///
/// [`WorkerError::Interrupted`], and errors of the worker that do not depend on the configuration.
pub fn measure(
    launch: &WorkerCommand,
    point: &PlanPoint,
    batch: u32,
    limits: &RunLimits,
    observer: &mut dyn RunObserver,
    stop: &AtomicBool,
) -> Result<ProcessAttempt, WorkerError> {
    let failed = |outcome, message: String| Ok(ProcessAttempt::Failed { outcome, message, batch });
    let kills = memory_kills();
    match attempt(launch, point, batch, limits, observer, stop) {
        Ok((ready, run)) => Ok(ProcessAttempt::Measured(Box::new(ready), batch, Box::new(run))),
        Err(WorkerError::Failed { outcome, message }) => failed(outcome.parse().unwrap_or(Outcome::Crashed), message),
        Err(trouble @ WorkerError::Memory(_)) => failed(Outcome::Oom, trouble.to_string()),
        Err(trouble @ WorkerError::Silent(_)) => failed(Outcome::Timeout, trouble.to_string()),
        Err(trouble @ WorkerError::Died { killed: true, .. }) if memory_kills() > kills => {
            failed(Outcome::Oom, format!("the system had no memory left: {trouble}"))
        }
        Err(trouble @ WorkerError::Died { .. }) => failed(Outcome::Crashed, trouble.to_string()),
        Err(
            trouble @ (WorkerError::Interrupted
            | WorkerError::Start { .. }
            | WorkerError::Nonsense(_)
            | WorkerError::Refused(_)),
        ) => Err(trouble),
    }
}

fn attempt(
    launch: &WorkerCommand,
    point: &PlanPoint,
    batch: u32,
    limits: &RunLimits,
    observer: &mut dyn RunObserver,
    stop: &AtomicBool,
) -> Result<(Ready, ProcessRun), WorkerError> {
    let began = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let start = Instant::now();
    let share = ProcessShare::of(limits, point.method.processes(limits));
    let patience = limits.patience();
    let (mut worker, hello) = Worker::start(launch, &point.precision.to_string(), point.allocator, patience, stop)?;
    let available = available_mib();
    let pid = worker.pid();
    let library_memory_mib = memory_mib(pid).map(round_as_written);
    let mut guard = || {
        // When memory runs out, the kernel might kill another process instead of the worker.
        let (used, left) = (memory_mib(pid)?, available_mib()?);
        (left < SPARE_MEMORY * available?).then_some(WorkerError::Memory(used))
    };
    let mut ask = |worker: &mut Worker, request: &WorkerRequest| worker.ask(request, patience, stop, &mut guard);

    let configuration = Box::new(point.configuration(batch));
    let ready = match ask(&mut worker, &WorkerRequest::Prepare { configuration })? {
        Event::Ready(ready) => ready,
        other => return Err(WorkerError::Nonsense(format!("it answered `prepare` with {other:?}"))),
    };
    if let Some(objection) = stated_fields_objection(&ready) {
        return Err(WorkerError::Nonsense(objection));
    }
    let compared = point.files.as_ref().map(|files| files.compared(&ready, point.stage, batch, point.precision));
    let deviations = compared.transpose().map_err(WorkerError::Refused)?;
    // Reset the peak: weights in another format and other temporary data of preparation are not needed by iterations.
    let with_preparing = !reset_peak_memory(pid);
    let begin = Instant::now();
    let mut run = |worker: &mut Worker, count: u32| -> Result<Portion, WorkerError> {
        let asked = Instant::now();
        // The expected number of times, and the iterations behind each.
        let (times, each) = match point.timing {
            Timing::Latency => (count, 1),
            Timing::Throughput => (1, count),
        };
        match ask(worker, &WorkerRequest::Iterate { count })? {
            Event::Samples { host_ns, device_ns, diverged, usage, .. } if host_ns.len() == times as usize => {
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
                let ms = |ns: Vec<u64>| {
                    ns.into_iter().map(|ns| round_as_written(ns as f64 / 1e6 / f64::from(each))).collect()
                };
                Ok(Portion { iterations: count, host: ms(host_ns), device: device_ns.map(ms), diverged, usage })
            }
            other => Err(WorkerError::Nonsense(format!("it answered `iterate` ({count}) with {other:?}"))),
        }
    };

    let (warm_up, steady) = warm_up(&mut worker, &mut run, point.method.warm_up, batch, &share)?;
    let gpu = gpu_of(&point.device, &hello);
    let watch = ResourceMonitor::begin(pid, gpu.clone());
    let sampled = sample(&mut worker, &mut run, point, batch, &share, (begin, warm_up.last().copied()), observer);
    let mut observed = watch.end();
    let Sampled { samples, device, has_diverged, iterations, usage } = sampled?;
    let metered = match share.energy_s.zip(least_window_s(gpu.is_some())) {
        Some((wanted_s, least_s)) => {
            let watch = ResourceMonitor::begin(pid, gpu);
            let iterations = go_on(&mut worker, &mut run, &share, wanted_s.max(least_s), samples.last().copied());
            observed.metered_like(watch.end());
            Some(iterations?)
        }
        None => None,
    };
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
    if samples.is_empty() {
        return Err(WorkerError::Nonsense("there are no samples".to_owned()));
    }
    if point.method.level(&samples) <= 0.0 {
        return Err(WorkerError::Nonsense("it reports that iterations take no time".to_owned()));
    }
    let of_each = |count: fn(SystemUsage) -> u64| {
        usage.map(|usage| round_as_written(count(usage) as f64 / f64::from(iterations)))
    };
    let run = ProcessRun {
        iterations: Some(f64::from(iterations)),
        metered_iterations: metered.map(f64::from),
        library_memory_mib,
        output_deviation: deviations.map(|found| found.outputs),
        update_deviation: deviations.and_then(|found| found.updated),
        load_s: ready.load_s.map(round_as_written),
        compile_s: ready.compile_s.map(round_as_written),
        has_diverged,
        with_preparing,
        minor_faults: of_each(|usage| usage.minor_faults),
        major_faults: of_each(|usage| usage.major_faults),
        system_ms: of_each(|usage| usage.system_ns).map(|ns| round_as_written(ns / 1e6)),
        place: 0,
        warm_up,
        samples,
        device: device.unwrap_or_default(),
        is_unsteady: !steady,
        error_rate: error_rate.map(|(rate, _)| rate),
        answers: error_rate.map(|(_, answers)| answers as f64),
        device_memory_mib,
        began_s: began.map(|since| since.as_secs() as f64),
        whole_s: Some(round_as_written(start.elapsed().as_secs_f64())),
        observed,
    };
    Ok((ready, run))
}

/// The GPU with this device name of a worker.
pub fn gpu_of(device: &str, hello: &Hello) -> Option<Gpu> {
    let ordinal = device.strip_prefix("cuda")?.trim_start_matches(':').parse().unwrap_or(0);
    let info = hello.devices.iter().find(|info| info.id == device);
    Gpu::find(ordinal, info.and_then(|info| info.pci.as_deref()))
}

struct Portion {
    iterations: u32,
    host: Vec<f64>,
    device: Option<Vec<f64>>,
    diverged: bool,
    usage: Option<SystemUsage>,
}

type PortionRunner<'r> = dyn FnMut(&mut Worker, u32) -> Result<Portion, WorkerError> + 'r;

fn warm_up(
    worker: &mut Worker,
    run: &mut PortionRunner<'_>,
    rule: WarmUp,
    batch: u32,
    share: &ProcessShare,
) -> Result<(Vec<f64>, bool), WorkerError> {
    let begin = Instant::now();
    let mut times = Vec::new();
    if let Some(count) = rule.count(batch) {
        while times.len() < count as usize {
            let portion = portion(times.last().copied(), share).min(count - times.len() as u32);
            times.extend(run(worker, portion)?.host);
        }
        return Ok((times, true));
    }
    loop {
        let portion = portion(times.last().copied(), share);
        times.extend(run(worker, portion)?.host);
        if !still_moves(&times, share.goal) {
            return Ok((times, true));
        }
        if begin.elapsed().as_secs_f64() > WARM_UP_SHARE * share.time_s || times.len() > share.most {
            return Ok((times, false));
        }
    }
}

/// Runs iterations for at least `least_s`, for the energy meter; returns their number.
fn go_on(
    worker: &mut Worker,
    run: &mut PortionRunner<'_>,
    share: &ProcessShare,
    least_s: f64,
    mut last: Option<f64>,
) -> Result<u32, WorkerError> {
    let begin = Instant::now();
    let mut iterations = 0;
    while begin.elapsed().as_secs_f64() < least_s {
        let portion = run(worker, portion(last, share))?;
        last = portion.host.last().copied();
        iterations += portion.iterations;
    }
    Ok(iterations)
}

struct Sampled {
    samples: Vec<f64>,
    device: Option<Vec<f64>>,
    has_diverged: bool,
    iterations: u32,
    usage: Option<SystemUsage>,
}

fn sample(
    worker: &mut Worker,
    run: &mut PortionRunner<'_>,
    point: &PlanPoint,
    batch: u32,
    share: &ProcessShare,
    (begin, last): (Instant, Option<f64>),
    observer: &mut dyn RunObserver,
) -> Result<Sampled, WorkerError> {
    let rule = point.method.stop;
    let fixed = rule.count(batch);
    let start = Instant::now();
    let mut sampled = Sampled {
        samples: Vec::new(),
        device: Some(Vec::new()),
        has_diverged: false,
        iterations: 0,
        usage: Some(SystemUsage::default()),
    };
    let mut last = last;
    loop {
        let mut count = portion(last, share);
        if let Some(fixed) = fixed {
            count = count.min(fixed - sampled.samples.len() as u32);
        }
        let portion = run(worker, count)?;
        last = portion.host.last().copied();
        sampled.has_diverged |= portion.diverged;
        sampled.iterations += portion.iterations;
        for ms in portion.host {
            sampled.samples.push(ms);
            if point.method.unit == IterationUnit::Epoch {
                observer.epoch(sampled.samples.len(), fixed.map(|count| count as usize), ms / 1000.0);
            }
        }
        sampled.device = sampled.device.zip(portion.device).map(|(mut all, more)| {
            all.extend(more);
            all
        });
        sampled.usage = sampled.usage.zip(portion.usage).map(|(all, more)| SystemUsage {
            minor_faults: all.minor_faults.saturating_add(more.minor_faults),
            major_faults: all.major_faults.saturating_add(more.major_faults),
            system_ns: all.system_ns.saturating_add(more.system_ns),
        });
        let spent_s = (start.elapsed().as_secs_f64(), begin.elapsed().as_secs_f64());
        if rule.is_enough(batch, &sampled.samples, spent_s, share) {
            return Ok(sampled);
        }
    }
}

/// Number of iterations in the next portion, given the duration of the last one in ms.
fn portion(last: Option<f64>, share: &ProcessShare) -> u32 {
    let portion_s = PORTION_S.min(PORTION_SHARE * share.time_s);
    match last {
        None => 1,
        Some(ms) => ((portion_s * 1000.0 / ms.max(1e-3)) as u32).clamp(1, LARGEST_PORTION),
    }
}

/// The fields that a worker may state. All others are set by the plan, or measured.
const FIELDS: &[Field] = &[
    Field::ApiLanguage,
    Field::KernelLibrary,
    Field::CudnnBenchmark,
    Field::ReducedPrecision,
    Field::Mode,
    Field::Partition,
    Field::Layout,
    Field::AttentionBackend,
    Field::Software,
];

/// The fields that a worker states; unknown keys are ignored.
pub(super) fn stated(ready: &Ready) -> impl Iterator<Item = (Field, &str)> {
    let of = |field: Field| Some((field, ready.stated.get(field.key())?.trim()));
    FIELDS.iter().copied().filter_map(of).filter(|(_, value)| !value.is_empty())
}

/// Why a stated field has an invalid value; `None` if all are valid.
pub(super) fn stated_fields_objection(ready: &Ready) -> Option<String> {
    stated(ready).find_map(|(field, value)| match field.kind() {
        FieldType::Word(words) if !words.contains(&value) => {
            Some(format!("it states {field} = {value:?}, which is none of {}", words.join(", ")))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_how_it_computed_are_taken_and_no_others() {
        let ready = |pairs: &[(&str, &str)]| Ready {
            stated: pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
            ..Ready::default()
        };
        let many = ready(&[("mode", "eager"), ("device", "another"), ("software", " "), ("unheard-of", "x")]);
        assert_eq!(stated(&many).collect::<Vec<_>>(), [(Field::Mode, "eager")]);
        assert_eq!(stated_fields_objection(&many), None);
        let wrong = stated_fields_objection(&ready(&[("cudnn-benchmark", "perhaps")])).unwrap();
        assert_eq!(wrong, "it states cudnn-benchmark = \"perhaps\", which is none of on, off");
    }
}

//! What happens beside a measurement: memory, other processes, clocks, energy. Sampled from outside the worker, a few
//! small files each time, so that it disturbs nothing.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::gpu::{Gpu, GpuUsage};
use super::gpu::{LEAST_RAPL_S, RaplMeter};
use super::gpu::{clocks, mean};
use super::stats::Summary;

/// Time between two looks.
const EVERY: Duration = Duration::from_millis(200);

/// What was seen beside a measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceUsage {
    /// Most memory of the worker that was resident, MiB.
    pub memory_mib: Option<f64>,
    /// The worker's share of all processors, percent.
    pub worker_pct: Option<f64>,
    /// Other processes' share of all processors, percent.
    pub others_pct: Option<f64>,
    /// The share that the hypervisor gave to others, percent.
    pub stolen_pct: Option<f64>,
    /// Lowest, middle and highest mean clock of the processors, MHz.
    pub clock_mhz: Option<[f64; 3]>,
    /// Energy of the processor packages, J, where RAPL can be read and was for long enough.
    pub energy_j: Option<f64>,
    /// How long it was watched, s.
    pub seconds: Option<f64>,
    /// How long energy was metered, s, where that was another time.
    pub metered_s: Option<f64>,
    /// The GPU's side.
    pub gpu: Option<GpuUsage>,
}

impl ResourceUsage {
    /// What was seen beside several processes: the most memory, shares as means over the time that each was watched, clocks from the
    /// lowest to the highest, and the sum of the energy where it is known of all of them.
    pub fn of_all<'r>(all: impl Iterator<Item = &'r Self>) -> Self {
        let all: Vec<&Self> = all.collect();
        let watched = |one: &Self| one.seconds.unwrap_or(0.0);
        let gpus: Vec<(&GpuUsage, f64)> =
            all.iter().filter_map(|one| Some((one.gpu.as_ref()?, watched(one)))).collect();
        let mean = |value: fn(&Self) -> Option<f64>| mean(all.iter().map(|one| (value(one), watched(one))));
        let most = |value: fn(&Self) -> Option<f64>| all.iter().filter_map(|one| value(one)).reduce(f64::max);
        Self {
            memory_mib: most(|one| one.memory_mib),
            worker_pct: mean(|one| one.worker_pct),
            others_pct: mean(|one| one.others_pct),
            stolen_pct: mean(|one| one.stolen_pct),
            clock_mhz: clocks(all.iter().filter_map(|one| one.clock_mhz)),
            energy_j: all.iter().map(|one| one.energy_j).sum(),
            seconds: Some(all.iter().map(|one| watched(one)).sum()),
            metered_s: all.iter().map(|one| one.metered_s).sum(),
            gpu: (!gpus.is_empty()).then(|| GpuUsage::of_all(&gpus)),
        }
    }
}

impl ResourceUsage {
    /// Takes the energy and the power from a later window.
    pub fn metered_like(&mut self, window: Self) {
        self.metered_s = window.seconds;
        self.energy_j = window.energy_j;
        if let Some((gpu, of_window)) = self.gpu.as_mut().zip(window.gpu) {
            (gpu.power_w, gpu.energy_j) = (of_window.power_w, of_window.energy_j);
        }
    }

    /// Energy, J, and the time in which it was used, s: of the GPU, or else of the processors.
    pub fn energy(&self) -> Option<(f64, f64)> {
        let joules = match &self.gpu {
            Some(gpu) => gpu.energy_j,
            None => self.energy_j,
        };
        joules.filter(|&joules| joules > 0.0).zip(self.metered_s.or(self.seconds))
    }
}

/// Watches until it is asked what it saw.
#[derive(Debug)]
pub struct ResourceMonitor {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<ResourceUsage>,
}

impl ResourceMonitor {
    /// Begins to watch the worker with this process id, and a GPU.
    pub fn begin(pid: u32, gpu: Option<Gpu>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let before = Counters::now(pid);
        Self { stop, thread: thread::spawn(move || watch(pid, gpu, &before, &asked)) }
    }

    /// Ends, and tells.
    pub fn end(self) -> ResourceUsage {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_default()
    }
}

/// What only grows, before the measurement.
struct Counters {
    start: Instant,
    machine: Option<Ticks>,
    worker: Option<f64>,
    energy: Option<(RaplMeter, Vec<f64>)>,
}

impl Counters {
    fn now(pid: u32) -> Self {
        let energy = RaplMeter::of_machine().and_then(|meter| {
            let begin = meter.read()?;
            Some((meter, begin))
        });
        Self { start: Instant::now(), machine: Ticks::now(), worker: worker_ticks(pid), energy }
    }
}

fn watch(pid: u32, gpu: Option<Gpu>, before: &Counters, stop: &AtomicBool) -> ResourceUsage {
    let mut clocks = Vec::new();
    let mut watched_gpu = gpu.as_ref().map(|gpu| gpu.watch(pid));
    loop {
        clocks.extend(clock_mhz());
        if let (Some(gpu), Some(seen)) = (&gpu, &mut watched_gpu) {
            gpu.look(seen);
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
        thread::park_timeout(EVERY);
    }
    let seconds = before.start.elapsed().as_secs_f64();
    let mut seen =
        ResourceUsage { seconds: Some(seconds), memory_mib: peak_memory_mib(pid), ..ResourceUsage::default() };
    if let (Some(then), Some(now)) = (before.machine, Ticks::now()) {
        let all = (now.all - then.all).max(1.0);
        let busy = now.busy - then.busy;
        seen.stolen_pct = Some(100.0 * (now.stolen - then.stolen) / all);
        if let (Some(then), Some(now)) = (before.worker, worker_ticks(pid)) {
            seen.worker_pct = Some(100.0 * (now - then) / all);
            seen.others_pct = Some((100.0 * (busy - (now - then)) / all).max(0.0));
        }
    }
    seen.clock_mhz = Summary::of(&clocks).map(|clocks| [clocks.minimum, clocks.median, clocks.maximum]);
    let metered = before.energy.as_ref().filter(|_| seconds >= LEAST_RAPL_S);
    seen.energy_j = metered.and_then(|(meter, begin)| meter.joules(begin, &meter.read()?));
    seen.gpu = gpu.zip(watched_gpu).map(|(gpu, seen)| gpu.end(seen, seconds));
    seen
}

/// Resident memory of a process now, MiB.
pub fn memory_mib(pid: u32) -> Option<f64> {
    status_mib(pid, "VmRSS:")
}

/// Lets the peak of a process's memory begin anew at what it has now, so that nothing which was before counts (proc_pid_clear_refs(5),
/// since Linux 4.0). Whether the system did.
pub fn reset_peak_memory(pid: u32) -> bool {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").is_ok()
}

/// Memory that programs can still have, MiB.
pub fn available_mib() -> Option<f64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    kib_of(&text, "MemAvailable:").map(|kib| kib / 1024.0)
}

/// How many processes the kernel has killed so far because memory ran out.
pub fn memory_kills() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
}

fn peak_memory_mib(pid: u32) -> Option<f64> {
    status_mib(pid, "VmHWM:")
}

fn status_mib(pid: u32, key: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    kib_of(&text, key).map(|kib| kib / 1024.0)
}

fn kib_of(text: &str, key: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(key))?.split_whitespace().next()?.parse().ok()
}

/// The machine's processor time so far, in ticks of all processors together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ticks {
    all: f64,
    busy: f64,
    stolen: f64,
}

impl Ticks {
    /// From the first line of `/proc/stat`: user nice system idle iowait irq softirq steal.
    pub fn now() -> Option<Self> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let ticks: Vec<f64> =
            text.lines().next()?.split_whitespace().skip(1).take(8).map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, idle, iowait, irq, softirq, stolen] = ticks[..] else { return None };
        let busy = user + nice + system + irq + softirq;
        Some(Self { all: busy + idle + iowait + stolen, busy, stolen })
    }

    /// The share of all processors that was used since, percent.
    pub fn used_pct_since(self, before: Self) -> f64 {
        100.0 * (self.busy - before.busy) / (self.all - before.all).max(1.0)
    }
}

/// Processor time of a process and the children it waited for, ticks.
fn worker_ticks(pid: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in brackets and may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    // utime, stime, cutime and cstime are fields 14 to 17, counted from 1 with the pid.
    fields.get(11..15)?.iter().map(|field| field.parse::<f64>().ok()).sum()
}

/// The mean clock of the processors, MHz, where the system tells.
fn clock_mhz() -> Option<f64> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let clocks: Vec<f64> = text
        .lines()
        .filter(|line| line.starts_with("cpu MHz"))
        .filter_map(|line| line.split_once(':')?.1.trim().parse().ok())
        .collect();
    (!clocks.is_empty()).then(|| clocks.iter().sum::<f64>() / clocks.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_work_is_seen_as_the_workers() {
        let watch = ResourceMonitor::begin(std::process::id(), None);
        let start = Instant::now();
        let mut sum = 0u64;
        while start.elapsed() < Duration::from_millis(300) {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
        let seen = watch.end();
        assert!(seen.worker_pct.unwrap() > 0.0, "{seen:?}");
        assert!(seen.memory_mib.unwrap() > 1.0, "{seen:?}");
        assert!(seen.seconds.unwrap() >= 0.3);
    }

    #[test]
    fn energy_is_that_of_its_own_window() {
        let of = |energy_j, seconds| ResourceUsage { energy_j, seconds: Some(seconds), ..ResourceUsage::default() };
        assert_eq!(of(None, 0.2).energy(), None, "the samples were too short for the meter");
        let mut seen = of(None, 0.2);
        seen.metered_like(of(Some(120.0), 12.0));
        assert_eq!((seen.energy(), seen.seconds), (Some((120.0, 12.0)), Some(0.2)));
        let both = ResourceUsage::of_all([seen.clone(), seen.clone()].iter());
        assert_eq!(both.energy(), Some((240.0, 24.0)));
        let one_without = ResourceUsage::of_all([seen, of(None, 0.2)].iter());
        assert_eq!(one_without.energy(), None, "a sum needs all its parts");
    }

    #[test]
    fn a_process_that_is_gone_is_no_error() {
        let seen = ResourceMonitor::begin(u32::MAX, None).end();
        assert_eq!((seen.worker_pct, seen.memory_mib), (None, None));
    }
}

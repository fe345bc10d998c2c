//! Resource usage during a measurement: memory, other processes, clocks, energy. Sampled from outside the worker by reading a
//! few small files, so that it does not disturb the measurement.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::energy::{EnergyParts, LEAST_RAPL_S, RaplMeter};
use super::gpu::{Gpu, GpuUsage};
use super::gpu::{clocks, mean};
use super::stats::Summary;

/// Maximum number of windows of power over time, roughly.
const MOST_WINDOWS: usize = 60;

/// Sampling period.
const EVERY: Duration = Duration::from_millis(200);

/// Resource usage during a measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceUsage {
    /// Peak resident memory of the worker, MiB.
    pub memory_mib: Option<f64>,
    /// The worker's share of all processors, percent.
    pub worker_pct: Option<f64>,
    /// Other processes' share of all processors, percent.
    pub others_pct: Option<f64>,
    /// Share of all processors that the hypervisor gave to other machines, percent.
    pub stolen_pct: Option<f64>,
    /// Lowest, median and highest mean clock of the processors, MHz.
    pub clock_mhz: Option<[f64; 3]>,
    /// Energy by part, if the counters are readable and the window is long enough.
    pub parts: EnergyParts,
    /// Power of all metered parts over time, W: means of windows …
    pub power_w: Vec<f64>,
    /// … of this length, s.
    pub power_every_s: Option<f64>,
    /// Observation time, s.
    pub seconds: Option<f64>,
    /// Time during which energy was metered, s, if different.
    pub metered_s: Option<f64>,
    /// Usage of the GPU.
    pub gpu: Option<GpuUsage>,
}

impl ResourceUsage {
    /// Combines several processes: peak memory, means of shares weighted by observation time, clocks from lowest to highest, and
    /// the sum of energy if it is known for all of them.
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
            parts: EnergyParts::sum(all.iter().map(|one| one.parts)),
            power_w: Vec::new(),
            power_every_s: None,
            seconds: Some(all.iter().map(|one| watched(one)).sum()),
            metered_s: all.iter().map(|one| one.metered_s).sum(),
            gpu: (!gpus.is_empty()).then(|| GpuUsage::of_all(&gpus)),
        }
    }
}

impl ResourceUsage {
    /// Replaces energy and power by those of a later window.
    pub fn metered_like(&mut self, window: Self) {
        self.metered_s = window.seconds;
        self.parts = window.parts;
        (self.power_w, self.power_every_s) = (window.power_w, window.power_every_s);
        if let Some((gpu, of_window)) = self.gpu.as_mut().zip(window.gpu) {
            (gpu.power_w, gpu.energy_j) = (of_window.power_w, of_window.energy_j);
        }
    }

    /// Energy of processors, memory and GPU, J, and the time during which it was used, s.
    pub fn energy(&self) -> Option<(f64, f64)> {
        let of_processors = self.parts.processors_j();
        let joules = match &self.gpu {
            Some(gpu) => gpu.energy_j.map(|joules| joules + of_processors.unwrap_or(0.0)),
            None => of_processors,
        };
        joules.filter(|&joules| joules > 0.0).zip(self.metered_s.or(self.seconds))
    }
}

/// A monitor thread that runs until its result is requested.
#[derive(Debug)]
pub struct ResourceMonitor {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<ResourceUsage>,
}

impl ResourceMonitor {
    /// Starts monitoring the worker with this process id, and a GPU.
    pub fn begin(pid: u32, gpu: Option<Gpu>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let before = Counters::now(pid);
        Self { stop, thread: thread::spawn(move || watch(pid, gpu, &before, &asked)) }
    }

    /// Stops monitoring and returns the usage.
    pub fn end(self) -> ResourceUsage {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_default()
    }
}

/// Cumulative counters at the start of the measurement.
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
    let mut power = PowerOverTime::default();
    let mut watched_gpu = gpu.as_ref().map(|gpu| gpu.watch(pid));
    loop {
        clocks.extend(clock_mhz());
        let of_gpu = gpu.as_ref().zip(watched_gpu.as_mut()).map(|(gpu, seen)| gpu.look(seen));
        let of_processors = before
            .energy
            .as_ref()
            .map(|(meter, begin)| meter.read().and_then(|now| meter.parts(begin, &now).processors_j()));
        power.add(before.start.elapsed().as_secs_f64(), of_processors, of_gpu);
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
    seen.parts = metered.and_then(|(meter, begin)| Some(meter.parts(begin, &meter.read()?))).unwrap_or_default();
    (seen.power_w, seen.power_every_s) = power.windows();
    seen.gpu = gpu.zip(watched_gpu).map(|(gpu, seen)| gpu.end(seen, seconds));
    seen
}

/// Samples of energy and power.
#[derive(Debug, Default)]
struct PowerOverTime {
    /// Time, s; energy of the processors so far, J; power of the GPU, W.
    looks: Vec<(f64, f64, f64)>,
}

impl PowerOverTime {
    /// Adds a sample, unless a meter did not answer. The outer `None` means that there is no meter.
    fn add(&mut self, seconds: f64, of_processors: Option<Option<f64>>, of_gpu: Option<Option<f64>>) {
        if of_processors.is_some() || of_gpu.is_some() {
            let look = of_processors.unwrap_or(Some(0.0)).zip(of_gpu.unwrap_or(Some(0.0)));
            self.looks.extend(look.map(|(joules, watts)| (seconds, joules, watts)));
        }
    }

    /// Mean power of windows of equal length, W, and their length, s.
    fn windows(&self) -> (Vec<f64>, Option<f64>) {
        let (Some(first), Some(last)) = (self.looks.first(), self.looks.last()) else { return (Vec::new(), None) };
        let looks_of_each = self.looks.len().div_ceil(MOST_WINDOWS).max(2);
        let watts = self.looks.windows(looks_of_each).step_by(looks_of_each - 1).map(|looks| {
            let (begin, end) = (looks[0], looks[looks.len() - 1]);
            let of_gpu = looks[1..].iter().map(|look| look.2).sum::<f64>() / (looks.len() - 1) as f64;
            (end.1 - begin.1) / (end.0 - begin.0).max(1e-9) + of_gpu
        });
        let watts: Vec<f64> = watts.collect();
        let every = (last.0 - first.0) * (looks_of_each - 1) as f64 / (self.looks.len().max(2) - 1) as f64;
        let every = (!watts.is_empty()).then_some(every);
        (watts, every)
    }
}

/// Resident memory of a process now, MiB.
pub fn memory_mib(pid: u32) -> Option<f64> {
    status_mib(pid, "VmRSS:")
}

/// Resets a process's peak memory to its current memory, so that earlier usage does not count (proc_pid_clear_refs(5), since
/// Linux 4.0). Returns whether that worked.
pub fn reset_peak_memory(pid: u32) -> bool {
    fs::write(format!("/proc/{pid}/clear_refs"), "5").is_ok()
}

/// Memory available to programs, MiB.
pub fn available_mib() -> Option<f64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    kib_of(&text, "MemAvailable:").map(|kib| kib / 1024.0)
}

/// Number of processes that the kernel has killed so far because memory ran out.
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

/// Cumulative processor time of the machine, in ticks summed over all processors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ticks {
    all: f64,
    busy: f64,
    stolen: f64,
}

impl Ticks {
    /// Reads the first line of `/proc/stat`: user nice system idle iowait irq softirq steal.
    pub fn now() -> Option<Self> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let ticks: Vec<f64> =
            text.lines().next()?.split_whitespace().skip(1).take(8).map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, idle, iowait, irq, softirq, stolen] = ticks[..] else { return None };
        let busy = user + nice + system + irq + softirq;
        Some(Self { all: busy + idle + iowait + stolen, busy, stolen })
    }

    /// Share of all processors used since `before`, percent.
    pub fn used_pct_since(self, before: Self) -> f64 {
        100.0 * (self.busy - before.busy) / (self.all - before.all).max(1.0)
    }
}

/// Processor time of a process and its waited-for children, ticks.
fn worker_ticks(pid: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in parentheses, and may contain anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    // utime, stime, cutime and cstime are fields 14 to 17, counted from 1 with the pid.
    fields.get(11..15)?.iter().map(|field| field.parse::<f64>().ok()).sum()
}

/// The mean clock of the processors, MHz, if the system provides it.
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
        let parts = |cpu_j| EnergyParts { cpu_j, ..EnergyParts::default() };
        let of =
            |cpu_j, seconds| ResourceUsage { parts: parts(cpu_j), seconds: Some(seconds), ..ResourceUsage::default() };
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
    fn power_over_time_is_in_windows_of_equal_length() {
        let mut power = PowerOverTime::default();
        assert_eq!(power.windows(), (Vec::new(), None));
        // 10 W of the processors and 100 W of a GPU, sampled every 0.2 s.
        for look in 0..=4 {
            let seconds = f64::from(look) * 0.2;
            power.add(seconds, Some(Some(10.0 * seconds)), Some(Some(100.0)));
        }
        let (watts, every) = power.windows();
        assert_eq!(watts.len(), 4);
        assert!(watts.iter().all(|watts| (watts - 110.0).abs() < 1e-6) && (every.unwrap() - 0.2).abs() < 1e-6);
        for look in 5..=1000 {
            power.add(f64::from(look) * 0.2, Some(Some(2.0 * f64::from(look))), Some(Some(100.0)));
        }
        assert!(power.windows().0.len() <= MOST_WINDOWS + 2, "{:?}", power.windows());
    }

    #[test]
    fn a_process_that_is_gone_is_no_error() {
        let seen = ResourceMonitor::begin(u32::MAX, None).end();
        assert_eq!((seen.worker_pct, seen.memory_mib), (None, None));
    }
}

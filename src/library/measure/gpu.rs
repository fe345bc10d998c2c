//! NVIDIA GPUs through their driver, which is loaded only if there is one, and meters of energy.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nvml_wrapper::Nvml;
use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};
use nvml_wrapper::enums::device::UsedGpuMemory;

use super::stats::Summary;

/// A GPU that can be watched.
#[derive(Debug, Clone)]
pub struct Gpu {
    nvml: Arc<Nvml>,
    index: u32,
}

/// What is gathered while watching.
#[derive(Debug)]
pub struct GpuSamples {
    pid: u32,
    energy_mj: Option<u64>,
    utilisation: Vec<f64>,
    power_w: Vec<f64>,
    clock_mhz: Vec<f64>,
    temperature_c: f64,
    memory_mib: f64,
    throttled: Vec<&'static str>,
    others: usize,
}

/// What was seen of a GPU beside a measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GpuUsage {
    /// Most memory in use, MiB: the worker's where the driver distinguishes it, else all.
    pub memory_mib: Option<f64>,
    /// Mean utilisation, percent.
    pub utilisation_pct: Option<f64>,
    /// Mean power, W.
    pub power_w: Option<f64>,
    /// Energy by the driver's counter, J.
    pub energy_j: Option<f64>,
    /// Highest temperature, °C.
    pub temperature_c: Option<f64>,
    /// Lowest, middle and highest clock of the multiprocessors, MHz.
    pub clock_mhz: Option<[f64; 3]>,
    /// Why clocks were held down.
    pub throttled: Vec<String>,
    /// Most other processes that computed on it.
    pub others: usize,
}

impl Gpu {
    /// The GPU that a worker calls `cuda:N`, by its PCI address where the worker told it; `None` without a driver.
    pub fn find(ordinal: u32, pci: Option<&str>) -> Option<Self> {
        let nvml = Arc::new(Nvml::init().ok()?);
        let index = match pci {
            Some(address) => nvml.device_by_pci_bus_id(address).ok()?.index().ok()?,
            None => ordinal,
        };
        nvml.device_by_index(index).ok()?;
        Some(Self { nvml, index })
    }

    /// What the driver says of it, for the record.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        let mut add = |key, value: Option<String>| facts.extend(value.map(|value| (key, value)));
        add("gpu-driver", self.nvml.sys_driver_version().ok());
        let Ok(device) = self.nvml.device_by_index(self.index) else { return facts };
        add("gpu-name", device.name().ok());
        add("gpu-pci-address", device.pci_info().ok().map(|pci| pci.bus_id));
        add("gpu-pci-id", device.pci_info().ok().map(|pci| format!("{:08x}", pci.pci_device_id)));
        add("gpu-memory-mib", device.memory_info().ok().map(|memory| (memory.total >> 20).to_string()));
        add("gpu-power-limit-w", device.enforced_power_limit().ok().map(|mw| (mw / 1000).to_string()));
        add("gpu-max-clock-mhz", device.max_clock_info(Clock::SM).ok().map(|mhz| mhz.to_string()));
        add("gpu-max-memory-clock-mhz", device.max_clock_info(Clock::Memory).ok().map(|mhz| mhz.to_string()));
        add("gpu-ecc", device.is_ecc_enabled().ok().map(|ecc| on_off(ecc.currently_enabled)));
        add("gpu-mig", device.mig_mode().ok().map(|mig| on_off(mig.current == 1)));
        let capability = device.cuda_compute_capability().ok();
        add("gpu-compute-capability", capability.map(|found| format!("{}.{}", found.major, found.minor)));
        facts
    }

    /// The driver's name for it, and its memory, GiB.
    pub fn name(&self) -> Option<(String, f64)> {
        let device = self.nvml.device_by_index(self.index).ok()?;
        Some((device.name().ok()?, device.memory_info().ok()?.total as f64 / f64::from(1 << 30)))
    }

    /// Begins to watch, beside the worker with this process id.
    pub fn watch(&self, pid: u32) -> GpuSamples {
        let device = self.nvml.device_by_index(self.index).ok();
        GpuSamples {
            pid,
            energy_mj: device.and_then(|device| device.total_energy_consumption().ok()),
            utilisation: Vec::new(),
            power_w: Vec::new(),
            clock_mhz: Vec::new(),
            temperature_c: 0.0,
            memory_mib: 0.0,
            throttled: Vec::new(),
            others: 0,
        }
    }

    /// Looks once.
    pub fn look(&self, seen: &mut GpuSamples) {
        let Ok(device) = self.nvml.device_by_index(self.index) else { return };
        seen.utilisation.extend(device.utilization_rates().ok().map(|rates| f64::from(rates.gpu)));
        seen.power_w.extend(device.power_usage().ok().map(|mw| f64::from(mw) / 1000.0));
        seen.clock_mhz.extend(device.clock_info(Clock::SM).ok().map(f64::from));
        let temperature = device.temperature(TemperatureSensor::Gpu).map_or(0.0, f64::from);
        seen.temperature_c = seen.temperature_c.max(temperature);
        let processes = device.running_compute_processes().unwrap_or_default();
        let own = processes.iter().find(|process| process.pid == seen.pid);
        // In a container the driver may count processes by other numbers: then one of them is ours.
        let others = processes.len().saturating_sub(1);
        seen.others = seen.others.max(others);
        let used = own.and_then(|process| match process.used_gpu_memory {
            UsedGpuMemory::Used(bytes) => Some(bytes),
            UsedGpuMemory::Unavailable => None,
        });
        let used = used.or_else(|| device.memory_info().ok().map(|memory| memory.used));
        seen.memory_mib = seen.memory_mib.max(used.unwrap_or(0) as f64 / f64::from(1 << 20));
        if let Ok(reasons) = device.current_throttle_reasons() {
            for (reason, name) in [
                (ThrottleReasons::SW_POWER_CAP, "its power limit"),
                (ThrottleReasons::HW_SLOWDOWN, "a hardware slowdown"),
                (ThrottleReasons::SW_THERMAL_SLOWDOWN, "its temperature"),
                (ThrottleReasons::HW_THERMAL_SLOWDOWN, "its temperature"),
                (ThrottleReasons::HW_POWER_BRAKE_SLOWDOWN, "the power supply"),
            ] {
                if reasons.contains(reason) && !seen.throttled.contains(&name) {
                    seen.throttled.push(name);
                }
            }
        }
    }

    /// Ends after so many seconds, and tells; of power and energy only where its meter was read for long enough.
    pub fn end(&self, seen: GpuSamples, seconds: f64) -> GpuUsage {
        let is_metered = seconds >= LEAST_NVML_S;
        let energy = self.nvml.device_by_index(self.index).ok().and_then(|d| d.total_energy_consumption().ok());
        let energy = energy.filter(|_| is_metered);
        let above_zero = |value: f64| (value > 0.0).then_some(value);
        GpuUsage {
            memory_mib: above_zero(seen.memory_mib),
            utilisation_pct: Summary::of(&seen.utilisation).map(|summary| summary.mean),
            power_w: Summary::of(&seen.power_w).map(|summary| summary.mean).filter(|_| is_metered),
            energy_j: seen.energy_mj.zip(energy).map(|(before, after)| after.saturating_sub(before) as f64 / 1000.0),
            temperature_c: above_zero(seen.temperature_c),
            clock_mhz: Summary::of(&seen.clock_mhz).map(|clocks| [clocks.minimum, clocks.median, clocks.maximum]),
            throttled: seen.throttled.into_iter().map(str::to_owned).collect(),
            others: seen.others,
        }
    }
}

impl GpuUsage {
    /// What was seen beside several processes, each with the time for which it was watched, s.
    pub(super) fn of_all(all: &[(&Self, f64)]) -> Self {
        let mean = |value: fn(&Self) -> Option<f64>| mean(all.iter().map(|(one, time)| (value(one), *time)));
        let most = |value: fn(&Self) -> Option<f64>| all.iter().filter_map(|(one, _)| value(one)).reduce(f64::max);
        let mut throttled: Vec<String> = all.iter().flat_map(|(one, _)| one.throttled.iter().cloned()).collect();
        throttled.sort();
        throttled.dedup();
        Self {
            memory_mib: most(|one| one.memory_mib),
            utilisation_pct: mean(|one| one.utilisation_pct),
            power_w: mean(|one| one.power_w),
            energy_j: all.iter().map(|(one, _)| one.energy_j).sum(),
            temperature_c: most(|one| one.temperature_c),
            clock_mhz: clocks(all.iter().filter_map(|(one, _)| one.clock_mhz)),
            throttled,
            others: all.iter().map(|(one, _)| one.others).max().unwrap_or(0),
        }
    }
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

/// A window has at least so many updates of its meter: what the first and the last one hide is a hundredth of it then.
const UPDATES: f64 = 100.0;

/// RAPL's counters are updated about every millisecond (Khan, Hirki, Niemi, Nurminen and Ou, "RAPL in Action: Experiences in Using
/// RAPL for Power Measurements", ACM TOMPECS 3, 2018, doi:10.1145/3177754).
const RAPL_UPDATE_S: f64 = 0.001;

/// The power that NVIDIA's driver tells is updated every 100 ms at the slowest of its GPUs (Yang, Adamek and Armour, "Part-time Power
/// Measurements: nvidia-smi's Lack of Attention", arXiv:2312.02741).
const NVML_UPDATE_S: f64 = 0.1;

/// The shortest window (s) that says something of the energy of a GPU.
pub(super) const LEAST_NVML_S: f64 = UPDATES * NVML_UPDATE_S;

/// The shortest window (s) that says something of the energy of the processors.
pub(super) const LEAST_RAPL_S: f64 = UPDATES * RAPL_UPDATE_S;

/// The shortest window (s) of the meter of a GPU, or else of the processors; `None` where nothing meters these.
pub(super) fn least_window_s(on_gpu: bool) -> Option<f64> {
    let of_processors = || RaplMeter::of_machine().map(|_| LEAST_RAPL_S);
    if on_gpu { Some(LEAST_NVML_S) } else { of_processors() }
}

/// What NVML's counter covers.
pub(super) const NVML: &str = "NVML: the board of the GPU";

/// The counters of the processor packages and of their memory, where the system has them and lets them be read.
#[derive(Debug)]
pub(super) struct RaplMeter {
    zones: Vec<Zone>,
}

/// One counter.
#[derive(Debug)]
struct Zone {
    /// Such as `intel-rapl:0`, or `intel-rapl:0:2` for a part of that.
    id: String,
    name: String,
    counter: PathBuf,
    /// Where it begins anew, µJ.
    range: Option<f64>,
}

impl RaplMeter {
    /// That of this machine.
    pub fn of_machine() -> Option<Self> {
        Self::below(Path::new("/sys/class/powercap"))
    }

    /// What is counted below a folder such as `/sys/class/powercap`: the packages, and the memory of each where it is counted apart.
    /// `psys`, the whole platform, holds the packages again, and `core` and `uncore` are held by them.
    fn below(folder: &Path) -> Option<Self> {
        let text = |path: PathBuf| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let mut zones = Vec::new();
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let id = entry.file_name().to_string_lossy().into_owned();
            let Some(name) = text(entry.path().join("name")).filter(|_| id.starts_with("intel-rapl:")) else {
                continue;
            };
            if name.starts_with("package") || name == "dram" {
                let range = text(entry.path().join("max_energy_range_uj")).and_then(|range| range.parse().ok());
                zones.push(Zone { id, name, counter: entry.path().join("energy_uj"), range });
            }
        }
        zones.sort_by(|a, b| a.id.cmp(&b.id));
        let meter = Self { zones };
        // Only root may read it on most systems.
        (!meter.zones.is_empty() && meter.read().is_some()).then_some(meter)
    }

    /// What it covers.
    pub fn covers(&self) -> String {
        let names: Vec<&str> = self.zones.iter().map(|zone| zone.name.as_str()).collect();
        format!("RAPL: {}", names.join(", "))
    }

    /// The counters now, µJ.
    pub fn read(&self) -> Option<Vec<f64>> {
        self.zones.iter().map(|zone| fs::read_to_string(&zone.counter).ok()?.trim().parse().ok()).collect()
    }

    /// The energy between two readings, J; `None` where a counter began anew, and nobody knows where.
    pub fn joules(&self, before: &[f64], after: &[f64]) -> Option<f64> {
        let of_zone = |(zone, (before, after)): (&Zone, (&f64, &f64))| match after - before {
            used if used >= 0.0 => Some(used),
            // Once, in any window that somebody waits for: a package of 1000 W takes minutes through its range.
            used => zone.range.map(|range| used + range),
        };
        let used: Option<f64> = self.zones.iter().zip(before.iter().zip(after)).map(of_zone).sum();
        used.map(|microjoules| microjoules / 1e6)
    }
}

/// The mean of values that are known, each weighed by its time.
pub(super) fn mean(values: impl Iterator<Item = (Option<f64>, f64)>) -> Option<f64> {
    let known: Vec<(f64, f64)> = values.filter_map(|(value, time)| Some((value?, time))).collect();
    let time: f64 = known.iter().map(|(_, time)| time).sum();
    let sum: f64 = known.iter().map(|(value, time)| value * time).sum();
    (time > 0.0).then_some(sum / time)
}

/// The lowest, the middle of the middle ones, and the highest.
pub(super) fn clocks(all: impl Iterator<Item = [f64; 3]>) -> Option<[f64; 3]> {
    let all: Vec<[f64; 3]> = all.collect();
    let at = |place: usize| Summary::of(&all.iter().map(|clocks| clocks[place]).collect::<Vec<_>>());
    Some([at(0)?.minimum, at(1)?.median, at(2)?.maximum])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(folder: &Path, id: &str, name: &str, energy: &str) {
        let zone = folder.join(id);
        fs::create_dir_all(&zone).unwrap();
        for (file, text) in [("name", name), ("energy_uj", energy), ("max_energy_range_uj", "1000000000")] {
            fs::write(zone.join(file), format!("{text}\n")).unwrap();
        }
    }

    #[test]
    fn the_platform_is_not_added_to_the_packages_that_it_holds() {
        let folder = tempfile::TempDir::new().unwrap();
        for (id, name) in [
            ("intel-rapl:0", "package-0"),
            ("intel-rapl:0:0", "core"),
            ("intel-rapl:0:1", "dram"),
            ("intel-rapl:1", "psys"),
            ("intel-rapl-mmio:0", "package-0"),
        ] {
            zone(folder.path(), id, name, "5000000");
        }
        let meter = RaplMeter::below(folder.path()).unwrap();
        assert_eq!(meter.covers(), "RAPL: package-0, dram");
        let before = meter.read().unwrap();
        for id in ["intel-rapl:0", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1"] {
            fs::write(folder.path().join(id).join("energy_uj"), "7000000\n").unwrap();
        }
        assert_eq!(
            meter.joules(&before, &meter.read().unwrap()),
            Some(4.0),
            "2 J each of the package and of the memory"
        );
        assert_eq!(meter.joules(&[9e8, 0.0], &[1e8, 0.0]), Some(200.0), "the counter began anew");
    }

    #[test]
    fn windows_hold_a_hundred_updates_of_their_meter() {
        assert_eq!((least_window_s(true), LEAST_RAPL_S), (Some(10.0), 0.1));
    }

    #[test]
    fn what_cannot_be_read_is_no_meter() {
        let folder = tempfile::TempDir::new().unwrap();
        assert!(RaplMeter::below(folder.path()).is_none());
        zone(folder.path(), "intel-rapl:0", "package-0", "no number");
        assert!(RaplMeter::below(folder.path()).is_none());
        assert!(RaplMeter::below(&folder.path().join("none")).is_none());
    }
}

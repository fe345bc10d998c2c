//! NVIDIA GPUs, accessed through the driver's NVML library, which is loaded only if present.

use std::sync::Arc;

use nvml_wrapper::Nvml;
use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};
use nvml_wrapper::enums::device::UsedGpuMemory;

use super::energy::LEAST_NVML_S;
use super::stats::Summary;

/// A GPU that can be monitored.
#[derive(Debug, Clone)]
pub struct Gpu {
    nvml: Arc<Nvml>,
    index: u32,
}

/// The data collected while monitoring.
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
    is_any_seen: bool,
}

/// Usage of a GPU during a measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GpuUsage {
    /// Peak memory in use, MiB: by the worker if the driver lists processes, else in total.
    pub memory_mib: Option<f64>,
    /// Mean utilisation, percent.
    pub utilisation_pct: Option<f64>,
    /// Mean power, W.
    pub power_w: Option<f64>,
    /// Energy by the driver's counter, J.
    pub energy_j: Option<f64>,
    /// Highest temperature, °C.
    pub temperature_c: Option<f64>,
    /// Lowest, median and highest clock of the multiprocessors, MHz.
    pub clock_mhz: Option<[f64; 3]>,
    /// The reasons for which the driver lowered the clock.
    pub throttled: Vec<String>,
    /// Maximum number of other processes that computed on it at once.
    pub others: usize,
    /// Whether the driver lists no processes at all, as in many containers, so that it is not known whether others computed on it.
    pub unseen: bool,
}

impl Gpu {
    /// The GPU that a worker calls `cuda:N`, found by its PCI address if the worker reported it; `None` without a driver.
    pub fn find(ordinal: u32, pci: Option<&str>) -> Option<Self> {
        let nvml = Arc::new(Nvml::init().ok()?);
        let index = match pci {
            Some(address) => nvml.device_by_pci_bus_id(address).ok()?.index().ok()?,
            None => ordinal,
        };
        nvml.device_by_index(index).ok()?;
        Some(Self { nvml, index })
    }

    /// The facts that the driver reports, for the record.
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

    /// The driver's name for the GPU, and its memory, GiB.
    pub fn name(&self) -> Option<(String, f64)> {
        let device = self.nvml.device_by_index(self.index).ok()?;
        Some((device.name().ok()?, device.memory_info().ok()?.total as f64 / f64::from(1 << 30)))
    }

    /// Starts monitoring during the measurement of the worker with this process id.
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
            is_any_seen: false,
        }
    }

    /// Takes one sample and returns the power, W.
    pub fn look(&self, seen: &mut GpuSamples) -> Option<f64> {
        let device = self.nvml.device_by_index(self.index).ok()?;
        seen.utilisation.extend(device.utilization_rates().ok().map(|rates| f64::from(rates.gpu)));
        let power_w = device.power_usage().ok().map(|mw| f64::from(mw) / 1000.0);
        seen.power_w.extend(power_w);
        seen.clock_mhz.extend(device.clock_info(Clock::SM).ok().map(f64::from));
        let temperature = device.temperature(TemperatureSensor::Gpu).map_or(0.0, f64::from);
        seen.temperature_c = seen.temperature_c.max(temperature);
        let processes = device.running_compute_processes().unwrap_or_default();
        let own = processes.iter().find(|process| process.pid == seen.pid);
        // In a container, the driver may use other process ids: then one of the processes is assumed to be ours.
        let others = processes.len().saturating_sub(1);
        seen.others = seen.others.max(others);
        seen.is_any_seen |= !processes.is_empty();
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
        power_w
    }

    /// Ends monitoring after this time. Power and energy are reported only if the time is long enough for their meter.
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
            unseen: !seen.is_any_seen,
        }
    }
}

impl GpuUsage {
    /// Combines several processes, each with its observation time, s.
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
            unseen: all.iter().any(|(one, _)| one.unseen),
        }
    }
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

/// The mean of the known values, weighted by time.
pub(super) fn mean(values: impl Iterator<Item = (Option<f64>, f64)>) -> Option<f64> {
    let known: Vec<(f64, f64)> = values.filter_map(|(value, time)| Some((value?, time))).collect();
    let time: f64 = known.iter().map(|(_, time)| time).sum();
    let sum: f64 = known.iter().map(|(value, time)| value * time).sum();
    (time > 0.0).then_some(sum / time)
}

/// The minimum of the lowest, the median of the median, and the maximum of the highest clocks.
pub(super) fn clocks(all: impl Iterator<Item = [f64; 3]>) -> Option<[f64; 3]> {
    let all: Vec<[f64; 3]> = all.collect();
    let at = |place: usize| Summary::of(&all.iter().map(|clocks| clocks[place]).collect::<Vec<_>>());
    Some([at(0)?.minimum, at(1)?.median, at(2)?.maximum])
}

//! Energy of processors, memory and platform from RAPL counters.

use std::fs;
use std::path::{Path, PathBuf};

/// Minimum number of meter updates in a window: the error at both ends is then at most a hundredth.
const UPDATES: f64 = 100.0;

/// RAPL's counters are updated about every millisecond (Khan, Hirki, Niemi, Nurminen and Ou, "RAPL in Action: Experiences in Using
/// RAPL for Power Measurements", ACM TOMPECS 3, 2018, doi:10.1145/3177754).
const RAPL_UPDATE_S: f64 = 0.001;

/// The power reported by NVIDIA's driver is updated every 100 ms on the slowest of its GPUs (Yang, Adamek and Armour, "Part-time
/// Power Measurements: nvidia-smi's Lack of Attention", arXiv:2312.02741).
const NVML_UPDATE_S: f64 = 0.1;

/// The shortest window for the energy of a GPU, s.
pub(super) const LEAST_NVML_S: f64 = UPDATES * NVML_UPDATE_S;

/// The shortest window for the energy of the processors, s.
pub(super) const LEAST_RAPL_S: f64 = UPDATES * RAPL_UPDATE_S;

/// What NVML's counter covers.
pub(super) const NVML: &str = "NVML: the board of the GPU";

/// The folder with the counters; `DLBENCH_POWERCAP` replaces it, for containers that mount the host's folder elsewhere.
const POWERCAP: &str = "/sys/class/powercap";

/// The shortest window of the meter of the GPU, else of the processors, s; `None` without a meter.
pub(super) fn least_window_s(on_gpu: bool) -> Option<f64> {
    let of_processors = || RaplMeter::of_machine().map(|_| LEAST_RAPL_S);
    if on_gpu { Some(LEAST_NVML_S) } else { of_processors() }
}

/// Energy by part, J; `None` for parts without a meter.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EnergyParts {
    /// The processor packages.
    pub cpu_j: Option<f64>,
    /// Memory of the processors.
    pub ram_j: Option<f64>,
    /// The whole platform, which includes the other two.
    pub platform_j: Option<f64>,
}

impl EnergyParts {
    /// Processors plus memory, if memory is metered.
    pub fn processors_j(self) -> Option<f64> {
        Some(self.cpu_j? + self.ram_j.unwrap_or(0.0))
    }

    /// Sums windows; a part that one window lacks is `None`.
    pub(super) fn sum(all: impl Iterator<Item = Self> + Clone) -> Self {
        Self {
            cpu_j: all.clone().map(|one| one.cpu_j).sum(),
            ram_j: all.clone().map(|one| one.ram_j).sum(),
            platform_j: all.map(|one| one.platform_j).sum(),
        }
    }
}

/// Readable counters of packages, memory and platform.
#[derive(Debug)]
pub(super) struct RaplMeter {
    zones: Vec<Zone>,
}

/// One counter.
#[derive(Debug)]
struct Zone {
    /// For example `intel-rapl:0`, or `intel-rapl:0:2` for a part of it.
    id: String,
    name: String,
    counter: PathBuf,
    /// The value at which it wraps around, µJ.
    range: Option<f64>,
}

impl Zone {
    fn is_cpu(&self) -> bool {
        self.name.starts_with("package")
    }

    fn is_ram(&self) -> bool {
        self.name == "dram"
    }

    fn is_platform(&self) -> bool {
        self.name == "psys"
    }
}

impl RaplMeter {
    /// The counters of this machine.
    pub fn of_machine() -> Option<Self> {
        let folder = std::env::var_os("DLBENCH_POWERCAP").map_or_else(|| PathBuf::from(POWERCAP), PathBuf::from);
        Self::below(&folder)
    }

    /// Reads a folder such as `/sys/class/powercap`. `core` and `uncore` are parts of their package and are skipped.
    fn below(folder: &Path) -> Option<Self> {
        let text = |path: PathBuf| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let mut zones = Vec::new();
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let id = entry.file_name().to_string_lossy().into_owned();
            let Some(name) = text(entry.path().join("name")).filter(|_| id.starts_with("intel-rapl:")) else {
                continue;
            };
            let range = text(entry.path().join("max_energy_range_uj")).and_then(|range| range.parse().ok());
            let zone = Zone { id, name, counter: entry.path().join("energy_uj"), range };
            if zone.is_cpu() || zone.is_ram() || zone.is_platform() {
                zones.push(zone);
            }
        }
        zones.sort_by(|a, b| a.id.cmp(&b.id));
        let meter = Self { zones };
        // Only root may read it on most systems.
        (meter.zones.iter().any(Zone::is_cpu) && meter.read().is_some()).then_some(meter)
    }

    /// The metered parts, and whether memory is missing.
    pub fn covers(&self) -> String {
        let names: Vec<&str> = self.zones.iter().map(|zone| zone.name.as_str()).collect();
        let without = if self.zones.iter().any(Zone::is_ram) { "" } else { "; memory is not metered" };
        format!("RAPL: {}{without}", names.join(", "))
    }

    /// Current values, µJ.
    pub fn read(&self) -> Option<Vec<f64>> {
        self.zones.iter().map(|zone| fs::read_to_string(&zone.counter).ok()?.trim().parse().ok()).collect()
    }

    /// Energy between two readings; `None` if a counter wrapped around at an unknown value.
    pub fn parts(&self, before: &[f64], after: &[f64]) -> EnergyParts {
        let of = |is_part: fn(&Zone) -> bool| -> Option<f64> {
            let of_part = self.zones.iter().zip(before.iter().zip(after)).filter(|(zone, _)| is_part(zone));
            let used: Vec<f64> = of_part
                .map(|(zone, (before, after))| match after - before {
                    used if used >= 0.0 => Some(used),
                    // At most one wrap: a package of 1000 W takes minutes to use its range.
                    used => zone.range.map(|range| used + range),
                })
                .collect::<Option<_>>()?;
            (!used.is_empty()).then(|| used.iter().sum::<f64>() / 1e6)
        };
        EnergyParts { cpu_j: of(Zone::is_cpu), ram_j: of(Zone::is_ram), platform_j: of(Zone::is_platform) }
    }
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
    fn each_part_is_counted_apart_and_the_platform_not_added_to_the_packages_that_it_holds() {
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
        assert_eq!(meter.covers(), "RAPL: package-0, dram, psys");
        let before = meter.read().unwrap();
        for (id, energy) in [
            ("intel-rapl:0", "7000000"),
            ("intel-rapl:0:0", "6000000"),
            ("intel-rapl:0:1", "5500000"),
            ("intel-rapl:1", "9000000"),
        ] {
            fs::write(folder.path().join(id).join("energy_uj"), format!("{energy}\n")).unwrap();
        }
        let used = meter.parts(&before, &meter.read().unwrap());
        assert_eq!(used, EnergyParts { cpu_j: Some(2.0), ram_j: Some(0.5), platform_j: Some(4.0) });
        assert_eq!(used.processors_j(), Some(2.5));
        let anew = meter.parts(&[9e8, 0.0, 0.0], &[1e8, 0.0, 0.0]);
        assert_eq!(anew.cpu_j, Some(200.0), "the counter began anew");
        let unknown = EnergyParts { ram_j: None, ..used };
        assert_eq!(
            EnergyParts::sum([used, unknown].into_iter()),
            EnergyParts { cpu_j: Some(4.0), ram_j: None, platform_j: Some(8.0) }
        );
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
        zone(folder.path(), "intel-rapl:0", "package-0", "1");
        let meter = RaplMeter::below(folder.path()).unwrap();
        assert_eq!(meter.covers(), "RAPL: package-0; memory is not metered");
    }
}

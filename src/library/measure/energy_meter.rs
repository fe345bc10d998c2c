//! Meters of energy: what they cover, and how long they have to be read for.

use std::fs;
use std::path::{Path, PathBuf};

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

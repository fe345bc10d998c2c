//! The machine and software at the start of a run: facts for the record, the device's catalog entry, and an id of the machine.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use dlbench_protocol::Hello;
use sysinfo::System;
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

use super::energy::RaplMeter;
use super::gpu::Gpu;
use super::stop_rule::RunLimits;
use crate::model::Facet;
use crate::reading::toml_one_line;
use crate::stores::database::{Database, DatabaseError};
use crate::stores::resolve::Certainty;
use crate::stores::{create_private, resolve_spelling};

/// Facts that must be equal to continue a file: the same machine, software and precision goal.
const SAME: &[&str] = &[
    "machine",
    "cpu-model",
    "cores-logical",
    "cpu-affinity",
    "memory-mib",
    "kernel",
    "worker",
    "worker-build-settings",
    "worker-built-with",
    "gpu-name",
    "gpu-driver",
    "goal",
    "least-iterations",
    "time-limit-s",
    "energy-window-s",
    "seed",
];

/// The key of the energy meter of the processors, with what it covers.
pub(super) const ENERGY_METER: &str = "energy-meter";

/// Prefixes of environment variables that affect memory allocation and threads.
const VARIABLES: &[&str] = &[
    "CUDA_VISIBLE_DEVICES",
    "GLIBC_TUNABLES",
    "GOMP_",
    "KMP_",
    PRELOADED,
    "MALLOC_",
    "MKL_",
    "OMP_",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
];

/// The variable with libraries to load before others, such as another allocator.
const PRELOADED: &str = "LD_PRELOAD";

/// Prefix of the keys of environment variables.
const VARIABLE: &str = "env-";

/// Prefix of the keys of a worker's facts, if a run has several workers.
const WORKER_OF: &str = "worker-of-";

/// The key of a worker's fact, with its name if the run has several workers: `worker-cuda`, `worker-of-openvino-built-with`.
pub(super) fn worker_fact(name: Option<&str>, key: &str) -> String {
    let worker = name.map_or_else(|| "worker".to_owned(), |name| format!("{WORKER_OF}{name}"));
    kebab(&format!("{worker}-{key}"))
}

/// The recorded facts of the machine and the software: kebab-case keys, text values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    facts: BTreeMap<String, String>,
}

impl Environment {
    /// Records the facts; `workers` are the names of the workers, if a run has several, with their greetings. The random part of
    /// the machine's id is stored in the user's cache folder.
    pub fn record(
        workers: &[(Option<&str>, &Hello)],
        gpus: &[Gpu],
        limits: &RunLimits,
        seed: u64,
        cache: &Path,
    ) -> Self {
        let mut facts = BTreeMap::new();
        let mut add = |key: &str, value: Option<String>| {
            let value = value.map(|value| value.split_whitespace().collect::<Vec<_>>().join(" "));
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                facts.insert(kebab(key), value);
            }
        };
        let cpu = Cpu::read();
        add("cpu-model", cpu.field("model name"));
        add("cpu-vendor", cpu.field("vendor_id"));
        add("cpu-family-model-stepping", cpu.family_model());
        add("cpu-flags", cpu.field("flags"));
        add("cpu-microcode", cpu.field("microcode"));
        add("cores-logical", Some(cpu.processors.max(1).to_string()));
        add("cores-physical", System::physical_core_count().ok().map(|cores| cores.to_string()));
        add("numa-nodes", numa_nodes());
        for (level, size) in caches() {
            add(&format!("cache-{level}"), Some(size));
        }
        let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        add("cpu-governor", Some(governor.unwrap_or_else(|| "not reported by the system".to_owned())));
        add("cpu-frequency-driver", read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"));
        let boost = read("/sys/devices/system/cpu/cpufreq/boost");
        add("cpu-boost", boost.map(|on| if on.trim() == "1" { "on" } else { "off" }.to_owned()));
        let no_turbo = read("/sys/devices/system/cpu/intel_pstate/no_turbo");
        add("cpu-turbo", no_turbo.map(|off| if off == "1" { "off" } else { "on" }.to_owned()));
        add("cpu-affinity", affinity());
        if let Ok(mut system) = System::new() {
            system.refresh_memory();
            add("memory-mib", Some((system.total_memory() >> 20).to_string()));
            add("swap-mib", Some((system.total_swap() >> 20).to_string()));
        }
        add("transparent-hugepages", read("/sys/kernel/mm/transparent_hugepage/enabled"));
        add("os", System::long_os_version().ok());
        add("kernel", System::kernel_version().ok());
        add("container", container());
        add("hypervisor", hypervisor(&cpu));
        add("load-average", read("/proc/loadavg"));
        add("dlbench-version", Some(env!("CARGO_PKG_VERSION").to_owned()));
        for (name, hello) in workers {
            add(&worker_fact(*name, ""), Some(hello.worker.clone()));
            // If there is only one worker, the rows state its framework.
            add(
                &worker_fact(*name, "framework"),
                name.map(|_| format!("{} {}", hello.framework, hello.framework_version)),
            );
            for (key, value) in &hello.build {
                add(&worker_fact(*name, key), Some(value.clone()));
            }
        }
        add("machine", machine_id(cache));
        add("goal", Some(limits.goal.to_string()));
        add("least-iterations", Some(limits.least.to_string()));
        add("time-limit-s", Some(limits.time_s.to_string()));
        add("spread-s", (limits.spread_s > 0.0).then(|| limits.spread_s.to_string()));
        add("energy-window-s", limits.energy_s.map(|seconds| seconds.to_string()));
        add("seed", Some(seed.to_string()));
        add(ENERGY_METER, RaplMeter::of_machine().map(|meter| meter.covers()));
        for (variable, value) in std::env::vars() {
            if VARIABLES.iter().any(|start| variable.starts_with(start)) {
                // For preloaded libraries, the file names are enough; folders are private.
                let names = |list: String| -> String {
                    let names = list.split([':', ' ']).map(|path| path.rsplit('/').next().unwrap_or(path));
                    names.collect::<Vec<_>>().join(" ")
                };
                let value = if variable == PRELOADED { names(value) } else { value };
                add(&format!("{VARIABLE}{}", variable.to_lowercase()), Some(value));
            }
        }
        for (at, gpu) in gpus.iter().enumerate() {
            for (key, value) in gpu.facts() {
                add(&if gpus.len() > 1 { format!("{key}-{at}") } else { key.to_owned() }, Some(value));
            }
        }
        Self { facts }
    }

    /// The value of a fact.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.facts.get(key).map(String::as_str)
    }

    /// Whether an earlier file is of the same machine and software, as far as they affect times. False if this machine has no id,
    /// because it cannot be distinguished from others.
    pub fn matches_earlier(&self, earlier: &toml::Table) -> bool {
        let told = |key: &str| earlier.get(key).and_then(toml::Value::as_str);
        let variables = |key: &&str| key.starts_with(VARIABLE) || key.starts_with(WORKER_OF);
        let of_earlier = earlier.keys().map(String::as_str).filter(variables);
        let of_this = self.facts.keys().map(String::as_str).filter(variables);
        let mut decisive = SAME.iter().copied().chain(of_earlier).chain(of_this);
        self.get("machine").is_some() && decisive.all(|key| told(key) == self.get(key))
    }

    /// The facts in a file of an earlier run, or of a run on another machine.
    pub fn of_file(told: &toml::Table) -> Self {
        let text = |(key, value): (&String, &toml::Value)| Some((key.clone(), value.as_str()?.to_owned()));
        Self { facts: told.iter().filter_map(text).collect() }
    }

    /// The beginning of a file with these facts, before its rows.
    pub fn header(&self) -> String {
        let mut header = String::from("[environment]\n");
        for (key, value) in &self.facts {
            header.push_str(&format!("{key} = {}\n", toml_one_line(value)));
        }
        header
    }
}

/// Converts any key of a worker to one that TOML accepts without quotes.
fn kebab(key: &str) -> String {
    let plain: String =
        key.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The entry of the first processor in `/proc/cpuinfo`, and the number of processors.
struct Cpu {
    text: String,
    processors: usize,
}

impl Cpu {
    fn read() -> Self {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processors = text.lines().filter(|line| line.starts_with("processor")).count();
        let text = text.split("\n\n").next().unwrap_or_default().to_owned();
        Self { text, processors }
    }

    fn field(&self, name: &str) -> Option<String> {
        let value = |line: &str| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        };
        self.text.lines().find_map(value)
    }

    fn family_model(&self) -> Option<String> {
        Some(format!("{} {} {}", self.field("cpu family")?, self.field("model")?, self.field("stepping")?))
    }
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// The processors on which this process and its workers may run: `0-3,8`.
fn affinity() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(|list| list.trim().to_owned())
}

/// The caches `l1d`, `l2` … with their size and the processors that share them.
fn caches() -> Vec<(String, String)> {
    let base = Path::new("/sys/devices/system/cpu/cpu0/cache");
    let mut found = Vec::new();
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let file = |name: &str| fs::read_to_string(entry.path().join(name)).ok().map(|text| text.trim().to_owned());
        let (Some(level), Some(kind), Some(size)) = (file("level"), file("type"), file("size")) else { continue };
        let suffix = match kind.as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        let shared = file("shared_cpu_list").map_or_else(String::new, |list| format!(" (processors {list})"));
        found.push((format!("l{level}{suffix}"), format!("{size}{shared}")));
    }
    found.sort();
    found
}

fn numa_nodes() -> Option<String> {
    let nodes = fs::read_dir("/sys/devices/system/node").ok()?.flatten();
    let count = nodes.filter(|node| {
        let name = node.file_name().to_string_lossy().into_owned();
        name.strip_prefix("node").is_some_and(|number| number.parse::<u32>().is_ok())
    });
    Some(count.count().to_string()).filter(|count| count != "0")
}

fn container() -> Option<String> {
    if let Ok(name) = std::env::var("container") {
        return Some(name);
    }
    if Path::new("/.dockerenv").exists() {
        return Some("docker".to_owned());
    }
    if Path::new("/run/.containerenv").exists() {
        return Some("podman".to_owned());
    }
    let groups = fs::read_to_string("/proc/1/cgroup").unwrap_or_default();
    ["docker", "kubepods", "lxc"].into_iter().find(|name| groups.contains(name)).map(str::to_owned)
}

fn hypervisor(cpu: &Cpu) -> Option<String> {
    let virtual_machine = cpu.field("flags")?.split(' ').any(|flag| flag == "hypervisor");
    let product = read("/sys/class/dmi/id/sys_vendor").or_else(|| read("/sys/hypervisor/type"));
    virtual_machine.then(|| product.filter(|name| !name.is_empty()).unwrap_or_else(|| "yes, unnamed".to_owned()))
}

/// The file in the user's cache folder with the random part of the machine's id.
const FILE: &str = "machine";

/// Hexadecimal digits of that random part.
const DIGITS: usize = 16;

/// The machine's id: 16 hexadecimal digits of a hash of the system's machine id and of a random number that is stored in this
/// folder. The former distinguishes machines that share a home folder, the latter machines copied from one image. The hash hides
/// the system's own id, which must be kept confidential (machine-id(5)). `None` if the folder is not writable: then it is not known
/// whether two runs are of the same machine.
pub(super) fn machine_id(cache: &Path) -> Option<String> {
    let random = read_or_draw_number(cache).ok()?;
    let own = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    Some(format!("{:016x}", xxh3_64(format!("{} {random}", own.trim()).as_bytes())))
}

/// The random number of a folder, drawn on first use.
fn read_or_draw_number(cache: &Path) -> io::Result<String> {
    create_private(cache)?;
    let path = cache.join(FILE);
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return check_complete(read?, &path),
    }
    // Several processes may draw it at once, such as cluster jobs that share a home folder, so it is written atomically.
    let drawn = format!("{:0DIGITS$x}", RandomState::new().build_hasher().finish());
    let mut file = NamedTempFile::new_in(cache)?;
    file.write_all(drawn.as_bytes())?;
    match file.persist_noclobber(&path).map_err(|error| error.error) {
        Ok(_) => Ok(drawn),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check_complete(fs::read_to_string(&path)?, &path),
        Err(error) => Err(error),
    }
}

/// The number if it is complete; a truncated file is removed, so that the next run draws a new number.
fn check_complete(text: String, path: &Path) -> io::Result<String> {
    let is_whole = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_whole { Ok(text) } else { fs::remove_file(path).and(Err(io::ErrorKind::InvalidData.into())) }
}

/// A device of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineDevice {
    /// Its catalog id, or that of its draft.
    pub id: String,
    /// The name that the system gives it.
    pub raw: String,
    /// The text of a draft entry, if the catalog has no entry.
    pub draft: Option<String>,
}

/// Finds `cpu` or a GPU in the catalog.
pub fn find(
    store: &Database,
    device: &str,
    gpu: Option<&Gpu>,
    environment: &Environment,
) -> Result<MachineDevice, DatabaseError> {
    if device == "cpu" {
        let name = environment.get("cpu-model").unwrap_or("unnamed processor").to_owned();
        let id = known(store, &name)?;
        let draft = || cpu_draft(&name, environment);
        return found(store, id, name.clone(), draft);
    }
    let (name, gib) = gpu.and_then(Gpu::name).unwrap_or_else(|| (format!("unnamed device {device}"), 0.0));
    // The memory size makes a name such as Tesla V100-SXM2 that of a single SKU.
    let with_memory = format!("{name} {gib:.0}GB");
    let id = match known(store, &name)? {
        Some(id) => Some(id),
        None => known(store, &with_memory)?,
    };
    let draft = || gpu_draft(&name, gib, environment);
    found(store, id, name.clone(), draft)
}

fn found(
    store: &Database,
    known: Option<String>,
    raw: String,
    draft: impl FnOnce() -> (String, String),
) -> Result<MachineDevice, DatabaseError> {
    if let Some(id) = known {
        return Ok(MachineDevice { id, raw, draft: None });
    }
    let (id, text) = draft();
    // A draft of an earlier run may have been added to the catalog.
    let there = store.entity::<crate::model::Device>(&id)?.is_some();
    Ok(MachineDevice { id, raw, draft: (!there).then_some(text) })
}

/// The id of the device with this name, if the name is unambiguous.
fn known(store: &Database, name: &str) -> Result<Option<String>, DatabaseError> {
    let resolved = resolve_spelling(store, Facet::Device, name)?;
    let sure = matches!(resolved.reading, Certainty::Sku | Certainty::Family);
    Ok(match resolved.ids.as_slice() {
        [id] if sure => Some(id.clone()),
        _ => None,
    })
}

fn cpu_draft(name: &str, environment: &Environment) -> (String, String) {
    let family = environment.get("cpu-family-model-stepping");
    let mut words = family.unwrap_or_default().split(' ');
    // A hypervisor may hide the model ("AMD EPYC"): family and model numbers at least identify the generation.
    let hidden = !name.chars().any(|c| c.is_ascii_digit());
    let title = match (hidden, words.next(), words.next()) {
        (true, Some(family), Some(model)) if !family.is_empty() => format!("{name} (family {family}, model {model})"),
        _ => name.to_owned(),
    };
    let mut text = format!("name = {}\nclass = \"cpu\"\n", toml_one_line(&title));
    let vendor = match environment.get("cpu-vendor") {
        Some("AuthenticAMD") => Some("AMD"),
        Some("GenuineIntel") => Some("Intel"),
        other => other,
    };
    if let Some(vendor) = vendor {
        text.push_str(&format!("vendor = {}\n", toml_one_line(vendor)));
    }
    if hidden {
        text.push_str(
            "notes = \"As the system names it, without its model; the environment of a run lists the cores it used.\"\n",
        );
    }
    text.push_str("\n[[sources]]\nsource = \"dlbench-runs\"\n");
    (id_of(&title), text)
}

fn gpu_draft(name: &str, gib: f64, environment: &Environment) -> (String, String) {
    let mut text = format!("name = {}\nclass = \"gpu\"\nvendor = \"NVIDIA\"\n", toml_one_line(name));
    if gib > 0.0 {
        // Drivers report slightly less memory than is built in.
        text.push_str(&format!("memory-gib = {:.0}\n", gib.ceil()));
    }
    if let Some(capability) = environment.get("gpu-compute-capability") {
        text.push_str(&format!("compute-capability = {}\n", toml_one_line(capability)));
    }
    text.push_str("\n[[sources]]\nsource = \"dlbench-runs\"\n");
    (id_of(name), text)
}

/// Converts a name to lower-case kebab.
fn id_of(name: &str) -> String {
    let mut id = String::new();
    for c in name.to_lowercase().replace("(r)", "").replace("(tm)", "").chars() {
        if c.is_ascii_alphanumeric() {
            id.push(c);
        } else if !id.ends_with('-') && !id.is_empty() {
            id.push('-');
        }
    }
    id.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_continued_by_the_same_machine_software_and_precision_alone() {
        let facts = |pairs: &[(&str, &str)]| {
            let facts = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            Environment { facts }
        };
        let earlier: toml::Table = "machine = 'a'\ncpu-model = 'X'\ngoal = '0.01'\nload-average = '2'".parse().unwrap();
        let alike = [("machine", "a"), ("cpu-model", "X"), ("goal", "0.01"), ("load-average", "0")];
        assert!(facts(&alike).matches_earlier(&earlier));
        assert!(!facts(&alike[1..]).matches_earlier(&earlier), "nobody knows which machine this is");
        for (at, other) in [(0, "b"), (1, "Y"), (2, "0.05")] {
            let mut pairs = alike;
            pairs[at].1 = other;
            assert!(!facts(&pairs).matches_earlier(&earlier), "{other}");
        }
        let mut tuned = alike.to_vec();
        tuned.push(("env-malloc-arena-max", "1"));
        assert!(!facts(&tuned).matches_earlier(&earlier), "another allocator");
        let tuned_earlier: toml::Table =
            "machine = 'a'\ncpu-model = 'X'\ngoal = '0.01'\nenv-malloc-arena-max = '1'".parse().unwrap();
        assert!(facts(&tuned).matches_earlier(&tuned_earlier));
        assert!(!facts(&alike).matches_earlier(&tuned_earlier));
        // Files from before machines had ids are never continued.
        let old: toml::Table = "cpu-model = 'X'".parse().unwrap();
        assert!(!facts(&alike).matches_earlier(&old));
    }

    #[test]
    fn the_machine_tells_what_every_linux_tells() {
        let hello = Hello {
            protocol: 1,
            worker: "w 1".to_owned(),
            framework: "pytorch".to_owned(),
            framework_version: "2".to_owned(),
            build: [("cuda".to_owned(), "13.0".to_owned())].into(),
            ..Hello::default()
        };
        let cache = tempfile::TempDir::new().unwrap();
        let environment = Environment::record(&[(None, &hello)], &[], &RunLimits::default(), 1, cache.path());
        for key in [
            "cores-logical",
            "memory-mib",
            "kernel",
            "dlbench-version",
            "worker",
            "worker-cuda",
            "cpu-governor",
            "machine",
            "goal",
            "cpu-affinity",
        ] {
            assert!(environment.get(key).is_some_and(|value| !value.is_empty()), "{key}: {environment:?}");
        }
    }

    #[test]
    fn a_machine_stays_the_same_as_long_as_its_cache_does() {
        let (one, other) = (tempfile::TempDir::new().unwrap(), tempfile::TempDir::new().unwrap());
        let of = |folder: &tempfile::TempDir| machine_id(&folder.path().join("dlbench"));
        let first = of(&one).unwrap();
        assert_eq!((first.len(), of(&one)), (DIGITS, Some(first.clone())));
        assert_ne!(of(&other), Some(first.clone()));
        fs::write(one.path().join("dlbench").join(FILE), "cut").unwrap();
        assert_eq!(of(&one), None, "what is not whole says nothing");
        assert!(of(&one).is_some_and(|new| new != first));
    }

    #[test]
    fn a_hidden_model_is_told_by_its_numbers() {
        assert_eq!(id_of("AMD EPYC (family 25, model 17)"), "amd-epyc-family-25-model-17");
        assert_eq!(id_of("Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz"), "intel-xeon-cpu-e5-2650-v4-2-20ghz");
    }
}

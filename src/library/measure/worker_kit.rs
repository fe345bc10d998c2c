//! The bundled workers (Python programs, their manifest, lock files of their packages), and how one is prepared.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, fs, io};

use dlbench_protocol::{Capability, DeviceInfo, Hello};
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

use super::packages::{Packages, PackagesError};
use super::worker::{Worker, WorkerCommand, isolate};
use crate::reading::{WriteError, create_folder};

/// File name of the manifest.
const MANIFEST: &str = "workers.toml";

/// The bundled workers and their files.
#[derive(Debug, Clone)]
pub struct WorkerKit {
    workers: Vec<KitWorker>,
    networks: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
    /// The folder for everything that is generated.
    cache: PathBuf,
    digest: String,
}

/// A worker of the manifest.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KitWorker {
    /// Its name.
    pub name: String,
    /// The framework's id in the catalog.
    pub framework: String,
    /// A one-line description.
    pub about: String,
    /// Its program file in the kit.
    pub program: String,
    /// The arguments of the program.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Its lock file of packages with the hashes of their files; absent if it needs none.
    pub lock: Option<String>,
    /// The worker that exports networks for this one; if absent, this one exports its own.
    pub files_from: Option<String>,
    /// Size of the package download, 10^6 bytes …
    pub download_mb: Option<u32>,
    /// … and size of the packages on disk, 10^6 bytes.
    pub disk_mb: Option<u32>,
    /// The licences of its packages.
    pub licenses: Option<String>,
    /// The stages that it can time.
    pub stages: Vec<String>,
    /// The precisions that it supports, on devices that have them.
    pub precisions: Vec<String>,
    /// The kinds of devices that it supports, if the machine has them: `cpu`, `cuda`.
    #[serde(default = "on_cpu")]
    pub devices: Vec<String>,
}

fn on_cpu() -> Vec<String> {
    vec!["cpu".to_owned()]
}

/// The format of the manifest.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Manifest {
    worker: Vec<KitWorker>,
    /// The name of each catalog network in the library from which the workers take it.
    networks: BTreeMap<String, String>,
    /// Input shapes of networks that differ from the usual shape; the exporting worker reads them.
    #[serde(default)]
    input_shapes: BTreeMap<String, Vec<u32>>,
}

/// Why a kit cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// The folder cannot be read.
    #[error("cannot read the workers in {}: {error}", folder.display())]
    Unread {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The manifest has a mistake.
    #[error("workers.toml: {0}")]
    Manifest(String),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl WorkerKit {
    /// Makes a kit of these files; generated files go below `cache`.
    ///
    /// # Errors
    ///
    /// When the manifest has a mistake.
    pub fn of(files: BTreeMap<String, Vec<u8>>, cache: &Path) -> Result<Self, KitError> {
        let text = files.get(MANIFEST).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        let Manifest { worker: workers, networks, input_shapes } =
            toml::from_str(&text).map_err(|error| KitError::Manifest(error.to_string()))?;
        if let Some(missing) = input_shapes.keys().find(|id| !networks.contains_key(*id)) {
            return Err(KitError::Manifest(format!(
                "there is an input shape of {missing}, which is none of its networks"
            )));
        }
        for worker in &workers {
            let named = [Some(&worker.program), worker.lock.as_ref()];
            if let Some(missing) = named.into_iter().flatten().find(|name| !files.contains_key(*name)) {
                return Err(KitError::Manifest(format!("{} names {missing}, which is not there", worker.name)));
            }
            let from = worker.files_from.as_ref();
            if let Some(missing) = from.filter(|from| !workers.iter().any(|other| other.name == **from)) {
                return Err(KitError::Manifest(format!(
                    "{} gets its networks from {missing}, which is none",
                    worker.name
                )));
            }
        }
        let mut content = Vec::new();
        for (name, bytes) in &files {
            content.extend_from_slice(name.as_bytes());
            content.push(0);
            content.extend_from_slice(bytes);
            content.push(0);
        }
        let digest = format!("{:016x}", xxh3_64(&content));
        let networks = networks.into_keys().collect();
        Ok(Self { workers, networks, files, cache: cache.join("workers"), digest })
    }

    /// Reads a kit from a folder.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or the manifest has a mistake.
    pub fn in_folder(folder: &Path, cache: &Path) -> Result<Self, KitError> {
        let unread = |error| KitError::Unread { folder: folder.to_owned(), error };
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            if entry.path().is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                files.insert(name, fs::read(entry.path()).map_err(unread)?);
            }
        }
        Self::of(files, cache)
    }

    /// Its workers.
    pub fn workers(&self) -> &[KitWorker] {
        &self.workers
    }

    /// The worker with this name.
    pub fn worker(&self, name: &str) -> Option<&KitWorker> {
        self.workers.iter().find(|worker| worker.name == name)
    }

    /// The greeting of a worker as far as the manifest determines it; without the version of its framework.
    pub fn declared(&self, worker: &KitWorker) -> Hello {
        Hello {
            framework: worker.framework.clone(),
            devices: worker.devices.iter().map(|kind| declared_device(kind, &worker.precisions)).collect(),
            networks: self.networks.clone(),
            capabilities: vec![Capability {
                networks: self.networks.clone(),
                stages: worker.stages.clone(),
                precisions: worker.precisions.clone(),
            }],
            model_files: true,
            ..Hello::default()
        }
    }

    /// The packages of a worker; `None` if it needs none.
    pub fn packages(&self, worker: &KitWorker) -> Option<Packages> {
        let name = worker.lock.as_ref()?;
        Some(Packages::new(&self.cache.join("environments"), name, self.files.get(name)?))
    }

    /// The command that starts a worker with a Python; `shell` is a wrapper that runs it so that it dies with this process.
    ///
    /// # Errors
    ///
    /// When its files cannot be written into the cache.
    pub fn command(&self, worker: &KitWorker, python: &Path, shell: &[OsString]) -> Result<WorkerCommand, KitError> {
        let program = self.unpacked()?.join(&worker.program);
        let mut command: Vec<OsString> = vec![python.into(), "-I".into(), "-B".into(), program.into()];
        command.extend(worker.arguments.iter().map(OsString::from));
        Ok(WorkerCommand { shell: shell.to_vec(), worker: command, libraries: None, is_isolated: true })
    }

    /// This worker and those with the same packages; none if it needs no packages.
    pub fn sharing<'k>(&'k self, worker: &'k KitWorker) -> impl Iterator<Item = &'k KitWorker> {
        self.workers.iter().filter(|other| other.lock == worker.lock && other.lock.is_some())
    }

    /// The cache folder of exported networks.
    pub fn network_folder(&self) -> PathBuf {
        self.cache.join("networks")
    }

    /// A digest of the kit's files: distinguishes the output of this kit from that of others.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The folder with the kit's files, which is written atomically if it does not exist.
    fn unpacked(&self) -> Result<PathBuf, KitError> {
        let folder = self.cache.join("programs").join(&self.digest);
        if folder.is_dir() {
            return Ok(folder);
        }
        let above = self.cache.join("programs");
        create_folder(&above)?;
        let new = tempfile::Builder::new().prefix(".new-").tempdir_in(&above).map_err(WriteError::at(&folder))?;
        for (name, bytes) in &self.files {
            fs::write(new.path().join(name), bytes).map_err(WriteError::at(&folder))?;
        }
        match fs::rename(new.path(), &folder) {
            Ok(()) => drop(new.keep()),
            // Another process has written the folder in the meantime.
            Err(_) if folder.is_dir() => {}
            Err(error) => return Err(WriteError::at(&folder)(error).into()),
        }
        Ok(folder)
    }
}

/// Any device of a kind, before it is known which devices the machine has.
fn declared_device(kind: &str, precisions: &[String]) -> DeviceInfo {
    let has = |precision: &&String| kind != "cpu" || *precision != "tf32";
    let precisions = precisions.iter().filter(has).cloned().collect();
    DeviceInfo { id: kind.to_owned(), name: None, pci: None, precisions }
}

/// Receives the progress of a worker's preparation.
pub trait KitObserver {
    /// The download of a worker's packages begins.
    fn begins(&mut self, worker: &KitWorker, folder: &Path);

    /// The current step of the installer.
    fn step(&mut self, line: &str);

    /// The installation has ended.
    fn ends(&mut self);
}

/// Why a worker could not be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// No usable Python was found.
    #[error(transparent)]
    Interpreter(#[from] InterpreterError),
    /// The packages could not be fetched, or do not work.
    #[error("the packages of {worker} were not installed: {error}")]
    Packages {
        /// The worker.
        worker: String,
        /// The cause.
        error: PackagesError,
    },
    /// The kit has an error.
    #[error(transparent)]
    Kit(#[from] KitError),
}

/// Installs a worker's packages if needed, and returns the command that starts it; `shell` is a wrapper that runs it so that it
/// dies with this process.
///
/// # Errors
///
/// When there is no usable Python, or the packages cannot be installed.
pub fn prepared(
    kit: &WorkerKit,
    worker: &KitWorker,
    shell: &[OsString],
    patience: Duration,
    observer: &mut dyn KitObserver,
    stop: &AtomicBool,
) -> Result<WorkerCommand, PrepareError> {
    let Some(packages) = kit.packages(worker) else {
        return Ok(kit.command(worker, &interpreter()?, shell)?);
    };
    if !packages.are_ready() {
        let python = interpreter()?;
        observer.begins(worker, &packages.folder());
        let mut works = |own: &Path| greeted(kit, worker, own, shell, patience, stop);
        let installed = packages.install(&python, &mut |line| observer.step(line), &mut works, stop);
        observer.ends();
        installed.map_err(|error| PrepareError::Packages { worker: worker.name.clone(), error })?;
    }
    Ok(kit.command(worker, &packages.python(), shell)?)
}

/// The greeting that was recorded when the worker's packages were installed; `None` if they are not installed.
pub fn first_greeting(kit: &WorkerKit, worker: &KitWorker) -> Option<Hello> {
    let packages = kit.packages(worker).filter(Packages::are_ready)?;
    let text = fs::read_to_string(packages.folder().join(greeting_file(worker))).ok()?;
    serde_json::from_str(&text).ok()
}

/// Starts every worker that shares these packages, and saves its greeting beside them.
fn greeted(
    kit: &WorkerKit,
    worker: &KitWorker,
    python: &Path,
    shell: &[OsString],
    patience: Duration,
    stop: &AtomicBool,
) -> Result<(), String> {
    // bin/python of the environment, or Scripts/python.exe.
    let folder = python.parent().and_then(Path::parent).unwrap_or(python);
    for worker in kit.sharing(worker) {
        let named = |why: String| format!("{} does not work with them: {why}", worker.name);
        let command = kit.command(worker, python, shell).map_err(|error| named(error.to_string()))?;
        let hello = Worker::greeting(&command, patience, stop).map_err(|error| named(error.to_string()))?;
        let text = serde_json::to_string(&hello).map_err(|error| named(error.to_string()))?;
        fs::write(folder.join(greeting_file(worker)), text).map_err(|error| named(error.to_string()))?;
    }
    Ok(())
}

fn greeting_file(worker: &KitWorker) -> String {
    format!("greeting-{}.json", worker.name)
}

/// Python versions for which the lock files list packages.
const VERSIONS: RangeInclusive<(u32, u32)> = (3, 11)..=(3, 13);

/// The environment variable with the Python to use.
const VARIABLE: &str = "DLBENCH_PYTHON";

/// The names of Python that are searched on the path.
const NAMES: [&str; 5] = ["python3", "python3.13", "python3.12", "python3.11", "python"];

/// The program that asks a Python for its version, and fails if it cannot create environments.
const QUESTION: &str = "import sys, venv, ensurepip; print(*sys.version_info[:2]); print(sys.executable)";

/// No usable Python was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no Python 3.11 to 3.13 with the module venv was found: {tried}")]
pub struct InterpreterError {
    /// What was tried, with the result of each attempt.
    pub tried: String,
}

/// The Python in `DLBENCH_PYTHON`, else the first usable one on the path.
///
/// # Errors
///
/// When there is none.
pub fn interpreter() -> Result<PathBuf, InterpreterError> {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let names: Vec<OsString> = named.map_or_else(|| NAMES.map(OsString::from).to_vec(), |name| vec![name]);
    let mut tried = Vec::new();
    for name in names {
        let shown = name.to_string_lossy().into_owned();
        let mut command = Command::new(name);
        command.args(["-I", "-c", QUESTION]).stdin(Stdio::null());
        isolate(&mut command);
        let Ok(output) = command.output() else {
            tried.push(format!("no {shown}"));
            continue;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = text.lines();
        match (lines.next().and_then(version), lines.next()) {
            (Some(version), Some(path)) if VERSIONS.contains(&version) => return Ok(path.into()),
            (Some((major, minor)), _) => tried.push(format!("{shown} is {major}.{minor}")),
            _ => tried.push(format!("{shown} has no venv or does not start")),
        }
    }
    Err(InterpreterError { tried: tried.join(", ") })
}

fn version(line: &str) -> Option<(u32, u32)> {
    let (major, minor) = line.split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "[[worker]]\nname = \"a\"\nframework = \"b\"\nabout = \"c\"\nprogram = \"a.py\"\nstages = [\"eval\"]\nprecisions = [\"fp32\"]\n";

    fn kit(manifest: &str, cache: &Path) -> Result<WorkerKit, KitError> {
        let files = [("workers.toml", manifest), ("a.py", "print()")];
        WorkerKit::of(files.map(|(name, text)| (name.to_owned(), text.into())).into(), cache)
    }

    #[test]
    fn a_kit_names_only_what_it_has_and_its_files_are_written_whole() {
        let cache = tempfile::TempDir::new().unwrap();
        let whole = format!("{ONE}[networks]\nx = \"y\"\n");
        let kit_of = |manifest: &str| kit(manifest, cache.path());
        let good = kit_of(&whole).unwrap();
        let worker = good.worker("a").unwrap();
        assert_eq!((good.declared(worker).networks, good.packages(worker)), (vec!["x".to_owned()], None));
        let command = good.command(worker, Path::new("python3"), &[]).unwrap();
        let program = PathBuf::from(command.worker.last().unwrap());
        assert_eq!(fs::read_to_string(program).unwrap(), "print()");
        for (from, to, told) in [
            ("a.py", "b.py", "names b.py, which is not there"),
            ("about", "abuot", "abuot"),
            ("stages", "lock = \"a.txt\"\nstages", "a.txt"),
            ("stages", "files-from = \"z\"\nstages", "from z, which is none"),
            ("[networks]", "[input-shapes]\nz = [3, 240, 240]\n[networks]", "shape of z, which is none"),
        ] {
            let why = kit_of(&whole.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(why.contains(told), "{why}");
        }
        let other = kit_of(&whole.replace("\"c\"", "\"d\"")).unwrap();
        assert_ne!(good.digest(), other.digest());
    }
}

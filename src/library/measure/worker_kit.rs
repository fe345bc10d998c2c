//! The workers that come with the program (Python programs, their manifest, the locks of their packages), and getting one ready.

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

/// The file that describes the others.
const MANIFEST: &str = "workers.toml";

/// A folder of workers.
#[derive(Debug, Clone)]
pub struct WorkerKit {
    workers: Vec<KitWorker>,
    networks: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
    /// The folder below which everything is kept that is made.
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
    /// What it is, in a line.
    pub about: String,
    /// Its file in the kit.
    pub program: String,
    /// What the file is told.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The file with its packages, each with the hashes of its files; none are needed where it is absent.
    pub lock: Option<String>,
    /// The worker that writes the files by which this one gets a network; this one itself where it is absent.
    pub files_from: Option<String>,
    /// What is fetched for its packages, 10^6 bytes …
    pub download_mb: Option<u32>,
    /// … and what they take on the disk.
    pub disk_mb: Option<u32>,
    /// The licences of its packages.
    pub licenses: Option<String>,
    /// The stages that it times.
    pub stages: Vec<String>,
    /// The precisions that it computes in, on a device that has them.
    pub precisions: Vec<String>,
    /// The kinds of devices that it can compute on, as far as a machine has them: `cpu`, `cuda`.
    #[serde(default = "on_cpu")]
    pub devices: Vec<String>,
}

fn on_cpu() -> Vec<String> {
    vec!["cpu".to_owned()]
}

/// The manifest as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Manifest {
    worker: Vec<KitWorker>,
    /// What each network of the catalog is called in the library that the workers have it from.
    networks: BTreeMap<String, String>,
    /// Input shapes of networks that differ from the usual one; the exporting worker reads them.
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
        /// What the system said.
        error: io::Error,
    },
    /// The manifest has a mistake.
    #[error("workers.toml: {0}")]
    Manifest(String),
    /// The file system.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl WorkerKit {
    /// The kit of these files; what is made for it is kept below `cache`.
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

    /// The kit that lies in a folder.
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

    /// The worker of a name.
    pub fn worker(&self, name: &str) -> Option<&KitWorker> {
        self.workers.iter().find(|worker| worker.name == name)
    }

    /// What a worker will say of itself, as far as the manifest tells; the version of its framework is not known.
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

    /// The packages of a worker, where it needs some.
    pub fn packages(&self, worker: &KitWorker) -> Option<Packages> {
        let name = worker.lock.as_ref()?;
        Some(Packages::new(&self.cache.join("environments"), name, self.files.get(name)?))
    }

    /// How a worker is started by a Python; `shell` is what runs it so that it dies with this process.
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

    /// The workers that share the packages of this one, and itself.
    pub fn sharing<'k>(&'k self, worker: &'k KitWorker) -> impl Iterator<Item = &'k KitWorker> {
        self.workers.iter().filter(|other| other.lock == worker.lock && other.lock.is_some())
    }

    /// The folder of the files of networks.
    pub fn network_folder(&self) -> PathBuf {
        self.cache.join("networks")
    }

    /// What tells what this kit writes from what another does.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The folder of the files, which is written when it is not there: whole or not at all.
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
            // Another process was faster.
            Err(_) if folder.is_dir() => {}
            Err(error) => return Err(WriteError::at(&folder)(error).into()),
        }
        Ok(folder)
    }
}

/// All devices of a kind, before a machine has told which it has.
fn declared_device(kind: &str, precisions: &[String]) -> DeviceInfo {
    let has = |precision: &&String| kind != "cpu" || *precision != "tf32";
    let precisions = precisions.iter().filter(has).cloned().collect();
    DeviceInfo { id: kind.to_owned(), name: None, pci: None, precisions }
}

/// What hears how a worker gets ready.
pub trait KitObserver {
    /// Packages of a worker are going to be fetched.
    fn begins(&mut self, worker: &KitWorker, folder: &Path);

    /// What the installer does at the moment.
    fn step(&mut self, line: &str);

    /// They are installed.
    fn ends(&mut self);
}

/// Why a worker did not get ready.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// There is no Python.
    #[error(transparent)]
    Interpreter(#[from] InterpreterError),
    /// Its packages could not be fetched, or do not work.
    #[error("the packages of {worker} were not installed: {error}")]
    Packages {
        /// The worker.
        worker: String,
        /// What happened.
        error: PackagesError,
    },
    /// The kit.
    #[error(transparent)]
    Kit(#[from] KitError),
}

/// How a worker is started, after its packages were installed where they are not there; `shell` is what runs it so that it dies with
/// this process.
///
/// # Errors
///
/// When there is no Python, or its packages cannot be had.
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

/// What a worker said when its packages were installed; `None` where they are not.
pub fn first_greeting(kit: &WorkerKit, worker: &KitWorker) -> Option<Hello> {
    let packages = kit.packages(worker).filter(Packages::are_ready)?;
    let text = fs::read_to_string(packages.folder().join(greeting_file(worker))).ok()?;
    serde_json::from_str(&text).ok()
}

/// Greets every worker that is going to have these packages, and keeps what they say.
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

/// Versions for which the locks have files.
const VERSIONS: RangeInclusive<(u32, u32)> = (3, 11)..=(3, 13);

/// The variable that names it.
const VARIABLE: &str = "DLBENCH_PYTHON";

/// Where it is looked for.
const NAMES: [&str; 5] = ["python3", "python3.13", "python3.12", "python3.11", "python"];

/// What it is asked: its version, and whether it can make an environment.
const QUESTION: &str = "import sys, venv, ensurepip; print(*sys.version_info[:2]); print(sys.executable)";

/// There is no Python that could be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no Python 3.11 to 3.13 with the module venv was found: {tried}")]
pub struct InterpreterError {
    /// What was tried, and what came of it.
    pub tried: String,
}

/// The Python that `DLBENCH_PYTHON` names, else the first on the path that can be used.
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

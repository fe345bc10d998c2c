//! The packages of a worker in a Python environment below the cache, which is created completely or not at all, and reused.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use xxhash_rust::xxh3::xxh3_64;

use super::worker::isolate;
use crate::reading::{WriteError, create_folder};

/// The file that marks a complete environment; it contains the lock file from which the environment was created.
const COMPLETE: &str = "dlbench-lock.txt";

/// Options of pip: install exactly what the lock file lists, check the hash of each file, and run no code of the packages.
const INSTALL: [&str; 10] = [
    "-I",
    "-m",
    "pip",
    "install",
    "--require-hashes",
    "--no-deps",
    "--only-binary=:all:",
    "--disable-pip-version-check",
    "--no-input",
    "--progress-bar=off",
];

/// Number of characters from the end of the installer's error output that are reported.
const MOST_COMPLAINT_BYTES: usize = 600;

/// The packages of a lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packages {
    above: PathBuf,
    name: String,
    lock: Vec<u8>,
}

/// Why packages were not installed.
#[derive(Debug, thiserror::Error)]
pub enum PackagesError {
    /// The installer failed, with the end of its error output.
    #[error("{0}")]
    Installer(String),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// The installed packages do not work.
    #[error("they were installed, but {0}")]
    Useless(String),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Packages {
    /// The packages of the lock file `name`, in a folder below `above` whose name includes the digest of the lock file.
    pub fn new(above: &Path, name: &str, lock: &[u8]) -> Self {
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        Self { above: above.to_owned(), name: format!("{stem}-{:016x}", xxh3_64(lock)), lock: lock.to_owned() }
    }

    /// The folder of the environment, which may not exist yet.
    pub fn folder(&self) -> PathBuf {
        self.above.join(&self.name)
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        self.above.join(format!("{}.{suffix}", self.name))
    }

    /// Whether the environment is complete.
    pub fn are_ready(&self) -> bool {
        fs::read(self.folder().join(COMPLETE)).is_ok_and(|made_by| made_by == self.lock)
    }

    /// The Python of the environment.
    pub fn python(&self) -> PathBuf {
        python_in(&self.folder())
    }

    /// Creates the environment with a Python, unless it is complete. `progress` receives the output of the installer; the
    /// environment is used only if `works` accepts its Python.
    ///
    /// # Errors
    ///
    /// When the installer fails, the user stops it, or `works` fails: then nothing is left behind.
    pub fn install(
        &self,
        python: &Path,
        progress: &mut dyn FnMut(&str),
        works: &mut dyn FnMut(&Path) -> Result<(), String>,
        stop: &AtomicBool,
    ) -> Result<(), PackagesError> {
        let write = WriteError::at;
        create_folder(&self.above)?;
        // Only one process installs at a time; the others wait.
        let guard = self.beside("lock");
        let file = File::create(&guard).map_err(write(&guard))?;
        file.lock().map_err(write(&guard))?;
        if self.are_ready() {
            return Ok(());
        }
        let (new, folder) = (self.beside("part"), self.folder());
        // Leftovers of a killed process, or a damaged environment.
        for old in [&new, &folder] {
            match fs::remove_dir_all(old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(write(old)(error).into()),
                _ => {}
            }
        }
        let made = self.made(&new, python, progress, works, stop);
        if made.is_err() {
            let _ = fs::remove_dir_all(&new);
            return made;
        }
        fs::rename(&new, &folder).map_err(write(&folder))?;
        Ok(())
    }

    fn made(
        &self,
        new: &Path,
        python: &Path,
        progress: &mut dyn FnMut(&str),
        works: &mut dyn FnMut(&Path) -> Result<(), String>,
        stop: &AtomicBool,
    ) -> Result<(), PackagesError> {
        let mut venv = isolated(python);
        venv.args(["-I", "-m", "venv"]).arg(new);
        run(&mut venv, progress, stop)?;
        // The lock file gets its final name only when everything else is complete.
        let lock = new.join("requirements.txt");
        fs::write(&lock, &self.lock).map_err(WriteError::at(&lock))?;
        let own = python_in(new);
        let mut pip = isolated(&own);
        pip.args(INSTALL).arg("--requirement").arg(&lock);
        run(&mut pip, progress, stop)?;
        works(&own).map_err(PackagesError::Useless)?;
        fs::rename(&lock, new.join(COMPLETE)).map_err(WriteError::at(new))?;
        Ok(())
    }
}

fn python_in(folder: &Path) -> PathBuf {
    let place = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    folder.join(place)
}

fn isolated(program: &Path) -> Command {
    let mut command = Command::new(program);
    isolate(&mut command);
    command
}

/// Runs an installer and passes on its output; on failure, returns the end of its error output.
fn run(command: &mut Command, progress: &mut dyn FnMut(&str), stop: &AtomicBool) -> Result<(), PackagesError> {
    let failed = |error: io::Error| PackagesError::Installer(error.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (lines, complaint) = (child.stdout.take(), child.stderr.take());
    let listener = thread::spawn(move || {
        let mut text = Vec::new();
        complaint.map(|mut from| from.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    for line in lines.into_iter().flat_map(|lines| BufReader::new(lines).lines()).map_while(Result::ok) {
        if stop.load(Ordering::Relaxed) {
            let _ = child.kill();
            break;
        }
        progress(line.trim());
    }
    let status = child.wait().map_err(failed)?;
    let complaint = listener.join().unwrap_or_default();
    if stop.load(Ordering::Relaxed) {
        return Err(PackagesError::Interrupted);
    }
    if status.success() {
        return Ok(());
    }
    let skipped = complaint.len().saturating_sub(MOST_COMPLAINT_BYTES);
    let last: String = complaint.chars().skip(skipped).collect();
    Err(PackagesError::Installer(format!("{status}: {}", last.split_whitespace().collect::<Vec<_>>().join(" "))))
}

#[cfg(all(test, unix))]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// A stand-in for Python: its "environment" uses it as Python, and it fails if the file `wish` says `broken`.
    const STAND_IN: &str = "#!/bin/sh\ncase \"$3\" in venv) mkdir -p \"$4/bin\" && cp \"$0\" \"$4/bin/python\";; \
        *) echo Collecting; if grep -q broken \"$PWD/wish\"; then echo no such package >&2; exit 1; fi;; esac\n";

    #[test]
    fn an_environment_is_made_once_and_never_half() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::TempDir::new().unwrap();
        let (python, wish) = (folder.path().join("python"), folder.path().join("wish"));
        fs::write(&python, STAND_IN.replace("$PWD", &folder.path().to_string_lossy())).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        let packages = Packages::new(&folder.path().join("environments"), "a.txt", b"a==1");
        let stop = AtomicBool::new(false);
        let lines = RefCell::new(Vec::new());
        let install = |works: bool| {
            let mut tried = |_: &Path| if works { Ok(()) } else { Err("it does not start".to_owned()) };
            packages
                .install(&python, &mut |line| lines.borrow_mut().push(line.to_owned()), &mut tried, &stop)
                .map_err(|e| e.to_string())
        };
        fs::write(&wish, "broken").unwrap();
        assert!(install(true).unwrap_err().contains("no such package"));
        fs::write(&wish, "").unwrap();
        assert_eq!(install(false).unwrap_err(), "they were installed, but it does not start");
        let left = |packages: &Packages| packages.folder().exists() || packages.beside("part").exists();
        assert!(!left(&packages) && !packages.are_ready());
        assert_eq!(install(true), Ok(()));
        assert!(packages.are_ready() && packages.python().is_file());
        fs::write(&wish, "broken").unwrap();
        assert_eq!(install(true), Ok(()), "nothing is installed twice");
        assert_eq!(*lines.borrow(), ["Collecting"; 3]);
        // A damaged environment is created again.
        fs::write(&wish, "").unwrap();
        fs::write(packages.folder().join(COMPLETE), "a==0").unwrap();
        assert!(!packages.are_ready());
        assert_eq!(install(true), Ok(()));
        assert!(packages.are_ready());
        assert_ne!(
            Packages::new(folder.path(), "a.txt", b"a==2").folder(),
            Packages::new(folder.path(), "a.txt", b"a==1").folder()
        );
    }
}

//! Where the worker and its libtorch are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::worker::WorkerCommand;
use crate::values::text::printable_path;

/// The worker's program, which lies beside this one.
const WORKER: &str = "dlbench-runner";

/// Why there is nothing to start.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The worker is not built.
    #[error("there is no worker: {} does not exist", printable_path(expected))]
    NoWorker {
        /// Where it would be.
        expected: PathBuf,
    },
    /// `DLBENCH_LIBTORCH` leads nowhere.
    #[error(
        "DLBENCH_LIBTORCH is {}, and there is no libtorch_cpu.so in it, in its lib/ or its torch/lib/",
        printable_path(folder)
    )]
    NoLibtorch {
        /// Its value.
        folder: PathBuf,
    },
}

/// The worker that is built with this program: the file beside it.
pub fn default_worker() -> Result<PathBuf, LaunchError> {
    let program = env::current_exe().unwrap_or_default();
    let expected = program.with_file_name(WORKER);
    if expected.is_file() { Ok(expected) } else { Err(LaunchError::NoWorker { expected }) }
}

/// How to start a worker; `shell` is what runs it so that it dies with this process.
pub fn launch(shell: Vec<OsString>, worker: Vec<OsString>) -> Result<WorkerCommand, LaunchError> {
    let named = env::var_os("DLBENCH_LIBTORCH").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let libraries = match named {
        Some(folder) => Some(libraries_in(&folder).ok_or(LaunchError::NoLibtorch { folder })?),
        None => beside(worker.first().map(Path::new)),
    };
    Ok(WorkerCommand { shell, worker, libraries, is_isolated: false })
}

/// The folder of the libraries in an installation: libtorch's own layout, or a Python environment's packages.
fn libraries_in(folder: &Path) -> Option<PathBuf> {
    ["lib", "", "torch/lib"].iter().map(|part| folder.join(part)).find(|lib| lib.join("libtorch_cpu.so").is_file())
}

/// What `make libtorch` has put into the repository that the worker was built in.
fn beside(worker: Option<&Path>) -> Option<PathBuf> {
    let worker = worker?.canonicalize().ok()?;
    worker.ancestors().find_map(|folder| libraries_in(&folder.join(".libtorch/torch")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtorch_is_found_in_every_layout_and_above_the_worker() {
        let folder = tempfile::TempDir::new().unwrap();
        let library = |place: &str| {
            let place = folder.path().join(place);
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join("libtorch_cpu.so"), "").unwrap();
        };
        for (place, of) in [("own/lib", "own"), ("python/torch/lib", "python"), ("bare", "bare")] {
            library(place);
            assert_eq!(libraries_in(&folder.path().join(of)), Some(folder.path().join(place)), "{of}");
        }
        assert_eq!(libraries_in(&folder.path().join("none")), None);
        let built = folder.path().join("clone/target/release");
        std::fs::create_dir_all(&built).unwrap();
        std::fs::write(built.join(WORKER), "").unwrap();
        assert_eq!(beside(Some(&built.join(WORKER))), None);
        library("clone/.libtorch/torch/lib");
        let found = beside(Some(&built.join(WORKER))).unwrap();
        assert!(found.ends_with("clone/.libtorch/torch/lib"), "{}", found.display());
    }
}

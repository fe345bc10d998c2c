//! Where the data sets lie that a run reads.

use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use dlbench::values::EntityId;

/// Where a data set lies: `make mnist` puts MNIST into the repository.
pub(super) fn folder_of(dataset: &EntityId, root: &Path) -> Result<PathBuf, Failure> {
    if dataset.as_str() == "mnist" {
        let folder = std::env::var_os("DLBENCH_MNIST").map_or_else(|| root.join(".mnist"), PathBuf::from);
        if folder.join("train-images-idx3-ubyte").is_file() {
            return Ok(folder);
        }
        return Err(Failure::usage(
            format!("MNIST is not in {}", folder.display()),
            "`make mnist` fetches it; --data DIR or DLBENCH_MNIST names another folder",
        ));
    }
    Err(Failure::usage(format!("nothing says where {dataset} lies"), "name its folder with --data DIR"))
}

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
        return Err(Failure::Usage {
            message: format!("MNIST is not in {}", folder.display()),
            help: Some("`make mnist` fetches it; --data DIR or DLBENCH_MNIST names another folder".to_owned()),
        });
    }
    Err(Failure::Usage {
        message: format!("nothing says where {dataset} lies"),
        help: Some("name its folder with --data DIR".to_owned()),
    })
}

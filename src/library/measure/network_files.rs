//! The files by which every worker gets the same network: written once by a worker that can, and kept in the cache.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use super::agreement::{deviation, liveliness, tolerance};
use super::worker::{Worker, WorkerCommand, WorkerError};
use crate::model::Network;
use crate::reading::{WriteError, create_folder};
use crate::values::{Allocator, Decimal, Precision, Shape};
use dlbench_protocol::{Event, Exported, Ready, WorkerRequest};

/// What is known of the network, beside its files.
const KNOWN: &str = "exported.json";

/// The answers to two samples lie further apart than so many times what fp32 may differ.
const LEAST_LIVELINESS: f64 = 10.0;

/// The files of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkFiles {
    /// The folder that holds them.
    pub folder: PathBuf,
    /// What is known of the network.
    pub exported: Exported,
}

/// Which network, and from whom.
#[derive(Debug, Clone, Copy)]
pub struct ExportRequest<'r> {
    /// Its entry in the catalog.
    pub network: &'r Network,
    /// Extents of one sample; the network's own when absent.
    pub shape: Option<&'r Shape>,
    /// Begin of the random numbers of its weights.
    pub seed: u64,
    /// The worker that writes.
    pub launch: &'r WorkerCommand,
    /// What tells the worker from others and from its earlier versions.
    pub of: &'r str,
    /// The longest time for its answer.
    pub patience: Duration,
}

/// Why there are no files of a network.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The worker could not write them.
    #[error("cannot write the files of {network}: {error}")]
    Worker {
        /// The network's id.
        network: String,
        /// What happened.
        error: WorkerError,
    },
    /// They are not those of the network in the catalog, or would hide what differs.
    #[error("the files of {network} are of no use: {why}")]
    Unfit {
        /// The network's id.
        network: String,
        /// What is wrong.
        why: String,
    },
    /// The file system.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl NetworkFiles {
    /// The files in a cache folder, written by the worker unless they are there; `begins` is told before it writes.
    pub fn of(
        request: &ExportRequest<'_>,
        cache: &Path,
        begins: &mut dyn FnMut(),
        stop: &AtomicBool,
    ) -> Result<Self, ExportError> {
        let shape = request.shape.map_or_else(String::new, |shape| format!("-{shape}"));
        let digest = xxh3_64(request.of.as_bytes());
        let folder = cache.join(format!("{}{shape}-seed-{}-{digest:016x}", request.network.id, request.seed));
        if let Some(exported) = known(&folder) {
            return Ok(Self { folder, exported });
        }
        begins();
        create_folder(cache)?;
        let write = WriteError::at(&folder);
        let new = match tempfile::Builder::new().prefix(".new-").tempdir_in(cache) {
            Ok(new) => new,
            Err(error) => return Err(write(error).into()),
        };
        let network = || request.network.id.to_string();
        let exported =
            written(request, new.path(), stop).map_err(|error| ExportError::Worker { network: network(), error })?;
        if let Some(why) = objection(&exported, request.network.parameters_m) {
            return Err(ExportError::Unfit { network: network(), why });
        }
        let text = serde_json::to_string(&exported).map_err(|error| write(io::Error::other(error)))?;
        fs::write(new.path().join(KNOWN), text).map_err(WriteError::at(&folder))?;
        let new = new.keep();
        if let Err(error) = fs::rename(&new, &folder) {
            let _ = fs::remove_dir_all(&new);
            // Another process may have been faster.
            return match known(&folder) {
                Some(exported) => Ok(Self { folder, exported }),
                None => Err(WriteError::at(&folder)(error).into()),
            };
        }
        Ok(Self { folder, exported })
    }

    /// How far the outputs of what was prepared lie from those of the files.
    ///
    /// # Errors
    ///
    /// What differs, in one line.
    pub fn compared(&self, ready: &Ready, batch: u32, precision: Precision) -> Result<f64, String> {
        if let Some(parameters) = ready.parameters.filter(|&parameters| parameters != self.exported.parameters) {
            return Err(format!("it has {parameters} parameters, the network {}", self.exported.parameters));
        }
        let outputs = ready.outputs.as_ref().ok_or("it did not answer the samples that it was handed")?;
        deviation(outputs, &self.exported, batch, precision)
    }
}

/// What the file beside the files tells, if they are there.
fn known(folder: &Path) -> Option<Exported> {
    serde_json::from_str(&fs::read_to_string(folder.join(KNOWN)).ok()?).ok()
}

fn written(request: &ExportRequest<'_>, folder: &Path, stop: &AtomicBool) -> Result<Exported, WorkerError> {
    let precision = Precision::Fp32.to_string();
    let (mut worker, _) = Worker::start(request.launch, &precision, Allocator::System, request.patience, stop)?;
    let export = WorkerRequest::Export {
        network: request.network.id.to_string(),
        input_shape: request.shape.map(|shape| shape.extents().iter().map(|&extent| i64::from(extent)).collect()),
        seed: request.seed,
        folder: folder.to_owned(),
    };
    let answer = worker.ask(&export, request.patience, stop, &mut || None)?;
    worker.finish(stop);
    match answer {
        Event::Exported(exported) => Ok(exported),
        other => Err(WorkerError::Nonsense(format!("it answered `export` with {other:?}"))),
    }
}

/// Why what was written is not the catalog's network, or no reference.
fn objection(exported: &Exported, parameters_m: Option<Decimal>) -> Option<String> {
    if let Some(figure) = parameters_m {
        // Half a unit of the last digit that the catalog has.
        let half = 0.5 * 10f64.powi(-i32::from(figure.decimals()));
        let counted = exported.parameters as f64 / 1e6;
        if (counted - figure.value()).abs() > half * 1.1 {
            return Some(format!("they have {counted} million parameters, the catalog {figure}"));
        }
    }
    let least = LEAST_LIVELINESS * tolerance(Precision::Fp32, exported).unwrap_or_default();
    let liveliness = liveliness(exported);
    // What is no number is no reference either.
    if liveliness.is_nan() || liveliness <= least {
        return Some("the network answers its samples alike, so that nothing would be seen of what differs".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_those_of_the_catalog_and_outputs_hang_on_the_sample() {
        let figure = |text: &str| text.parse::<Decimal>().ok();
        let exported =
            Exported { parameters: 25_557_032, outputs: vec![vec![0.0, 1.0], vec![1.0, 0.0]], ..Exported::default() };
        assert_eq!(objection(&exported, figure("25.56")), None);
        assert_eq!(objection(&exported, None), None);
        assert!(objection(&exported, figure("25.55")).unwrap().contains("the catalog 25.55"));
        let dull = Exported { outputs: vec![vec![0.0, 1.0]; 2], ..exported.clone() };
        assert!(objection(&dull, None).unwrap().contains("alike"));
        let none = Exported { outputs: vec![vec![f64::NAN; 2]; 2], ..exported };
        assert!(objection(&none, None).is_some());
    }
}

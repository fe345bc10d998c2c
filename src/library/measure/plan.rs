//! The points of a plan: all combinations of the varied settings; and the notation of batch sizes.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use dlbench_protocol as protocol;
use dlbench_protocol::{Configuration, InputSource};
use xxhash_rust::xxh3::xxh3_64;

use super::method::{OWN_METHOD, TimingMethod};
use super::network_files::NetworkFiles;
use crate::model::Suite;
use crate::values::text::counted;
use crate::values::{Allocator, EntityId, Precision, Shape, Stage, Timing};

/// Batch sizes: `16`, `1,2,4`, `1..256` (doubling), `max` (the largest that fits, `None`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchSizes(pub Vec<Option<u32>>);

/// The text is not a list of batch sizes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a batch size: write 16, 1,2,4, 1..256 (doubling) or max")]
pub struct PlanError(String);

impl FromStr for BatchSizes {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let error = |part: &str| PlanError(part.to_owned());
        let number = |part: &str| part.trim().parse::<u32>().ok().filter(|&size| size > 0);
        let mut sizes = Vec::new();
        for part in text.split(',') {
            match (part.trim(), part.split_once("..")) {
                ("max", _) => sizes.push(None),
                (_, Some((from, to))) => {
                    let (Some(mut size), Some(to)) = (number(from), number(to)) else { return Err(error(part)) };
                    if size > to {
                        return Err(error(part));
                    }
                    while size <= to {
                        sizes.push(Some(size));
                        let Some(next) = size.checked_mul(2) else { break };
                        size = next;
                    }
                }
                (part, None) => sizes.push(Some(number(part).ok_or_else(|| error(part))?)),
            }
        }
        Ok(Self(sizes))
    }
}

/// Seed of random weights and synthetic input.
pub const WEIGHTS_SEED: u64 = 1;

/// A configuration to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanPoint {
    /// `cpu` or `cuda:0`.
    pub device: String,
    /// The model to run.
    pub subject: MeasuredModel,
    /// The stage to time.
    pub stage: Stage,
    /// The precision (numeric recipe).
    pub precision: Precision,
    /// Batch size; the largest that fits if absent.
    pub batch: Option<u32>,
    /// Extents of one sample, if not those of the network.
    pub shape: Option<Shape>,
    /// Whether the memory layout is channels-last.
    pub channels_last: bool,
    /// Threads per operation; the framework's default if absent.
    pub threads: Option<u32>,
    /// Whether the memory allocator returns unused memory to the system.
    pub allocator: Allocator,
    /// Whether latency or throughput is timed.
    pub timing: Timing,
    /// The input.
    pub data: InputData,
    /// The timing method.
    pub method: &'static TimingMethod,
    /// The name of the worker that measures it, if the run has several.
    pub worker: Option<String>,
    /// The exported network for its worker, with the reference outputs for comparison.
    pub files: Option<Arc<NetworkFiles>>,
}

/// The model to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeasuredModel {
    /// A network of the catalog.
    Network(EntityId),
    /// A TorchScript file.
    Module {
        /// Path of the file.
        path: PathBuf,
        /// Digest of the content, which identifies it among other files and later versions: 16 hexadecimal digits of its
        /// XXH3.
        digest: String,
    },
}

/// The input of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputData {
    /// Synthetic data.
    Synthetic,
    /// Data from a folder.
    Folder {
        /// The folder.
        path: PathBuf,
        /// The data set, if the catalog has it.
        dataset: Option<EntityId>,
        /// Whether loading is part of the timed iteration.
        timed: bool,
    },
}

impl PlanPoint {
    /// A point for a network in fp32 on the processor by the runner's own method, with defaults for everything else.
    pub fn of_network(network: EntityId, stage: Stage, batch: u32) -> Self {
        Self {
            device: "cpu".to_owned(),
            subject: MeasuredModel::Network(network),
            stage,
            precision: Precision::Fp32,
            batch: Some(batch),
            shape: None,
            channels_last: false,
            threads: None,
            allocator: Allocator::System,
            timing: Timing::Latency,
            data: InputData::Synthetic,
            method: &OWN_METHOD,
            worker: None,
            files: None,
        }
    }

    /// Why it cannot be measured by its method; `None` if it can.
    pub fn objection(&self) -> Option<String> {
        let of_its_own = self.method.name.filter(|_| self.timing == Timing::Throughput);
        let timing = of_its_own.map(|name| format!("the protocol {name} times each iteration, no throughput"));
        self.method.objection(self.stage).or(timing)
    }

    /// A unique name for people: `vgg-16 eval fp32 batch 16 cpu`.
    pub fn title(&self) -> String {
        let batch = self.batch.map_or_else(|| "max".to_owned(), |batch| batch.to_string());
        let digest = self.subject.digest().map_or_else(String::new, |digest| format!(" ({digest})"));
        let method = self.method.name.map_or_else(String::new, |name| format!(" by {name}"));
        format!("{} batch {batch}{digest} {}{method}", self.work(), self.device)
    }

    /// The title without batch, device and method: `vgg-16 eval fp32`.
    pub fn work(&self) -> String {
        let mut work = format!("{} {} {}", self.subject.name(), self.stage, self.precision);
        if let Some(shape) = &self.shape {
            work.push_str(&format!(" {shape}"));
        }
        if self.channels_last {
            work.push_str(" channels-last");
        }
        if let Some(threads) = self.threads {
            work.push_str(&format!(" {}", counted(threads as usize, "thread", "threads")));
        }
        if self.timing == Timing::Throughput {
            work.push_str(" throughput");
        }
        if self.allocator == Allocator::Kept {
            work.push_str(" with memory kept");
        }
        if let InputData::Folder { dataset, timed, .. } = &self.data {
            work.push(' ');
            work.push_str(dataset.as_ref().map_or("real data", |id| id.as_str()));
            work.push_str(if *timed && self.method.name.is_none() { " with loading" } else { "" });
        }
        if let Some(worker) = &self.worker {
            work.push_str(&format!(" in {worker}"));
        }
        work
    }

    /// The configuration that is sent to a worker.
    pub fn configuration(&self, batch: u32) -> Configuration {
        let (network, module) = match &self.subject {
            MeasuredModel::Network(id) => (Some(id.to_string()), None),
            MeasuredModel::Module { path, .. } => (None, Some(path.clone())),
        };
        // Workers with the same exported network get the same input shape.
        let of_files = || Some(self.files.as_ref()?.exported.input_shape.clone());
        let asked = self.shape.as_ref().map(|shape| shape.extents().iter().map(|&n| i64::from(n)).collect());
        Configuration {
            device: self.device.clone(),
            network,
            module,
            model_files: self.files.as_ref().map(|files| files.folder.clone()),
            input_shape: asked.or_else(of_files),
            stage: self.stage.to_string(),
            precision: self.precision.to_string(),
            batch_size: batch,
            channels_last: self.channels_last,
            threads: self.threads,
            update: self.method.update.filter(|_| self.stage == Stage::Train),
            unit: self.method.unit,
            timing: match self.timing {
                Timing::Latency => protocol::Timing::Latency,
                Timing::Throughput => protocol::Timing::Throughput,
            },
            data: match &self.data {
                InputData::Synthetic => InputSource::Synthetic,
                InputData::Folder { path, timed, .. } => InputSource::Folder { path: path.clone(), timed: *timed },
            },
            seed: WEIGHTS_SEED,
        }
    }
}

impl MeasuredModel {
    /// The TorchScript file at `path`.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn module(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let digest = format!("{:016x}", xxh3_64(&std::fs::read(&path)?));
        Ok(Self::Module { path, digest })
    }

    /// The digest of a TorchScript file.
    pub fn digest(&self) -> Option<&str> {
        match self {
            Self::Network(_) => None,
            Self::Module { digest, .. } => Some(digest),
        }
    }

    /// The display name.
    pub fn name(&self) -> String {
        match self {
            Self::Network(id) => id.to_string(),
            Self::Module { path, .. } => {
                path.file_stem().map_or_else(|| "module".to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
        }
    }
}

/// A digest of the points and settings of a plan: 16 hexadecimal digits of an XXH3.
pub fn plan_digest(points: &[PlanPoint], settings: &str) -> String {
    let titles: String = points.iter().map(|point| format!("\n{}", point.title())).collect();
    format!("{:016x}", xxh3_64(format!("{settings}{titles}").as_bytes()))
}

/// The points of a suite on a device, ordered by network, stage, precision and batch size.
pub fn of_suite(
    suite: &Suite,
    method: &'static TimingMethod,
    device: &str,
    data: impl Fn(&EntityId) -> InputData,
) -> Vec<PlanPoint> {
    let mut points = Vec::new();
    for part in &suite.parts {
        for network in &part.networks {
            for &stage in &part.stages {
                for &precision in &part.precisions {
                    for &batch in &part.batch_sizes {
                        points.push(PlanPoint {
                            device: device.to_owned(),
                            subject: MeasuredModel::Network(network.clone()),
                            stage,
                            precision,
                            batch: Some(batch),
                            shape: part.input_shape.clone(),
                            channels_last: false,
                            threads: None,
                            allocator: Allocator::System,
                            timing: Timing::Latency,
                            data: part.dataset.as_ref().map_or(InputData::Synthetic, &data),
                            method,
                            worker: None,
                            files: None,
                        });
                    }
                }
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_ranges_and_the_largest() {
        let sizes = |text: &str| text.parse::<BatchSizes>().map(|sizes| sizes.0);
        assert_eq!(sizes("16").unwrap(), [Some(16)]);
        assert_eq!(sizes("1..10, 32,max").unwrap(), [Some(1), Some(2), Some(4), Some(8), Some(32), None]);
        for bad in ["", "0", "a", "8..4", "1..", "-1", "1,,2"] {
            assert!(sizes(bad).is_err(), "{bad}");
        }
        assert_eq!(sizes("2000000000..4294967295").unwrap().len(), 2, "no overflow");
    }
}

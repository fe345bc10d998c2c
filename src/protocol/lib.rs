//! The messages between the parent and a worker: one JSON object a line. `PROTOCOL.md` beside this file describes them
//! for authors of workers.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The protocol description for authors of workers, in Markdown.
pub const PROTOCOL: &str = include_str!("PROTOCOL.md");

/// Requests of the parent, on the worker's standard input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum WorkerRequest {
    /// Build the network and everything else that an iteration needs.
    Prepare {
        /// The configuration to measure.
        configuration: Box<Configuration>,
    },
    /// Run and time iterations.
    Iterate {
        /// The number of iterations.
        count: u32,
    },
    /// Evaluate the trained network on the test split of its data.
    Evaluate,
    /// Write the files of a network, from which every worker loads the same network.
    Export {
        /// The network's id in the catalog.
        network: String,
        /// Extents of one sample, channels first; the network's own when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input_shape: Option<Vec<i64>>,
        /// Seed of the random numbers.
        #[serde(default)]
        seed: u64,
        /// The output folder, which is empty.
        folder: PathBuf,
    },
    /// Free all resources and exit.
    Finish,
}

/// One configuration to measure. Values are spelled as in measurement files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// `cpu` or `cuda:0`.
    pub device: String,
    /// A network's id in the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// A TorchScript file, instead of a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<PathBuf>,
    /// The folder with the network's files: the worker loads their weights and returns the outputs for their samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_files: Option<PathBuf>,
    /// Extents of one sample, channels first; the network's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_shape: Option<Vec<i64>>,
    /// `eval`, `train`, `forward` or `backward`.
    pub stage: String,
    /// `fp32`, `bf16`, `amp-fp16` …
    pub precision: String,
    /// Samples in a batch.
    pub batch_size: u32,
    /// Whether images lie in memory with their channels last.
    #[serde(default)]
    pub channels_last: bool,
    /// Threads of one operation; the framework's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The update of the weights after the backward pass in training; no update when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<SgdUpdate>,
    /// What one iteration is.
    #[serde(default)]
    pub unit: IterationUnit,
    /// When the worker waits for the device.
    #[serde(default)]
    pub timing: Timing,
    /// The input.
    #[serde(default)]
    pub data: InputSource,
    /// Seed of the random numbers.
    #[serde(default)]
    pub seed: u64,
}

/// Stochastic gradient descent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SgdUpdate {
    /// Learning rate.
    pub rate: f64,
    /// Momentum.
    #[serde(default)]
    pub momentum: f64,
    /// Decay of the learning rate: rate / (1 + decay * updates).
    #[serde(default)]
    pub decay: f64,
}

/// What one iteration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IterationUnit {
    /// One batch.
    #[default]
    Batch,
    /// One pass over the training data.
    Epoch,
}

/// When the worker waits for the device, which decides what a time covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// The worker waits for the device after each iteration: one time per iteration.
    #[default]
    Latency,
    /// The worker waits for the device after all iterations of a request: one time for all of them.
    Throughput,
}

/// Where the input comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "from")]
pub enum InputSource {
    /// The same random numbers in every iteration.
    #[default]
    Synthetic,
    /// A folder of idx files, or one with a subfolder of images for each class.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Whether reading, decoding and copying to the device are part of the timed iteration.
        timed: bool,
    },
}

/// A worker's answers, on its standard output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first line, sent without a request.
    Hello(Hello),
    /// Preparation is done: iterations can begin.
    Ready(Ready),
    /// The times of the requested iterations.
    Samples {
        /// Host clock, ns, from before the first operation until the device is done; a single time for all iterations
        /// when throughput is timed.
        host_ns: Vec<u64>,
        /// Device clock, ns, where the device has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device_ns: Option<Vec<u64>>,
        /// The loss of the last training iteration, if finite.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        loss: Option<f64>,
        /// Whether the training loss was not a finite number, which JSON cannot express.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        diverged: bool,
        /// System usage of the worker during all of these iterations, where the system reports it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<SystemUsage>,
    },
    /// The quality of the trained network.
    Evaluated {
        /// Fraction of wrong answers, 0 to 1.
        error_rate: f64,
        /// Number of samples evaluated.
        samples: u64,
    },
    /// The files of a network are written.
    Exported(Exported),
    /// The last line after `finish`.
    Done {
        /// Peak memory in use on the device, MiB, where the worker can measure it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device_memory_mib: Option<f64>,
    },
    /// The request failed; the worker exits.
    Failed {
        /// `oom`, `unsupported` or `crashed`.
        outcome: String,
        /// The error message, one line.
        message: String,
    },
}

/// System usage of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SystemUsage {
    /// Page faults served without disk access, by newly assigned memory.
    #[serde(default)]
    pub minor_faults: u64,
    /// Page faults that waited for a disk.
    #[serde(default)]
    pub major_faults: u64,
    /// Processor time in the kernel, of all threads, ns.
    #[serde(default)]
    pub system_ns: u64,
}

/// The worker's identity and capabilities.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`].
    pub protocol: u32,
    /// The worker's name and version.
    pub worker: String,
    /// The framework's id in the catalog.
    pub framework: String,
    /// The framework's version.
    pub framework_version: String,
    /// The devices that it can compute on.
    pub devices: Vec<DeviceInfo>,
    /// The networks that it implements, by their ids in the catalog.
    #[serde(default)]
    pub networks: Vec<String>,
    /// The supported combinations of network, stage and precision; empty where the worker does not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<Capability>,
    /// Whether it loads a network from the files that [`WorkerRequest::Export`] writes, and returns the outputs for their samples.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub model_files: bool,
    /// Whether it can write such files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exports: bool,
    /// Versions and configuration worth recording: `cuda`, `cudnn`, `build` …
    #[serde(default)]
    pub build: BTreeMap<String, String>,
}

/// Every combination of these networks, stages and precisions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Capability {
    /// Networks, by their ids in the catalog.
    pub networks: Vec<String>,
    /// Stages, spelled as in a configuration.
    pub stages: Vec<String>,
    /// Precisions, spelled as in a configuration; those that the device lacks do not count.
    pub precisions: Vec<String>,
}

/// A network whose files were written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Exported {
    /// Number of trainable parameters.
    pub parameters: u64,
    /// Multiply-adds of one sample's forward pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiply_adds: Option<u64>,
    /// Extents of one sample.
    pub input_shape: Vec<i64>,
    /// The network's output for each sample of the files, in evaluation mode.
    pub outputs: Vec<Vec<f64>>,
    /// Rounding error of the outputs for a shorter format (`tf32`, `bf16`, `fp16`), as a fraction of their range.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rounding: BTreeMap<String, f64>,
    /// The outputs after one update of the weights by the gradient of the first sample's loss, as the files describe
    /// it; empty where they describe no update.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updated_outputs: Vec<Vec<f64>>,
    /// As `rounding`, for the gradient, the update and the outputs after it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub updated_rounding: BTreeMap<String, f64>,
    /// What computed the outputs: framework, version, precision, device.
    pub made_by: String,
}

/// A device to compute on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// `cpu`, `cuda:0` …
    pub id: String,
    /// The name reported by its driver, where the worker knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// PCI address such as `0000:3b:00.0`, which identifies the device in the driver's counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pci: Option<String>,
    /// The precisions that it supports, spelled as in a configuration; empty where the worker does not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precisions: Vec<String>,
}

/// The prepared configuration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ready {
    /// Number of trainable parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// Multiply-adds of one sample's forward pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiply_adds: Option<u64>,
    /// Bytes read and written by an iteration, for workloads that measure memory bandwidth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_moved: Option<u64>,
    /// Extents of one sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_shape: Option<Vec<i64>>,
    /// The items of a batch: `image`, `sequence`, `sample` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// Samples of one iteration, where it is not the batch size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples_per_iteration: Option<u64>,
    /// What an iteration's time includes, in words.
    #[serde(default)]
    pub timed: String,
    /// The overhead of timing per iteration, ns: the time of an empty loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_ns: Option<f64>,
    /// Threads of one operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Further fields of the row, by the keys of measurement files: `mode`, `layout`, `api-language`, `kernel-library`,
    /// `software`, `cudnn-benchmark`, `attention-backend`, `reduced-precision`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stated: BTreeMap<String, String>,
    /// The outputs for the samples of the given files, computed as in the iterations: for as many samples as exist and
    /// fit into the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<Vec<f64>>>,
    /// The outputs after the update that the files describe, where the stage computes gradients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_outputs: Option<Vec<Vec<f64>>>,
    /// Time to build the network and its weights, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_s: Option<f64>,
    /// Time to compile it for the device, s, where the framework compiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile_s: Option<f64>,
    /// Remarks for the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

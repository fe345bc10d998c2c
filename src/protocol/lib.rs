//! What the parent and a worker say to each other: one JSON object a line. `PROTOCOL.md` beside this file tells
//! it for people who write a worker.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The protocol for people who write a worker, in Markdown.
pub const PROTOCOL: &str = include_str!("PROTOCOL.md");

/// What the parent asks for, on the worker's standard input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum WorkerRequest {
    /// Build the network and everything else that an iteration needs.
    Prepare {
        /// What is going to be measured.
        configuration: Box<Configuration>,
    },
    /// Run and time so many iterations.
    Iterate {
        /// How many.
        count: u32,
    },
    /// Judge the trained network by the test part of its data.
    Evaluate,
    /// Write the files of a network, by which every worker gets the same one.
    Export {
        /// The network's id in the catalog.
        network: String,
        /// Extents of one sample, channels first; the network's own when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input_shape: Option<Vec<i64>>,
        /// Begin of the random numbers.
        #[serde(default)]
        seed: u64,
        /// The folder, which is empty.
        folder: PathBuf,
    },
    /// Give back what is held, and end.
    Finish,
}

/// One point of what can be varied. Words are those of measurement files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// `cpu` or `cuda:0`.
    pub device: String,
    /// A network's id in the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// A TorchScript file, in place of a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<PathBuf>,
    /// The folder with the files of the network, whose weights are to be taken and whose samples answered.
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
    /// Threads of one operation; the framework's own choice when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// How training changes the weights after the backward pass; not at all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<SgdUpdate>,
    /// What one iteration is.
    #[serde(default)]
    pub unit: IterationUnit,
    /// What is waited for.
    #[serde(default)]
    pub timing: Timing,
    /// What goes in.
    #[serde(default)]
    pub data: InputSource,
    /// Begin of the random numbers.
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
    /// By how much the rate shrinks: rate / (1 + decay * updates).
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

/// What is waited for, and so what a time is that of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// The device is waited for after each iteration, which has a time of its own.
    #[default]
    Latency,
    /// The device is waited for after all iterations of a request, which have one time together.
    Throughput,
}

/// What goes in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "from")]
pub enum InputSource {
    /// The same random numbers in every iteration.
    #[default]
    Synthetic,
    /// A folder of idx files, or of one folder of images for each class.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Whether reading, decoding and moving to the device is part of the timed iteration.
        timed: bool,
    },
}

/// What a worker answers, on its standard output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first line, unasked.
    Hello(Hello),
    /// Prepared: iterations can begin.
    Ready(Ready),
    /// The times of the iterations that were asked for.
    Samples {
        /// By the host's clock, ns, from before the first operation until the device is done; one time for all iterations where
        /// the throughput is timed.
        host_ns: Vec<u64>,
        /// By the device's own clock, ns, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device_ns: Option<Vec<u64>>,
        /// The loss of the last iteration, when training and finite.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        loss: Option<f64>,
        /// Whether the loss was no finite number, when training: JSON has none for it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        diverged: bool,
        /// What the system did for the worker during all of these iterations, where it tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<SystemUsage>,
    },
    /// How the trained network does.
    Evaluated {
        /// Fraction of wrong answers, 0 to 1.
        error_rate: f64,
        /// Answers given.
        samples: u64,
    },
    /// The files of a network are written.
    Exported(Exported),
    /// The last line after `finish`.
    Done {
        /// Most memory that was in use on the device, MiB, where the worker can tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device_memory_mib: Option<f64>,
    },
    /// What was asked for could not be done; the worker ends.
    Failed {
        /// `oom`, `unsupported` or `crashed`.
        outcome: String,
        /// What happened, in one line.
        message: String,
    },
}

/// What the system did for a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SystemUsage {
    /// Page faults that the system served without a disk: memory that it gave anew.
    #[serde(default)]
    pub minor_faults: u64,
    /// Page faults that waited for a disk.
    #[serde(default)]
    pub major_faults: u64,
    /// Processor time in the kernel, of all threads, ns.
    #[serde(default)]
    pub system_ns: u64,
}

/// Who the worker is and what it can do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`].
    pub protocol: u32,
    /// The worker's name and version.
    pub worker: String,
    /// The framework's id in the catalog.
    pub framework: String,
    /// Its version.
    pub framework_version: String,
    /// What it can compute on.
    pub devices: Vec<DeviceInfo>,
    /// The networks it has, by their ids in the catalog.
    #[serde(default)]
    pub networks: Vec<String>,
    /// What it can do with which of them; empty where the worker does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<Capability>,
    /// Whether it takes a network from the files that [`WorkerRequest::Export`] writes, and answers their samples.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub model_files: bool,
    /// Whether it writes such files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exports: bool,
    /// Versions and configuration worth recording: `cuda`, `cudnn`, `build` …
    #[serde(default)]
    pub build: BTreeMap<String, String>,
}

/// Each of these networks in each of these stages and precisions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Capability {
    /// Networks, by their ids in the catalog.
    pub networks: Vec<String>,
    /// Stages, by the words of a configuration.
    pub stages: Vec<String>,
    /// Precisions, by the words of a configuration, as far as the device has them.
    pub precisions: Vec<String>,
}

/// What is known of a network whose files were written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Exported {
    /// Trainable numbers of the network.
    pub parameters: u64,
    /// Multiply-adds of one sample's forward pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiply_adds: Option<u64>,
    /// Extents of one sample.
    pub input_shape: Vec<i64>,
    /// The network's answer to each sample of the files, in evaluation.
    pub outputs: Vec<Vec<f64>>,
    /// How far rounding to a shorter format moves the outputs, as a share of their range, by the format: `tf32`, `bf16`, `fp16`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rounding: BTreeMap<String, f64>,
    /// The answers after one update of the weights by the gradient of the first sample's loss, which the files describe; empty where
    /// they describe none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updated_outputs: Vec<Vec<f64>>,
    /// As `rounding`, of the gradient, the update and the answers after it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub updated_rounding: BTreeMap<String, f64>,
    /// What computed them: framework, version, precision, device.
    pub made_by: String,
}

/// Something to compute on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// `cpu`, `cuda:0` …
    pub id: String,
    /// The name its driver gives, where the worker knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// PCI address such as `0000:3b:00.0`, which finds it again in the driver's counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pci: Option<String>,
    /// The precisions that it computes in, by the words of a configuration; empty where the worker does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precisions: Vec<String>,
}

/// What was prepared.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ready {
    /// Trainable numbers of the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// Multiply-adds of one sample's forward pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiply_adds: Option<u64>,
    /// Bytes read and written by an iteration whose purpose that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_moved: Option<u64>,
    /// Extents of one sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_shape: Option<Vec<i64>>,
    /// What a batch counts: `image`, `sequence`, `sample` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// Samples of one iteration, where it is not the batch size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples_per_iteration: Option<u64>,
    /// What an iteration's time holds, in words.
    #[serde(default)]
    pub timed: String,
    /// What timing itself costs each iteration, ns: the same loop around nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_ns: Option<f64>,
    /// Threads of one operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// What the row states of how it was computed, by the keys of measurement files: `mode`, `layout`, `api-language`,
    /// `kernel-library`, `software`, `cudnn-benchmark`, `attention-backend`, `reduced-precision`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stated: BTreeMap<String, String>,
    /// The answers to the samples of the files that were handed over, computed as iterations are: of as many samples as are there
    /// and fit into the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<Vec<f64>>>,
    /// … and the answers after the update that the files describe, where the stage has gradients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_outputs: Option<Vec<Vec<f64>>>,
    /// How long it took to make the network and its weights, s …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_s: Option<f64>,
    /// … and to compile it for the device, where the framework does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile_s: Option<f64>,
    /// Remarks for the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

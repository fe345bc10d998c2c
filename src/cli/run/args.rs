//! The options of `dlbench run`, including those for Slurm.

use std::path::PathBuf;

use clap::Args;
use dlbench::measure::{BatchSizes, OWN_METHOD, SOURCE_METHODS};
use dlbench::values::{Allocator, EntityId, Precision, Protocol, Shape, Stage, Timing};

use crate::cli::options::word;

#[derive(Debug, Args)]
#[command(after_help = help())]
pub(in crate::cli) struct RunArgs {
    /// Networks by name or id
    #[arg(value_name = "NETWORK")]
    pub networks: Vec<String>,
    /// A suite from catalog/suites/
    #[arg(long, value_name = "ID", conflicts_with_all = ["networks", "module", "reproduce"])]
    pub suite: Option<String>,
    /// Repeat the configuration of a known measurement
    #[arg(long, value_name = "MEASUREMENT-ID", conflicts_with_all = ["networks", "module"])]
    pub reproduce: Option<String>,
    /// Make the first N missing measurements that this machine can make (`dlbench wanted --here`) [without a value: 5]
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        conflicts_with_all = ["networks", "suite", "module", "reproduce", "stage", "precision", "batch_size", "input", "data", "protocol"]
    )]
    pub wanted: Option<usize>,
    /// A TorchScript file instead of networks
    #[arg(long, value_name = "FILE", requires = "input", conflicts_with = "networks")]
    pub module: Option<PathBuf>,
    /// The shape of one sample, channels first: 3x224x224 [default: the network's usual one]
    #[arg(long, value_name = "SHAPE")]
    pub input: Option<Shape>,
    /// Devices: cpu, cuda:0 …
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "cpu")]
    pub device: Vec<String>,
    /// Stages: eval, train, forward, backward [default: eval]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = word::<Stage>(), hide_possible_values = true)]
    pub stage: Vec<Stage>,
    /// Precisions: fp64, fp32, tf32, bf16, fp16, amp-bf16, amp-fp16 [default: fp32]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = word::<Precision>(), hide_possible_values = true)]
    pub precision: Vec<Precision>,
    /// Batch sizes: 16, 1,2,4, 1..256 (doubling), max (the largest that fits) [default: 16]
    #[arg(long, value_name = "LIST")]
    pub batch_size: Option<BatchSizes>,
    /// Use the channels-last layout for images
    #[arg(long)]
    pub channels_last: bool,
    /// Threads per operation [default: the framework's choice]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub threads: Vec<u32>,
    /// Handling of freed memory: system (the C library decides) or kept [default: system]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = word::<Allocator>(), hide_possible_values = true)]
    pub allocator: Vec<Allocator>,
    /// What is timed: latency (each iteration until the device has finished) or throughput (iterations back to back)
    #[arg(long, value_name = "WORD", value_parser = word::<Timing>(), hide_possible_values = true, default_value = "latency")]
    pub timing: Timing,
    /// Real data: a folder of idx files, or one with an image folder per class [default: synthetic data]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Include data loading in the measured time
    #[arg(long, requires = "data")]
    pub timed_loading: bool,
    /// Follow the method of another benchmark
    #[arg(long, value_name = "NAME", value_parser = word::<Protocol>(), hide_possible_values = true)]
    pub protocol: Option<Protocol>,
    /// Fresh processes per configuration, in mixed order [default: 5; with a protocol, 1]
    #[arg(long, value_name = "N")]
    pub processes: Option<u32>,
    /// Seed for the order of processes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Target half-width of the 95% confidence interval over processes, in percent of the value [default: 1]
    #[arg(long, value_name = "PERCENT")]
    pub goal: Option<f64>,
    /// Minimum number of iterations over all processes [default: 10]
    #[arg(long, value_name = "N")]
    pub least: Option<u32>,
    /// Maximum time for warm-up and samples of one configuration, in seconds, over all its processes [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub time_limit: Option<f64>,
    /// Seconds after which a silent worker is considered hung [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub patience: Option<f64>,
    /// Wait up to this many seconds in total while other processes compute, and repeat what they disturbed [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<f64>,
    /// Spread the rounds over this many seconds, so that the interval includes slow drift [default: 1200]
    #[arg(long, value_name = "SECONDS", conflicts_with = "quick")]
    pub spread: Option<f64>,
    /// Do not wait between rounds: the interval does not include slow drift, and the row says so
    #[arg(long)]
    pub quick: bool,
    /// Also measure the energy of each configuration, over this many seconds after its samples [without a value: 60]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60")]
    pub energy: Option<f64>,
    /// Measure everything again, into a new file, instead of continuing an existing one
    #[arg(long)]
    pub fresh: bool,
    /// The device's catalog id, if its system name is ambiguous
    #[arg(long, value_name = "ID")]
    pub device_id: Option<EntityId>,
    /// The source of the rows
    #[arg(long, value_name = "ID", default_value = "dlbench-runs")]
    pub source: EntityId,
    /// Output folder [default: measurements/<source>/ in the knowledge base]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Measure with these frameworks: pytorch, onnxruntime, openvino, jax, tensorflow, libtorch …; `dlbench workers` lists
    /// them; packages are installed on first use [default: those of the suite, else libtorch]
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["worker", "module", "reproduce", "wanted"])]
    pub framework: Vec<String>,
    /// The worker command with its arguments [default: dlbench-runner beside this program]
    #[arg(long, value_name = "COMMAND")]
    pub worker: Option<String>,
    /// Show the plan and measure nothing; with --slurm, show the job script
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub slurm: SlurmArgs,
}

/// The measurement protocols, for `--help`.
fn help() -> String {
    let lines: Vec<String> = SOURCE_METHODS
        .iter()
        .map(|method| format!("  {:14} {}", method.name.map_or("", Into::into), method.about))
        .collect();
    format!("Protocols (default: {}):\n{}", OWN_METHOD.about, lines.join("\n"))
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SlurmArgs {
    /// Measure on a cluster: one Slurm job per configuration, with all its frameworks, on its own node, in this partition or
    /// Slurm's default; repeat the command to continue a stopped run
    #[arg(
        long,
        value_name = "PARTITION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "wanted"
    )]
    pub slurm: Option<String>,
    /// An sbatch option for each job: --sbatch=--time=2:00:00, --sbatch=--gres=gpu:1
    #[arg(long, value_name = "OPTION", requires = "slurm", require_equals = true)]
    pub sbatch: Vec<String>,
    /// A shell line at the start of each job: --slurm-setup="module load cuda"
    #[arg(long, value_name = "LINE", requires = "slurm", require_equals = true)]
    pub slurm_setup: Vec<String>,
}

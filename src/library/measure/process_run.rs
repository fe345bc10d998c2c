//! What one process of a configuration gave, what all of them come to, and who is told of it during the run.

use dlbench_protocol::Ready;

use super::method::TimingMethod;
use super::resource_monitor::ResourceUsage;
use super::stats::{Levels, Summary};
use crate::model::Measurement;
use crate::values::Outcome;

/// One fresh process. Times in ms, as its row keeps them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProcessRun {
    /// Its place among all processes of the run, counted from 1.
    pub place: usize,
    /// Warm-up, in order.
    pub warm_up: Vec<f64>,
    /// The samples, in order.
    pub samples: Vec<f64>,
    /// By the device's own clock; empty where it has none.
    pub device: Vec<f64>,
    /// Whether times still had a trend when its time for warm-up was over.
    pub is_unsteady: bool,
    /// Fraction of wrong answers after training …
    pub error_rate: Option<f64>,
    /// … and how many answers were given.
    pub answers: Option<f64>,
    /// Most memory on the device by the worker's own account, MiB.
    pub device_memory_mib: Option<f64>,
    /// Iterations behind the samples: as many, or more where each sample is the mean of several that were timed together.
    pub iterations: Option<f64>,
    /// Iterations while energy was metered, where they were others than those behind the samples.
    pub metered_iterations: Option<f64>,
    /// Memory that the worker had before it prepared anything: the framework's own, MiB.
    pub library_memory_mib: Option<f64>,
    /// The largest difference of an output from that of the network's files, as a share of the range of these.
    pub output_deviation: Option<f64>,
    /// As `output_deviation`, after one update of the weights, if the stage has gradients.
    pub update_deviation: Option<f64>,
    /// How long the worker took to make the network and its weights, s …
    pub load_s: Option<f64>,
    /// … and to compile it, where its framework does.
    pub compile_s: Option<f64>,
    /// Whether the most memory is that of preparing, too, because the system could not be told to begin anew.
    pub with_preparing: bool,
    /// Whether a loss was no finite number.
    pub has_diverged: bool,
    /// Page faults of an iteration that waited for no disk …
    pub minor_faults: Option<f64>,
    /// … and those that did.
    pub major_faults: Option<f64>,
    /// Processor time in the kernel of an iteration, of all threads, ms.
    pub system_ms: Option<f64>,
    /// When it began, seconds since 1970 (UTC).
    pub began_s: Option<f64>,
    /// From its start to its end, s.
    pub whole_s: Option<f64>,
    /// What happened beside its samples.
    pub observed: ResourceUsage,
}

/// What became of one process.
#[derive(Debug, Clone, PartialEq)]
pub enum ProcessAttempt {
    /// It has samples of what was prepared, with so many samples in a batch.
    Measured(Box<Ready>, u32, Box<ProcessRun>),
    /// It has none, for a reason that is a result too.
    Failed {
        /// Which kind of reason.
        outcome: Outcome,
        /// In one line.
        message: String,
        /// Samples in a batch.
        batch: u32,
    },
}

/// A measured configuration: its processes, as far as they ran.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredConfiguration {
    /// What the worker prepared.
    pub ready: Ready,
    /// Samples in a batch.
    pub batch: u32,
    /// The processes, in the order in which they ran.
    pub processes: Vec<ProcessRun>,
    /// How many were planned.
    pub planned: usize,
    /// The level of each process.
    pub levels: Levels,
    /// What the samples of all processes come to.
    pub summary: Summary,
    /// What happened beside them.
    pub observed: ResourceUsage,
}

/// What became of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum Attempt {
    /// It has a number.
    Measured(Box<MeasuredConfiguration>),
    /// One of its processes has none, for a reason that is a result too.
    Failed {
        /// Which kind of reason.
        outcome: Outcome,
        /// In one line.
        message: String,
        /// Samples in a batch.
        batch: u32,
    },
}

impl MeasuredConfiguration {
    /// All that is known of a configuration after these processes, one or more.
    pub fn of(ready: &Ready, batch: u32, processes: &[ProcessRun], (method, planned): (&TimingMethod, usize)) -> Self {
        let samples: Vec<f64> = processes.iter().flat_map(|process| process.samples.iter().copied()).collect();
        Self {
            ready: ready.clone(),
            batch,
            processes: processes.to_vec(),
            planned,
            levels: levels(processes, method, planned),
            summary: Summary::of(&samples).unwrap_or_default(),
            observed: ResourceUsage::of_all(processes.iter().map(|process| &process.observed)),
        }
    }

    /// The value of the configuration, ms for an iteration or for all of them, as the method has it: the mean of the levels of its processes.
    pub fn value(&self) -> f64 {
        self.levels.mean()
    }

    /// Time from the start of the first process to the start of the last, s; `None` if a start is not recorded.
    pub fn span_s(&self) -> Option<f64> {
        let began: Option<Vec<f64>> = self.processes.iter().map(|process| process.began_s).collect();
        let began = began?;
        Some(began.iter().copied().reduce(f64::max)? - began.iter().copied().reduce(f64::min)?)
    }

    /// Iterations behind the samples of all processes.
    pub fn iterations(&self) -> f64 {
        self.processes.iter().map(|process| process.iterations.unwrap_or(process.samples.len() as f64)).sum()
    }

    /// Iterations while energy was metered, of all processes.
    pub fn metered_iterations(&self) -> f64 {
        let metered: Option<f64> = self.processes.iter().map(|process| process.metered_iterations).sum();
        metered.unwrap_or_else(|| self.iterations())
    }

    /// The most memory on the device by the worker's own account, MiB.
    pub fn device_memory_mib(&self) -> Option<f64> {
        self.processes.iter().filter_map(|process| process.device_memory_mib).reduce(f64::max)
    }
}

/// The levels of processes that were measured by a method.
pub(super) fn levels(processes: &[ProcessRun], method: &TimingMethod, planned: usize) -> Levels {
    Levels::new(processes.iter().map(|process| method.level(&process.samples)).collect(), planned)
}

/// A process that begins.
#[derive(Debug, Clone, Copy)]
pub struct BeginningProcess<'r> {
    /// The title of its configuration.
    pub title: &'r str,
    /// Which process of the configuration it is, counted from 1, and of how many, as far as is known.
    pub number: (usize, usize),
    /// How many processes of the run have ended.
    pub done: usize,
    /// How many there will be, as far as is known.
    pub total: usize,
}

/// Nobody.
#[derive(Debug)]
pub(super) struct NoObserver;

impl RunObserver for NoObserver {
    fn begins(&mut self, _process: BeginningProcess<'_>) {}
    fn epoch(&mut self, _number: usize, _of: Option<usize>, _seconds: f64) {}
    fn stands_already(&mut self, _title: &str) {}
    fn done(&mut self, _title: &str, _attempted: &Attempt, _row: &Measurement) {}
    fn note(&mut self, _text: &str) {}
}

/// Who is told what happens.
pub trait RunObserver {
    /// A process of a configuration begins.
    fn begins(&mut self, process: BeginningProcess<'_>);
    /// An epoch has ended: which one, counted from 1, of how many where that is fixed, and how long it took, s.
    fn epoch(&mut self, number: usize, of: Option<usize>, seconds: f64);
    /// A configuration stood in the file already.
    fn stands_already(&mut self, title: &str);
    /// All processes of a configuration are in the file now.
    fn done(&mut self, title: &str, attempted: &Attempt, row: &Measurement);
    /// Something worth knowing.
    fn note(&mut self, text: &str);
}

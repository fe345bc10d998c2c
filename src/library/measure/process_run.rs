//! The result of one process of a configuration, the result of all of them, and the observer of a run.

use dlbench_protocol::Ready;

use super::method::TimingMethod;
use super::resource_monitor::ResourceUsage;
use super::stats::{Levels, Summary};
use crate::model::Measurement;
use crate::values::Outcome;

/// One fresh process. Times in ms, as recorded in its row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProcessRun {
    /// Its position among all processes of the run, counted from 1.
    pub place: usize,
    /// Warm-up times, in order.
    pub warm_up: Vec<f64>,
    /// Sample times, in order.
    pub samples: Vec<f64>,
    /// Times by the device's own clock; empty if it has none.
    pub device: Vec<f64>,
    /// Whether times still had a trend at the end of the time for warm-up.
    pub is_unsteady: bool,
    /// Fraction of wrong answers after training …
    pub error_rate: Option<f64>,
    /// … and the number of answers.
    pub answers: Option<f64>,
    /// Peak memory on the device as reported by the worker, MiB.
    pub device_memory_mib: Option<f64>,
    /// Iterations behind the samples: equal to them, or more if each sample is the mean of several timed together.
    pub iterations: Option<f64>,
    /// Iterations while energy was metered, if these are not the iterations behind the samples.
    pub metered_iterations: Option<f64>,
    /// Memory of the worker before it prepared anything, which is that of the framework, MiB.
    pub library_memory_mib: Option<f64>,
    /// The largest deviation of an output from the reference of the network's files, as a share of the reference's range.
    pub output_deviation: Option<f64>,
    /// As `output_deviation`, after one update of the weights, if the stage has gradients.
    pub update_deviation: Option<f64>,
    /// Time that the worker took to build the network and its weights, s …
    pub load_s: Option<f64>,
    /// … and to compile it, if its framework does so.
    pub compile_s: Option<f64>,
    /// Whether peak memory includes preparation, because the system could not reset the peak.
    pub with_preparing: bool,
    /// Whether a loss was not a finite number.
    pub has_diverged: bool,
    /// Page faults per iteration that were served without disk access …
    pub minor_faults: Option<f64>,
    /// … and those that were served from disk.
    pub major_faults: Option<f64>,
    /// Processor time in the kernel per iteration, over all threads, ms.
    pub system_ms: Option<f64>,
    /// Start time, seconds since 1970 (UTC).
    pub began_s: Option<f64>,
    /// Duration from its start to its end, s.
    pub whole_s: Option<f64>,
    /// Resource usage during its samples.
    pub observed: ResourceUsage,
}

/// The result of one process.
#[derive(Debug, Clone, PartialEq)]
pub enum ProcessAttempt {
    /// It has samples: the prepared network, the batch size and the measurements.
    Measured(Box<Ready>, u32, Box<ProcessRun>),
    /// It has no samples, for a reason that is a result as well.
    Failed {
        /// The kind of failure.
        outcome: Outcome,
        /// The reason in one line.
        message: String,
        /// Batch size.
        batch: u32,
    },
}

/// A measured configuration with the processes that ran.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredConfiguration {
    /// What the worker prepared.
    pub ready: Ready,
    /// Batch size.
    pub batch: u32,
    /// The processes, in the order in which they ran.
    pub processes: Vec<ProcessRun>,
    /// Number of planned processes.
    pub planned: usize,
    /// The level of each process.
    pub levels: Levels,
    /// Summary of the samples of all processes.
    pub summary: Summary,
    /// Resource usage during the samples.
    pub observed: ResourceUsage,
}

/// The result of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum Attempt {
    /// It has a value.
    Measured(Box<MeasuredConfiguration>),
    /// One of its processes failed, for a reason that is a result as well.
    Failed {
        /// The kind of failure.
        outcome: Outcome,
        /// The reason in one line.
        message: String,
        /// Batch size.
        batch: u32,
    },
}

impl MeasuredConfiguration {
    /// Summarises a configuration after these processes, of which there is at least one.
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

    /// The value of the configuration, ms per iteration or in total as the method defines: the mean of its processes' levels.
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

    /// Peak memory on the device as reported by the worker, MiB.
    pub fn device_memory_mib(&self) -> Option<f64> {
        self.processes.iter().filter_map(|process| process.device_memory_mib).reduce(f64::max)
    }
}

/// The levels of processes measured by this method.
pub(super) fn levels(processes: &[ProcessRun], method: &TimingMethod, planned: usize) -> Levels {
    Levels::new(processes.iter().map(|process| method.level(&process.samples)).collect(), planned)
}

/// A process that is about to start.
#[derive(Debug, Clone, Copy)]
pub struct BeginningProcess<'r> {
    /// The title of its configuration.
    pub title: &'r str,
    /// Its number among the processes of the configuration, counted from 1, and the number of these as far as known.
    pub number: (usize, usize),
    /// Number of processes of the run that have ended.
    pub done: usize,
    /// Number of processes of the run, as far as known.
    pub total: usize,
}

/// Ignores all events.
#[derive(Debug)]
pub(super) struct NoObserver;

impl RunObserver for NoObserver {
    fn begins(&mut self, _process: BeginningProcess<'_>) {}
    fn epoch(&mut self, _number: usize, _of: Option<usize>, _seconds: f64) {}
    fn already_complete(&mut self, _title: &str) {}
    fn done(&mut self, _title: &str, _attempted: &Attempt, _row: &Measurement) {}
    fn note(&mut self, _text: &str) {}
}

/// Receives the events of a run.
pub trait RunObserver {
    /// A process of a configuration starts.
    fn begins(&mut self, process: BeginningProcess<'_>);
    /// An epoch has ended: its number, counted from 1, the number of epochs if fixed, and its duration, s.
    fn epoch(&mut self, number: usize, of: Option<usize>, seconds: f64);
    /// A configuration was complete in the file before the run.
    fn already_complete(&mut self, title: &str);
    /// All processes of a configuration are in the file.
    fn done(&mut self, title: &str, attempted: &Attempt, row: &Measurement);
    /// A message for the user.
    fn note(&mut self, text: &str);
}

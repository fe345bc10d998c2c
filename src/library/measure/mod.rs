//! Measuring on this machine: a plan of points, a fresh worker for each, and a file that grows.

mod attempt;
mod caveats;
mod environment;
mod estimate;
mod gathered;
mod gpu;
#[cfg(test)]
mod interval_coverage;
mod machine;
mod method;
mod network_files;
mod packages;
mod plan;
mod process_run;
mod resource_monitor;
mod results;
mod rows;
mod run_workers;
mod session;
mod side_by_side;
pub mod stats;
mod stop_rule;
mod worker;
mod worker_kit;
#[cfg(test)]
mod worlds;

pub use dlbench_protocol as protocol;
pub use environment::Environment;
pub use estimate::{Estimate, Probe};
pub use gathered::{Gathering, JobFolder, JobRow, LostJob, TargetFolder};
pub use machine::{Machine, RunHere, WantedRun};
pub use machine::{ReproduceError, reproduced};
pub use method::{NAMED, OWN, TimingMethod, WarmUp};
pub use network_files::{ExportError, ExportRequest, NetworkFiles};
pub use packages::{Packages, PackagesError};
pub use plan::{BatchSizes, PlanError};
pub use plan::{InputData, MeasuredModel, PlanPoint, WEIGHTS_SEED, of_suite, plan_digest};
pub use process_run::{Attempt, MeasuredConfiguration};
pub use process_run::{BeginningProcess, RunObserver};
pub use results::ResultsError;
pub use run_workers::{RunWorker, RunWorkers};
pub use run_workers::{WorkerLacks, computes_in, is_capable, network_of_worker};
pub use session::{FinishedPoint, FinishedRun, Session, SessionError};
pub use side_by_side::{ComparedWork, ComparedWorker, Overall, PairedRatio, overall};
pub use stats::Levels;
pub use stop_rule::RunLimits;
pub use stop_rule::StopRule;
pub use worker::{LaunchError, default_worker, launch};
pub use worker::{MARK, end_marked};
pub use worker::{Worker, WorkerCommand, WorkerError};
pub use worker_kit::InterpreterError;
pub use worker_kit::{KitError, KitWorker, WorkerKit};
pub use worker_kit::{KitObserver, PrepareError, first_greeting, prepared};

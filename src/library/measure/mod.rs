//! Measuring on this machine: a plan of points, a fresh worker for each, and a file that grows.

mod attempt;
mod bounded_lines;
mod caveats;
mod device;
mod digits;
mod environment;
mod estimate;
mod gpu;
#[cfg(test)]
mod intervals;
mod launch;
mod levels;
mod limits;
mod machine_id;
mod method;
mod observer;
mod over_processes;
mod plan;
mod plan_point;
mod point_state;
mod process_group;
mod process_order;
mod process_record;
mod process_run;
mod quiet;
mod reproduce;
mod resource_monitor;
mod results;
mod rows;
mod session;
pub mod stats;
mod steadiness;
mod stop_rule;
mod worker;
mod worker_clock;
mod worker_marks;
#[cfg(test)]
mod worlds;

pub use dlbench_protocol as protocol;
pub use environment::Environment;
pub use estimate::{Estimate, Probe};
pub use launch::{LaunchError, default_worker, launch};
pub use levels::Levels;
pub use limits::RunLimits;
pub use method::{NAMED, OWN, TimingMethod, WarmUp};
pub use observer::{BeginningProcess, RunObserver};
pub use plan::{BatchSizes, PlanError};
pub use plan_point::{InputData, MeasuredModel, PlanPoint, of_suite};
pub use process_run::{Attempt, Measured};
pub use reproduce::{ReproduceError, reproduced};
pub use results::ResultsError;
pub use session::{FinishedPoint, FinishedRun, Session, SessionError};
pub use stop_rule::StopRule;
pub use worker::{Worker, WorkerCommand, WorkerError};
pub use worker_marks::{MARK, end_marked};

//! Measuring on this machine: a plan of points, a fresh worker for each, and a file that grows.

mod attempt;
mod caveats;
mod device;
mod environment;
mod estimate;
mod gpu;
mod launch;
mod limits;
mod method;
mod plan;
mod plan_point;
mod process_group;
mod reproduce;
mod resource_monitor;
mod results;
mod rows;
mod session;
pub mod stats;
mod stop_rule;
mod worker;

pub use attempt::{Attempt, Measured};
pub use dlbench_protocol as protocol;
pub use environment::Environment;
pub use estimate::{Estimate, Probe};
pub use launch::{LaunchError, default_worker, launch};
pub use limits::RunLimits;
pub use method::{NAMED, OWN, TimingMethod, WarmUp};
pub use plan::{BatchSizes, PlanError};
pub use plan_point::{InputData, MeasuredModel, PlanPoint, of_suite};
pub use reproduce::{ReproduceError, reproduced};
pub use results::ResultsError;
pub use session::{FinishedRun, RunObserver, Session, SessionError};
pub use stop_rule::StopRule;
pub use worker::{Worker, WorkerCommand, WorkerError};

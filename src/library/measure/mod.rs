//! Measuring on this machine: a plan of points, a fresh worker for each, and a file that grows.

mod caveats;
mod device;
mod environment;
mod estimate;
mod gpu;
mod launch;
mod measure;
mod method;
mod plan;
mod point;

mod reproduce;
mod results;
mod rows;
mod session;
pub mod stats;
mod watch;
mod worker;

pub use dlbench_protocol as protocol;
pub use environment::Environment;
pub use estimate::{Estimate, Probe};
pub use launch::{LaunchError, default_worker, launch};
pub use measure::{Attempted, Measured};
pub use method::{Limits, Method, NAMED, OWN, Stop, WarmUp};
pub use plan::{BatchSizes, PlanError};
pub use point::{Data, Point, Subject, of_suite};
pub use reproduce::{ReproduceError, reproduced};
pub use results::ResultsError;
pub use session::{Finished, Report, Session, SessionError};
pub use worker::{Launch, Trouble, Worker};

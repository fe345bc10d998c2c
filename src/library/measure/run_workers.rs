//! The workers of a run, and what they support: precisions of their devices, stages, networks.

use std::collections::BTreeSet;

use dlbench_protocol::{Capability, Hello};

use super::plan::PlanPoint;
use super::worker::WorkerCommand;
use crate::stores::database::{Database, DatabaseError};
use crate::values::text::{and_list, or_list};
use crate::values::{EntityId, EntityKind};

/// A worker of a run.
#[derive(Debug, Clone)]
pub struct RunWorker {
    /// Its name, if the run has several workers.
    pub name: Option<String>,
    /// The command that starts it.
    pub launch: WorkerCommand,
    /// Its greeting.
    pub hello: Hello,
}

/// One or more workers.
#[derive(Debug, Clone)]
pub struct RunWorkers {
    first: RunWorker,
    others: Vec<RunWorker>,
}

impl RunWorkers {
    /// Points that do not name a worker belong to the first one.
    pub fn new(first: RunWorker, others: Vec<RunWorker>) -> Self {
        Self { first, others }
    }

    /// The worker that measures a point.
    pub fn of(&self, point: &PlanPoint) -> &RunWorker {
        self.others.iter().find(|worker| worker.name == point.worker).unwrap_or(&self.first)
    }

    /// The names and greetings of all workers.
    pub fn greetings(&self) -> Vec<(Option<&str>, &Hello)> {
        self.iter().map(|worker| (worker.name.as_deref(), &worker.hello)).collect()
    }

    /// All workers.
    pub fn iter(&self) -> impl Iterator<Item = &RunWorker> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// Something that a worker does not support.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct WorkerLacks {
    /// What the worker lacks.
    pub message: String,
    /// What the worker has instead.
    pub help: Option<String>,
}

/// Rejects a precision that the device lacks, which is not a benchmark result. Workers that list no precisions are accepted.
///
/// # Errors
///
/// When the worker lists the precisions of the device, and the point's is not among them.
pub fn computes_in(point: &PlanPoint, hello: &Hello) -> Result<(), WorkerLacks> {
    let is_meant = |id: &str| id == point.device || point.device == "cuda" && id == "cuda:0";
    let device = hello.devices.iter().find(|device| is_meant(&device.id));
    let precisions = device.map_or(&[][..], |device| &device.precisions);
    if precisions.is_empty() || precisions.contains(&point.precision.to_string()) {
        return Ok(());
    }
    Err(WorkerLacks {
        message: format!("the worker does not compute in {} on {}", point.precision, point.device),
        help: Some(format!("there it has {}", or_list(&precisions.iter().map(String::as_str).collect::<Vec<_>>()))),
    })
}

/// Rejects a stage or precision that the point's worker lacks, which is not a result. Workers without a list are accepted.
///
/// # Errors
///
/// When the worker lists its capabilities, and none of them has the point's stage and precision.
pub fn is_capable(point: &PlanPoint, hello: &Hello) -> Result<(), WorkerLacks> {
    let (stage, precision) = (point.stage.to_string(), point.precision.to_string());
    let can =
        |capability: &Capability| capability.stages.contains(&stage) && capability.precisions.contains(&precision);
    if hello.capabilities.is_empty() || hello.capabilities.iter().any(can) {
        return Ok(());
    }
    let all = |words: fn(&Capability) -> &Vec<String>| {
        let mut all: Vec<&str> = hello.capabilities.iter().flat_map(words).map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        all.retain(|word| seen.insert(*word));
        and_list(&all)
    };
    let worker = point.worker.as_deref().unwrap_or("the worker");
    Err(WorkerLacks {
        message: format!("{worker} has no {stage} in {precision}"),
        help: Some(format!(
            "it has {} in {}",
            all(|capability| &capability.stages),
            all(|capability| &capability.precisions)
        )),
    })
}

/// The network with this id; for a family, its only member among `networks`, which are those of one worker or of all.
///
/// # Errors
///
/// When the database fails.
pub fn network_of_worker(
    asked: &EntityId,
    networks: &[String],
    database: &Database,
) -> Result<Result<EntityId, WorkerLacks>, DatabaseError> {
    // A worker need not list its networks.
    if networks.is_empty() || networks.iter().any(|id| id == asked.as_str()) {
        return Ok(Ok(asked.clone()));
    }
    let mut members = database.descendants(EntityKind::Network, asked.as_str())?;
    members.retain(|id| networks.contains(id));
    let lacks = |message: String, help: String| Err(WorkerLacks { message, help: Some(help) });
    Ok(match members.as_slice() {
        [one] => one.parse().map_err(|_| WorkerLacks { message: format!("`{one}` is not an id"), help: None }),
        [] => lacks(format!("the worker cannot run `{asked}`"), format!("it has {}", networks.join(", "))),
        several => lacks(
            format!("`{asked}` is a family, of which the worker has several"),
            format!("name {}", or_list(several)),
        ),
    })
}

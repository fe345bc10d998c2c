//! What a worker has: precisions of its devices, and networks, of which a plan may name the family.

use super::plan_point::PlanPoint;
use crate::stores::database::{Database, DatabaseError};
use crate::values::text::or_list;
use crate::values::{EntityId, EntityKind};
use dlbench_protocol::Hello;

/// What a worker does not have.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct WorkerLacks {
    /// What it lacks.
    pub message: String,
    /// What it has.
    pub help: Option<String>,
}

/// A precision that the device does not have is no result of a benchmark either. A worker need not say what it has.
///
/// # Errors
///
/// When the worker says what it computes in, and that is not among it.
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

/// The network of that id or, of a family, the one member that the worker has.
///
/// # Errors
///
/// When the database fails.
pub fn network_of_worker(
    asked: &EntityId,
    hello: &Hello,
    database: &Database,
) -> Result<Result<EntityId, WorkerLacks>, DatabaseError> {
    // A worker need not say what it has.
    if hello.networks.is_empty() || hello.networks.iter().any(|id| id == asked.as_str()) {
        return Ok(Ok(asked.clone()));
    }
    let mut members = database.descendants(EntityKind::Network, asked.as_str())?;
    members.retain(|id| hello.networks.contains(id));
    let lacks = |message: String, help: String| Err(WorkerLacks { message, help: Some(help) });
    Ok(match members.as_slice() {
        [one] => one.parse().map_err(|_| WorkerLacks { message: format!("`{one}` is no id"), help: None }),
        [] => lacks(format!("the worker cannot run `{asked}`"), format!("it has {}", hello.networks.join(", "))),
        several => lacks(
            format!("`{asked}` is a family, of which the worker has several"),
            format!("name {}", or_list(several)),
        ),
    })
}

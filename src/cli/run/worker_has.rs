//! What a worker has: precisions of its devices, and networks, of which a plan may name the family.

use crate::cli::failure::Failure;
use dlbench::KnowledgeBase;
use dlbench::measure::PlanPoint;
use dlbench::values::text::or_list;
use dlbench::values::{EntityId, EntityKind};
use dlbench_protocol::Hello;

/// A precision that the device does not have is no result of a benchmark either. A worker need not say what it has.
pub(super) fn computes_in(point: &PlanPoint, hello: &Hello) -> Result<(), Failure> {
    let is_meant = |id: &str| id == point.device || point.device == "cuda" && id == "cuda:0";
    let device = hello.devices.iter().find(|device| is_meant(&device.id));
    let precisions = device.map_or(&[][..], |device| &device.precisions);
    if precisions.is_empty() || precisions.contains(&point.precision.to_string()) {
        return Ok(());
    }
    Err(Failure::usage(
        format!("the worker does not compute in {} on {}", point.precision, point.device),
        format!("there it has {}", or_list(&precisions.iter().map(String::as_str).collect::<Vec<_>>())),
    ))
}

/// The network of that id or, of a family, the one member that the worker has.
pub(super) fn network(asked: &EntityId, hello: &Hello, kb: &KnowledgeBase) -> Result<EntityId, Failure> {
    // A worker need not say what it has.
    if hello.networks.is_empty() || hello.networks.iter().any(|id| id == asked.as_str()) {
        return Ok(asked.clone());
    }
    let mut members = kb.descendants(EntityKind::Network, asked.as_str())?;
    members.retain(|id| hello.networks.contains(id));
    match members.as_slice() {
        [one] => one.parse().map_err(|_| Failure::Usage { message: format!("`{one}` is no id"), help: None }),
        [] => Err(Failure::usage(
            format!("the worker cannot run `{asked}`"),
            format!("it has {}", hello.networks.join(", ")),
        )),
        several => Err(Failure::usage(
            format!("`{asked}` is a family, of which the worker has several"),
            format!("name {}", or_list(several)),
        )),
    }
}

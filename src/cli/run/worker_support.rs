//! What of a plan this worker can do: its devices, and its networks where the plan names a family.

use super::plan::Plan;
use crate::cli::failure::Failure;
use dlbench::KnowledgeBase;
use dlbench::measure::{MeasuredModel, PlanPoint};
use dlbench::values::text::or_list;
use dlbench::values::{EntityId, EntityKind};
use dlbench_protocol::Hello;

/// The plan with families replaced by the member that the worker has.
///
/// A device or a network that is not there is no result of any benchmark, so it is told before anything is measured.
pub(super) fn to_worker(mut plan: Plan, hello: &Hello, kb: &KnowledgeBase) -> Result<Plan, Failure> {
    for point in &mut plan.points {
        has_device(&point.device, hello)?;
        computes_in(point, hello)?;
        let MeasuredModel::Network(asked) = &point.subject else { continue };
        let network = network(asked, hello, kb)?;
        if network != *asked {
            let note = format!("{asked} is run as {network}, the one of its family that the worker has");
            if !plan.chosen.contains(&note) {
                plan.chosen.push(note);
            }
            *point = PlanPoint { subject: MeasuredModel::Network(network), ..point.clone() };
        }
    }
    Ok(plan)
}

fn has_device(device: &str, hello: &Hello) -> Result<(), Failure> {
    let ids: Vec<&str> = hello.devices.iter().map(|device| device.id.as_str()).collect();
    if ids.contains(&device) || device == "cuda" && ids.contains(&"cuda:0") {
        return Ok(());
    }
    let mut help = format!("it sees {}", or_list(&ids));
    if device.starts_with("cuda") {
        help.push_str(&match hello.build.get("cuda-not-loaded") {
            Some(why) => format!("; CUDA was not loaded: {why}"),
            None => "; DLBENCH_LIBTORCH names an installation of libtorch with CUDA".to_owned(),
        });
    }
    Err(Failure::usage(format!("the worker has no device `{device}`"), help))
}

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

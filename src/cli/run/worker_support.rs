//! What of a plan its workers can do: their devices, and their networks where the plan names a family.

use super::plan::Plan;
use crate::cli::failure::Failure;
use dlbench::KnowledgeBase;
use dlbench::measure::{MeasuredModel, PlanPoint, computes_in, is_capable};
use dlbench::values::text::{counted, or_list};
use dlbench_protocol::Hello;

/// The plan with each point once for each worker; what a worker cannot do is left out, and said.
pub(super) fn for_each_worker(mut plan: Plan, workers: &[(String, Hello)]) -> Result<Plan, Failure> {
    let mut points = Vec::new();
    for (name, hello) in workers {
        let mut objection = None;
        let (all, before) = (plan.points.len(), points.len());
        for point in &plan.points {
            let point = PlanPoint { worker: Some(name.clone()), ..point.clone() };
            match is_capable(&point, hello) {
                Ok(()) => points.push(point),
                Err(lacks) => objection = Some(lacks),
            }
        }
        match (objection, points.len() - before) {
            (Some(lacks), 0) => return Err(lacks.into()),
            (Some(lacks), of_it) => {
                let left_out = counted(all - of_it, "configuration is", "configurations are");
                plan.chosen.push(format!("{left_out} left out: {lacks}"));
            }
            (None, _) => {}
        }
    }
    plan.points = points;
    Ok(plan)
}

/// The plan with families replaced by the member that all its workers have; `hello_of` tells what the worker of a point said.
///
/// A device or a network that is not there is no result of any benchmark, so it is told before anything is measured.
pub(super) fn to_workers<'h>(
    mut plan: Plan,
    hello_of: &dyn Fn(&PlanPoint) -> &'h Hello,
    kb: &KnowledgeBase,
) -> Result<Plan, Failure> {
    let networks = common_networks(plan.points.iter().map(hello_of));
    for point in &mut plan.points {
        let hello = hello_of(point);
        has_device(&point.device, hello)?;
        computes_in(point, hello)?;
        let MeasuredModel::Network(asked) = &point.subject else { continue };
        let network = kb.network_of_worker(asked, &networks)??;
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

/// The networks that all workers have; a worker need not say what it has.
fn common_networks<'h>(workers: impl Iterator<Item = &'h Hello>) -> Vec<String> {
    let mut lists = workers.map(|hello| &hello.networks).filter(|networks| !networks.is_empty());
    let mut common = lists.next().cloned().unwrap_or_default();
    for other in lists {
        common.retain(|network| other.contains(network));
    }
    common
}

fn has_device(device: &str, hello: &Hello) -> Result<(), Failure> {
    let ids: Vec<&str> = hello.devices.iter().map(|device| device.id.as_str()).collect();
    // A worker that has not been started yet declares kinds of devices: `cuda` is any of them.
    let is_declared = || device.split_once(':').is_some_and(|(kind, _)| ids.contains(&kind));
    if ids.contains(&device) || device == "cuda" && ids.contains(&"cuda:0") || is_declared() {
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

//! What of a plan this worker can do: its devices, and its networks where the plan names a family.

use super::plan::Plan;
use crate::cli::failure::Failure;
use dlbench::KnowledgeBase;
use dlbench::measure::{MeasuredModel, PlanPoint, computes_in};
use dlbench::values::text::or_list;
use dlbench_protocol::Hello;

/// The plan with families replaced by the member that the worker has.
///
/// A device or a network that is not there is no result of any benchmark, so it is told before anything is measured.
pub(super) fn to_worker(mut plan: Plan, hello: &Hello, kb: &KnowledgeBase) -> Result<Plan, Failure> {
    for point in &mut plan.points {
        has_device(&point.device, hello)?;
        computes_in(point, hello)?;
        let MeasuredModel::Network(asked) = &point.subject else { continue };
        let network = kb.network_of_worker(asked, hello)??;
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

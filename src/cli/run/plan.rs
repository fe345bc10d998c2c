//! The plan of a run, with an estimate of its duration.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dlbench::KnowledgeBase;
use dlbench::ask::evidence::WantedRequest;
use dlbench::measure::{
    Estimate, InputData, Machine, MeasuredModel, OWN_METHOD, PlanPoint, Probe, RunLimits, TimingMethod, of_suite,
    reproduced,
};
use dlbench::model::{Facet, Measurement, Network};
use dlbench::render::table::Table;
use dlbench::values::text::{counted, nearest, or_list};
use dlbench::values::{Allocator, EntityId, Grid, GridColumn, Precision, Protocol, Stage};

use super::args::RunArgs;
use crate::cli::failure::Failure;

/// The plan of a run.
pub(super) struct Plan {
    /// The name for its file and rows.
    pub name: String,
    /// The points to measure.
    pub points: Vec<PlanPoint>,
    /// Defaults that were chosen for unspecified options.
    pub chosen: Vec<String>,
    /// The known measurement that is repeated.
    pub known: Option<Measurement>,
    /// The suite's time limit, s.
    pub time_limit_s: Option<f64>,
    /// The suite's target for the relative half-width of the interval.
    pub goal: Option<f64>,
    /// The suite's number of processes.
    pub processes: Option<u32>,
    /// The workers of the suite.
    pub workers: Vec<String>,
}

impl Plan {
    /// A plan with only a name and points.
    fn of_points(name: impl Into<String>, points: Vec<PlanPoint>) -> Self {
        Self {
            name: name.into(),
            points,
            chosen: Vec::new(),
            known: None,
            time_limit_s: None,
            goal: None,
            processes: None,
            workers: Vec::new(),
        }
    }
}

/// The plan for the arguments.
pub(super) fn of(args: &RunArgs, kb: &KnowledgeBase) -> Result<Plan, Failure> {
    if let Some(data) = args.data.as_ref().filter(|data| !data.is_dir()) {
        return Err(Failure::usage(
            format!("{} is not a folder", data.display()),
            "--data names a folder of idx files, or of one folder of images for each class",
        ));
    }
    if let Some(id) = &args.reproduce {
        let (point, chosen, known) = reproduction(args, id, kb)?;
        let name = format!("reproduce-{}", known.id().replace(':', "-"));
        return Ok(Plan { chosen, known: Some(known), ..Plan::of_points(name, vec![point]) });
    }
    match &args.suite {
        Some(suite) => of_named_suite(args, suite, kb),
        None => of_options(args, kb),
    }
}

/// A wanted measurement may exceed its time limit by this factor, because a started iteration is finished.
const OVERTIME: f64 = 1.5;

/// The plan of the most wanted measurements that this machine can make on the devices of the arguments, each within its
/// time limit, and the probe of the machine's speed behind the estimates.
pub(super) fn of_wanted(
    args: &RunArgs,
    machine: &Machine,
    limits: &RunLimits,
    probe_on: &dyn Fn(&str) -> Result<Option<Probe>, Failure>,
    kb: &KnowledgeBase,
) -> Result<(Plan, Option<Probe>), Failure> {
    let request = WantedRequest { question: String::new(), here: machine.known_devices() };
    let wanted = kb.wanted(&request).map_err(|error| Failure::Query { question: String::new(), error })?;
    let mut points: Vec<PlanPoint> = Vec::new();
    let mut chosen = Vec::new();
    let (mut probe, mut too_long) = (None, 0);
    let mut planned: BTreeSet<(&str, &str)> = BTreeSet::new();
    for cell in &wanted.wanted {
        // For each network, only the first conditions that can be measured here within the limit.
        if planned.contains(&(cell.on.as_str(), cell.network.as_str())) {
            continue;
        }
        if points.len() >= args.wanted.unwrap_or_default() {
            break;
        }
        let Ok((_, point)) = kb.run_of(cell, machine, Some(&args.device))? else { continue };
        let threads = args.threads.first().copied();
        let allocator = args.allocator.first().copied().unwrap_or(point.allocator);
        let point = PlanPoint { threads, allocator, channels_last: args.channels_last, ..point };
        if points.contains(&point) {
            continue;
        }
        let known = match probe {
            Some(known) => known,
            None => *probe.insert(probe_on(&point.device)?),
        };
        let ends = match Estimate::of(&point, multiply_adds(&point, kb)?, known, limits) {
            Estimate::Likely(seconds) => {
                seconds <= Estimate::beside_samples_s(&point, limits) + OVERTIME * limits.time_s
            }
            // Unknown work may take hours per iteration, so it is skipped if the machine's speed is known.
            Estimate::AtMost(_) | Estimate::Unknown => known.is_none(),
        };
        if !ends {
            too_long += 1;
            continue;
        }
        let settles: Vec<&str> = cell.settles.iter().map(|lacking| lacking.claim.as_str()).collect();
        let why = match settles.is_empty() {
            true => counted(cell.comparisons, "device becomes comparable", "devices become comparable"),
            false => format!("towards {}", settles.join(", ")),
        };
        planned.insert((&cell.on, &cell.network));
        points.push(point);
        chosen.push(format!("{} is measured as {} was: {why}", points.len(), cell.like));
    }
    let left_out = format!(
        "{} may take longer than {:.0} s, or an unknown time",
        counted(too_long, "wanted configuration", "wanted configurations"),
        limits.time_s
    );
    if points.is_empty() {
        let on = or_list(&args.device);
        return Err(match too_long {
            0 => Failure::usage(
                format!("nothing that is wanted can be measured on {on} here"),
                "`dlbench wanted --ask-worker` shows why",
            ),
            _ => Failure::usage(format!("on {on} {left_out}"), "a longer --time-limit, or --processes 1"),
        });
    }
    if too_long > 0 {
        chosen.push(format!("{left_out}: left out; a longer --time-limit takes those in that it lets end"));
    }
    check(&points)?;
    Ok((Plan { chosen, ..Plan::of_points("wanted", points) }, probe.flatten()))
}

/// Multiply-adds of a sample of a point's network, 10^9.
fn multiply_adds(point: &PlanPoint, kb: &KnowledgeBase) -> Result<Option<f64>, Failure> {
    let network = match &point.subject {
        MeasuredModel::Network(id) => kb.entity::<Network>(id.as_str())?,
        MeasuredModel::Module { .. } => None,
    };
    Ok(network.and_then(|network| network.multiply_adds_g).map(|figure| figure.value()))
}

/// The plan as a table with its estimated duration.
pub(super) fn shown(
    plan: &Plan,
    kb: &KnowledgeBase,
    probe: Option<Probe>,
    limits: &RunLimits,
    width: usize,
) -> Result<String, Failure> {
    let mut drawn = Grid {
        columns: vec![
            GridColumn::number("#"),
            GridColumn::text("configuration"),
            GridColumn::text("protocol"),
            GridColumn::number("about [s]"),
        ],
        rows: Vec::new(),
    };
    let (mut sum, mut likely, mut unknown) = (0.0, true, 0);
    for (at, point) in plan.points.iter().enumerate() {
        let estimate = Estimate::of(point, multiply_adds(point, kb)?, probe, limits);
        let about = match estimate {
            Estimate::Likely(seconds) => {
                sum += seconds;
                format!("{seconds:.0}")
            }
            Estimate::AtMost(seconds) => {
                sum += seconds;
                likely = false;
                format!("<{seconds:.0}")
            }
            Estimate::Unknown => {
                unknown += 1;
                "?".to_owned()
            }
        };
        let method = point.method.name.map_or_else(String::new, |name| name.to_string());
        drawn.push(vec![(at + 1).to_string(), point.title(), method, about]);
    }
    let mut text = Table::from(&drawn.without_empty_columns()).text(width);
    text.push_str(&counted(plan.points.len(), "configuration", "configurations"));
    if unknown < plan.points.len() {
        text.push_str(&format!(", {} {}", if likely { "about" } else { "at most about" }, minutes(sum)));
        if limits.spread_s > sum && plan.points.iter().any(|point| point.method.processes(limits) > 1) {
            text.push_str(&format!(", spread over {}", minutes(limits.spread_s)));
        }
    }
    if unknown > 0 {
        text.push_str(", and what a ? takes, which ends with its work and not by a limit of time");
    }
    if let Some(probe) = probe {
        text.push_str(&format!("; the machine multiplies matrices at {:.0} GFLOP/s", probe.gflops));
    }
    text.push('\n');
    for chosen in &plan.chosen {
        text.push_str(&format!("note: {chosen}\n"));
    }
    Ok(text)
}

fn minutes(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn of_named_suite(args: &RunArgs, name: &str, kb: &KnowledgeBase) -> Result<Plan, Failure> {
    let suites = kb.suites()?;
    let Some(id) = suites.iter().find(|id| id.as_str() == name) else {
        let names: Vec<&str> = suites.iter().map(EntityId::as_str).collect();
        return Err(Failure::usage(
            format!("there is no suite `{name}`"),
            match nearest(name, names.iter().copied(), 1).first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the suites are {}", or_list(&names)),
            },
        ));
    };
    let suite = kb.suite(id)?;
    let method = method(args.protocol.or(suite.protocol));
    let failed = RefCell::new(None);
    let data = |dataset: &EntityId| {
        let path = args.data.clone().map_or_else(|| folder_of(dataset, kb.root()), Ok);
        let path = path.unwrap_or_else(|failure| {
            failed.replace(Some(failure));
            Default::default()
        });
        InputData::Folder { path, dataset: Some(dataset.clone()), timed: true }
    };
    let mut points: Vec<PlanPoint> =
        args.device.iter().flat_map(|device| of_suite(&suite, method, device, data)).collect();
    if let Some(failure) = failed.into_inner() {
        return Err(failure);
    }
    // Options given with a suite narrow or replace its settings.
    let replaced = |points: Vec<PlanPoint>, change: &dyn Fn(&PlanPoint) -> Vec<PlanPoint>| -> Vec<PlanPoint> {
        let mut changed: Vec<PlanPoint> = Vec::new();
        for point in points.iter().flat_map(change) {
            if !changed.contains(&point) {
                changed.push(point);
            }
        }
        changed
    };
    if !args.stage.is_empty() {
        points = replaced(points, &|p| args.stage.iter().map(|&stage| PlanPoint { stage, ..p.clone() }).collect());
    }
    if !args.precision.is_empty() {
        points = replaced(points, &|p| {
            args.precision.iter().map(|&precision| PlanPoint { precision, ..p.clone() }).collect()
        });
    }
    if let Some(sizes) = &args.batch_size {
        points = replaced(points, &|p| sizes.0.iter().map(|&batch| PlanPoint { batch, ..p.clone() }).collect());
    }
    if !args.threads.is_empty() {
        points =
            replaced(points, &|p| args.threads.iter().map(|&n| PlanPoint { threads: Some(n), ..p.clone() }).collect());
    }
    if !args.allocator.is_empty() {
        points = replaced(points, &|p| {
            args.allocator.iter().map(|&allocator| PlanPoint { allocator, ..p.clone() }).collect()
        });
    }
    points.iter_mut().for_each(|point| point.timing = args.timing);
    if args.channels_last {
        points.iter_mut().for_each(|point| point.channels_last = true);
    }
    check(&points)?;
    Ok(Plan {
        time_limit_s: suite.time_limit_s,
        goal: suite.precision_goal,
        processes: suite.processes,
        workers: suite.workers,
        ..Plan::of_points(id.as_str(), points)
    })
}

fn of_options(args: &RunArgs, kb: &KnowledgeBase) -> Result<Plan, Failure> {
    let subjects: Vec<MeasuredModel> = match &args.module {
        Some(path) => vec![MeasuredModel::module(path).map_err(|error| Failure::Usage {
            message: format!("cannot read {}: {error}", path.display()),
            help: None,
        })?],
        None => args.networks.iter().map(|name| network(name, kb)).collect::<Result<_, _>>()?,
    };
    if subjects.is_empty() {
        let suites = kb.suites()?;
        let names: Vec<&str> = suites.iter().map(EntityId::as_str).collect();
        return Err(Failure::usage(
            "what to measure is missing",
            format!("name networks (dlbench run resnet-50), or --suite {}", or_list(&names)),
        ));
    }
    let method = method(args.protocol);
    let stages = if args.stage.is_empty() { vec![default_stage(method)] } else { args.stage.clone() };
    let precisions = if args.precision.is_empty() { vec![Precision::Fp32] } else { args.precision.clone() };
    let batches = args.batch_size.as_ref().map_or_else(|| vec![Some(16)], |sizes| sizes.0.clone());
    let threads: Vec<Option<u32>> =
        if args.threads.is_empty() { vec![None] } else { args.threads.iter().copied().map(Some).collect() };
    let allocators = if args.allocator.is_empty() { vec![Allocator::System] } else { args.allocator.clone() };
    let data = match &args.data {
        None => InputData::Synthetic,
        Some(path) => InputData::Folder {
            path: path.clone(),
            dataset: path.join("train-images-idx3-ubyte").is_file().then(|| "mnist".parse().ok()).flatten(),
            timed: args.timed_loading || method.total,
        },
    };
    let mut points = Vec::new();
    for device in &args.device {
        for subject in &subjects {
            for &stage in &stages {
                for &precision in &precisions {
                    for &batch in &batches {
                        for (&threads, &allocator) in
                            threads.iter().flat_map(|n| allocators.iter().map(move |a| (n, a)))
                        {
                            points.push(PlanPoint {
                                device: device.clone(),
                                subject: subject.clone(),
                                stage,
                                precision,
                                batch,
                                shape: args.input.clone(),
                                channels_last: args.channels_last,
                                threads,
                                allocator,
                                timing: args.timing,
                                data: data.clone(),
                                method,
                                worker: None,
                                files: None,
                            });
                        }
                    }
                }
            }
        }
    }
    check(&points)?;
    let name = subjects.iter().map(MeasuredModel::name).collect::<Vec<_>>().join("+").replace('.', "-");
    Ok(Plan::of_points(name, points))
}

fn default_stage(method: &TimingMethod) -> Stage {
    if method.total { Stage::Train } else { Stage::Eval }
}

fn check(points: &[PlanPoint]) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") && points.iter().any(|point| point.allocator == Allocator::Kept) {
        let message = "only the GNU C library of Linux can be configured to keep its memory".to_owned();
        return Err(Failure::Usage { message, help: None });
    }
    match points.iter().find_map(PlanPoint::objection) {
        Some(message) => Err(Failure::Usage { message, help: None }),
        None => Ok(()),
    }
}

fn method(name: Option<Protocol>) -> &'static TimingMethod {
    name.map_or(&OWN_METHOD, TimingMethod::named)
}

/// The network with this name or spelling.
fn network(name: &str, kb: &KnowledgeBase) -> Result<MeasuredModel, Failure> {
    let exact = name.parse::<EntityId>().ok();
    if let Some(id) = exact
        && kb.entity::<Network>(id.as_str())?.is_some()
    {
        return Ok(MeasuredModel::Network(id));
    }
    let resolved = kb.resolve(Facet::Network, name)?;
    match resolved.entity() {
        Some(id) => match id.parse() {
            Ok(id) => Ok(MeasuredModel::Network(id)),
            Err(_) => Err(Failure::Usage { message: format!("`{id}` is not an id"), help: None }),
        },
        None => Err(Failure::usage(
            format!("`{name}` is not a network of the catalog"),
            match resolved.ids.is_empty() {
                true => format!("{}; `dlbench list networks` shows all", resolved.why),
                false => format!("did you mean {}?", or_list(&resolved.ids)),
            },
        )),
    }
}

/// The measurement to repeat, with its configuration on a device of this machine.
fn reproduction(
    args: &RunArgs,
    id: &str,
    kb: &KnowledgeBase,
) -> Result<(PlanPoint, Vec<String>, Measurement), Failure> {
    let mut found = kb.measurements_by_prefix(id, 6)?;
    if found.len() != 1 {
        let near: Vec<&str> = found.iter().map(|row| row.id()).collect();
        return Err(Failure::usage(
            format!("`{id}` is the id of {} measurements", if near.is_empty() { "no" } else { "several" }),
            match near.is_empty() {
                true => "dlbench query … -f csv prints the ids of measurements".to_owned(),
                false => format!("the first are {}", near.join(", ")),
            },
        ));
    }
    let known = found.remove(0);
    let (missing, default) = (RefCell::new(None), PathBuf::new());
    let data = |dataset: &EntityId| {
        let path = args.data.clone().map_or_else(|| folder_of(dataset, kb.root()), Ok).unwrap_or_else(|failure| {
            missing.replace(Some(failure));
            default.clone()
        });
        InputData::Folder { path, dataset: Some(dataset.clone()), timed: true }
    };
    let (point, chosen) = reproduced(&known, &args.device[0], data)?;
    match missing.into_inner() {
        Some(failure) => Err(failure),
        None => Ok((point, chosen, known)),
    }
}

/// The folder of a data set: `make mnist` puts MNIST into the repository.
pub(super) fn folder_of(dataset: &EntityId, root: &Path) -> Result<PathBuf, Failure> {
    if dataset.as_str() == "mnist" {
        let folder = std::env::var_os("DLBENCH_MNIST").map_or_else(|| root.join(".mnist"), PathBuf::from);
        if folder.join("train-images-idx3-ubyte").is_file() {
            return Ok(folder);
        }
        return Err(Failure::usage(
            format!("MNIST is not in {}", folder.display()),
            "`make mnist` fetches it; --data DIR or DLBENCH_MNIST names another folder",
        ));
    }
    Err(Failure::usage(format!("the folder of {dataset} is missing"), "name its folder with --data DIR"))
}

//! `dlbench run`: measures on this machine, or on the nodes of a cluster.

mod args;
pub(super) mod frameworks;
mod plan;
mod results;
mod slurm;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use super::screen::today;
use super::worker_kit::{launch_of, worker_failure};
pub(super) use args::RunArgs;
use dlbench::measure::{FinishedRun, PlanPoint, Probe, RunLimits, RunWorker, RunWorkers, Session, Worker};
use dlbench::values::EntityId;
use dlbench::values::text::counted;
use dlbench::{KnowledgeBase, default_cache};
use dlbench_protocol::Hello;
use frameworks::{Frameworks, LIBTORCH};
use frameworks::{for_each_worker, to_workers};
use plan::Plan;
use results::Progress;
use slurm::{SlurmJob, Target};

pub(super) fn run(args: &RunArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    // Without `--output`, the rows are written into the knowledge base.
    let kb = match args.output.is_some() || args.dry_run {
        true => global.open(screen)?,
        false => global.open_files(screen)?,
    };
    // With `--wanted`, the plan depends on the worker; mistakes in any other plan are reported before a worker is started.
    let asked = args.wanted.is_none().then(|| plan::of(args, &kb)).transpose()?;
    let limits = limits(args, asked.as_ref())?;
    let stop = stop_on_signals()?;
    let job = SlurmJob::here()?;
    let frameworks = match asked.as_ref().map(|plan| frameworks_of(args, plan)).filter(|names| !names.is_empty()) {
        Some(names) => Some(DeclaredFrameworks::of(names, &kb, &limits, &stop)?),
        None => None,
    };
    let asked = match (asked, &frameworks) {
        (Some(plan), Some(frameworks)) => Some(for_each_worker(plan, &frameworks.declared)?),
        (asked, _) => asked,
    };
    let asked = match (asked, &job) {
        (Some(plan), Some(job)) => Some(job.part_of(plan)?),
        (asked, _) => asked,
    };
    let date = today().map_or_else(String::new, |date| date.to_string());
    let folder = args.output.clone().unwrap_or_else(|| kb.root().join("measurements").join(args.source.as_str()));
    let drafts = match &args.output {
        Some(output) => output.join("devices"),
        None => kb.root().join("catalog/devices"),
    };
    if let (Some(plan), Some(_), None) = (&asked, &args.slurm.slurm, &job) {
        // The jobs themselves find out about their nodes.
        screen.tell(plan::shown(plan, &kb, None, &limits, screen.width())?.trim_end());
        let (name, source) = (plan.name.as_str(), &args.source);
        let target = Target { name, source, folder: &folder, drafts: &drafts, date: &date };
        return slurm::run(args, plan, &target, &limits, &kb, (screen, &stop));
    }
    let prepared = match (asked, frameworks) {
        (Some(plan), Some(frameworks)) => with_frameworks(args, (plan, frameworks), &kb, &limits, screen, &stop)?,
        (asked, _) => with_one_worker(args, asked, &kb, &limits, screen, &stop)?,
    };
    let Some((plan, workers)) = prepared else { return Ok(Outcome::Done) };
    let (folder, drafts) = match &job {
        Some(job) => (job.rows(), job.drafts()),
        None => (folder, drafts),
    };
    let session = Session {
        workers: &workers,
        name: &plan.name,
        points: &plan.points,
        limits: &limits,
        source: &args.source,
        folder: &folder,
        drafts: &drafts,
        date: &date,
        cache: &default_cache(),
        fresh: args.fresh,
        seed: args.seed,
        device_id: args.device_id.as_ref().map(EntityId::as_str),
    };
    if let Some(job) = &job {
        kb.write_rows_if_lost(&session, &job.if_lost())?;
    }
    let mut progress = Progress::new(screen);
    let finished = kb.run(&session, &mut progress, &stop);
    progress.end();
    let finished = finished?;
    job.as_ref().map(|job| job.end(&finished)).transpose()?;
    let known = plan.known.as_ref();
    screen.print(&results::table(&finished, &plan.points, &kb, known, screen.width())?)?;
    screen.print(&results::shown(&finished.compared, screen.width()))?;
    tell_end(&finished, &plan.points, screen);
    if finished.interrupted {
        return Err(Failure::usage(
            format!("stopped before the end; {} holds what was measured", finished.path.display()),
            "the same command measures the rest",
        ));
    }
    if let Some((title, why)) = finished.refused.first() {
        let number = counted(finished.refused.len(), "configuration was", "configurations were");
        return Err(Failure::usage(
            format!("{number} not measured, because the worker does other work than was asked for"),
            format!("the first is {title}: {why}"),
        ));
    }
    // Results completed by an earlier run count as done.
    let any = !finished.rows.is_empty() || finished.before > 0;
    Ok(if any { Outcome::Done } else { Outcome::NothingFound })
}

/// The plan, and the given worker or the one built with this program; `None` when only the plan was requested.
fn with_one_worker(
    args: &RunArgs,
    asked: Option<Plan>,
    kb: &KnowledgeBase,
    limits: &RunLimits,
    screen: &Screen,
    stop: &Arc<AtomicBool>,
) -> Result<Option<(Plan, RunWorkers)>, Failure> {
    let launch = launch_of(args.worker.as_deref())?;
    let hello = Worker::greeting(&launch, limits.patience(), stop).map_err(worker_failure)?;
    let probe_on = |device: &str| Probe::run(&launch, device, limits.answer_s, stop).map_err(worker_failure);
    let (plan, probe) = match asked {
        Some(plan) => {
            let plan = to_workers(plan, &|_| &hello, kb)?;
            let probe = probe_on(&plan.points[0].device)?;
            (plan, probe)
        }
        None => plan::of_wanted(args, &kb.machine(&hello, &default_cache())?, limits, &probe_on, kb)?,
    };
    screen.tell(plan::shown(&plan, kb, probe, limits, screen.width())?.trim_end());
    let workers = RunWorkers::new(RunWorker { name: None, launch, hello }, Vec::new());
    Ok((!args.dry_run).then_some((plan, workers)))
}

/// The workers given by the user, else those of the suite, unless the user gave a worker command.
fn frameworks_of<'p>(args: &'p RunArgs, plan: &'p Plan) -> &'p [String] {
    match (&args.worker, args.framework.is_empty()) {
        (None, true) => &plan.workers,
        _ => &args.framework,
    }
}

/// The requested frameworks, and the self-descriptions of their workers, declared ones until their packages are installed.
struct DeclaredFrameworks {
    frameworks: Frameworks,
    declared: Vec<(String, Hello)>,
}

impl DeclaredFrameworks {
    fn of(names: &[String], kb: &KnowledgeBase, limits: &RunLimits, stop: &Arc<AtomicBool>) -> Result<Self, Failure> {
        let frameworks = Frameworks::named(names, kb)?;
        let declared = frameworks.declared(limits, stop)?;
        Ok(Self { frameworks, declared })
    }
}

/// The plan of the requested frameworks, and their workers, which get identical networks; `None` when only the plan was
/// requested. Mistakes are reported before anything is downloaded.
fn with_frameworks(
    args: &RunArgs,
    (asked, DeclaredFrameworks { frameworks, declared }): (Plan, DeclaredFrameworks),
    kb: &KnowledgeBase,
    limits: &RunLimits,
    screen: &Screen,
    stop: &Arc<AtomicBool>,
) -> Result<Option<(Plan, RunWorkers)>, Failure> {
    let none = Hello::default();
    let of = |point: &PlanPoint| {
        let named = declared.iter().find(|(name, _)| Some(name) == point.worker.as_ref());
        named.map_or(&none, |(_, hello)| hello)
    };
    let mut plan = to_workers(asked, &of, kb)?;
    if frameworks.names().all(|name| name == LIBTORCH) {
        plan.chosen
            .push(format!("{LIBTORCH} alone draws its own weights: its outputs are compared beside another worker"));
    }
    screen.tell(plan::shown(&plan, kb, None, limits, screen.width())?.trim_end());
    if args.dry_run {
        return Ok(None);
    }
    let workers = frameworks.ready(screen, limits, stop)?;
    let mut plan = to_workers(plan, &|point| &workers.of(point).hello, kb)?;
    frameworks.hand_over(&mut plan.points, &workers, kb, screen, (limits, stop))?;
    Ok(Some((plan, workers)))
}

fn limits(args: &RunArgs, plan: Option<&plan::Plan>) -> Result<RunLimits, Failure> {
    let default = RunLimits::default();
    let limits = RunLimits {
        goal: args.goal.map(|percent| percent / 100.0).or(plan.and_then(|plan| plan.goal)).unwrap_or(default.goal),
        least: args.least.unwrap_or(default.least),
        time_s: args.time_limit.or(plan.and_then(|plan| plan.time_limit_s)).unwrap_or(default.time_s),
        answer_s: args.patience.unwrap_or(default.answer_s),
        wait_s: args.wait.unwrap_or(default.wait_s),
        spread_s: if args.quick { 0.0 } else { args.spread.unwrap_or(default.spread_s) },
        processes: args.processes.or(plan.and_then(|plan| plan.processes)),
        energy_s: args.energy,
    };
    let right = |value: f64| value.is_finite() && value > 0.0;
    if !(right(limits.goal) && right(limits.time_s) && right(limits.answer_s) && limits.least > 0) {
        let message = "--goal, --least, --time-limit and --patience are above 0".to_owned();
        return Err(Failure::Usage { message, help: None });
    }
    if limits.energy_s.is_some_and(|seconds| !right(seconds)) {
        return Err(Failure::Usage { message: "--energy is above 0 seconds".to_owned(), help: None });
    }
    if limits.processes == Some(0) {
        return Err(Failure::Usage { message: "--processes is above 0".to_owned(), help: None });
    }
    for (option, seconds) in [("--wait", limits.wait_s), ("--spread", limits.spread_s)] {
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(Failure::Usage { message: format!("{option} is 0 or more seconds"), help: None });
        }
    }
    Ok(limits)
}

/// Stops the run cleanly on Ctrl-C and similar signals; a second one exits the program.
fn stop_on_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let handler = move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Usage { message: format!("cannot listen for Ctrl-C: {error}"), help: None })?;
    Ok(stop)
}

fn tell_end(finished: &FinishedRun, points: &[PlanPoint], screen: &Screen) {
    let total = points.len();
    let here = finished.rows.len();
    if here == 0 && finished.before == total {
        screen.tell(&format!(
            "{} {} in {} already; --fresh measures again",
            counted(total, "configuration", "configurations"),
            if total == 1 { "is" } else { "are" },
            finished.path.display()
        ));
    } else if here > 0 {
        screen.tell(&format!("{} in {}", counted(here, "new row is", "new rows are"), finished.path.display()));
    }
}

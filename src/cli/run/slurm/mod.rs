//! `dlbench run --slurm`: runs a plan as cluster jobs. Each job runs the same command for its own configurations, in
//! its own folder; this process only submits, watches and gathers results, so nothing is lost if it is killed.

mod queue;
mod script;
mod spool;
mod watch;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub(super) use script::SlurmJob;
pub(super) use script::Target;

use super::args::RunArgs;
use super::plan::Plan;
use super::results;
use crate::cli::failure::Failure;
use crate::cli::global::Outcome;
use crate::cli::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::measure::{PlanPoint, RunLimits, SessionError};
use dlbench::reading::write_atomically;
use dlbench::values::text::counted;
use spool::{Spool, SubmittedPlan};
use watch::Watch;

/// Polling interval of the queue: the shortest one, and the longest one that it grows to while nothing happens.
const LOOKS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(15));

/// Submits a plan, or resumes a submitted one, until the rows of all jobs are gathered.
pub(super) fn run(
    args: &RunArgs,
    plan: &Plan,
    target: &Target<'_>,
    limits: &RunLimits,
    kb: &KnowledgeBase,
    (screen, stop): (&Screen, &AtomicBool),
) -> Result<Outcome, Failure> {
    let settings = format!("{limits:?} {} {} {:?} {:?}", args.seed, args.source, args.device_id, args.worker);
    let submitted = SubmittedPlan::of(&plan.points, &settings);
    if args.dry_run {
        screen.print(&script::shown(
            &args.slurm,
            &Spool::shown(target.folder, target.name, &submitted),
            &submitted,
        )?)?;
        return Ok(Outcome::Done);
    }
    let waiting = || screen.tell("another dlbench watches these jobs: waiting for it");
    let spool = Spool::open(target.folder, target.name, &submitted, args.fresh, waiting)?;
    let path = spool.folder().join("job.sh");
    write_atomically(&path, script::script(&args.slurm, &spool)?)?;
    let mut watch = Watch::of(kb, (&spool, &submitted), target, screen, (path, args.fresh));
    let before = watch.gathered();
    let watched = watched(&mut watch, &spool, screen, stop);
    let shown = show(&watch, &plan.points, target, kb, screen);
    let rows = watched.and(shown)?;
    if stop.load(Ordering::Relaxed) && !watch.is_over() {
        let left = counted(watch.all() - watch.gathered(), "job has", "jobs have");
        return Err(Failure::usage(
            format!("stopped before the end: {left} not been taken in"),
            "the jobs go on (scancel ends them), and the same command takes in what they measure",
        ));
    }
    if let Some((job, why)) = watch.failed().iter().next() {
        let number = counted(watch.failed().len(), "job", "jobs");
        return Err(Failure::usage(
            format!("{number} of {} came to nothing; the first is {}: {why}", watch.all(), watch.title(*job)),
            "the same command tries once more what has no row",
        ));
    }
    let files: Vec<String> = watch.files().iter().map(|file| file.display().to_string()).collect();
    let all_before = if before == watch.all() { " already; --fresh measures again" } else { "" };
    screen.tell(&format!("{} in {}{all_before}", counted(rows, "row is", "rows are"), files.join(", ")));
    Ok(if rows > 0 { Outcome::Done } else { Outcome::NothingFound })
}

/// Polls the jobs until none is left to wait for, or the user stops it.
fn watched(watch: &mut Watch<'_>, spool: &Spool, screen: &Screen, stop: &AtomicBool) -> Result<(), Failure> {
    let (mut pause, mut told) = (LOOKS.0, String::new());
    while !watch.is_over() && !stop.load(Ordering::Relaxed) {
        match queue::queued(spool, watch.all()) {
            Ok(queued) => {
                let before = watch.gathered();
                watch.look(&queued)?;
                let now = queue::in_words(&queued);
                if now != told || watch.gathered() != before {
                    pause = LOOKS.0;
                }
                if now != told && !watch.is_over() && !queued.is_empty() {
                    screen.tell(&now);
                }
                told = now;
            }
            // Without an answer, the state of the jobs is unknown: the controller may respond again soon.
            Err(failure) if !told.is_empty() => {
                screen.warn(&format!("{failure}; it is asked again"));
            }
            Err(failure) => return Err(failure),
        }
        if watch.is_over() {
            break;
        }
        let since = Instant::now();
        while since.elapsed() < pause && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
        }
        pause = (pause * 3 / 2).min(LOOKS.1);
    }
    Ok(())
}

/// Prints the gathered results of the plan, and returns the number of rows.
fn show(
    watch: &Watch<'_>,
    points: &[PlanPoint],
    target: &Target<'_>,
    kb: &KnowledgeBase,
    screen: &Screen,
) -> Result<usize, Failure> {
    let (finished, points) = target.gathering(None).finished(points, &watch.files()).map_err(SessionError::from)?;
    screen.print(&results::table(&finished, &points, kb, None, screen.width())?)?;
    screen.print(&results::shown(&finished.compared, screen.width()))?;
    Ok(finished.rows.len())
}

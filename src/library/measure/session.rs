//! A run from its first worker to its last row: processes in rounds, which are spread over time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dlbench_protocol::Hello;

use super::attempt::{gpu_of, measure};
use super::caveats::{QuietWait, quieter};
use super::energy::least_window_s;
use super::environment::{Environment, MachineDevice};
use super::gpu::Gpu;
use super::plan::PlanPoint;
use super::process_run::{Attempt, BeginningProcess, ProcessAttempt, RunObserver};
use super::results::{PointState, Results, ResultsError};
use super::rows::RunContext;
use super::run_workers::RunWorkers;
use super::side_by_side::{ComparedWork, side_by_side};
use super::stop_rule::RunLimits;
use super::worker::{WorkerCommand, WorkerError};
use super::{environment, rows};
use crate::model::Measurement;
use crate::reading::{create_folder, write_atomically};
use crate::stores::database::{Database, DatabaseError};
use crate::values::{EntityId, Outcome};

/// Upper limit of the search for the largest batch that fits.
const LARGEST_BATCH: u32 = 1 << 16;

/// A run: its plan, its method and limits, and the destination of its rows.
#[derive(Debug)]
pub struct Session<'r> {
    /// The workers; each point names the one that measures it.
    pub workers: &'r RunWorkers,
    /// The plan's name, which is in the file name and in the labels of the rows.
    pub name: &'r str,
    /// The plan.
    pub points: &'r [PlanPoint],
    /// The limits of each configuration.
    pub limits: &'r RunLimits,
    /// The source of the rows.
    pub source: &'r EntityId,
    /// The folder for the file of rows.
    pub folder: &'r Path,
    /// The folder for drafts of device entries.
    pub drafts: &'r Path,
    /// Today's date.
    pub date: &'r str,
    /// The user's cache folder, which stores the identity of this machine.
    pub cache: &'r Path,
    /// Whether to measure everything again, into a new file.
    pub fresh: bool,
    /// The seed for the random order of processes.
    pub seed: u64,
    /// The catalog id of the device, if the user overrides the detected one.
    pub device_id: Option<&'r str>,
}

/// A configuration that was measured or attempted.
#[derive(Debug)]
pub struct FinishedPoint {
    /// Its index in the plan.
    pub at: usize,
    /// Its row.
    pub row: Measurement,
    /// Half the 95% confidence interval, relative to the value; `None` without an interval.
    pub half_width: Option<f64>,
}

/// The results of a run.
#[derive(Debug)]
pub struct FinishedRun {
    /// The file of rows.
    pub path: PathBuf,
    /// Configurations that were measured or attempted, in the order of the plan.
    pub rows: Vec<FinishedPoint>,
    /// Number of configurations that were complete in the file before the run.
    pub before: usize,
    /// Configurations that were not measured because their worker does other work than requested, each with the difference.
    pub refused: Vec<(String, String)>,
    /// Comparisons of workers that measured the same work, in this run or earlier ones.
    pub compared: Vec<ComparedWork>,
    /// The drafts of device entries that were written.
    pub drafts: Vec<PathBuf>,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

/// Why a run was aborted.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A worker does not work, independently of the configuration.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A row could not be written; the rows written before are intact.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A query of the catalog failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl Session<'_> {
    /// Runs the plan.
    ///
    /// # Errors
    ///
    /// When the worker does not work at all or a row cannot be written. A failure of a configuration is recorded as a row.
    pub fn run(
        &self,
        store: &Database,
        report: &mut dyn RunObserver,
        stop: &AtomicBool,
    ) -> Result<FinishedRun, SessionError> {
        let (devices, environment) = self.devices(store)?;
        let first = self.points.first().map_or("", |point| devices[&point.device].id.as_str());
        let wanted: BTreeSet<String> = self.points.iter().map(PlanPoint::title).collect();
        let place = (self.name, first, self.date);
        let mut results = Results::open(self.folder, self.source, place, &wanted, &environment, self.fresh)?;
        let mut finished = FinishedRun {
            path: results.path().to_owned(),
            rows: Vec::new(),
            before: 0,
            refused: Vec::new(),
            compared: Vec::new(),
            drafts: self.write_drafts(&devices, report)?,
            interrupted: false,
        };
        if self.limits.energy_s.is_some() {
            let has_gpu = |device: &str, hello| gpu_of(device, hello).is_some();
            let unmetered = self.named_devices().into_iter();
            for (device, _) in unmetered.filter(|(device, hello)| least_window_s(has_gpu(device, hello)).is_none()) {
                report
                    .note(&format!("nothing that may be read meters the energy of {device}: the rows are without it"));
            }
        }
        let mut quiet = QuietWait::of(self.limits.wait_s);
        let mut states: Vec<PointState> = Vec::new();
        let mut written: BTreeMap<usize, FinishedPoint> = BTreeMap::new();
        for point in self.points {
            let state = PointState::of(point, results.earlier(&point.title()), self.limits);
            if state.round().is_none() {
                finished.before += 1;
                report.already_complete(&point.title());
            }
            states.push(state);
        }
        let planned = self.points.iter().map(|point| point.method.processes(self.limits)).max();
        let spread = RoundSpread::over(self.limits.spread_s, planned.unwrap_or(0));
        let mut rounds = 0;
        // Configurations with fewer processes than others, because a run was stopped, come first.
        while let Some(round) = states.iter().filter_map(PointState::round).min() {
            spread.wait(rounds, report, stop);
            rounds += 1;
            let due = (0..states.len()).filter(|&at| states[at].round() == Some(round));
            for at in drawn(due.collect(), self.seed, round) {
                let point = &self.points[at];
                let title = point.title();
                let done = states.iter().map(|state| state.processes.len()).sum();
                let total = states.iter().map(PointState::expected).sum();
                report.begins(BeginningProcess {
                    title: &title,
                    number: (round + 1, states[at].expected()),
                    done,
                    total,
                });
                let attempted = match self.undisturbed(point, states[at].batch, &mut quiet, report, stop) {
                    Ok(attempted) => attempted,
                    Err(WorkerError::Interrupted) => {
                        finished.interrupted = true;
                        break;
                    }
                    Err(WorkerError::Refused(why)) => {
                        report.note(&format!("{title} is not measured: {why}"));
                        states[at].refuse();
                        finished.refused.push((title, why));
                        continue;
                    }
                    Err(trouble) => return Err(trouble.into()),
                };
                let state = &mut states[at];
                let attempted = state.add(point, attempted, done + 1, self.limits);
                let found = &devices[&point.device];
                let worker = self.workers.of(point);
                let shared = RunContext { worker, date: self.date, environment: &environment, limits: self.limits };
                let row = rows::row_of(point, &attempted, (&found.id, &found.raw), &shared);
                let row = results.set(&title, row, self.date)?;
                if state.round().is_none() {
                    report.done(&title, &attempted, &row);
                }
                let half_width = match &attempted {
                    Attempt::Measured(measured) => measured.levels.half_width(),
                    Attempt::Failed { .. } => None,
                };
                written.insert(at, FinishedPoint { at, row, half_width });
            }
            if finished.interrupted {
                break;
            }
        }
        finished.rows = written.into_values().collect();
        finished.compared = side_by_side(self.points.iter().zip(states.iter().map(PointState::complete_processes)));
        // If another process wrote to the first file, the results switched to another one.
        finished.path = results.path().to_owned();
        Ok(finished)
    }

    /// Runs one process, waiting for a quiet machine if that helps: a disturbed process is measured once more, and the quieter of
    /// the two results is used.
    fn undisturbed(
        &self,
        point: &PlanPoint,
        batch: Option<u32>,
        quiet: &mut QuietWait,
        report: &mut dyn RunObserver,
        stop: &AtomicBool,
    ) -> Result<ProcessAttempt, WorkerError> {
        quiet.wait(report, stop);
        let first = self.attempt(point, batch, report, stop)?;
        if !quiet.may_wait() {
            return Ok(first);
        }
        quieter(first, |disturbed| {
            report
                .note(&format!("other processes used {disturbed:.0}% of the processors meanwhile: measured once more"));
            quiet.wait(report, stop);
            self.attempt(point, batch, report, stop)
        })
    }

    fn attempt(
        &self,
        point: &PlanPoint,
        batch: Option<u32>,
        report: &mut dyn RunObserver,
        stop: &AtomicBool,
    ) -> Result<ProcessAttempt, WorkerError> {
        let launch = &self.workers.of(point).launch;
        match batch {
            Some(batch) => measure(launch, point, batch, self.limits, report, stop),
            None => self.largest(launch, point, report, stop),
        }
    }

    /// Doubles the batch until it does not fit, then bisects until the gap is at most an eighth of the batch that fits.
    fn largest(
        &self,
        launch: &WorkerCommand,
        point: &PlanPoint,
        report: &mut dyn RunObserver,
        stop: &AtomicBool,
    ) -> Result<ProcessAttempt, WorkerError> {
        let quick = RunLimits { time_s: 1.0, least: 1, goal: 1.0, processes: Some(1), energy_s: None, ..*self.limits };
        let mut fits = 0;
        let mut fails = None;
        let mut failure = None;
        let mut batch = 1;
        loop {
            report.note(&format!("does a batch of {batch} fit?"));
            match measure(launch, point, batch, &quick, report, stop)? {
                ProcessAttempt::Measured(..) => fits = batch,
                ProcessAttempt::Failed { outcome: Outcome::Oom, message, batch } => {
                    fails = Some(batch);
                    failure = Some(ProcessAttempt::Failed { outcome: Outcome::Oom, message, batch });
                }
                other => return Ok(other),
            }
            batch = match fails {
                None if fits >= LARGEST_BATCH => break,
                None => fits * 2,
                Some(fails) if fails - fits <= (fits / 8).max(1) => break,
                Some(fails) => fits + (fails - fits) / 2,
            };
        }
        match (fits, failure) {
            (0, Some(failure)) => Ok(failure),
            _ => measure(launch, point, fits, self.limits, report, stop),
        }
    }

    pub(super) fn devices(
        &self,
        store: &Database,
    ) -> Result<(BTreeMap<String, MachineDevice>, Environment), DatabaseError> {
        let (mut devices, environment) = machine_devices(
            store,
            &self.named_devices(),
            &self.workers.greetings(),
            self.limits,
            self.seed,
            self.cache,
        )?;
        if let Some(id) = self.device_id {
            devices.values_mut().for_each(|found| (found.id, found.draft) = (id.to_owned(), None));
        }
        Ok((devices, environment))
    }

    /// The workers' names of the points' devices, each with the greeting of a worker that has the device.
    fn named_devices(&self) -> BTreeMap<&str, &Hello> {
        self.points.iter().map(|point| (point.device.as_str(), &self.workers.of(point).hello)).collect()
    }

    fn write_drafts(
        &self,
        devices: &BTreeMap<String, MachineDevice>,
        report: &mut dyn RunObserver,
    ) -> Result<Vec<PathBuf>, SessionError> {
        let mut written = Vec::new();
        for found in devices.values() {
            let Some(text) = &found.draft else { continue };
            let path = self.drafts.join(format!("{}.toml", found.id));
            if path.symlink_metadata().is_err() && !written.contains(&path) {
                create_folder(self.drafts).and_then(|()| write_atomically(&path, text)).map_err(ResultsError::from)?;
                report.note(&format!(
                    "the catalog has no `{}`: a draft of its entry is in {}",
                    found.raw,
                    path.display()
                ));
                written.push(path);
            }
        }
        Ok(written)
    }
}

/// The catalog entries of devices by the workers' names for them, and the environment of the machine.
fn machine_devices(
    store: &Database,
    names: &BTreeMap<&str, &Hello>,
    workers: &[(Option<&str>, &Hello)],
    limits: &RunLimits,
    seed: u64,
    cache: &Path,
) -> Result<(BTreeMap<String, MachineDevice>, Environment), DatabaseError> {
    let gpus: BTreeMap<&str, Gpu> =
        names.iter().filter_map(|(&name, hello)| Some((name, gpu_of(name, hello)?))).collect();
    let list: Vec<Gpu> = gpus.values().cloned().collect();
    let environment = Environment::record(workers, &list, limits, seed, cache);
    let mut devices = BTreeMap::new();
    for name in names.keys() {
        devices.insert((*name).to_owned(), environment::find(store, name, gpus.get(name), &environment)?);
    }
    Ok((devices, environment))
}

/// The ids of all devices of a worker, by its names for them: their catalog ids, or the ids of the entries that a run would
/// draft.
///
/// # Errors
///
/// When the database fails.
pub fn device_ids(store: &Database, hello: &Hello, cache: &Path) -> Result<BTreeMap<String, String>, DatabaseError> {
    let names = hello.devices.iter().map(|device| (device.id.as_str(), hello)).collect();
    let (devices, _) = machine_devices(store, &names, &[(None, hello)], &RunLimits::default(), 0, cache)?;
    Ok(devices.into_iter().map(|(name, device)| (name, device.id)).collect())
}

/// Shuffles the items for a round, depending only on the seed and the round.
pub(super) fn drawn<T>(mut items: Vec<T>, seed: u64, round: usize) -> Vec<T> {
    let mut random = SplitMix(seed ^ SplitMix(round as u64).next());
    // Fisher-Yates; for so few items the modulo bias is below 1 in 10^15.
    for last in (1..items.len()).rev() {
        items.swap(last, (random.next() % (last as u64 + 1)) as usize);
    }
    items
}

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014): portable.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// How often the wait checks for a stop by the user.
const LOOK: Duration = Duration::from_millis(200);

/// The earliest start times of the rounds of a run.
#[derive(Debug)]
pub(super) struct RoundSpread {
    began: Instant,
    whole: Duration,
    rounds: u32,
}

impl RoundSpread {
    /// Spreads this many rounds evenly over this time, which begins now.
    pub fn over(seconds: f64, rounds: usize) -> Self {
        Self {
            began: Instant::now(),
            whole: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
        }
    }

    /// The start of a round (counted from 0), relative to the start of the run; rounds beyond the planned ones follow at the same
    /// distance.
    fn begin(&self, round: usize) -> Duration {
        let gaps = f64::from(self.rounds.saturating_sub(1).max(1));
        if self.rounds < 2 { Duration::ZERO } else { self.whole.mul_f64(round as f64 / gaps) }
    }

    /// Waits until the round may start or the user stops the run.
    pub fn wait(&self, round: usize, observer: &mut dyn RunObserver, stop: &AtomicBool) {
        let left = || self.begin(round).saturating_sub(self.began.elapsed());
        if left() >= Duration::from_secs(1) {
            let seconds = left().as_secs_f64();
            observer.note(&format!("the next round of processes begins in {seconds:.0} s (`--quick` does not wait)"));
        }
        while !left().is_zero() && !stop.load(Ordering::Relaxed) {
            thread::sleep(left().min(LOOK));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_all_in_an_order_of_its_own_and_a_seed_draws_the_same() {
        let rounds: Vec<Vec<u32>> = (0..6).map(|round| drawn((0..10).collect(), 1, round)).collect();
        for (at, round) in rounds.iter().enumerate() {
            let mut sorted = round.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
            assert!(!rounds[..at].contains(round), "{rounds:?}");
        }
        assert_eq!(drawn((0..10).collect::<Vec<u32>>(), 1, 3), rounds[3]);
        assert_ne!(drawn((0..10).collect::<Vec<u32>>(), 2, 3), rounds[3]);
    }

    #[test]
    fn everybody_is_first_equally_often() {
        let mut first = [0; 4];
        for round in 0..4000 {
            first[drawn(vec![0, 1, 2, 3], 7, round)[0]] += 1;
        }
        assert!(first.iter().all(|count| (880..1120).contains(count)), "{first:?}");
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers of the authors' generator from the seed 1234567.
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn rounds_lie_evenly_within_the_time_and_more_of_them_follow_at_the_same_distance() {
        let begins = |seconds, rounds| {
            let spread = RoundSpread::over(seconds, rounds);
            [0, 1, 4, 9].map(|round| spread.begin(round).as_secs_f64())
        };
        assert_eq!(begins(600.0, 5), [0.0, 150.0, 600.0, 1350.0]);
        assert_eq!(begins(600.0, 1), [0.0; 4], "one process cannot be spread");
        assert_eq!(begins(0.0, 5), [0.0; 4]);
        assert_eq!(begins(600.0, 0), [0.0; 4]);
    }
}

//! Watching the jobs: gathers the results of each job as it ends, and resubmits lost ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::queue::{self, QueuedJob};
use super::script::JobEnd;
use super::script::Target;
use super::script::{self, ARRAY};
use super::spool::{GatheredJob, Spool, State, Submission, SubmittedPlan};
use crate::cli::failure::Failure;
use crate::cli::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::measure::{JobFolder, LostJob, SessionError};
use dlbench::values::Outcome;
use dlbench::values::text::counted;

/// A job that ended this often without progress is not resubmitted.
const MOST_TRIES: usize = 3;

/// Number of consecutive polls after which a missing job counts as gone: its files may appear late on a network file system.
const GONE_AFTER: u32 = 2;

/// Exit statuses from this one on mean that a signal ended the program (man bash, "EXIT STATUS").
const BY_SIGNAL: i32 = 128;

/// The jobs of a plan while they are watched.
pub(super) struct Watch<'w> {
    kb: &'w KnowledgeBase,
    spool: &'w Spool,
    plan: &'w SubmittedPlan,
    target: &'w Target<'w>,
    screen: &'w Screen,
    /// The path of the jobs' script.
    script: PathBuf,
    /// Whether everything is measured again, into separate files.
    is_fresh: bool,
    state: State,
    /// The jobs that were active while this process watched, and those that it submitted.
    own: BTreeSet<usize>,
    /// Number of consecutive polls in which a job was neither in the queue nor ended.
    missed: BTreeMap<usize, u32>,
    /// Jobs that this process does not resubmit, with the reason.
    failed: BTreeMap<usize, String>,
}

/// The action for a job that is gone.
enum Verdict {
    SubmitAgain,
    /// Record it as lost.
    Lost(Outcome),
    /// A retry is pointless until a person has looked at it.
    Failed(String),
}

impl<'w> Watch<'w> {
    /// Resumes the jobs of a plan where an earlier process left them.
    pub fn of(
        kb: &'w KnowledgeBase,
        (spool, plan): (&'w Spool, &'w SubmittedPlan),
        target: &'w Target<'w>,
        screen: &'w Screen,
        (script, is_fresh): (PathBuf, bool),
    ) -> Self {
        let (state, own, missed, failed) = (spool.state(), BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        Self { kb, spool, plan, target, screen, script, is_fresh, state, own, missed, failed }
    }

    /// Number of jobs.
    pub fn all(&self) -> usize {
        self.plan.jobs.len()
    }

    /// Number of jobs whose rows were gathered.
    pub fn gathered(&self) -> usize {
        (0..self.all()).filter(|job| self.state.files_of(*job).is_some()).count()
    }

    /// Whether no job is left to wait for.
    pub fn is_over(&self) -> bool {
        let is_done = |job: usize| self.failed.contains_key(&job) || self.state.files_of(job).is_some();
        (0..self.all()).all(is_done)
    }

    /// Jobs that are not resubmitted, with the reason.
    pub fn failed(&self) -> &BTreeMap<usize, String> {
        &self.failed
    }

    /// The files that contain the rows so far.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = Vec::new();
        for file in (0..self.all()).filter_map(|job| self.state.files_of(job)).flatten() {
            if !files.contains(file) {
                files.push(file.clone());
            }
        }
        files
    }

    /// Processes the state of all jobs once; `queued` is their state in the queue.
    ///
    /// # Errors
    ///
    /// When a job's results cannot be gathered, or jobs cannot be submitted while none is active.
    pub fn look(&mut self, queued: &BTreeMap<usize, QueuedJob>) -> Result<(), Failure> {
        let mut due: Vec<usize> = Vec::new();
        for job in 0..self.all() {
            if self.failed.contains_key(&job) || self.state.files_of(job).is_some() {
                continue;
            }
            // A job may end after the queue was polled, but not before it begins, so its folder is read second.
            let end = JobEnd::read(&self.spool.job(job));
            let lives = queued.get(&job).is_some_and(|queued| !queued.has_ended());
            if let Some(end) = end.as_ref().filter(|end| !end.interrupted) {
                let refused = end.refused.first();
                let files = self.take(job, None)?;
                match refused {
                    None => self.mark(job, files, String::new())?,
                    // A new submission of the plan may use a repaired worker.
                    Some(_) if !self.own.contains(&job) && !lives => due.push(job),
                    Some(refused) => {
                        let why = format!("{} was not measured: {}", refused.configuration, refused.why);
                        self.screen.tell(&why);
                        self.failed.insert(job, why);
                    }
                }
                continue;
            }
            if lives {
                self.own.insert(job);
                self.missed.remove(&job);
                continue;
            }
            if !self.state.was_submitted(job) && !queued.contains_key(&job) {
                due.push(job);
                continue;
            }
            let missed = self.missed.entry(job).or_default();
            *missed += 1;
            if *missed < GONE_AFTER {
                continue;
            }
            self.missed.remove(&job);
            match self.verdict(job, queued.get(&job))? {
                Verdict::SubmitAgain => due.push(job),
                Verdict::Lost(outcome) => self.lose(job, outcome, queued.get(&job))?,
                Verdict::Failed(why) => {
                    self.screen.tell(&format!("{}: {why}", self.title(job)));
                    self.failed.insert(job, why);
                }
            }
        }
        self.submit(&due, queued)
    }

    /// Decides what to do about a job that is gone without having ended.
    fn verdict(&self, job: usize, queued: Option<&QueuedJob>) -> Result<Verdict, Failure> {
        let state = self.last_state(job, queued);
        let tries = self.state.tries(job, JobFolder::read(&self.spool.job(job))?.processes());
        let is_own = self.own.contains(&job);
        let interrupted = JobEnd::read(&self.spool.job(job)).is_some();
        Ok(match (state.as_deref(), self.spool.exit_status(job)) {
            // A job cancelled by the user is not resubmitted, unless the plan is submitted again.
            (Some("CANCELLED"), _) if is_own => Verdict::Failed("somebody cancelled its job".to_owned()),
            (Some("CANCELLED"), _) => Verdict::SubmitAgain,
            (Some("OUT_OF_MEMORY"), _) => Verdict::Lost(Outcome::Oom),
            (Some("TIMEOUT" | "DEADLINE"), _) if tries > 0 => Verdict::Lost(Outcome::Timeout),
            (_, Some(status)) if status < BY_SIGNAL && !interrupted => match is_own {
                true => Verdict::Failed(self.last_words(job, status)),
                false => Verdict::SubmitAgain,
            },
            _ if tries >= MOST_TRIES && interrupted => Verdict::Lost(Outcome::Timeout),
            _ if tries >= MOST_TRIES => Verdict::Lost(Outcome::Crashed),
            _ => Verdict::SubmitAgain,
        })
    }

    /// Slurm's final state of a job: from the queue, else from the accounting.
    fn last_state(&self, job: usize, queued: Option<&QueuedJob>) -> Option<String> {
        let of_queue = queued.filter(|queued| queued.has_ended()).map(|queued| queued.state.clone());
        of_queue.or_else(|| {
            let last = self.state.submissions.iter().rev().find(|submission| submission.jobs.contains(&job))?;
            queue::accounted(&format!("{}_{}", last.array, job % ARRAY))
        })
    }

    fn last_words(&self, job: usize, status: i32) -> String {
        match self.spool.last_words(job) {
            Some((words, log)) => format!("its job ended with status {status}: {words} ({})", log.display()),
            None => format!("its job ended with status {status}"),
        }
    }

    /// Gathers the results of a job; returns the files of its rows.
    fn take(&self, job: usize, lost: Option<&LostJob>) -> Result<Vec<PathBuf>, Failure> {
        let folder = JobFolder::read(&self.spool.job(job))?;
        let own = (self.is_fresh || self.spool.number > 1).then(|| self.files());
        let gathered = self.kb.gather(&self.target.gathering(own.as_deref()), &folder, lost);
        let files = gathered.map_err(SessionError::from)?;
        if folder.duplicates() > 0 {
            let number = counted(folder.duplicates(), "configuration", "configurations");
            self.screen.tell(&format!("{number} of {} came twice: the second is left in the spool", self.title(job)));
        }
        Ok(files)
    }

    /// Records that the rows of a job were gathered.
    fn mark(&mut self, job: usize, files: Vec<PathBuf>, outcome: String) -> Result<(), Failure> {
        self.state.gathered.retain(|gathered| gathered.job != job);
        self.state.gathered.push(GatheredJob { job, files });
        self.spool.save_state(&self.state)?;
        self.screen.tell(&format!("{} of {}: {}{outcome}", self.gathered(), self.all(), self.title(job)));
        Ok(())
    }

    /// Records that a job gave no result.
    fn lose(&mut self, job: usize, outcome: Outcome, queued: Option<&QueuedJob>) -> Result<(), Failure> {
        let state = self.last_state(job, queued).unwrap_or_else(|| "gone".to_owned());
        let tries = counted(self.state.tries(job, JobFolder::read(&self.spool.job(job))?.processes()), "try", "tries");
        let message = format!("its Slurm job ended {state} after {tries} without a result");
        if JobFolder::read(&self.spool.job(job))?.if_lost().next().is_none() {
            // The job failed before it recorded its device.
            let words = self
                .spool
                .last_words(job)
                .map_or_else(String::new, |(words, log)| format!(": {words} ({})", log.display()));
            let why = format!("{message}, and before it knew its device{words}");
            self.screen.tell(&format!("{}: {why}", self.title(job)));
            self.failed.insert(job, why);
            return Ok(());
        }
        let told = format!(": {outcome} ({message})");
        let files = self.take(job, Some(&LostJob { outcome, message }))?;
        self.mark(job, files, told)
    }

    /// Submits jobs to Slurm. If that fails while others are active, it is retried later: the number of jobs may be limited.
    fn submit(&mut self, due: &[usize], queued: &BTreeMap<usize, QueuedJob>) -> Result<(), Failure> {
        for thousand in 0..self.all().div_ceil(ARRAY) {
            let jobs: Vec<usize> = due.iter().copied().filter(|job| job / ARRAY == thousand).collect();
            if jobs.is_empty() {
                continue;
            }
            let mut processes = Vec::new();
            for job in &jobs {
                processes.push(JobFolder::read(&self.spool.job(*job))?.processes());
            }
            let array = match queue::submit(&script::submission(self.spool, &self.script, thousand, &jobs)) {
                Ok(array) => array,
                Err(failure) if queued.values().all(QueuedJob::has_ended) => return Err(failure),
                Err(failure) => {
                    self.screen.warn(&format!("{failure}; it is tried again"));
                    continue;
                }
            };
            let again = jobs.iter().filter(|job| self.state.was_submitted(**job)).count();
            let again = if again > 0 { format!(", {again} of them again") } else { String::new() };
            let number = counted(jobs.len(), "job was", "jobs were");
            self.screen.tell(&format!("{number} submitted as {array}{again}"));
            self.own.extend(&jobs);
            self.state.submissions.push(Submission { array, jobs, processes });
            self.spool.save_state(&self.state)?;
        }
        Ok(())
    }

    /// A readable title of the configurations of a job.
    pub fn title(&self, job: usize) -> String {
        let configurations = &self.plan.jobs[job].configurations;
        match configurations.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first, others @ ..] => format!("{first} and {} more", others.len()),
        }
    }
}

//! Watching the jobs: what each has come to is taken in as it ends, and what was lost is submitted again.

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

/// A job that ended so often without getting on is not tried again.
const MOST_TRIES: usize = 3;

/// So often in a row a job must be missed before it counts as gone: what it wrote may take a while to be seen on a network file system.
const GONE_AFTER: u32 = 2;

/// Exit statuses from here on are those of a program that a signal ended (man bash, "EXIT STATUS").
const BY_SIGNAL: i32 = 128;

/// The jobs of a plan while they are watched.
pub(super) struct Watch<'w> {
    kb: &'w KnowledgeBase,
    spool: &'w Spool,
    plan: &'w SubmittedPlan,
    target: &'w Target<'w>,
    screen: &'w Screen,
    /// The script of the jobs.
    script: PathBuf,
    /// Whether everything is measured anew, into files of its own.
    is_fresh: bool,
    state: State,
    /// The jobs that lived while this process watched, and those that it submitted.
    own: BTreeSet<usize>,
    /// How often in a row a job was neither in the queue nor at its end.
    missed: BTreeMap<usize, u32>,
    /// What this process does not try again, and why.
    failed: BTreeMap<usize, String>,
}

/// What is to be done about a job that is gone.
enum Verdict {
    SubmitAgain,
    /// It is recorded as lost.
    Lost(Outcome),
    /// Trying again is of no use before a person has looked at it.
    Failed(String),
}

impl<'w> Watch<'w> {
    /// Takes up the jobs of a plan where an earlier process left them.
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

    /// How many jobs there are.
    pub fn all(&self) -> usize {
        self.plan.jobs.len()
    }

    /// How many of them have been taken in.
    pub fn gathered(&self) -> usize {
        (0..self.all()).filter(|job| self.state.files_of(*job).is_some()).count()
    }

    /// Whether nothing is left to wait for.
    pub fn is_over(&self) -> bool {
        let is_done = |job: usize| self.failed.contains_key(&job) || self.state.files_of(job).is_some();
        (0..self.all()).all(is_done)
    }

    /// What is not tried again, and why.
    pub fn failed(&self) -> &BTreeMap<usize, String> {
        &self.failed
    }

    /// The files that hold the rows so far.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = Vec::new();
        for file in (0..self.all()).filter_map(|job| self.state.files_of(job)).flatten() {
            if !files.contains(file) {
                files.push(file.clone());
            }
        }
        files
    }

    /// Looks at all jobs once; what the queue told of them.
    ///
    /// # Errors
    ///
    /// When what a job wrote cannot be taken in, or jobs that nobody waits for cannot be submitted.
    pub fn look(&mut self, queued: &BTreeMap<usize, QueuedJob>) -> Result<(), Failure> {
        let mut due: Vec<usize> = Vec::new();
        for job in 0..self.all() {
            if self.failed.contains_key(&job) || self.state.files_of(job).is_some() {
                continue;
            }
            // A job may end behind the look at the queue, and never before it begins: so its folder is looked at second.
            let end = JobEnd::read(&self.spool.job(job));
            let lives = queued.get(&job).is_some_and(|queued| !queued.has_ended());
            if let Some(end) = end.as_ref().filter(|end| !end.interrupted) {
                let refused = end.refused.first();
                let files = self.take(job, None)?;
                match refused {
                    None => self.mark(job, files, String::new())?,
                    // Whoever submits the plan again may have mended the worker.
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

    /// What becomes of a job that is gone and has not come to its end.
    fn verdict(&self, job: usize, queued: Option<&QueuedJob>) -> Result<Verdict, Failure> {
        let state = self.last_state(job, queued);
        let tries = self.state.tries(job, JobFolder::read(&self.spool.job(job))?.processes());
        let is_own = self.own.contains(&job);
        let interrupted = JobEnd::read(&self.spool.job(job)).is_some();
        Ok(match (state.as_deref(), self.spool.exit_status(job)) {
            // Who cancels a job does not want it back; who submits the plan again does.
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

    /// Slurm's word for how a job ended: as the queue still has it, else by the accounting.
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

    /// Takes in what a job measured; where its rows are now.
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

    /// Keeps in mind that the rows of a job have been taken in.
    fn mark(&mut self, job: usize, files: Vec<PathBuf>, outcome: String) -> Result<(), Failure> {
        self.state.gathered.retain(|gathered| gathered.job != job);
        self.state.gathered.push(GatheredJob { job, files });
        self.spool.keep(&self.state)?;
        self.screen.tell(&format!("{} of {}: {}{outcome}", self.gathered(), self.all(), self.title(job)));
        Ok(())
    }

    /// Records that nothing came of a job.
    fn lose(&mut self, job: usize, outcome: Outcome, queued: Option<&QueuedJob>) -> Result<(), Failure> {
        let state = self.last_state(job, queued).unwrap_or_else(|| "gone".to_owned());
        let tries = counted(self.state.tries(job, JobFolder::read(&self.spool.job(job))?.processes()), "try", "tries");
        let message = format!("its Slurm job ended {state} after {tries} without a result");
        if JobFolder::read(&self.spool.job(job))?.if_lost().next().is_none() {
            // It did not even say on which device it was to be measured.
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

    /// Hands jobs over to Slurm. Where that fails while others live, it is tried again later: there may be a limit to how many may wait.
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
            self.spool.keep(&self.state)?;
        }
        Ok(())
    }

    /// What a job measures, for people.
    pub fn title(&self, job: usize) -> String {
        let configurations = &self.plan.jobs[job].configurations;
        match configurations.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first, others @ ..] => format!("{first} and {} more", others.len()),
        }
    }
}

//! How far a configuration is: its processes so far, and whether it needs more.

use super::limits::RunLimits;
use super::plan_point::PlanPoint;
use super::process_run::{Attempt, MeasuredConfiguration, ProcessAttempt, ProcessRun, levels};
use super::results::EarlierRow;

/// A configuration of a run.
#[derive(Debug, Default)]
pub(super) struct PointState {
    /// The processes that ran, also in earlier runs.
    pub processes: Vec<ProcessRun>,
    /// Samples in a batch; `None` as long as the largest that fits is not known.
    pub batch: Option<u32>,
    wanted: usize,
    needs_more: bool,
    has_failed: bool,
}

impl PointState {
    /// As an earlier run left it, if one did.
    pub fn of(point: &PlanPoint, earlier: Option<&EarlierRow>, limits: &RunLimits) -> Self {
        let mut state = Self { batch: point.batch, needs_more: true, ..Self::default() };
        state.wanted = point.method.processes(limits);
        if let Some(earlier) = earlier {
            state.batch = earlier.batch.or(point.batch);
            state.processes.clone_from(&earlier.processes);
            state.judge(point, limits);
            // What failed has no processes, and has been tried.
            state.has_failed = state.processes.is_empty();
            state.needs_more &= !state.has_failed;
        }
        state
    }

    /// The round in which it runs next, counted from 0: the number of its processes. `None` when it needs no more.
    pub fn round(&self) -> Option<usize> {
        self.needs_more.then_some(self.processes.len())
    }

    /// How many processes it will have, as far as is known.
    pub fn expected(&self) -> usize {
        if self.needs_more { self.wanted } else { self.processes.len() }
    }

    /// Takes in another process, which is the one of this number in its run, and tells what became of the configuration.
    pub fn add(&mut self, point: &PlanPoint, attempted: ProcessAttempt, place: usize, limits: &RunLimits) -> Attempt {
        let planned = point.method.processes(limits);
        let (ready, batch) = match attempted {
            ProcessAttempt::Failed { outcome, message, batch } => {
                (self.needs_more, self.has_failed) = (false, true);
                let message = match self.processes.len() {
                    0 => message,
                    before => format!("process {}: {message}", before + 1),
                };
                return Attempt::Failed { outcome, message, batch };
            }
            ProcessAttempt::Measured(ready, batch, run) => {
                self.processes.push(ProcessRun { place, ..*run });
                (ready, batch)
            }
        };
        self.batch = Some(batch);
        self.judge(point, limits);
        Attempt::Measured(Box::new(MeasuredConfiguration::of(&ready, batch, &self.processes, (point.method, planned))))
    }

    /// Leaves it alone from now on, because its worker does other work than was asked for.
    pub fn refuse(&mut self) {
        (self.needs_more, self.has_failed) = (false, true);
    }

    /// Its processes, of which there are none where one has failed.
    pub fn whole(&self) -> &[ProcessRun] {
        if self.has_failed { &[] } else { &self.processes }
    }

    /// How many processes it needs by those that ran.
    fn judge(&mut self, point: &PlanPoint, limits: &RunLimits) {
        let planned = point.method.processes(limits);
        let ran = self.processes.len();
        self.wanted = planned;
        if ran >= planned {
            let whole_s: f64 = self.processes.iter().filter_map(|process| process.whole_s).sum();
            let levels = levels(&self.processes, point.method, planned);
            self.wanted = point.method.stop.processes(planned, &levels, whole_s / ran.max(1) as f64, limits);
        }
        self.needs_more = ran < self.wanted;
    }
}

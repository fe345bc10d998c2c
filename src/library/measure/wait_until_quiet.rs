//! Waiting until nothing else computes: what is measured beside other work says little of the machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::busy::is_busy;
use super::observer::RunObserver;
use super::process_run::ProcessAttempt;
use super::resource_monitor::Ticks;
use super::worker::WorkerError;

/// How long the processors are looked at; and where something seems to run, how long before it is believed.
const LOOK: Duration = Duration::from_millis(200);
const LONGER_LOOK: Duration = Duration::from_secs(1);

/// What is left of the time that a run may wait.
#[derive(Debug)]
pub(super) struct QuietWait {
    left: Duration,
}

impl QuietWait {
    /// A run may wait so many seconds in all.
    pub fn of(seconds: f64) -> Self {
        Self { left: Duration::try_from_secs_f64(seconds).unwrap_or_default() }
    }

    /// Whether there is any time left.
    pub fn may_wait(&self) -> bool {
        !self.left.is_zero()
    }

    /// Returns when other processes leave the processors alone, when no time is left, or when the user stops the run. Nothing is
    /// waited for where the system does not tell.
    pub fn wait(&mut self, observer: &mut dyn RunObserver, stop: &AtomicBool) {
        let mut is_told = false;
        while self.may_wait() && !stop.load(Ordering::Relaxed) {
            let begin = Instant::now();
            let busy = |used: &f64| is_busy(*used);
            // A short look has few ticks of the clock: it may err.
            let Some(used) = used_pct(LOOK).filter(busy).and_then(|_| used_pct(LONGER_LOOK)).filter(busy) else {
                return;
            };
            if !is_told {
                let left = self.left.as_secs_f64();
                observer.note(&format!(
                    "other processes use {used:.0}% of the processors; waiting up to {left:.0} s for them to end (--wait)"
                ));
                is_told = true;
            }
            self.left = self.left.saturating_sub(begin.elapsed());
        }
    }
}

/// The first attempt, or where other processes disturbed it (by so many percent of the processors) the quieter of it and another one.
pub(super) fn quieter(
    first: ProcessAttempt,
    again: impl FnOnce(f64) -> Result<ProcessAttempt, WorkerError>,
) -> Result<ProcessAttempt, WorkerError> {
    let others = |attempted: &ProcessAttempt| match attempted {
        ProcessAttempt::Measured(_, _, run) => run.observed.others_pct,
        ProcessAttempt::Failed { .. } => None,
    };
    let Some(disturbed) = others(&first).filter(|others| is_busy(*others)) else { return Ok(first) };
    let second = again(disturbed)?;
    Ok(if others(&second).is_some_and(|others| others < disturbed) { second } else { first })
}

/// The share of all processors that is used within a time, percent.
fn used_pct(within: Duration) -> Option<f64> {
    let before = Ticks::now()?;
    thread::sleep(within);
    Ticks::now().map(|after| after.used_pct_since(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::process_run::ProcessRun;
    use crate::measure::resource_monitor::ResourceUsage;
    use crate::values::Outcome;

    #[test]
    fn what_was_disturbed_is_measured_once_more_and_the_quieter_is_kept() {
        let beside = |others_pct: f64| {
            let observed = ResourceUsage { others_pct: Some(others_pct), ..ResourceUsage::default() };
            let run = ProcessRun { observed, ..ProcessRun::default() };
            ProcessAttempt::Measured(Box::default(), 1, Box::new(run))
        };
        let failed = || ProcessAttempt::Failed { outcome: Outcome::Oom, message: String::new(), batch: 1 };
        let none = |_| -> Result<ProcessAttempt, WorkerError> { panic!("nothing disturbed it") };
        assert_eq!(quieter(beside(0.1), none).unwrap(), beside(0.1));
        assert_eq!(quieter(failed(), none).unwrap(), failed());
        assert_eq!(quieter(beside(60.0), |_| Ok(beside(0.2))).unwrap(), beside(0.2));
        assert_eq!(quieter(beside(60.0), |_| Ok(beside(90.0))).unwrap(), beside(60.0));
        assert_eq!(quieter(beside(60.0), |_| Ok(failed())).unwrap(), beside(60.0), "a number is kept");
    }
}

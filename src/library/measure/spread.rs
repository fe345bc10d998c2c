//! Rounds of processes spread over time.
//!
//! Machines drift from minute to minute (heat, clocks, neighbours, where memory lies). What all processes of a configuration share,
//! because they ran within one minute, no interval over them can see; rounds that lie apart bring it between the processes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::observer::RunObserver;

/// How long a stop by the user may go unnoticed.
const LOOK: Duration = Duration::from_millis(200);

/// When the rounds of a run begin at the earliest.
#[derive(Debug)]
pub(super) struct RoundSpread {
    began: Instant,
    whole: Duration,
    rounds: u32,
}

impl RoundSpread {
    /// So many rounds, evenly from now on to so many seconds later.
    pub fn over(seconds: f64, rounds: usize) -> Self {
        Self {
            began: Instant::now(),
            whole: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
        }
    }

    /// How long after the run's beginning a round begins, counted from 0; rounds beyond those that were planned wait for nothing.
    fn begin(&self, round: usize) -> Duration {
        let gaps = self.rounds.saturating_sub(1).max(1);
        let round = u32::try_from(round).unwrap_or(u32::MAX).min(gaps);
        if self.rounds < 2 { Duration::ZERO } else { self.whole * round / gaps }
    }

    /// Returns when the round may begin, or when the user stops the run.
    pub fn wait(&self, round: usize, observer: &mut dyn RunObserver, stop: &AtomicBool) {
        let left = || self.begin(round).saturating_sub(self.began.elapsed());
        if left() >= Duration::from_secs(1) {
            let seconds = left().as_secs_f64();
            observer.note(&format!("the next round of processes begins in {seconds:.0} s (--spread)"));
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
    fn rounds_lie_evenly_within_the_time_and_more_of_them_wait_for_nothing() {
        let begins = |seconds, rounds| {
            let spread = RoundSpread::over(seconds, rounds);
            [0, 1, 4, 9].map(|round| spread.begin(round).as_secs_f64())
        };
        assert_eq!(begins(600.0, 5), [0.0, 150.0, 600.0, 600.0]);
        assert_eq!(begins(600.0, 1), [0.0; 4], "one process cannot be spread");
        assert_eq!(begins(0.0, 5), [0.0; 4]);
        assert_eq!(begins(600.0, 0), [0.0; 4]);
    }
}

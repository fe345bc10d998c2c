//! Waiting until nothing else computes: what is measured beside other work says little of the machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::caveats::BUSY_PCT;
use super::observer::RunObserver;
use super::resource_monitor::Ticks;

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
            let busy = |busy: &f64| *busy > BUSY_PCT;
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

/// The share of all processors that is used within a time, percent.
fn used_pct(within: Duration) -> Option<f64> {
    let before = Ticks::now()?;
    thread::sleep(within);
    Ticks::now().map(|after| after.used_pct_since(before))
}

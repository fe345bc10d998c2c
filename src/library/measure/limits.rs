//! How long and how precisely a person wants a configuration measured.

use std::time::Duration;

/// The limits that a person can set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunLimits {
    /// The wanted relative half-width of the value's 95% interval.
    pub goal: f64,
    /// Iterations at least, of all processes together.
    pub least: u32,
    /// The longest time for the warm-up and the samples of all processes together, s; more processes than are planned are
    /// started only as far as they fit in from their start to their end.
    pub time_s: f64,
    /// The longest time for one answer of a worker, s: after it the worker counts as hanging.
    pub answer_s: f64,
    /// How long a run may wait in all for other processes to leave the processors alone, s.
    pub wait_s: f64,
    /// Over how long the rounds of processes are spread, s; one follows the other at once where it is 0.
    pub spread_s: f64,
    /// Fresh processes of each configuration; as many as the method has when absent.
    pub processes: Option<u32>,
    /// How long the energy of each configuration is metered, of all processes together, s; only while it is sampled when absent.
    pub energy_s: Option<f64>,
}

impl RunLimits {
    /// The longest time for one answer of a worker; what is more than a clock counts is for ever.
    pub fn patience(&self) -> Duration {
        Duration::try_from_secs_f64(self.answer_s).unwrap_or(Duration::MAX)
    }
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            goal: 0.01,
            least: 10,
            time_s: 60.0,
            answer_s: 600.0,
            wait_s: 60.0,
            spread_s: 0.0,
            processes: None,
            energy_s: None,
        }
    }
}

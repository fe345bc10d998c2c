//! How long and how precisely a person wants a configuration measured.

/// The limits that a person can set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunLimits {
    /// The wanted relative half-width of the median's 95% interval.
    pub goal: f64,
    /// Iterations at least.
    pub least: u32,
    /// The longest time for warm-up and for samples together, s.
    pub time_s: f64,
    /// The longest time for one answer of a worker, s: after it the worker counts as hanging.
    pub answer_s: f64,
    /// How long a run may wait in all for other processes to leave the processors alone, s.
    pub wait_s: f64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { goal: 0.01, least: 10, time_s: 60.0, answer_s: 600.0, wait_s: 60.0 }
    }
}

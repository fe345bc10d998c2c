//! Holds what a worker says of time against the parent's own clock.

use std::time::Duration;

/// Clocks of one machine run alike; a part in a hundred is more than any two of them drift apart.
const DRIFT: f64 = 0.01;

/// The grain of clocks, and of what is asked of them.
const GRAIN: Duration = Duration::from_millis(10);

/// What is impossible in the times (ns) of iterations that the parent waited for; `None` where nothing is.
///
/// The wait holds everything that the worker did, so that it may be much longer than the sum, and never shorter.
pub fn objection(times_ns: &[u64], waited: Duration) -> Option<String> {
    let sum_s = times_ns.iter().map(|&ns| ns as f64).sum::<f64>() / 1e9;
    let most_s = waited.as_secs_f64() * (1.0 + DRIFT) + GRAIN.as_secs_f64();
    (sum_s > most_s).then(|| {
        let count = times_ns.len();
        format!("it says that {count} iterations took {sum_s:.3} s, and answered within {:.3} s", waited.as_secs_f64())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_iterations_take_longer_than_they_were_waited_for() {
        let second = Duration::from_secs(1);
        assert_eq!(objection(&[400_000_000, 600_000_000], second), None);
        assert_eq!(objection(&[1], second), None, "most of the time went elsewhere");
        assert_eq!(objection(&[1_000_000, 2_000_000], Duration::from_micros(10)), None, "within the grain");
        assert!(objection(&[600_000_000, 600_000_000], second).is_some_and(|said| said.contains("1.200 s")));
        assert!(objection(&[u64::MAX, u64::MAX], second).is_some());
    }
}

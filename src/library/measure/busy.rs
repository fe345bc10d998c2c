//! When other processes disturb: they use so much of the processors that a measurement beside them shows it.

use std::sync::LazyLock;

/// Other processes may use this share of the processors unnoticed: a desktop at rest does.
const BUSY_PCT: f64 = 5.0;

/// … but no more than this many processors, however many there are: one process that computes is seen on every machine.
const BUSY_PROCESSORS: f64 = 0.5;

/// Whether other processes that use this share of all processors (percent) disturb.
pub(super) fn is_busy(used_pct: f64) -> bool {
    static LIMIT: LazyLock<f64> = LazyLock::new(|| limit_pct(processors()));
    used_pct > *LIMIT
}

fn limit_pct(processors: usize) -> f64 {
    BUSY_PCT.min(100.0 * BUSY_PROCESSORS / processors.max(1) as f64)
}

/// The processors that `/proc/stat` counts the time of, whichever of them this process may run on.
fn processors() -> usize {
    let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    text.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu ")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_that_computes_is_seen_among_any_number_of_processors() {
        for processors in [1, 2, 4, 10, 16, 64, 256] {
            let of_one = 100.0 / processors as f64;
            assert!(of_one > limit_pct(processors), "{processors}");
        }
        assert_eq!(limit_pct(2), 5.0, "a desktop at rest is not");
        #[cfg(target_os = "linux")]
        assert!(processors() > 0);
    }
}

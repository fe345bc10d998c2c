//! What a throughput is derived from where none is stated.

/// Items a second where a batch of so many items takes so many milliseconds, one batch after the other: what a throughput
/// is derived from where none is stated. `None` where the time is not above 0.
pub fn items_per_second(batch: i64, latency_ms: f64) -> Option<f64> {
    (latency_ms > 0.0).then(|| batch as f64 * 1000.0 / latency_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throughput_is_what_a_batch_holds_over_its_time() {
        assert_eq!(items_per_second(16, 92.9).map(|rate| rate.round()), Some(172.0));
        assert_eq!(items_per_second(16, 0.0), None);
    }
}

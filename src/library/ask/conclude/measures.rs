//! The metrics that a question is about.

use crate::ask::question::{Quantity, Question};
use crate::model::Metric;

/// What is compared where nothing is named, the usual measure first.
const OF_SPEED: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::LatencyMs,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::Gflops,
    Metric::BandwidthGbPerS,
];

/// The metrics that a question asks for by their names, else those of speed.
pub(super) fn metrics_of(question: &Question) -> Vec<Metric> {
    let named: Vec<Metric> = question
        .wanted
        .quantities
        .iter()
        .filter_map(|quantity| match quantity {
            Quantity::Metric(metric) => Some(*metric),
            _ => None,
        })
        .collect();
    if named.is_empty() { OF_SPEED.to_vec() } else { named }
}

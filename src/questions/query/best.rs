//! The best values of an answer, each among the measurements that it can be compared with.

use std::collections::HashMap;

use super::answer::AnsweredMeasurement;
use crate::model::{Direction, Field, Metric, Tier};
use strum::VariantArray as _;

/// Which measurements have the best value of a metric among those that they can be compared with; equals share it.
///
/// Comparable are measurements that state the same in every field of the identity that concerns the metric (network,
/// stage, what is counted …) and are the same statistic; a latency is that of a batch, so batches must be equal, too. What is not stated is never taken as equal between sources; one
/// source measures in one way, so within it what is left out is left out alike. Where all values are equal, or there is only
/// one, none is best. What was disputed, superseded or retracted is passed over.
pub fn best(measurements: &[&AnsweredMeasurement], metric: Metric) -> Vec<bool> {
    let mut best = vec![false; measurements.len()];
    let better = match metric.direction() {
        Direction::Lower => |a: f64, b: f64| a < b,
        Direction::Higher => |a: f64, b: f64| a > b,
        Direction::Neutral => return best,
    };
    let mut groups: HashMap<Vec<Stated>, Vec<(usize, f64)>> = HashMap::new();
    for (at, measurement) in measurements.iter().enumerate().filter(|(_, row)| row.recorded().stands()) {
        if let Some((value, _)) = measurement.metric(metric) {
            groups.entry(identity(measurement, metric)).or_default().push((at, value.value()));
        }
    }
    for group in groups.values() {
        let Some(top) = group.iter().map(|(_, value)| *value).reduce(|a, b| if better(b, a) { b } else { a }) else {
            continue;
        };
        if group.iter().any(|(_, value)| *value != top) {
            for (at, _) in group.iter().filter(|(_, value)| *value == top) {
                best[*at] = true;
            }
        }
    }
    best
}

/// What a measurement states in one field, or that its source says nothing.
#[derive(PartialEq, Eq, Hash)]
enum Stated {
    As(String),
    NotBy(String),
}

/// What two measurements must have in common to be compared in a metric.
fn identity(measurement: &AnsweredMeasurement, metric: Metric) -> Vec<Stated> {
    let recorded = measurement.recorded();
    let fields = Field::VARIANTS.iter().filter(|field| concerns(**field, metric));
    fields
        .map(|field| match recorded.get(*field) {
            Some(value) => Stated::As(value.to_string()),
            None => Stated::NotBy(recorded.source().to_string()),
        })
        .collect()
}

/// Whether a field is part of what a value of the metric is.
fn concerns(field: Field, metric: Metric) -> bool {
    match field {
        // The 99th percentile of a latency is another thing than its mean.
        Field::Statistic => true,
        // A latency is that of a whole batch.
        Field::BatchSize | Field::BatchSizeGlobal => metric == Metric::LatencyMs,
        Field::Baseline => matches!(metric, Metric::Speedup | Metric::EfficiencyRatio),
        field => field.tier() == Tier::Identity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Measurement, Value};

    fn row(source: &str, stated: &[(Field, &str)], latency: &str) -> AnsweredMeasurement {
        let fields = stated.iter().map(|(field, value)| (*field, Value::Text((*value).into()))).collect();
        Measurement::new(source.parse().unwrap(), fields, vec![(Metric::LatencyMs, latency.parse().unwrap())]).into()
    }

    fn best_of(rows: &[AnsweredMeasurement]) -> Vec<bool> {
        best(&rows.iter().collect::<Vec<_>>(), Metric::LatencyMs)
    }

    #[test]
    fn the_best_is_found_within_what_can_be_compared() {
        let eval = [(Field::Network, "resnet-50"), (Field::Stage, "eval")];
        let train = [(Field::Network, "resnet-50"), (Field::Stage, "train")];
        let rows = [row("a", &eval, "2.0"), row("a", &eval, "3.0"), row("a", &train, "1.0"), row("a", &train, "9.0")];
        assert_eq!(best_of(&rows), [true, false, true, false]);
    }

    #[test]
    fn what_is_unknown_is_never_equal_across_sources() {
        let stated = [(Field::Network, "resnet-50"), (Field::Stage, "eval")];
        assert_eq!(best_of(&[row("a", &stated, "2.0"), row("b", &stated, "3.0")]), [false, false]);
        assert_eq!(best_of(&[row("a", &stated, "2.0"), row("a", &stated[..1], "3.0")]), [false, false]);
    }

    #[test]
    fn another_statistic_is_another_thing() {
        let mean = [(Field::Network, "x"), (Field::Statistic, "mean")];
        let p99 = [(Field::Network, "x"), (Field::Statistic, "p99")];
        assert_eq!(best_of(&[row("a", &mean, "2.0"), row("a", &p99, "3.0")]), [false, false]);
    }

    #[test]
    fn what_was_retracted_is_never_best() {
        let stated = [(Field::Network, "x")];
        let retracted = [(Field::Network, "x"), (Field::Standing, "retracted")];
        let rows = [row("a", &retracted, "1.0"), row("a", &stated, "2.0"), row("a", &stated, "3.0")];
        assert_eq!(best_of(&rows), [false, true, false]);
        assert_eq!(best_of(&rows[..2]), [false, false], "nobody is left to be better than");
    }

    #[test]
    fn equals_share_it_and_nobody_wins_alone() {
        let stated = [(Field::Network, "x")];
        let rows = [row("a", &stated, "2.0"), row("a", &stated, "2.0"), row("a", &stated, "3.0")];
        assert_eq!(best_of(&rows), [true, true, false]);
        assert_eq!(best_of(&rows[..2]), [false, false]);
        assert_eq!(best_of(&rows[..1]), [false]);
    }
}

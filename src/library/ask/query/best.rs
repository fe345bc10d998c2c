//! The best values of an answer, each among the measurements that it can be compared with.

use strum::VariantArray as _;

use crate::comparability::{AllowedAxes, RankedRow, Spread, ranks};
use crate::model::Metric;
use crate::rows::JoinedRow;

/// Records in each row of an answer which of its metrics are the best among the rows that it can be compared with; equals
/// share it, and so do those that the known dispersion does not tell from the best.
///
/// Comparable are measurements of the same identity (network, stage, what is counted …) and class of hardware; every axis may
/// vary, since an answer shows them all. What is not stated is never taken as equal between sources; one source measures in
/// one way, so within it what is left out is left out alike. Where all values share the first rank, or there is only one,
/// none is best. What was disputed, superseded or retracted is passed over.
pub(super) fn mark_best(measurements: &mut [JoinedRow]) {
    let mut best: Vec<Vec<Metric>> = vec![Vec::new(); measurements.len()];
    for &metric in Metric::VARIANTS {
        for at in best_of(measurements, metric) {
            best[at].push(metric);
        }
    }
    for (measurement, best) in measurements.iter_mut().zip(best) {
        measurement.set_best(best);
    }
}

/// Which rows have the best value of one metric.
fn best_of(measurements: &[JoinedRow], metric: Metric) -> Vec<usize> {
    let (places, ranked_rows): (Vec<usize>, Vec<RankedRow<'_>>) = measurements
        .iter()
        .enumerate()
        .filter(|(_, row)| row.recorded().stands())
        .filter_map(|(at, row)| {
            let (value, _) = row.metric(metric)?;
            let spread = Spread::of(row.recorded(), metric);
            Some((at, RankedRow { row: row.compared_row(), value: value.value(), spread }))
        })
        .unzip();
    let ranked = ranks(&ranked_rows, metric.direction(), metric, AllowedAxes::All, &[]);
    let ranked = places.into_iter().zip(ranked);
    ranked.filter(|(_, place)| place.is_some_and(|place| place.is_best())).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Field, Measurement, Value};

    fn row(source: &str, stated: &[(Field, &str)], latency: &str) -> JoinedRow {
        let fields = stated.iter().map(|(field, value)| (*field, Value::Text((*value).into()))).collect();
        Measurement::new(source.parse().unwrap(), fields, vec![(Metric::LatencyMs, latency.parse().unwrap())]).into()
    }

    fn best_of(rows: &[JoinedRow]) -> Vec<bool> {
        let mut rows = rows.to_vec();
        mark_best(&mut rows);
        rows.iter().map(|row| row.is_best(Metric::LatencyMs)).collect()
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

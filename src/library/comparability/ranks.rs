//! Ranks: the position of each value among comparable rows, and whether two values can be distinguished.

use super::criterion::ComparedRow;
use super::criterion::Criterion;
use super::ranked_together::{AllowedAxes, RankingKeys};
use crate::model::{Direction, Field, Measurement, Metric};
use crate::values::{Decimal, t95};

/// A row in a ranking.
#[derive(Debug, Clone, Copy)]
pub struct RankedRow<'m> {
    /// The measurement.
    pub row: ComparedRow<'m>,
    /// Its value.
    pub value: f64,
    /// The dispersion of the value.
    pub spread: Option<Spread>,
}

/// The rank of a row among the rows that it can be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankAmong {
    /// Its rank, the best being 1; a rank may be shared.
    pub rank: usize,
    /// Index of the row with the best value of all.
    pub best: usize,
    /// Number of rows in the comparison.
    pub of: usize,
    /// Whether all rows share one rank.
    pub all_alike: bool,
}

impl RankAmong {
    /// Whether it shares the best rank and not all rows do.
    pub fn is_best(self) -> bool {
        self.rank == 1 && !self.all_alike
    }
}

/// The rank of each row among the rows that it can be compared with; `None` where there is no other such row, or the
/// direction is neutral.
///
/// Rows are ranked together if they have the same identity and class of hardware and differ only in the allowed axes.
/// Rows share a rank unless the known dispersion supports their distance from the rank's first row.
pub fn ranks(
    ranked_rows: &[RankedRow<'_>],
    direction: Direction,
    metric: Metric,
    asked: AllowedAxes<'_>,
    relaxed: &[Criterion],
) -> Vec<Option<RankAmong>> {
    let mut ranks: Vec<Option<RankAmong>> = vec![None; ranked_rows.len()];
    let better = match direction {
        Direction::Lower => |a: f64, b: f64| a.total_cmp(&b),
        Direction::Higher => |a: f64, b: f64| b.total_cmp(&a),
        Direction::Neutral => return ranks,
    };
    let rows: Vec<ComparedRow<'_>> = ranked_rows.iter().map(|ranked| ranked.row).collect();
    for mut group in RankingKeys::of(rows, metric, asked, relaxed).groups() {
        if group.len() < 2 {
            continue;
        }
        group.sort_by(|a, b| better(ranked_rows[*a].value, ranked_rows[*b].value).then(a.cmp(b)));
        let (best, of) = (group[0], group.len());
        let mut first = best;
        let mut rank = 1;
        for (place, at) in group.iter().copied().enumerate() {
            let value = |at: usize| (ranked_rows[at].value, ranked_rows[at].spread);
            if distinguishable(value(first), value(at)) {
                first = at;
                rank = place + 1;
            }
            ranks[at] = Some(RankAmong { rank, best, of, all_alike: false });
        }
        if rank == 1 {
            for at in group {
                ranks[at] = ranks[at].map(|placed| RankAmong { all_alike: true, ..placed });
            }
        }
    }
    ranks
}

/// For each value above 0, the factor (at least 1) to the nearest other value; infinite where there is no other.
pub fn nearest_factors(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut factors = vec![f64::INFINITY; values.len()];
    for pair in order.windows(2) {
        let factor = values[pair[1]] / values[pair[0]];
        for at in pair {
            factors[*at] = factors[*at].min(factor);
        }
    }
    factors
}

/// The dispersion of a measurement's value, in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spread {
    /// Standard deviation and number of samples, 1 where the number is unknown.
    Deviation(f64, f64),
    /// Standard deviation between processes and their number; the value is the mean over the processes.
    Processes(f64, f64),
    /// Smallest and largest sample.
    Range(f64, f64),
}

impl Spread {
    /// The dispersion that a measurement states for a metric. It applies to the first metric, or to the one in
    /// `samples-of`; for a throughput implied by a latency, it is converted.
    pub fn of(measurement: &Measurement, metric: Metric) -> Option<Self> {
        let number = |field| measurement.number(field).map(Decimal::value);
        let named = measurement.text(Field::SamplesOf);
        let is_named = |(metric, _): &&(Metric, Decimal)| named.is_none_or(|named| named == metric.key());
        let (first, value) = measurement.metrics().iter().find(is_named)?;
        let deviation = number(Field::StdDeviation);
        let n = measurement.count(Field::N).unwrap_or(1) as f64;
        let processes = number(Field::ProcessDeviation).zip(measurement.count(Field::Processes));
        let processes = processes.map(|(s, n)| Self::Processes(s, n as f64));
        let range = number(Field::Lowest).zip(number(Field::Highest));
        if *first == metric {
            // Samples of one process do not show the deviation between processes.
            let samples = deviation.map(|s| Self::Deviation(s, n));
            return processes.or(samples).or(range.map(|(low, high)| Self::Range(low, high)));
        }
        if (*first, metric) != (Metric::LatencyMs, Metric::ThroughputPerS) {
            return None;
        }
        let throughput = measurement.implied(metric)?.value();
        let items = throughput * value.value();
        if let Some(Self::Processes(s, n)) = processes {
            // For small deviations, the relative deviation of the reciprocal is the same.
            return Some(Self::Processes(s / value.value() * throughput, n));
        }
        let (low, high) = range?;
        (low > 0.0 && high > 0.0).then(|| Self::Range(items / high, items / low))
    }

    /// The standard error of the value, and the degrees of freedom of its estimate.
    fn error(self) -> Option<(f64, f64)> {
        match self {
            Self::Deviation(s, n) => Some((s / n.sqrt(), f64::INFINITY)),
            Self::Processes(s, n) => Some((s / n.sqrt(), n - 1.0)),
            Self::Range(..) => None,
        }
    }

    fn interval(self, value: f64) -> (f64, f64) {
        match (self, self.error()) {
            (Self::Range(low, high), _) => (low.min(value), high.max(value)),
            (_, error) => {
                let half = error.map_or(0.0, |(error, freedom)| t95(freedom) * error);
                (value - half, value + half)
            }
        }
    }
}

/// Whether the known dispersion supports the order of two values; true where none is known.
///
/// Two standard deviations are tested with Welch's test at 95 % (deviations of samples by its normal approximation),
/// ranges by whether they overlap.
pub fn distinguishable(a: (f64, Option<Spread>), b: (f64, Option<Spread>)) -> bool {
    let error = |spread: Option<Spread>| spread.and_then(Spread::error);
    if let (Some((s, n)), Some((t, m))) = (error(a.1), error(b.1)) {
        let square = s * s + t * t;
        // Welch-Satterthwaite; NaN if both errors are 0.
        let freedom = square * square / (s.powi(4) / n + t.powi(4) / m);
        return (a.0 - b.0).abs() > t95(if freedom.is_nan() { f64::INFINITY } else { freedom }) * square.sqrt();
    }
    let interval = |(value, spread): (f64, Option<Spread>)| spread.map_or((value, value), |s| s.interval(value));
    let (one, other) = (interval(a), interval(b));
    one.1 < other.0 || other.1 < one.0
}

#[cfg(test)]
mod tests {
    use super::super::criterion::ComparisonFacts;
    use super::*;
    use crate::model::{Field, Measurement, Value};
    use crate::values::HardwareClass;

    /// A measurement: source, value, and its fields.
    type ExampleRow<'r> = (&'r str, f64, &'r [(Field, &'r str)]);

    fn ranked(
        rows: &[ExampleRow<'_>],
        classes: &[HardwareClass],
        asked: AllowedAxes<'_>,
        relaxed: &[Criterion],
    ) -> Vec<Option<usize>> {
        let always =
            [(Field::Network, "x"), (Field::Stage, "eval"), (Field::DeviceCount, "1"), (Field::Counts, "image")];
        let measurements: Vec<Measurement> = rows
            .iter()
            .map(|(source, _, but)| {
                let kept = always.iter().filter(|(field, _)| but.iter().all(|(other, _)| other != field));
                let value = |text: &str| text.parse().map_or_else(|_| Value::Text(text.into()), Value::Count);
                let fields = kept.chain(*but).map(|(field, text)| (*field, value(text)));
                Measurement::new(source.parse().unwrap(), fields.collect(), Vec::new())
            })
            .collect();
        let facts: Vec<ComparisonFacts> = (0..rows.len())
            .map(|at| ComparisonFacts { class: classes.get(at).copied(), ..ComparisonFacts::default() })
            .collect();
        let ranked_rows: Vec<RankedRow<'_>> = measurements
            .iter()
            .zip(&facts)
            .zip(rows)
            .map(|((measurement, facts), (_, value, _))| RankedRow {
                row: ComparedRow { measurement, facts },
                value: *value,
                spread: None,
            })
            .collect();
        let placed = ranks(&ranked_rows, Direction::Higher, Metric::ThroughputPerS, asked, relaxed);
        placed.into_iter().map(|placed| placed.map(|placed| placed.rank)).collect()
    }

    #[test]
    fn only_what_was_asked_for_may_vary() {
        let rows: [ExampleRow<'_>; 2] = [
            ("a", 2.0, &[(Field::Framework, "f"), (Field::Precision, "fp32")]),
            ("a", 3.0, &[(Field::Framework, "g"), (Field::Precision, "fp16")]),
        ];
        let framework = [Field::Framework];
        let both = [Field::Framework, Field::Precision];
        assert_eq!(ranked(&rows, &[], AllowedAxes::All, &[]), [Some(2), Some(1)]);
        assert_eq!(ranked(&rows, &[], AllowedAxes::Only(&both), &[]), [Some(2), Some(1)]);
        assert_eq!(ranked(&rows, &[], AllowedAxes::Only(&framework), &[]), [None, None]);
        let relaxed = [Criterion::Field(Field::Precision)];
        assert_eq!(ranked(&rows, &[], AllowedAxes::Only(&framework), &relaxed), [Some(2), Some(1)]);
    }

    #[test]
    fn what_is_announced_is_not_ranked_with_what_can_be_had() {
        let device = |name, availability| [(Field::Device, name), (Field::Availability, availability)];
        let (here, coming, later) = (device("d", "available"), device("e", "preview"), device("f", "preview"));
        let rows: [ExampleRow<'_>; 4] = [("a", 2.0, &here), ("a", 4.0, &coming), ("a", 3.0, &later), ("a", 1.0, &[])];
        let asked = [Field::Device];
        let placed = ranked(&rows, &[], AllowedAxes::Only(&asked), &[]);
        assert_eq!(placed, [Some(1), Some(1), Some(2), Some(2)], "a source that says nothing means what can be had");
        let relaxed = [Criterion::Field(Field::Availability)];
        assert_eq!(ranked(&rows, &[], AllowedAxes::All, &relaxed), [Some(3), Some(1), Some(2), Some(4)]);
    }

    #[test]
    fn classes_are_apart_unless_they_are_relaxed() {
        let rows: [ExampleRow<'_>; 2] = [("a", 2.0, &[(Field::Device, "d")]), ("a", 3.0, &[(Field::Device, "e")])];
        let classes = [HardwareClass::Gpu, HardwareClass::Fpga];
        assert_eq!(ranked(&rows, &classes, AllowedAxes::All, &[]), [None, None]);
        assert_eq!(ranked(&rows, &classes, AllowedAxes::All, &[Criterion::Class]), [Some(2), Some(1)]);
    }

    #[test]
    fn an_axis_that_few_rows_state_divides_only_where_it_varies() {
        let asked = [Field::Device];
        let one: [ExampleRow<'_>; 2] = [("a", 2.0, &[(Field::Layout, "nchw")]), ("a", 3.0, &[])];
        assert_eq!(ranked(&one, &[], AllowedAxes::Only(&asked), &[]), [Some(2), Some(1)]);
        let two: [ExampleRow<'_>; 3] =
            [("a", 2.0, &[(Field::Layout, "nchw")]), ("a", 3.0, &[(Field::Layout, "nhwc")]), ("a", 4.0, &[])];
        assert_eq!(ranked(&two, &[], AllowedAxes::Only(&asked), &[]), [None, None, None]);
        // The framework version goes with the framework; the partition of the work does not.
        assert_eq!(ranked(&two, &[], AllowedAxes::Only(&[Field::Framework]), &[]), [Some(3), Some(2), Some(1)]);
        let divided: [ExampleRow<'_>; 2] =
            [("a", 2.0, &[(Field::Partition, "4 instances")]), ("a", 3.0, &[(Field::Partition, "8 instances")])];
        assert_eq!(ranked(&divided, &[], AllowedAxes::Only(&[Field::Framework]), &[]), [None, None]);
    }

    #[test]
    fn unknown_is_like_unknown_only_where_a_source_leaves_it_out_of_all_its_rows() {
        let batch = [(Field::Device, "d"), (Field::BatchSize, "8")];
        let (without, other) = ([(Field::Device, "d")], [(Field::Device, "e")]);
        let asked = AllowedAxes::Only(&[Field::Device]);
        let alike: [ExampleRow<'_>; 2] = [("a", 2.0, &without), ("a", 3.0, &other)];
        assert_eq!(ranked(&alike, &[], asked, &[]), [Some(2), Some(1)]);
        let of_two: [ExampleRow<'_>; 2] = [("a", 2.0, &without), ("b", 3.0, &other)];
        assert_eq!(ranked(&of_two, &[], asked, &[]), [None, None]);
        let partly: [ExampleRow<'_>; 3] = [("a", 2.0, &without), ("a", 3.0, &other), ("a", 4.0, &batch)];
        assert_eq!(ranked(&partly, &[], asked, &[]), [None, None, None], "their batches may be any two");
        let data: [ExampleRow<'_>; 4] = [
            ("a", 1.0, &[(Field::Dataset, "x")]),
            ("a", 2.0, &[(Field::Dataset, "y")]),
            ("a", 3.0, &[]),
            ("a", 4.0, &[]),
        ];
        let placed = ranked(&data, &[], AllowedAxes::Only(&[Field::Framework]), &[]);
        assert_eq!(placed, [None; 4], "what may be either set of data is like no other");
    }

    #[test]
    fn a_set_of_one_source_that_times_two_things_is_no_ranking() {
        let rows: [ExampleRow<'_>; 2] =
            [("a", 2.0, &[(Field::Timed, "inputs")]), ("a", 3.0, &[(Field::Timed, "weights")])];
        assert_eq!(ranked(&rows, &[], AllowedAxes::All, &[]), [None, None]);
        let rows: [ExampleRow<'_>; 2] =
            [("a", 2.0, &[(Field::Timed, "a step")]), ("b", 3.0, &[(Field::Timed, "one step")])];
        assert_eq!(
            ranked(&rows, &[], AllowedAxes::All, &[]),
            [Some(2), Some(1)],
            "two sources have words of their own"
        );
    }

    #[test]
    fn each_value_has_its_nearest_neighbour() {
        assert_eq!(nearest_factors(&[8.0, 1.0, 2.0]), [4.0, 2.0, 2.0]);
        assert_eq!(nearest_factors(&[3.0]), [f64::INFINITY]);
        assert_eq!(nearest_factors(&[]), [0.0; 0]);
    }

    #[test]
    fn overlapping_samples_do_not_tell_values_apart() {
        let range = |low, high| Some(Spread::Range(low, high));
        assert!(!distinguishable((10.0, range(9.0, 11.0)), (10.8, range(10.5, 12.0))));
        assert!(distinguishable((10.0, range(9.0, 10.2)), (10.8, range(10.5, 12.0))));
        assert!(!distinguishable((10.0, range(9.0, 11.0)), (10.9, None)));
        assert!(distinguishable((10.0, None), (10.1, None)), "nothing speaks against it");
        assert!(!distinguishable((10.0, None), (10.0, None)));
    }

    #[test]
    fn means_are_told_apart_by_welch() {
        let mean = |s, n| Some(Spread::Deviation(s, n));
        // Both standard errors are 0.1: 1.96 x 0.1414 = 0.277.
        assert!(distinguishable((10.0, mean(1.0, 100.0)), (10.3, mean(1.0, 100.0))));
        assert!(!distinguishable((10.0, mean(1.0, 100.0)), (10.2, mean(1.0, 100.0))));
    }

    #[test]
    fn few_processes_are_less_sure_than_many_samples() {
        let processes = |s, n| Some(Spread::Processes(s, n));
        // Both standard errors are 0.1, with 4 + 4 degrees of freedom: 2.306 x 0.1414 = 0.326.
        assert!(!distinguishable((10.0, processes(0.2236, 5.0)), (10.3, processes(0.2236, 5.0))));
        assert!(distinguishable((10.0, processes(0.2236, 5.0)), (10.35, processes(0.2236, 5.0))));
        assert!(!distinguishable((10.0, processes(0.0, 5.0)), (10.0, processes(0.0, 5.0))));
        assert!(distinguishable((10.0, processes(0.0, 5.0)), (10.1, processes(0.0, 5.0))));
        let fields = vec![
            (Field::BatchSize, Value::Count(2)),
            (Field::Processes, Value::Count(4)),
            (Field::ProcessDeviation, Value::Number("0.5".parse().unwrap())),
            (Field::Counts, Value::Text("image".into())),
        ];
        let metrics = vec![(Metric::LatencyMs, "10.0".parse().unwrap())];
        let measured = Measurement::new("x".parse().unwrap(), fields, metrics);
        assert_eq!(Spread::of(&measured, Metric::LatencyMs), Some(Spread::Processes(0.5, 4.0)));
        assert_eq!(Spread::of(&measured, Metric::ThroughputPerS), Some(Spread::Processes(10.0, 4.0)));
    }

    #[test]
    fn a_derived_throughput_has_the_range_of_its_latency() {
        let fields = vec![
            (Field::BatchSize, Value::Count(10)),
            (Field::Counts, Value::Text("image".into())),
            (Field::Lowest, Value::Number("90".parse().unwrap())),
            (Field::Highest, Value::Number("125".parse().unwrap())),
        ];
        let metrics = vec![(Metric::LatencyMs, "100".parse().unwrap())];
        let row = Measurement::new("x".parse().unwrap(), fields, metrics);
        assert_eq!(Spread::of(&row, Metric::LatencyMs), Some(Spread::Range(90.0, 125.0)));
        let Some(Spread::Range(low, high)) = Spread::of(&row, Metric::ThroughputPerS) else { panic!("a range") };
        assert!((low - 80.0).abs() < 1e-9 && (high - 111.111).abs() < 1e-3, "{low} {high}");
    }
}

//! How far the samples of a value lie apart, and whether two values can be told apart.

use crate::model::{Field, Measurement, Metric};
use crate::values::{Decimal, t95};

/// The dispersion of a measurement's value, in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spread {
    /// Standard deviation of so many samples; 1 where their number is not known.
    Deviation(f64, f64),
    /// Standard deviation between so many processes, of whose values the value is the mean.
    Processes(f64, f64),
    /// Smallest and largest sample.
    Range(f64, f64),
}

impl Spread {
    /// The dispersion that a measurement states of a metric. It is stated of its first metric, or of the one that it names; a throughput that follows
    /// from a latency has the range that follows from it.
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
            // Samples of one process say nothing of the next one.
            let samples = deviation.map(|s| Self::Deviation(s, n));
            return processes.or(samples).or(range.map(|(low, high)| Self::Range(low, high)));
        }
        if (*first, metric) != (Metric::LatencyMs, Metric::ThroughputPerS) {
            return None;
        }
        let throughput = measurement.implied(metric)?.value();
        let items = throughput * value.value();
        if let Some(Self::Processes(s, n)) = processes {
            // What deviates little deviates by as large a share of its reciprocal.
            return Some(Self::Processes(s / value.value() * throughput, n));
        }
        let (low, high) = range?;
        (low > 0.0 && high > 0.0).then(|| Self::Range(items / high, items / low))
    }

    /// The standard error of the value, and the degrees of freedom with which it was estimated.
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

/// Whether the known dispersion supports the order of two values. Where none is known, nothing speaks against it.
///
/// Two standard deviations are judged by Welch's test at 95 % (a deviation of samples by its normal approximation), ranges by
/// whether they overlap.
pub fn distinguishable(a: (f64, Option<Spread>), b: (f64, Option<Spread>)) -> bool {
    let error = |spread: Option<Spread>| spread.and_then(Spread::error);
    if let (Some((s, n)), Some((t, m))) = (error(a.1), error(b.1)) {
        let square = s * s + t * t;
        // Welch and Satterthwaite; what has no error has no part in it.
        let freedom = square * square / (s.powi(4) / n + t.powi(4) / m);
        return (a.0 - b.0).abs() > t95(if freedom.is_nan() { f64::INFINITY } else { freedom }) * square.sqrt();
    }
    let interval = |(value, spread): (f64, Option<Spread>)| spread.map_or((value, value), |s| s.interval(value));
    let (one, other) = (interval(a), interval(b));
    one.1 < other.0 || other.1 < one.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

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
        // The standard errors are 0.1 each: 1.96 x 0.1414 = 0.277.
        assert!(distinguishable((10.0, mean(1.0, 100.0)), (10.3, mean(1.0, 100.0))));
        assert!(!distinguishable((10.0, mean(1.0, 100.0)), (10.2, mean(1.0, 100.0))));
    }

    #[test]
    fn few_processes_are_less_sure_than_many_samples() {
        let processes = |s, n| Some(Spread::Processes(s, n));
        // Standard errors of 0.1 each, with 4 + 4 degrees of freedom: 2.306 x 0.1414 = 0.326.
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

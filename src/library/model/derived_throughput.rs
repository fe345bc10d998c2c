//! What follows from a measurement's own values where its source does not state it: throughput, items for each joule.

use super::measurement::MOST_DIGITS;
use super::{Measurement, Metric, physics};
use crate::values::{Decimal, Statistic};

impl Measurement {
    /// Throughput in items a second where only the time of a batch is stated: items in all batches / latency.
    ///
    /// `None` when a throughput is stated, when latency, batch size or what the batch counts is not, or when the latency is
    /// not that of an average batch: a percentile or an extreme says nothing of the time that all batches take.
    pub fn implied_throughput(&self) -> Option<Decimal> {
        let is_average = matches!(self.statistic(), None | Some(Statistic::Mean | Statistic::Median));
        if self.metric(Metric::ThroughputPerS).is_some() || !is_average {
            return None;
        }
        self.counts()?;
        let latency = self.metric(Metric::LatencyMs)?;
        let throughput = physics::items_per_second(self.items_in_batch()?, latency.value())?;
        Decimal::derived(throughput, latency.significant_digits().min(MOST_DIGITS))
    }

    /// Items for each joule where only throughput and power are stated: throughput / power.
    fn implied_items_per_joule(&self) -> Option<Decimal> {
        self.counts()?;
        let (throughput, power) = (self.metric_or_implied(Metric::ThroughputPerS)?, self.metric(Metric::PowerW)?);
        if power.value() <= 0.0 {
            return None;
        }
        let digits = throughput.significant_digits().min(power.significant_digits());
        Decimal::derived(throughput.value() / power.value(), digits.min(MOST_DIGITS))
    }

    /// A metric that is not stated but follows from those that are, by definition: throughput, items for each joule.
    pub fn implied(&self, metric: Metric) -> Option<Decimal> {
        match metric {
            metric if self.metric(metric).is_some() => None,
            Metric::ThroughputPerS => self.implied_throughput(),
            Metric::ItemsPerJoule => self.implied_items_per_joule(),
            _ => None,
        }
    }

    /// The metrics that are not stated but follow from those that are.
    pub fn implied_metrics(&self) -> impl Iterator<Item = (Metric, Decimal)> {
        let metrics = [Metric::ThroughputPerS, Metric::ItemsPerJoule];
        metrics.into_iter().filter_map(|metric| Some((metric, self.implied(metric)?)))
    }

    /// The value of a metric, stated or implied.
    pub fn metric_or_implied(&self, metric: Metric) -> Option<Decimal> {
        self.metric(metric).or_else(|| self.implied(metric))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Field, Value};

    #[test]
    fn no_throughput_follows_from_a_percentile_or_an_extreme() {
        let of = |statistic: Option<&str>| {
            let mut fields = vec![(Field::BatchSize, Value::Count(8)), (Field::Counts, Value::Text("image".into()))];
            fields.extend(statistic.map(|word| (Field::Statistic, Value::Text(word.into()))));
            let latency = vec![(Metric::LatencyMs, "4.00".parse().unwrap())];
            Measurement::new("x".parse().unwrap(), fields, latency).implied_throughput().map(|rate| rate.to_string())
        };
        for statistic in [None, Some("mean"), Some("median")] {
            assert_eq!(of(statistic).as_deref(), Some("2000"), "{statistic:?}");
        }
        for statistic in ["p90", "p99", "max", "min"] {
            assert_eq!(of(Some(statistic)), None, "{statistic}");
        }
    }
}

//! What follows from a measurement's own values where its source does not state it: throughput, items for each joule.

use super::measurement::MOST_DIGITS;
use super::{Measurement, Metric, physics};
use crate::values::{Decimal, Statistic};

/// A value with the formula by which it follows from what is stated.
type Implied = (Decimal, &'static str);

impl Measurement {
    /// Throughput in items a second where only that of a device is stated, or the time of a batch: items in all batches /
    /// latency.
    ///
    /// `None` when a throughput is stated, when latency, batch size or what the batch counts is not, or when the latency is
    /// not that of an average batch: a percentile or an extreme says nothing of the time that all batches take.
    pub fn implied_throughput(&self) -> Option<Decimal> {
        self.throughput_by_formula().map(|(value, _)| value)
    }

    fn throughput_by_formula(&self) -> Option<Implied> {
        let is_average = matches!(self.statistic(), None | Some(Statistic::Mean | Statistic::Median));
        if self.metric(Metric::ThroughputPerS).is_some() || !is_average {
            return None;
        }
        self.counts()?;
        if let Some(of_one) = self.metric(Metric::DeviceThroughputPerS) {
            let devices = self.devices_of_stage()?;
            let digits = of_one.significant_digits().min(MOST_DIGITS);
            let value = Decimal::derived(of_one.value() * devices as f64, digits)?;
            return Some((value, "items a second of a device x devices"));
        }
        let latency = self.metric(Metric::LatencyMs)?;
        let throughput = physics::items_per_second(self.items_in_batch()?, latency.value())?;
        let value = Decimal::derived(throughput, latency.significant_digits().min(MOST_DIGITS))?;
        Some((value, "items in a batch / latency"))
    }

    /// Items for each joule where only the energy of an item is stated, or throughput and power: throughput / power.
    fn items_per_joule_by_formula(&self) -> Option<Implied> {
        self.counts()?;
        if let Some(energy) = self.metric(Metric::EnergyPerItemJ).filter(|energy| energy.value() > 0.0) {
            let value = Decimal::derived(energy.value().recip(), energy.significant_digits().min(MOST_DIGITS))?;
            return Some((value, "1 / energy of an item"));
        }
        let (throughput, power) = (self.metric_or_implied(Metric::ThroughputPerS)?, self.metric(Metric::PowerW)?);
        if power.value() <= 0.0 {
            return None;
        }
        let digits = throughput.significant_digits().min(power.significant_digits());
        let value = Decimal::derived(throughput.value() / power.value(), digits.min(MOST_DIGITS))?;
        Some((value, "throughput / power"))
    }

    fn by_formula(&self, metric: Metric) -> Option<Implied> {
        match metric {
            metric if self.metric(metric).is_some() => None,
            Metric::ThroughputPerS => self.throughput_by_formula(),
            Metric::ItemsPerJoule => self.items_per_joule_by_formula(),
            _ => None,
        }
    }

    /// A metric that is not stated but follows from those that are, by definition: throughput, items for each joule.
    pub fn implied(&self, metric: Metric) -> Option<Decimal> {
        self.by_formula(metric).map(|(value, _)| value)
    }

    /// The formula by which a metric follows that is not stated.
    pub fn implied_by(&self, metric: Metric) -> Option<&'static str> {
        self.by_formula(metric).map(|(_, formula)| formula)
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
    fn the_rate_of_all_devices_and_the_items_of_a_joule_follow_from_those_of_one() {
        let row = |fields: &[(Field, Value)], metrics: &[(Metric, &str)]| {
            let counts = [(Field::Counts, Value::Text("token".into()))];
            let metrics = metrics.iter().map(|(metric, text)| (*metric, text.parse().unwrap())).collect();
            Measurement::new("x".parse().unwrap(), counts.into_iter().chain(fields.iter().cloned()).collect(), metrics)
        };
        let of = |row: &Measurement, metric| row.implied(metric).map(|value: Decimal| value.to_string());
        let many = [(Field::DeviceCount, Value::Count(256))];
        let rate = [(Metric::DeviceThroughputPerS, "6288")];
        assert_eq!(of(&row(&many, &rate), Metric::ThroughputPerS).as_deref(), Some("1609728"));
        assert_eq!(of(&row(&[], &rate), Metric::ThroughputPerS), None, "of how many devices?");
        assert_eq!(row(&many, &rate).implied_by(Metric::ThroughputPerS), Some("items a second of a device x devices"));
        let energy = [(Metric::EnergyPerItemJ, "0.250")];
        assert_eq!(of(&row(&[], &energy), Metric::ItemsPerJoule).as_deref(), Some("4.000"));
    }

    #[test]
    fn the_rate_of_a_stage_is_that_of_the_devices_that_do_its_work() {
        let of = |stage: &str, fields: &[(Field, Value)], rate: &str| {
            let own = [(Field::Stage, stage), (Field::Counts, "token")];
            let own = own.map(|(field, word)| (field, Value::Text(word.into())));
            let metrics = vec![(Metric::DeviceThroughputPerS, rate.parse().unwrap())];
            let row = Measurement::new(
                "x".parse().unwrap(),
                own.into_iter().chain(fields.iter().cloned()).collect(),
                metrics,
            );
            row.implied(Metric::ThroughputPerS).map(|rate| rate.to_string())
        };
        let divided = [
            (Field::DeviceCount, Value::Count(12)),
            (Field::PrefillDevices, Value::Count(4)),
            (Field::DecodeDevices, Value::Count(8)),
        ];
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("prefill", &divided, "3600.0"), some("14400"));
        assert_eq!(of("decode", &divided, "1800.0"), some("14400"));
        assert_eq!(of("eval", &divided, "2400.0"), some("28800"));
        assert_eq!(of("eval", &divided[1..], "2400.0"), some("28800"), "the two together");
        for partition in ["disaggregated: 4 for prefill, 8 for decode", "PD, 1P2D", "2p6d"] {
            let partition = [divided[0].clone(), (Field::Partition, Value::Text(partition.into()))];
            assert_eq!((of("prefill", &partition, "3600.0"), of("decode", &partition, "1800.0")), (None, None));
        }
        assert_eq!(of("prefill", &divided[..2], "3600.0"), some("14400"));
        assert_eq!(of("decode", &divided[..2], "1800.0"), None, "how many write?");
    }

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

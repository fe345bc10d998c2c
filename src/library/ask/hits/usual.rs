//! Which rows count in conclusions, and whether they ran under a light load.

use super::hit_columns::HitColumns;
use super::shared_values::{PartNumbers, PerShare, SharedValues};
use crate::model::{Field, Metric};
use crate::values::Division;

/// Smaller batches of images do not fill a large device.
const SEVERAL_IMAGES: i64 = 16;

/// Which rows count. Extremes, single layers and MLPerf's other divisions do not, unless all rows are of that kind.
pub struct Usual<'u> {
    values: &'u SharedValues,
    /// Whether requests arrive in a stream, how many run at once, and whether each is many items.
    streams: PerShare<Option<bool>>,
    requests: PerShare<Option<i64>>,
    many: PerShare<bool>,
    all_layers: bool,
    all_open: bool,
    all_extreme: bool,
}

impl<'u> Usual<'u> {
    /// The rules for these hits.
    pub fn of(values: &'u SharedValues, hits: &HitColumns) -> Self {
        let of_layers = |parts: &PartNumbers| values.kind(parts).of_layers;
        let parts = || (0..hits.len()).filter(|hit| hits.has_value(*hit)).map(|hit| hits.parts(hit));
        let all_layers = parts().all(|parts| of_layers(&parts));
        let of_kind = || parts().filter(|parts| all_layers || !of_layers(parts));
        let all_open = of_kind().all(|parts| is_open(values, &parts));
        let all_extreme =
            of_kind().filter(|parts| all_open || !is_open(values, parts)).all(|parts| values.is_extreme(&parts));
        Self {
            values,
            streams: values.per_share(Field::Scenario, |name| Some(name?.ends_with("-stream"))),
            requests: values.per_share(Field::Concurrency, |many| many?.parse().ok()),
            // A prompt or a training sequence has many tokens at once.
            many: values.per_share(Field::Stage, |stage| matches!(stage, Some("prefill" | "train"))),
            all_layers,
            all_open,
            all_extreme,
        }
    }

    /// Whether a row counts.
    pub fn counts(&self, parts: &PartNumbers) -> bool {
        self.values.is_in_good_standing(parts)
            && (self.all_layers || !self.values.kind(parts).of_layers)
            && (self.all_open || !is_open(self.values, parts))
            && (self.all_extreme || !self.values.is_extreme(parts))
    }

    /// Whether the device count is known for a metric of a whole machine (the time to an accuracy).
    pub fn has_count(&self, metric: Metric, parts: &PartNumbers) -> bool {
        metric != Metric::TimeToAccuracyS || self.values.count(Field::DeviceCount, parts).is_some()
    }

    /// Whether a row processed one or a few items at a time, so that a large device is not busy.
    pub fn is_light(&self, metric: Metric, parts: &PartNumbers) -> bool {
        if let Some(is_stream) = self.streams.of(parts) {
            return is_stream;
        }
        match self.requests.of(parts).or_else(|| self.values.batch(parts)) {
            Some(batch) if self.values.kind(parts).of_images => batch < SEVERAL_IMAGES,
            Some(batch) => batch == 1 && !self.many.of(parts),
            None => matches!(metric, Metric::LatencyMs | Metric::MeanLatencyMs),
        }
    }
}

fn is_open(values: &SharedValues, parts: &PartNumbers) -> bool {
    let division = values.text(Field::Division, parts);
    division.is_some_and(|division| division != <&str>::from(Division::Closed))
}

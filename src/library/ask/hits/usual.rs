//! Which rows count in conclusions, and under which load they are.

use super::hit_columns::HitColumns;
use super::shared_values::{PartNumbers, SharedValues};
use crate::comparability::{ComparisonFacts, RowKind};
use crate::model::{Aspect, Fact, Field, Metric, Part};
use crate::values::Division;

/// A batch of images that is smaller is over before a large device is busy.
const SEVERAL_IMAGES: i64 = 16;

/// Which rows count: no extreme of several runs, no single layer and no run of MLPerf's other divisions, unless all are of that kind.
pub struct Usual<'u> {
    values: &'u SharedValues,
    /// By workload.
    kinds: Vec<RowKind>,
    /// By protocol: whether requests come one after the other, how many at once, and whether each is many items.
    streams: Vec<Option<bool>>,
    requests: Vec<Option<i64>>,
    many: Vec<bool>,
    all_layers: bool,
    all_open: bool,
    all_extreme: bool,
}

impl<'u> Usual<'u> {
    /// Those of some rows.
    pub fn of(values: &'u SharedValues, hits: &HitColumns) -> Self {
        let column = values.column(Aspect::Fact(Fact::Task));
        let of = |task: Option<&str>| ComparisonFacts { task: task.map(str::to_owned), ..ComparisonFacts::default() };
        let kinds = column.map(|column| column.of_shares(|task| RowKind::of_row(&of(task), false, false)));
        let kinds = kinds.unwrap_or_default();
        let field = |field: Field| values.column(Aspect::Field(field));
        let streams = field(Field::Scenario).map(|own| own.of_shares(|name| Some(name?.ends_with("-stream"))));
        let requests = field(Field::Concurrency).map(|own| own.of_shares(|many| many?.parse().ok()));
        // A prompt and a sequence to learn from are many tokens at once.
        let many = field(Field::Stage).map(|own| own.of_shares(|stage| matches!(stage, Some("prefill" | "train"))));
        let (streams, requests) = (streams.unwrap_or_default(), requests.unwrap_or_default());
        let many = many.unwrap_or_default();
        let (all_layers, all_open, all_extreme) = (false, false, false);
        let usual = Self { values, kinds, streams, requests, many, all_layers, all_open, all_extreme };
        let all = |is: &dyn Fn(&PartNumbers) -> bool| (0..hits.len()).all(|hit| is(&hits.parts(hit)));
        let (all_layers, all_open) = (all(&|parts| usual.kind(parts).of_layers), all(&|parts| usual.is_open(parts)));
        let all_extreme = all(&|parts| values.is_extreme(parts));
        Self { all_layers, all_open, all_extreme, ..usual }
    }

    /// Whether a row counts.
    pub fn counts(&self, parts: &PartNumbers) -> bool {
        self.values.stands(parts)
            && (self.all_layers || !self.kind(parts).of_layers)
            && (self.all_open || !self.is_open(parts))
            && (self.all_extreme || !self.values.is_extreme(parts))
    }

    /// Whether it is known how many devices a value is of, where it is that of a whole machine: the time to an accuracy.
    pub fn has_count(&self, metric: Metric, parts: &PartNumbers) -> bool {
        metric != Metric::TimeToAccuracyS || self.values.count(Field::DeviceCount, parts).is_some()
    }

    /// Whether a row is of an item or a few at a time, which leaves a large device waiting.
    pub fn is_light(&self, metric: Metric, parts: &PartNumbers) -> bool {
        let protocol = parts[Part::Protocol as usize] as usize;
        if let Some(is_stream) = self.streams.get(protocol).copied().flatten() {
            return is_stream;
        }
        match self.requests.get(protocol).copied().flatten().or_else(|| self.values.batch(parts)) {
            Some(batch) if self.kind(parts).of_images => batch < SEVERAL_IMAGES,
            Some(batch) => batch == 1 && self.many.get(protocol) != Some(&true),
            None => matches!(metric, Metric::LatencyMs | Metric::MeanLatencyMs),
        }
    }

    fn kind(&self, parts: &PartNumbers) -> RowKind {
        self.kinds.get(parts[Part::Workload as usize] as usize).copied().unwrap_or_default()
    }

    fn is_open(&self, parts: &PartNumbers) -> bool {
        let division = self.values.text(Aspect::Field(Field::Division), parts);
        division.is_some_and(|division| division != <&str>::from(Division::Closed))
    }
}

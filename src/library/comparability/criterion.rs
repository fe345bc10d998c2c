//! The criteria for comparing two numbers: their tiers, which of them must be known, and the values that a row states.

use std::borrow::Cow;

use strum::VariantArray as _;

use crate::model::{Field, Measurement, Metric, Tier};
use crate::values::{Decimal, HardwareClass};

/// A criterion for comparing numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// The source.
    Source,
    /// The class of hardware.
    Class,
    /// A field of the measurement.
    Field(Field),
}

impl Criterion {
    /// Every criterion, the fields in the order of their registry.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Source, Self::Class].into_iter().chain(Field::VARIANTS.iter().copied().map(Self::Field))
    }

    /// The criterion with this key, ignoring case.
    pub fn named(name: &str) -> Option<Self> {
        let key = name.trim().to_lowercase().replace(['_', ' '], "-");
        Self::all().find(|criterion| criterion.key() == key)
    }

    /// The key, as for a field.
    pub fn key(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Class => "class",
            Self::Field(field) => field.key(),
        }
    }

    /// Its name in a sentence for a reader of a paper.
    pub fn in_prose(self) -> String {
        match self {
            Self::Class => "class of hardware".to_owned(),
            Self::Source => "source".to_owned(),
            Self::Field(field) => field.in_prose(),
        }
    }

    /// The tier of the criterion for values of a metric; `None` where it does not affect comparisons.
    ///
    /// The class of hardware is not a difference of identity, but always separates rankings.
    pub fn tier(self, metric: Metric, of_layers: bool) -> Option<Tier> {
        use Metric::*;
        let field = match self {
            Self::Source => return Some(Tier::Disclosure),
            Self::Class => return None,
            Self::Field(field) => field,
        };
        let whole_task = metric.is_of_whole_task();
        Some(match field {
            // A 99th percentile of latency is not comparable with a mean.
            Field::Statistic => Tier::Identity,
            // Latency is measured per batch.
            Field::BatchSize if metric == LatencyMs => Tier::Identity,
            Field::Dataset if whole_task || metric == EpochS => Tier::Identity,
            // DAWNBench's rule: the accuracy is fixed, the way to reach it is free.
            Field::Network | Field::InputShape if metric == TimeToAccuracyS => Tier::Axis,
            Field::Epochs if whole_task && metric != TimeToAccuracyS => Tier::Identity,
            Field::Epochs => return None,
            Field::Baseline if metric.is_relative() => Tier::Identity,
            Field::Baseline => return None,
            Field::Counts if metric.is_of_items() => Tier::Identity,
            Field::Counts => return None,
            // Power of a board is not comparable with power at the plug; for speed, the metered scope is irrelevant.
            Field::Metered if metric.is_of_energy() => Tier::Identity,
            Field::Metered => return None,
            Field::TopK if metric.is_of_quality() || metric == TimeToAccuracyS => Tier::Identity,
            Field::TopK => return None,
            // The label of the run contains the size of the layer.
            Field::Label if of_layers => Tier::Identity,
            // The global batch follows from the batch per device.
            Field::BatchSizeGlobal => return None,
            field => return field.compared_tier(),
        })
    }
}

/// A measurement in a comparison.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRow<'m> {
    /// The measurement.
    pub measurement: &'m Measurement,
    /// The catalog's facts about it.
    pub facts: &'m ComparisonFacts,
}

impl<'m> ComparedRow<'m> {
    /// The text of a field.
    pub fn text(&self, field: Field) -> Option<&'m str> {
        self.measurement.text(field)
    }

    /// The stated value as displayed; `None` when unknown.
    pub fn shown(&self, criterion: Criterion) -> Option<Cow<'m, str>> {
        match criterion {
            Criterion::Source => Some(Cow::Borrowed(self.measurement.source().as_str())),
            Criterion::Class => self.facts.class.map(|class| Cow::Borrowed(class.into())),
            Criterion::Field(Field::AccuracyTarget) => self.accuracy_target(),
            Criterion::Field(Field::BatchSize) => self.batch(),
            Criterion::Field(Field::Label) if self.facts.is_of_layers() => {
                let label = self.text(Field::Label)?;
                Some(Cow::Borrowed(ComparisonFacts::size_of_layer(label)))
            }
            Criterion::Field(Field::Timed) => {
                self.text(Field::Timed).or(self.facts.timed.as_deref()).map(Cow::Borrowed)
            }
            Criterion::Field(field) => match self.text(field) {
                Some(text) => Some(Cow::Borrowed(text)),
                None => match self.measurement.get(field) {
                    Some(value) => Some(Cow::Owned(value.to_string())),
                    None => field.unstated().map(Cow::Borrowed),
                },
            },
        }
    }

    /// The stated value as compared: mean, median and single values count as the same statistic, and so do values that
    /// are not labelled as a percentile or an extreme.
    pub fn compared(&self, criterion: Criterion) -> Option<Cow<'m, str>> {
        match criterion {
            Criterion::Field(Field::Statistic) => {
                let extreme = self.measurement.statistic().filter(|statistic| !statistic.is_middle());
                Some(Cow::Borrowed(extreme.map_or("middle", Into::into)))
            }
            other => self.shown(other),
        }
    }

    /// The accuracy target: as stated, else as a fraction of the reference's accuracy.
    fn accuracy_target(&self) -> Option<Cow<'m, str>> {
        if let Some(target) = self.measurement.get(Field::AccuracyTarget) {
            return Some(Cow::Owned(target.to_string()));
        }
        let share = self.measurement.number(Field::RelativeAccuracyTarget)?;
        Some(Cow::Owned(format!("{} % of the reference", Decimal::product(&share.to_string(), 100.0).ok()?)))
    }

    /// The batch per device: as stated, else the global batch divided by the number of devices.
    fn batch(&self) -> Option<Cow<'m, str>> {
        if let Some(batch) = self.measurement.count(Field::BatchSize) {
            return Some(Cow::Owned(batch.to_string()));
        }
        let global = self.measurement.count(Field::BatchSizeGlobal)?;
        Some(Cow::Owned(match self.measurement.count(Field::DeviceCount) {
            Some(devices) if devices > 0 && global % devices == 0 => (global / devices).to_string(),
            _ => format!("{global} on all devices"),
        }))
    }
}

/// The kind of the compared rows, which determines what must be known about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RowKind {
    /// Single layers, whose size is in the label of the run.
    pub of_layers: bool,
    /// Image networks.
    pub of_images: bool,
    /// Sequence networks.
    pub of_texts: bool,
    /// Computed on the host's CPU.
    pub on_cpu: bool,
    /// Requests with a stated number of tokens.
    pub by_tokens: bool,
    /// Run under a load scenario, a concurrency or a request rate.
    pub by_scenario: bool,
    /// All rows are run under such a load.
    pub all_by_scenario: bool,
}

impl RowKind {
    /// The fields that state the size of a language model's request.
    pub const TOKENS: &[Field] = &[Field::InputLength, Field::OutputLength];

    /// The fields that state how the load arrives, in which case the server chooses the batch.
    pub const LOAD: &[Field] = &[Field::Scenario, Field::Concurrency, Field::RequestRate];

    /// The kind of a single row, from the catalog's facts about it.
    pub fn of_row(facts: &ComparisonFacts, by_tokens: bool, by_scenario: bool) -> Self {
        Self {
            of_layers: facts.is_of_layers(),
            of_images: facts.is_of_images(),
            of_texts: facts.is_of_texts(),
            on_cpu: facts.class == Some(HardwareClass::Cpu),
            by_tokens,
            by_scenario,
            all_by_scenario: by_scenario,
        }
    }

    /// The kind of several rows: the union over the rows, and whether all are run under a load.
    pub(super) fn of(rows: &[ComparedRow<'_>]) -> Self {
        let states =
            |row: &ComparedRow<'_>, fields: &[Field]| fields.iter().any(|field| row.measurement.get(*field).is_some());
        let kinds = rows.iter().map(|row| Self::of_row(row.facts, states(row, Self::TOKENS), states(row, Self::LOAD)));
        let none = Self { all_by_scenario: true, ..Self::default() };
        kinds.fold(none, |all, row| Self {
            of_layers: all.of_layers || row.of_layers,
            of_images: all.of_images || row.of_images,
            of_texts: all.of_texts || row.of_texts,
            on_cpu: all.on_cpu || row.on_cpu,
            by_tokens: all.by_tokens || row.by_tokens,
            by_scenario: all.by_scenario || row.by_scenario,
            all_by_scenario: all.all_by_scenario && row.by_scenario,
        })
    }
}

/// Whether an unknown criterion leaves the comparison of these rows open.
pub(super) fn is_required(criterion: Criterion, metric: Metric, rows: &[ComparedRow<'_>]) -> bool {
    must_be_known(criterion, metric, RowKind::of(rows))
}

/// Whether a row's numbers depend on a criterion, so that it counts as missing where it is not stated.
pub fn depends_on(row: &ComparedRow<'_>, criterion: Criterion, metric: Metric) -> bool {
    is_required(criterion, metric, std::slice::from_ref(row))
}

/// Whether an unknown criterion leaves a comparison open; false for fields that matter to few rows.
pub fn must_be_known(criterion: Criterion, metric: Metric, rows: RowKind) -> bool {
    use Metric::*;
    let Criterion::Field(field) = criterion else { return false };
    match field {
        Field::Network | Field::Device => true,
        Field::Stage => !rows.of_layers,
        Field::InputShape => metric != TimeToAccuracyS && rows.of_images,
        Field::SequenceLength => rows.of_texts && !rows.by_scenario && !rows.by_tokens,
        Field::Statistic => false,
        // Sources rarely state the number of processors for runs on the host's CPU.
        Field::DeviceCount if rows.on_cpu => false,
        Field::DeviceCount | Field::Precision => !metric.is_of_quality(),
        // Layer benchmarks measure a library, not a framework.
        Field::Framework => !rows.of_layers,
        Field::BatchSize => {
            (matches!(metric, LatencyMs | ThroughputPerS | DeviceThroughputPerS | MemoryMib | EpochS | Gflops)
                || metric.is_of_energy() && !metric.is_of_whole_task()
                || matches!(metric, TimeToFirstTokenMs | TimePerOutputTokenMs | InterTokenLatencyMs))
                && !rows.all_by_scenario
                && !rows.of_layers
        }
        Field::AccuracyTarget => metric == TimeToAccuracyS,
        Field::Dataset => criterion.tier(metric, false) == Some(Tier::Identity),
        Field::Epochs => matches!(metric, TotalS | Accuracy | ErrorRate | Loss),
        Field::Baseline | Field::Counts => criterion.tier(metric, false) == Some(Tier::Identity),
        _ => false,
    }
}

/// The catalog's facts about the entities of a measurement, as far as comparisons need them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ComparisonFacts {
    /// Class of the device.
    pub class: Option<HardwareClass>,
    /// Whether the device is a family with known SKUs.
    pub is_family: bool,
    /// The families of the device.
    pub families: Vec<String>,
    /// Task of the network.
    pub task: Option<String>,
    /// What was timed, according to the source.
    pub timed: Option<String>,
}

impl ComparisonFacts {
    /// Whether the network is a single layer, whose size is in the label of the run.
    pub fn is_of_layers(&self) -> bool {
        self.task.as_deref() == Some("layer")
    }

    /// The size of a layer in the label of its run, after names of sheets and applications.
    pub fn size_of_layer(name: &str) -> &str {
        name.rsplit_once("; ").map_or(name, |(_, size)| size)
    }

    /// Whether the network processes images, so that their size determines the amount of work.
    pub(super) fn is_of_images(&self) -> bool {
        self.task.as_deref().is_some_and(|task| {
            task.starts_with("image-")
                || task.ends_with("-segmentation")
                || matches!(task, "object-detection" | "pose-estimation")
        })
    }

    /// Whether the network processes sequences, so that their length determines the amount of work.
    pub(super) fn is_of_texts(&self) -> bool {
        let task = self.task.as_deref();
        task.is_some_and(|task| {
            matches!(task, "text-generation" | "language-model" | "text-classification" | "machine-translation")
        })
    }
}

//! What two numbers are compared by, how much it weighs, what must be known before, and what a row states of it.

use std::borrow::Cow;

use strum::VariantArray as _;

use crate::model::{Field, Measurement, Metric, Tier};
use crate::values::{Decimal, HardwareClass};

/// Something by which numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// Who measured.
    Source,
    /// Whether the device is meant exactly, and which class of hardware it is.
    Class,
    /// A field of the measurement.
    Field(Field),
}

impl Criterion {
    /// Every criterion, the fields in the order of their registry.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Source, Self::Class].into_iter().chain(Field::VARIANTS.iter().copied().map(Self::Field))
    }

    /// The criterion that a person calls so, by its key.
    pub fn named(name: &str) -> Option<Self> {
        let key = name.trim().to_lowercase().replace(['_', ' '], "-");
        Self::all().find(|criterion| criterion.key() == key)
    }

    /// The word for it, as a field's key is.
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

    /// How much it weighs when values of a metric are compared; `None` where it is no part of any comparison.
    ///
    /// A class of hardware is no difference of identity, but a barrier for every ranking.
    pub fn tier(self, metric: Metric, of_layers: bool) -> Option<Tier> {
        use Metric::*;
        let field = match self {
            Self::Source => return Some(Tier::Disclosure),
            Self::Class => return None,
            Self::Field(field) => field,
        };
        let whole_task = metric.is_of_whole_task();
        Some(match field {
            // The 99th percentile of a latency is another thing than its mean.
            Field::Statistic => Tier::Identity,
            // A latency is that of a whole batch.
            Field::BatchSize if metric == LatencyMs => Tier::Identity,
            Field::Dataset if whole_task || metric == EpochS => Tier::Identity,
            // DAWNBench's rule: the accuracy is demanded, how it is reached is free.
            Field::Network | Field::InputShape if metric == TimeToAccuracyS => Tier::Axis,
            Field::Epochs if whole_task && metric != TimeToAccuracyS => Tier::Identity,
            Field::Epochs => return None,
            Field::Baseline if metric.is_relative() => Tier::Identity,
            Field::Baseline => return None,
            Field::Counts if metric.is_of_items() => Tier::Identity,
            Field::Counts => return None,
            // What a board draws says nothing of the plug, nor what was metered of a speed.
            Field::Metered if metric.is_of_energy() => Tier::Identity,
            Field::Metered => return None,
            Field::TopK if metric.is_of_quality() || metric == TimeToAccuracyS => Tier::Identity,
            Field::TopK => return None,
            // The size of a layer is in the name of the run.
            Field::Label if of_layers => Tier::Identity,
            // The batch of all devices follows from that of one.
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
    /// What the catalog says of it.
    pub facts: &'m ComparisonFacts,
}

impl<'m> ComparedRow<'m> {
    /// The text of a field.
    pub fn text(&self, field: Field) -> Option<&'m str> {
        self.measurement.text(field)
    }

    /// What the measurement states, as it is shown; `None` when it is not known.
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

    /// What the measurement states, as it is compared: mean, median and a single figure are all of the middle, and so is
    /// a figure that nobody calls a percentile or an extreme.
    pub fn compared(&self, criterion: Criterion) -> Option<Cow<'m, str>> {
        match criterion {
            Criterion::Field(Field::Statistic) => {
                let extreme = self.measurement.statistic().filter(|statistic| !statistic.is_middle());
                Some(Cow::Borrowed(extreme.map_or("middle", Into::into)))
            }
            other => self.shown(other),
        }
    }

    /// The accuracy that is demanded: as stated, else as a share of the reference's.
    fn accuracy_target(&self) -> Option<Cow<'m, str>> {
        if let Some(target) = self.measurement.get(Field::AccuracyTarget) {
            return Some(Cow::Owned(target.to_string()));
        }
        let share = self.measurement.number(Field::RelativeAccuracyTarget)?;
        Some(Cow::Owned(format!("{} % of the reference", Decimal::product(&share.to_string(), 100.0).ok()?)))
    }

    /// The batch of one device: as stated, else its share of the batch of all.
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

/// What kind of rows are compared, as far as that decides what must be known of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RowKind {
    /// Single layers, whose size is in the name of the run.
    pub of_layers: bool,
    /// Networks that see images.
    pub of_images: bool,
    /// Networks that read sequences.
    pub of_texts: bool,
    /// On hosts that compute by themselves.
    pub on_cpu: bool,
    /// Of requests with a stated number of tokens.
    pub by_tokens: bool,
    /// Under a scenario of load, or a load of so many requests.
    pub by_scenario: bool,
    /// Each of them under a scenario of load.
    pub all_by_scenario: bool,
}

impl RowKind {
    /// The fields that say how much a request of a language model asks for.
    pub const TOKENS: &[Field] = &[Field::InputLength, Field::OutputLength];

    /// The fields that say how the load arrives, so that the batch is the server's affair.
    pub const LOAD: &[Field] = &[Field::Scenario, Field::Concurrency, Field::RequestRate];

    /// The kind of a row of which the catalog says this.
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

    /// The kind of some rows: what holds for one of them, and whether all are under a scenario.
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

/// Whether not knowing a criterion leaves the comparison of some rows open.
pub(super) fn is_required(criterion: Criterion, metric: Metric, rows: &[ComparedRow<'_>]) -> bool {
    must_be_known(criterion, metric, RowKind::of(rows))
}

/// Whether the numbers of a row hang on a criterion, so that it is missed where it is not stated.
pub fn hangs_on(row: &ComparedRow<'_>, criterion: Criterion, metric: Metric) -> bool {
    is_required(criterion, metric, std::slice::from_ref(row))
}

/// Whether not knowing a criterion leaves a comparison open; a field of which few rows have need is no such field.
pub fn must_be_known(criterion: Criterion, metric: Metric, rows: RowKind) -> bool {
    use Metric::*;
    let Criterion::Field(field) = criterion else { return false };
    match field {
        Field::Network | Field::Device => true,
        Field::Stage => !rows.of_layers,
        Field::InputShape => metric != TimeToAccuracyS && rows.of_images,
        Field::SequenceLength => rows.of_texts && !rows.by_scenario && !rows.by_tokens,
        Field::Statistic => false,
        // How many processors there are is seldom said of a host that computes by itself.
        Field::DeviceCount if rows.on_cpu => false,
        Field::DeviceCount | Field::Precision => !metric.is_of_quality(),
        // A layer is asked of a library, not of a framework.
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

/// What the catalog says of the entities that a measurement names, as far as comparisons need it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ComparisonFacts {
    /// Class of the device.
    pub class: Option<HardwareClass>,
    /// Whether the device is a family whose SKUs are known.
    pub is_family: bool,
    /// The families of the device.
    pub families: Vec<String>,
    /// Task of the network.
    pub task: Option<String>,
    /// What the source says it timed.
    pub timed: Option<String>,
}

impl ComparisonFacts {
    /// Whether the network is a single layer, whose size is in the name of the run.
    pub fn is_of_layers(&self) -> bool {
        self.task.as_deref() == Some("layer")
    }

    /// The size of a layer in the name of its run; in front of it stand names of sheets and applications.
    pub fn size_of_layer(name: &str) -> &str {
        name.rsplit_once("; ").map_or(name, |(_, size)| size)
    }

    /// Whether the network sees images, so that their size tells how much work there is.
    pub(super) fn is_of_images(&self) -> bool {
        self.task.as_deref().is_some_and(|task| {
            task.starts_with("image-")
                || task.ends_with("-segmentation")
                || matches!(task, "object-detection" | "pose-estimation")
        })
    }

    /// Whether the network reads sequences, so that their length tells how much work there is.
    pub(super) fn is_of_texts(&self) -> bool {
        let task = self.task.as_deref();
        task.is_some_and(|task| {
            matches!(task, "text-generation" | "language-model" | "text-classification" | "machine-translation")
        })
    }
}

//! What must be known of measurements before they can be compared.

use super::compared_row::ComparedRow;
use super::criterion::Criterion;
use super::entity_facts::ComparisonFacts;
use crate::model::{Field, Metric, Tier};
use crate::values::HardwareClass;

/// What kind of rows are compared, as far as that decides what must be known of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowKind {
    /// Single layers, whose size stands in the name of the run.
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

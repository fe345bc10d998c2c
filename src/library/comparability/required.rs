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
    /// Under a scenario of load.
    pub by_scenario: bool,
    /// Each of them under a scenario of load.
    pub all_by_scenario: bool,
}

impl RowKind {
    /// The kind of a row of which the catalog says this.
    pub fn of_row(facts: &ComparisonFacts, by_scenario: bool) -> Self {
        Self {
            of_layers: facts.is_of_layers(),
            of_images: facts.is_of_images(),
            of_texts: facts.is_of_texts(),
            on_cpu: facts.class == Some(HardwareClass::Cpu),
            by_scenario,
            all_by_scenario: by_scenario,
        }
    }

    /// The kind of some rows: what holds for one of them, and whether all are under a scenario.
    fn of(rows: &[ComparedRow<'_>]) -> Self {
        let kinds = rows.iter().map(|row| Self::of_row(row.facts, row.text(Field::Scenario).is_some()));
        let none = Self { all_by_scenario: true, ..Self::default() };
        kinds.fold(none, |all, row| Self {
            of_layers: all.of_layers || row.of_layers,
            of_images: all.of_images || row.of_images,
            of_texts: all.of_texts || row.of_texts,
            on_cpu: all.on_cpu || row.on_cpu,
            by_scenario: all.by_scenario || row.by_scenario,
            all_by_scenario: all.all_by_scenario && row.by_scenario,
        })
    }
}

/// Whether not knowing a criterion leaves the comparison of some rows open.
pub(super) fn is_required(criterion: Criterion, metric: Metric, rows: &[ComparedRow<'_>]) -> bool {
    must_be_known(criterion, metric, RowKind::of(rows))
}

/// Whether not knowing a criterion leaves a comparison open; a field of which few rows have need is no such field.
pub fn must_be_known(criterion: Criterion, metric: Metric, rows: RowKind) -> bool {
    use Metric::*;
    let Criterion::Field(field) = criterion else { return false };
    match field {
        Field::Network | Field::Device => true,
        Field::Stage => !rows.of_layers,
        Field::InputShape => metric != TimeToAccuracyS && rows.of_images,
        Field::SequenceLength => rows.of_texts && !rows.by_scenario,
        Field::Statistic => false,
        // How many processors there are is seldom said of a host that computes by itself.
        Field::DeviceCount if rows.on_cpu => false,
        Field::DeviceCount | Field::Precision => !metric.is_of_quality(),
        // A layer is asked of a library, not of a framework.
        Field::Framework => !rows.of_layers,
        Field::BatchSize => {
            matches!(metric, LatencyMs | ThroughputPerS | ItemsPerJoule | MemoryMib | PowerW | EpochS | Gflops)
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

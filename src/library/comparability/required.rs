//! What must be known of measurements before they can be compared.

use super::compared_row::ComparedRow;
use super::criterion::Criterion;
use super::facts::ComparisonFacts;
use crate::model::{Field, Metric, Tier};
use crate::values::HardwareClass;

/// Whether not knowing a criterion leaves the comparison open; a field of which few rows have need is no such field.
pub(super) fn is_required(criterion: Criterion, metric: Metric, rows: &[ComparedRow<'_>]) -> bool {
    use Metric::*;
    let Criterion::Field(field) = criterion else { return false };
    let any = |is: fn(&ComparisonFacts) -> bool| rows.iter().any(|row| is(row.facts));
    match field {
        Field::Network | Field::Device => true,
        Field::Stage => !any(ComparisonFacts::is_of_layers),
        Field::InputShape => metric != TimeToAccuracyS && any(ComparisonFacts::is_of_images),
        Field::SequenceLength => {
            any(ComparisonFacts::is_of_texts) && !rows.iter().any(|row| row.text(Field::Scenario).is_some())
        }
        Field::Statistic => false,
        // How many processors there are is seldom said of a host that computes by itself.
        Field::DeviceCount if rows.iter().any(|row| row.facts.class == Some(HardwareClass::Cpu)) => false,
        Field::DeviceCount | Field::Precision => !metric.is_of_quality(),
        // A layer is asked of a library, not of a framework.
        Field::Framework => !any(ComparisonFacts::is_of_layers),
        Field::BatchSize => {
            let by_scenario = rows.iter().all(|row| row.text(Field::Scenario).is_some());
            matches!(metric, LatencyMs | ThroughputPerS | ItemsPerJoule | MemoryMib | PowerW | EpochS | Gflops)
                && !by_scenario
                && !any(ComparisonFacts::is_of_layers)
        }
        Field::AccuracyTarget => metric == TimeToAccuracyS,
        Field::Dataset => criterion.tier(metric, false) == Some(Tier::Identity),
        Field::Epochs => matches!(metric, TotalS | Accuracy | ErrorRate | Loss),
        Field::Baseline | Field::Counts => criterion.tier(metric, false) == Some(Tier::Identity),
        _ => false,
    }
}

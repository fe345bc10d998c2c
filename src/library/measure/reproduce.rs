//! A known measurement's configuration, to be repeated here.

use super::method::{OWN, TimingMethod};
use super::plan_point::{InputData, MeasuredModel, PlanPoint};
use crate::model::{Field, Measurement, Metric};
use crate::values::{Allocator, Data, EntityId, Precision, Provenance, Stage, Timing};

/// Why a known number cannot be repeated.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// The row does not say enough.
    #[error("{id} does not state its {missing}, so nobody can repeat it")]
    Unstated {
        /// The measurement.
        id: String,
        /// The field.
        missing: Field,
    },
    /// The row is of something that the runner does not do.
    #[error("{id} cannot be repeated: {why}")]
    Impossible {
        /// The measurement.
        id: String,
        /// Why.
        why: String,
    },
}

/// The point that repeats a measurement on a device of this machine; and what the row left open, and was chosen here.
///
/// # Errors
///
/// When the row does not say what was run.
pub fn reproduced(
    known: &Measurement,
    device: &str,
    data: impl Fn(&EntityId) -> InputData,
) -> Result<(PlanPoint, Vec<String>), ReproduceError> {
    let id = || known.id().to_owned();
    let impossible = |why: &str| ReproduceError::Impossible { id: id(), why: why.to_owned() };
    let needed = |field| known.text(field).ok_or_else(|| ReproduceError::Unstated { id: id(), missing: field });
    let mut chosen = Vec::new();

    let method = match known.text(Field::Protocol) {
        Some(name) => name.parse().map_or(&OWN, TimingMethod::named),
        None => TimingMethod::of_source(known.source().as_str()).unwrap_or(&OWN),
    };
    if method.name.is_none() {
        chosen.push(format!("the method of {} is not one the runner knows by name; its own is used", known.source()));
    }
    let network = needed(Field::Network)?.parse().map_err(|_| impossible("its network is no id"))?;
    let stage: Stage = needed(Field::Stage)?.parse().map_err(|_| impossible("its stage is no word"))?;
    if let Some(why) = method.objection(stage) {
        return Err(impossible(&why));
    }
    if known.devices() > 1 {
        return Err(impossible("it was measured on several devices at once"));
    }
    let precision = known.precision().unwrap_or_else(|| {
        chosen.push("its precision is not stated; fp32 is used".to_owned());
        Precision::Fp32
    });
    let batch = known.count(Field::BatchSize).and_then(|size| u32::try_from(size).ok());
    let batch = match (batch, method.total) {
        (Some(batch), _) => batch,
        // The program that benchm-dl ran, by its network's entry in the catalog.
        (None, true) => 128,
        (None, false) => return Err(ReproduceError::Unstated { id: id(), missing: Field::BatchSize }),
    };
    let dataset = known.entity(Field::Dataset);
    let real = method.total || known.data() == Some(Data::Real);
    let data = match (real, dataset) {
        (true, Some(dataset)) => data(&dataset),
        (true, None) => return Err(ReproduceError::Unstated { id: id(), missing: Field::Dataset }),
        (false, _) => InputData::Synthetic,
    };
    let point = PlanPoint {
        device: device.to_owned(),
        subject: MeasuredModel::Network(network),
        stage,
        precision,
        batch: Some(batch),
        shape: known.text(Field::InputShape).and_then(|shape| shape.parse().ok()),
        channels_last: known.text(Field::Layout) == Some("channels-last"),
        threads: None,
        allocator: known.text(Field::Allocator).and_then(|word| word.parse().ok()).unwrap_or(Allocator::System),
        // A throughput of our own is one that was timed.
        timing: match known.provenance() == Provenance::Measured && known.metric(Metric::ThroughputPerS).is_some() {
            true => Timing::Throughput,
            false => Timing::Latency,
        },
        data,
        method,
        worker: None,
        files: None,
    };
    Ok((point, chosen))
}

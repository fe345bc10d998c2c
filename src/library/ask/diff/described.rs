//! Short descriptions of measurements.

use crate::model::{Field, Measurement};

/// The fields that identify a measurement to a reader, joined into a phrase.
pub(super) fn what(measurement: &Measurement) -> String {
    let mut words: Vec<String> = Vec::new();
    for field in [Field::Network, Field::Stage, Field::Precision, Field::Device, Field::Framework] {
        words.extend(measurement.text(field).map(str::to_owned));
    }
    words.extend(measurement.text(Field::FrameworkVersion).map(str::to_owned));
    words.extend(measurement.count(Field::BatchSize).map(|batch| format!("batch {batch}")));
    words.join(" ")
}

//! The parts of a measurement that many measurements share.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A part of a measurement that others may share.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Part {
    /// Who ran it, with which software, on what: source, framework, device and their surroundings.
    Setup,
    /// What was run: network, data set and the shape of one sample.
    Workload,
    /// How it was run, what was measured and what came of it: stage, precision, statistic and the like, the metrics.
    Protocol,
    /// How much was run at once, and how often: batch sizes and number of samples.
    Batch,
}

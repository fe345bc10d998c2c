//! Names for tests of the language, without a database.

use crate::model::{Facet, Lookup, Name, NameKind};
use crate::stores::database::DatabaseError;
use crate::values::text::normalise;

/// Each value with its facet and its aliases.
const NAMES: &[(Facet, &str, &[&str])] = &[
    (Facet::Device, "tesla-v100", &["v100"]),
    (Facet::Device, "tesla-v100-sxm2-16gb", &[]),
    (Facet::Device, "tesla-t4", &["t4"]),
    (Facet::Device, "a100", &[]),
    (Facet::Device, "geforce-rtx-3090", &["3090", "rtx 3090"]),
    (Facet::Network, "resnet-50", &["resnet50"]),
    (Facet::Network, "resnet-152", &[]),
    (Facet::Network, "llama-3-70b", &[]),
    (Facet::Framework, "pytorch", &["torch"]),
    (Facet::Framework, "mxnet", &[]),
    (Facet::Stage, "train", &["training"]),
    (Facet::Stage, "eval", &["inference"]),
    (Facet::Class, "gpu", &["gpus"]),
    (Facet::Class, "fpga", &[]),
    (Facet::Precision, "fp16", &["half"]),
    (Facet::Precision, "fp32", &[]),
    (Facet::Language, "C++", &["cpp"]),
    (Facet::Language, "Python", &[]),
    (Facet::Vendor, "Ampere Computing", &[]),
    (Facet::Vendor, "NVIDIA", &[]),
    (Facet::License, "BSD-3-Clause", &["bsd"]),
    (Facet::MultiServer, "yes", &[]),
    (Facet::Instance, "p3.8xlarge", &[]),
    (Facet::Source, "dai-berleant-2019", &[]),
    (Facet::Task, "image-classification", &["classification"]),
    (Facet::Dataset, "imagenet-1k", &["imagenet"]),
    (Facet::Metric, "throughput-per-s", &["throughput", "fps"]),
    (Facet::Metric, "latency-ms", &["latency"]),
];

/// Looks up the names in [`NAMES`].
pub(super) struct Known;

impl Known {
    /// Every value with its facet.
    pub fn values() -> Vec<(Facet, String)> {
        NAMES.iter().map(|(facet, value, _)| (*facet, (*value).to_owned())).collect()
    }
}

impl Lookup for Known {
    type Error = DatabaseError;

    fn exact(&self, normal: &str) -> Result<Vec<Name>, DatabaseError> {
        Ok(self.all()?.iter().filter(|name| name.normal == normal).cloned().collect())
    }

    fn all(&self) -> Result<std::sync::Arc<[Name]>, DatabaseError> {
        let name = |facet: Facet, value: &str, text: &str, kind| {
            let (normal, value) = (normalise(text), value.to_owned());
            Name { normal, facet, value, kind }
        };
        let of = |(facet, value, others): &(Facet, &'static str, &'static [&'static str])| {
            let own = name(*facet, value, value, NameKind::Exact);
            let others = others.iter().map(|other| name(*facet, value, other, NameKind::Alias));
            [own].into_iter().chain(others).collect::<Vec<_>>()
        };
        Ok(NAMES.iter().flat_map(of).collect())
    }
}

//! A measurement that stands twice: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::DUPLICATE_MEASUREMENT,
    title: "a measurement that stands twice",
    severity: Severity::Error,
    page: "The id of a measurement follows from what tells it from its neighbours: its source and every field but notes, raw spellings and sample counts. Two rows with one id are the same measurement.

Remove one, or state what tells them apart: a batch size, a software version, at least a `label`.",
    fails: &[("measurements/imagined-2018/more.toml", r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp32", 16, 31.0],
]
"##)],
    passes: &[("measurements/imagined-2018/more.toml", r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##)],
    check: Check::Reading,
};

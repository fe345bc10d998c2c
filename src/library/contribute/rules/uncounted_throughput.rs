//! A throughput that does not say what it counts: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNCOUNTED,
    title: "a throughput that does not say what it counts",
    severity: Severity::Error,
    page: "Images, samples, tokens, sequences a second are different things, and are never compared. `counts` says which it is.",
    fails: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"

[[table]]
columns = ["precision", "batch-size", "throughput-per-s"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    passes: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "throughput-per-s"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    check: Check::Reading,
};

//! A metric that is zero or negative: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::NOT_POSITIVE,
    title: "a metric that is zero or negative",
    severity: Severity::Error,
    page: "Nothing takes no time. What was not measured is left out; an attempt that failed states its `outcome`.",
    fails: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 0],
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
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    check: Check::Reading,
};

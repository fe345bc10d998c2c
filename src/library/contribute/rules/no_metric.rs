//! A row without a metric: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::NO_METRIC,
    title: "a row without a metric",
    severity: Severity::Error,
    page: "A measurement states at least one metric, such as `latency-ms`; a failed attempt states its `outcome`: oom, unsupported, crashed or timeout. `dlbench list metrics` has them all.",
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
  ["fp32", 16, ""],
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

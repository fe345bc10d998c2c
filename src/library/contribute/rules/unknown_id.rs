//! An id that no entity has: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::REFERENCE,
    title: "an id that no entity has",
    severity: Severity::Error,
    page: r##"Framework, device, network, data set and source are named by the id of their entry, the stem of its file, in measurements, entries, suites and recipes alike. The message names the near ids; `dlbench resolve device "…"` tells how a spelling is read.

Is it really new? `dlbench new device` makes an entry."##,
    fails: &[
        (
            "measurements/imagined-2018/more.toml",
            r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "depnet-50"
stage = "train"
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
        ),
        (
            "catalog/suites/quick.toml",
            r##"name = "A quick look"

[[part]]
networks = ["deepnet-51"]
stages = ["eval"]
precisions = ["fp32"]
batch-sizes = [1]
"##,
        ),
    ],
    passes: &[
        (
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
        ),
        (
            "catalog/suites/quick.toml",
            r##"name = "A quick look"

[[part]]
networks = ["deepnet-50"]
stages = ["eval"]
precisions = ["fp32"]
batch-sizes = [1]
"##,
        ),
    ],
    check: Check::Reading,
};

//! A throughput that does not say what it counts: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNCOUNTED,
    title: "a throughput that does not say what it counts",
    severity: Severity::Error,
    page: "Images, samples, tokens, sequences a second are different things, and are never compared. `counts` says which it is.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "counts = \"image\"\n", ""),
    check: Check::Reading,
};

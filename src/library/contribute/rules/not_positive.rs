//! A metric that is zero or negative: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::NOT_POSITIVE,
    title: "a metric that is zero or negative",
    severity: Severity::Error,
    page: "Nothing takes no time. What was not measured is left out; an attempt that failed states its `outcome`.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "0"),
    check: Check::Reading,
};

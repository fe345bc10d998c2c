//! A row without a metric: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::NO_METRIC,
    title: "a row without a metric",
    severity: Severity::Error,
    page: "A measurement states at least one metric, such as `latency-ms`; a failed attempt states its `outcome`: oom, unsupported, crashed or timeout. `dlbench list metrics` has them all.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "65.0, 984.6", r#""", """#),
    check: Check::Reading,
};

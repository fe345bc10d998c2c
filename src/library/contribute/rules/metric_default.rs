//! A metric among the defaults: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::METRIC_DEFAULT,
    title: "a metric among the defaults",
    severity: Severity::Error,
    page: "`[defaults]` holds what rows share: how it was measured, never what came out.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"precision = "fp32""#,
        "precision = \"fp32\"\nlatency-ms = 3",
    ),
    check: Check::Reading,
};

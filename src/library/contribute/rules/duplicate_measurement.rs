//! A measurement that stands twice: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::DUPLICATE_MEASUREMENT,
    title: "a measurement that stands twice",
    severity: Severity::Error,
    page: "The id of a measurement follows from what tells it from its neighbours: its source and every field but notes, raw spellings and sample counts. Two rows with one id are the same measurement.

Remove one, or state what tells them apart: a batch size, a software version, at least a `label`.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""fp16""#, r#""fp32""#),
    check: Check::Reading,
};

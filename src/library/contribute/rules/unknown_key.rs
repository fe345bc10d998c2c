//! A key that does not exist: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNKNOWN_KEY,
    title: "a key that does not exist",
    severity: Severity::Error,
    page: "A key that nobody reads is a fact that nobody finds, and most often a slip of another key. The message names the near ones.

Quantities carry their unit in the key: `memory-gib`, `tdp-w`, `latency-ms`.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-type", "memory-typ"),
    check: Check::Reading,
};

//! A knowledge base of a later schema: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::LATER_SCHEMA,
    title: "a knowledge base of a later schema",
    severity: Severity::Error,
    page: "`catalog/kb.toml` says which version of the file format the knowledge base has. This program is older than that: update it.",
    sample: Sample::edited("catalog/kb.toml", "schema = 1", "schema = 99"),
    check: Check::Reading,
};

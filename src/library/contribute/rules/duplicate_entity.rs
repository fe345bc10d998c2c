//! An entity that stands twice: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::DUPLICATE_ENTITY,
    title: "an entity that stands twice",
    severity: Severity::Error,
    page: "An entity has one file, or one row in one collection. Which of two would be right nobody can tell.",
    sample: Sample::edited("catalog/collections/devices.toml", r#""nova-100-8gb""#, r#""nova-100-16gb""#),
    check: Check::Reading,
};

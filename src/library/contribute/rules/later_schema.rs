//! A knowledge base of a later schema: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::LATER_SCHEMA,
    title: "a knowledge base of a later schema",
    severity: Severity::Error,
    page: "`catalog/kb.toml` says which version of the file format the knowledge base has. This program is older than that: update it.",
    fails: &[(
        "catalog/kb.toml",
        r##"name = "of tomorrow"
schema = 99
license = "CC0-1.0"
"##,
    )],
    passes: &[(
        "catalog/kb.toml",
        r##"name = "of today"
schema = 1
license = "CC0-1.0"
"##,
    )],
    check: Check::Reading,
};

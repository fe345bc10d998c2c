//! Not valid TOML: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::SYNTAX,
    title: "not valid TOML",
    severity: Severity::Error,
    page: "The file breaks the grammar of TOML, so nothing in it can be read. The other files are checked all the same.

The place is where the reader could not go on; the mistake is there or just before: a quote or bracket that is not closed, a text without quotes, a key that stands twice, a table that is opened twice.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""gpu""#, r#""gpu"#),
    check: Check::Reading,
};

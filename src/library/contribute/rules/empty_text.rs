//! An empty text: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::EMPTY_TEXT,
    title: "an empty text",
    severity: Severity::Error,
    page: r##"What is not known is left out. An empty text would look like a fact.

In the compact form of measurements, `""` in a row does mean "absent"."##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", r#""Acme""#, r#""""#),
    check: Check::Reading,
};

//! A value that its key cannot have: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::WRONG_VALUE,
    title: "a value that its key cannot have",
    severity: Severity::Error,
    page: r##"Numbers stand without quotes, texts with them; dates are `2017-12-07`, or `"2017-12"` and `"2017"` in quotes where less is known; shapes are `"3x224x224"`, channels first; ids are lower-case kebab. A number is written with the digits its source printed."##,
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", r#"memory-gib = "32 GB""#),
    check: Check::Reading,
};

//! A citation of nothing, or of two things: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::CITATION,
    title: "a citation of nothing, or of two things",
    severity: Severity::Error,
    page: "A citation names a `source` of the catalog or the `url` of a page; one of the two.",
    sample: Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        r#"source = "imagined-2018""#,
        "source = \"imagined-2018\"\nurl = \"https://example.org/nova\"",
    ),
    check: Check::Reading,
};

//! A key that is missing: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::MISSING_KEY,
    title: "a key that is missing",
    severity: Severity::Error,
    page: "Every kind of entry has keys that it cannot do without: a name, the class of a device, the BibTeX type of a source, the reason of an exception.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "class = \"gpu\"\n", ""),
    check: Check::Reading,
};

//! A key that is missing: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::MISSING_KEY,
    title: "a key that is missing",
    severity: Severity::Error,
    page: "Every kind of entry has keys that it cannot do without: a name, the class of a device, the BibTeX type of a source, the reason of an exception.",
    fails: &[(
        "catalog/devices/nova-100-32gb.toml",
        r##"name = "Acme Nova 100 32 GB"
variant-of = "nova-100"
vendor = "Acme"
memory-gib = 32

[[sources]]
source = "imagined-2018"
"##,
    )],
    passes: &[(
        "catalog/devices/nova-100-32gb.toml",
        r##"name = "Acme Nova 100 32 GB"
variant-of = "nova-100"
class = "gpu"
vendor = "Acme"
memory-gib = 32

[[sources]]
source = "imagined-2018"
"##,
    )],
    check: Check::Reading,
};

//! A citation of nothing, or of two things: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::CITATION,
    title: "a citation of nothing, or of two things",
    severity: Severity::Error,
    page: "A citation names a `source` of the catalog or the `url` of a page; one of the two.",
    fails: &[(
        "catalog/devices/nova-100-32gb.toml",
        r##"name = "Acme Nova 100 32 GB"
variant-of = "nova-100"
class = "gpu"
vendor = "Acme"
memory-gib = 32

[[sources]]
source = "imagined-2018"
url = "https://example.org/nova"
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

//! A citation of a fact that is not stated: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNSTATED_FACT,
    title: "a citation of a fact that is not stated",
    severity: Severity::Error,
    page: "`facts` lists keys of the entry that the citation covers. One that the entry does not have is a slip, or left over from a fact that was removed.",
    fails: &[(
        "catalog/devices/nova-100-32gb.toml",
        r##"name = "Acme Nova 100 32 GB"
variant-of = "nova-100"
class = "gpu"
vendor = "Acme"
memory-gib = 32

[[sources]]
source = "imagined-2018"
facts = ["class", "vendor", "variant-of", "memory-gib", "tdp-w"]
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

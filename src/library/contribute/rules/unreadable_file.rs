//! A file that cannot be read as text: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNREADABLE,
    title: "a file that cannot be read as text",
    severity: Severity::Error,
    page: "The file is not UTF-8, is larger than 64 MiB, or the system does not let this user read it. (In the sample a sign stands for a byte that is no UTF-8.)

Save it as UTF-8; split what is too large into one file for each coherent batch; mend the permissions.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "Acme Nova", "Acm� Nova"),
    check: Check::Reading,
};

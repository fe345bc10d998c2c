//! An address that does not answer.

use super::super::rule::{Check, Rule};
use crate::model::Code;
use crate::model::Severity;

pub(in super::super) const RULE: Rule = Rule {
    code: Code::new(215),
    title: "an address that does not answer",
    severity: Severity::Info,
    page: "`dlbench check --online` asks each cited address once a month at most. A page that is gone is still what was read on the day it was `accessed`; a better address or an archived copy helps the next reader. Addresses that answer people but not programs are listed with the reason in `src/questions/online.rs`.",
    fails: &[(
        "catalog/sources/invented-2020.toml",
        r##"name = "Invented Benchmarks"
type = "misc"
authors = ["Nobody, Ada"]
year = 2020
url = "https://gone.example.org/invented"
accessed = 2026-11-21
"##,
    )],
    passes: &[(
        "catalog/sources/invented-2020.toml",
        r##"name = "Invented Benchmarks"
type = "misc"
authors = ["Nobody, Ada"]
year = 2020
url = "https://example.org/invented"
accessed = 2026-11-21
"##,
    )],
    check: Check::Elsewhere,
};

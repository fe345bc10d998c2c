//! A recipe that cannot be replayed.

use crate::contribute::lint::rule::{Check, Rule};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(111),
    title: "a recipe that cannot be replayed",
    severity: Severity::Error,
    page: "`dlbench import --recipe` could not read it: a key it does not have, a pattern that is no regular expression, a rule without its parts. `dlbench explain recipe` documents every key.",
    fails: &[(
        "catalog/recipes/imagined-2018.toml",
        r##"source = "imagined-2018"

[[table]]
files = "*.csv"
fromat = "csv"
batch = "inference"

[table.set]
framework = "firelight"
network = "{net}"
latency-ms = "{value}"
"##,
    )],
    passes: &[(
        "catalog/recipes/imagined-2018.toml",
        r##"source = "imagined-2018"

[[table]]
files = "*.csv"
format = "csv"
batch = "inference"

[table.set]
framework = "firelight"
network = "{net}"
latency-ms = "{value}"
"##,
    )],
    check: Check::Elsewhere,
};

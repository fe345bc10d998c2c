//! An entity that stands twice: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::DUPLICATE_ENTITY,
    title: "an entity that stands twice",
    severity: Severity::Error,
    page: "An entity has one file, or one row in one collection. Which of two would be right nobody can tell.",
    fails: &[(
        "catalog/collections/more.toml",
        r##"kind = "network"

[[sources]]
source = "imagined-2018"

[[table]]
columns = ["id", "name", "family"]
rows = [
  ["deepnet-50", "DeepNet-50", "deepnet"],
]
"##,
    )],
    passes: &[(
        "catalog/collections/more.toml",
        r##"kind = "network"

[[sources]]
source = "imagined-2018"

[[table]]
columns = ["id", "name", "family"]
rows = [
  ["deepnet-18", "DeepNet-18", "deepnet"],
]
"##,
    )],
    check: Check::Reading,
};

//! Rows that do not fit their columns: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::ROWS,
    title: "rows that do not fit their columns",
    severity: Severity::Error,
    page: r##"A compact `[[table]]` has `columns`, each the name of a key and each once, and `rows` with as many cells as there are columns. `""` is an absent value."##,
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""fp32", 16, 65.0"#, r#""fp32", 65.0"#),
    check: Check::Reading,
};

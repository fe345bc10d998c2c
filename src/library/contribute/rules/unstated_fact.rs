//! A citation of a fact that is not stated: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNSTATED_FACT,
    title: "a citation of a fact that is not stated",
    severity: Severity::Error,
    page: "`facts` lists keys of the entry that the citation covers. One that the entry does not have is a slip, or left over from a fact that was removed.",
    sample: Sample::edited("catalog/datasets/tiny-pictures.toml", r#""train-size""#, r#""train-size", "test-size""#),
    check: Check::Reading,
};

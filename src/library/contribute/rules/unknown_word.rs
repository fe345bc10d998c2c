//! A word outside its vocabulary: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::UNKNOWN_WORD,
    title: "a word outside its vocabulary",
    severity: Severity::Error,
    page: "Some keys take one word of a closed list, because what is spelled in two ways is found in one of them only. The message has the list.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""train""#, r#""training""#),
    check: Check::Reading,
};

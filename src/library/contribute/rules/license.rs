//! A licence that is no SPDX expression: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::LICENSE,
    title: "a licence that is no SPDX expression",
    severity: Severity::Error,
    page: r##"Questions such as "Apache, C++, multi-server" need one spelling of each licence: its SPDX identifier, or an expression such as `MIT OR Apache-2.0`. See spdx.org/licenses.

What a survey printed goes under `reported`, as printed."##,
    sample: Sample::edited("catalog/frameworks/firelight.toml", r#""BSD-3-Clause""#, r#""BSD 3""#),
    check: Check::Reading,
};

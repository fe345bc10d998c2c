//! A licence that is no SPDX expression: found while the files are read.

use crate::contribute::lint::{Check, Rule};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::LICENSE,
    title: "a licence that is no SPDX expression",
    severity: Severity::Error,
    page: r##"Questions such as "Apache, C++, multi-server" need one spelling of each licence: its SPDX identifier, or an expression such as `MIT OR Apache-2.0`. See spdx.org/licenses.

What a survey printed goes under `reported`, as printed."##,
    fails: &[(
        "catalog/frameworks/omegalearn.toml",
        r##"name = "OmegaLearn"
license = "Apache 2"
hardware = ["gpu"]

[[sources]]
source = "imagined-2018"
"##,
    )],
    passes: &[(
        "catalog/frameworks/omegalearn.toml",
        r##"name = "OmegaLearn"
license = "Apache-2.0"
hardware = ["gpu"]

[[sources]]
source = "imagined-2018"
"##,
    )],
    check: Check::Reading,
};

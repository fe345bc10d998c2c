//! A file in a wrong place: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::MISPLACED,
    title: "a file in a wrong place",
    severity: Severity::Error,
    page: "What a file holds is told by its place: `catalog/<kind>/<id>.toml` or `measurements/<source>/<batch>.toml`. A file anywhere else would be read by nobody.

Ids are lower-case letters, digits, single hyphens and dots. A folder, a pipe or a link to nowhere is no file.",
    sample: Sample::renamed("catalog/devices/nova-100-32gb.toml", "catalog/device/nova-100-32gb.toml"),
    check: Check::Reading,
};

//! A rule of a recipe: what gives a field or a value, and the steps that its text goes through.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::values::HardwareClass;

/// What gives a field.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Rule {
    /// A template or a constant: `"{column}"`, `"eval"`, `"{a} {b}"`.
    Template(String),
    /// A number as it is.
    Integer(i64),
    /// A template and the steps that its text goes through.
    ProcessedTemplate(Box<ProcessedTemplate>),
    /// The first of these whose condition (`when`) holds.
    First(Vec<Rule>),
}

impl Rule {
    /// Each rule that may apply, in their order.
    pub(in crate::contribute) fn choices(&self) -> &[Rule] {
        match self {
            Self::First(rules) => rules,
            one => std::slice::from_ref(one),
        }
    }
}

/// A template, and the steps that its text goes through, in this order.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProcessedTemplate {
    /// The template.
    pub from: String,
    /// A template: the rule applies only where its text matches.
    #[serde(default)]
    pub when: Option<String>,
    /// A pattern on the text of `when`.
    #[serde(default)]
    pub matches: Option<String>,
    /// Keeps the first group of this pattern; what does not match is absent.
    #[serde(default)]
    pub pick: Option<String>,
    /// What the groups of `pick` become instead: `3x{1}x{2}`.
    #[serde(default)]
    pub into: Option<String>,
    /// Replaces whole texts, in any case of their letters where the map does not tell them apart; the key `""` stands for an empty one, which without it leaves the field absent.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// Whether a text that `map` does not have is left as it is (else the record is left out).
    #[serde(default)]
    pub others: bool,
    /// Reads a time such as `3:19:59` (hours, minutes, seconds), `62:03` (minutes, seconds) or `1h02min` as its seconds.
    #[serde(default)]
    pub clock: bool,
    /// Multiplies a number.
    #[serde(default)]
    pub scale: Option<f64>,
    /// A template of a whole number that multiplies a count: the devices of a node times the nodes. Where it is no number,
    /// the count is absent.
    #[serde(default)]
    pub times: Option<String>,
    /// A template: divides a whole number by this one; absent where a rest is left.
    #[serde(default)]
    pub divide: Option<String>,
    /// Reads a name as the id of an entity, or as a precision.
    #[serde(default)]
    pub resolve: Option<Resolving>,
    /// The hardware class that the source states of a device: it decides where a name names a chip and its GPU.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub class: Option<HardwareClass>,
    /// Whether a text that `map` does not have, or a name that the catalog does not have, leaves the field absent (else
    /// the record is left out). The import tells such texts.
    #[serde(default)]
    pub optional: bool,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Resolving {
    Device,
    Network,
    Framework,
    Dataset,
    Precision,
}

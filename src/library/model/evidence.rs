//! What claims are held against: an operational definition for each qualitative metric, and the figures of surveys' texts.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Field, Measure};
use crate::values::{Decimal, EntityId};

/// How a qualitative metric is made a number, and what that number leaves out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceDefinition {
    /// The metric, of `hardware-metrics.toml` or `framework-metrics.toml`.
    pub metric: EntityId,
    /// What is graded by it.
    pub grades: GradedKind,
    /// What speaks for it.
    pub speaks: EvidenceKind,
    /// Keys of metrics and derived measures: the first with enough evidence speaks, those behind it are weaker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// The fields, besides the device, in which the rows of a pair may differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differ: Vec<String>,
    /// Filters of a question that rows must meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// What is counted, where the breadth of a class speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Breadth>,
    /// Key of the fact of frameworks that speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// Whether a high grade goes with the better or the worse value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high_grade: Option<HighGrade>,
    /// Fewer units (networks, as a rule) than this decide nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_units: Option<i64>,
    /// Each side must have been measured by so many who are independent of each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_measurers: Option<i64>,
    /// Each side that is a class must have been measured on so many devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_devices: Option<i64>,
    /// Classes of one grade are alike where they differ by no more than this: a factor, years, or a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike_within: Option<Decimal>,
    /// Where the survey whose metric it is prints the grades or facts: a table with its row or column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The formula, in words.
    pub formula: String,
    /// What it does not capture.
    pub not_captured: String,
}

impl EvidenceDefinition {
    /// The measures, the strongest first.
    pub fn measures(&self) -> impl Iterator<Item = Measure> {
        self.measures.iter().filter_map(|key| measure_called(key))
    }

    /// The fields in which the rows of a pair may differ.
    pub fn differing_fields(&self) -> impl Iterator<Item = Field> {
        self.differ.iter().filter_map(|key| key.parse().ok())
    }
}

/// The metric or derived measure of this key.
pub fn measure_called(key: &str) -> Option<Measure> {
    key.parse().map(Measure::Metric).ok().or_else(|| key.parse().map(Measure::Derived).ok())
}

macro_rules! word {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
            Serialize, Deserialize,
        )]
        #[strum(serialize_all = "kebab-case")]
        #[serde(rename_all = "kebab-case")]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }
    };
}

word! {
    /// What a metric grades.
    GradedKind {
        /// Classes of hardware.
        Hardware,
        /// Frameworks.
        Framework,
    }
}

word! {
    /// What speaks for or against a claim.
    EvidenceKind {
        /// Values of two classes, of rows that are alike in everything else.
        MatchedRows,
        /// What twice the devices gain, in rows of each class that are alike in everything but the number of devices.
        Scaling,
        /// Years from a network's publication to its first row on the class.
        Lag,
        /// How much of something has rows or stated support on the class.
        Coverage,
        /// A fact of a framework, and rows that bear it out.
        Fact,
        /// Nothing that the knowledge base holds.
        Nothing,
    }
}

word! {
    /// What the breadth of a class is counted in.
    Breadth {
        /// Frameworks that state it or have rows on it.
        Frameworks,
        /// Tasks of networks with rows on it.
        Tasks,
    }
}

word! {
    /// With which end of a measure a high grade goes.
    HighGrade {
        /// High is good: fast, broad, early.
        Better,
        /// High is bad: dear, slow.
        Worse,
    }
}

/// A figure or an order that a text states, as it can be held against measurements or facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Claim {
    /// Kebab id.
    pub id: EntityId,
    /// What is claimed, in a sentence of our own.
    pub text: String,
    /// Who says so.
    pub source: EntityId,
    /// Where in it: a section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The year of the claim; rows up to it are of its time.
    pub year: i64,
    /// Filters of a question: what is said to be better, or what has the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Filters of a question: what it is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The metric by whose definition rows are chosen and paired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<EntityId>,
    /// The device whose fact is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<EntityId>,
    /// Key of the fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// The least that is claimed: how many times as good, or the value of the fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Decimal>,
    /// The most that is claimed; without it anything above `low` is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
    /// What the work states that the source names for the figure, or that the source's own figures come to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited: Option<CitedFigure>,
    /// Remarks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A figure as another work states it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CitedFigure {
    /// The work, in short: authors and year.
    pub work: String,
    /// Where it can be read.
    pub url: String,
    /// The figure, or the least of a range.
    pub low: Decimal,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
}

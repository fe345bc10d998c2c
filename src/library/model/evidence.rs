//! How claims are tested against measurements, and how well a measurement is documented.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Field, Measure, Value};
use crate::values::{Decimal, EntityId, EvidenceGrade};

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

/// How a qualitative metric is expressed as a number, and what the number does not capture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceDefinition {
    /// The metric, from `hardware-metrics.toml` or `framework-metrics.toml`.
    pub metric: EntityId,
    /// What it grades.
    pub grades: GradedKind,
    /// What counts as evidence.
    pub speaks: EvidenceKind,
    /// Keys of metrics and derived measures: the first one with enough evidence is used; later ones are weaker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// The fields, besides the device, in which the rows of a pair may differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differ: Vec<String>,
    /// Filters that rows must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// What is counted, if the breadth of a class is the evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Breadth>,
    /// Key of the framework fact that is the evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// Whether a high grade means the better or the worse value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high_grade: Option<HighGrade>,
    /// Minimum number of units (usually networks) for a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_units: Option<i64>,
    /// Minimum number of independent measurers of each side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_measurers: Option<i64>,
    /// Minimum number of measured devices of each side that is a class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_devices: Option<i64>,
    /// Maximum difference at which classes of one grade are alike: a factor, years, or a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike_within: Option<Decimal>,
    /// Where the survey that defines the metric prints the grades or facts: a table with its row or column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The formula, in words.
    pub formula: String,
    /// What the formula does not capture.
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

/// The metric or derived measure with this key.
pub fn measure_called(key: &str) -> Option<Measure> {
    key.parse().map(Measure::Metric).ok().or_else(|| key.parse().map(Measure::Derived).ok())
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
    /// Evidence for or against a claim.
    EvidenceKind {
        /// Values of two classes, from rows that are alike in everything else.
        MatchedRows,
        /// The gain from twice the devices, in rows of each class that differ only in the number of devices.
        Scaling,
        /// Years from a network's publication to its first row on the class.
        Lag,
        /// The number of items that have rows or stated support on the class.
        Coverage,
        /// A fact of a framework, and rows that confirm it.
        Fact,
        /// Nothing in the knowledge base.
        Nothing,
    }
}

word! {
    /// The items in which the breadth of a class is counted.
    Breadth {
        /// Frameworks that state support for the class or have rows on it.
        Frameworks,
        /// Tasks of networks with rows on the class.
        Tasks,
    }
}

word! {
    /// Which end of a measure a high grade means.
    HighGrade {
        /// High is good: fast, broad, early.
        Better,
        /// High is bad: expensive, slow.
        Worse,
    }
}

/// A figure or an order that a text states, in a form that can be tested against measurements or facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Claim {
    /// Id in kebab case.
    pub id: EntityId,
    /// The claim, in a sentence of our own.
    pub text: String,
    /// The source of the claim.
    pub source: EntityId,
    /// The place in the source: a section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The year of the claim; rows up to it are of its time.
    pub year: i64,
    /// Filters: the side that is claimed to be better, or that has the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Filters: the side with which it is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The metric by whose definition rows are chosen and paired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<EntityId>,
    /// The device of the claimed fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<EntityId>,
    /// Key of the fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// Lower end of the claim: how many times as good, or the value of the fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Decimal>,
    /// Upper end of the claim; without it, anything above `low` is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
    /// What the work that the source cites for the figure states, or what follows from the source's own figures.
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
    /// The work in short form: authors and year.
    pub work: String,
    /// Its URL.
    pub url: String,
    /// The figure, or the lower end of a range.
    pub low: Decimal,
    /// The upper end of the range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Decimal>,
}

/// Something that a well documented row states. The kebab-case name is its key.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Indicator {
    /// What the timed interval covers.
    Timed,
    /// The numeric recipe and the amount of concurrent work.
    Recipe,
    /// How the value summarises its samples.
    Statistic,
    /// The version of the source.
    Code,
    /// Software and its version.
    Environment,
    /// The number of samples.
    Samples,
    /// The dispersion of the samples.
    Spread,
    /// Another system measured under the same conditions.
    SameConditions,
}

/// The grades, the best first, with the minimum number of indicators met out of eight; fewer than the last give `d`.
const LEAST_OF_EIGHT: &[(EvidenceGrade, u32)] = &[(EvidenceGrade::A, 7), (EvidenceGrade::B, 5), (EvidenceGrade::C, 3)];

impl Indicator {
    /// The key.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The principle of benchmarking (`catalog/principles.toml`) that it applies.
    pub fn principle(self) -> &'static str {
        match self {
            Self::Timed | Self::Recipe | Self::Statistic => "transparency",
            Self::Code | Self::Environment | Self::Samples | Self::Spread => "repeatability",
            Self::SameConditions => "equity",
        }
    }

    /// The statements that satisfy it.
    pub fn rests_on(self) -> &'static str {
        match self {
            Self::Timed => "the row or its source's entry says what lies between start and stop of the clock",
            Self::Recipe => "the row states precision and batch, or how the load arrives",
            Self::Statistic => "the row or its source's entry says what the value is of its samples",
            Self::Code => "its source's entry names the commit of the version that was read",
            Self::Environment => {
                "the row states the framework's version and one of driver, CUDA, operating system, container, other software"
            }
            Self::Samples => "the row, or its source's entry, states two samples or processes or more",
            Self::Spread => {
                "the row states a deviation of its samples or processes, or the least and the greatest sample"
            }
            Self::SameConditions => {
                "its source has a row on another device, or of another framework, equal in everything else that decides comparability"
            }
        }
    }

    /// Whether it applies to an attempt without a value.
    pub fn applies_to_failed(self) -> bool {
        matches!(self, Self::Timed | Self::Recipe | Self::Environment | Self::Code)
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A set of indicators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Indicators(u16);

impl Indicators {
    /// The indicators that hold.
    pub fn of(all: &[(Indicator, bool)]) -> Self {
        Self(all.iter().filter(|(_, holds)| *holds).fold(0, |set, (indicator, _)| set | indicator.bit()))
    }

    fn has(self, indicator: Indicator) -> bool {
        self.0 & indicator.bit() != 0
    }

    /// The union of two sets.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The indicators that apply to a row, which may be a failed attempt.
    fn applying(has_failed: bool) -> Self {
        let applies = |indicator: &&Indicator| !has_failed || indicator.applies_to_failed();
        Self(Indicator::VARIANTS.iter().filter(applies).fold(0, |set, indicator| set | indicator.bit()))
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// How well one row is documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attested {
    grade: EvidenceGrade,
    lacks: Indicators,
}

impl Attested {
    /// The grade by the fraction of applicable indicators that are met, at best `most`.
    pub fn of(met: Indicators, has_failed: bool, most: EvidenceGrade) -> Self {
        let applying = Indicators::applying(has_failed);
        let lacks = applying.without(met);
        let met = (applying.count() - lacks.count()) * Indicator::VARIANTS.len() as u32;
        let reached = LEAST_OF_EIGHT.iter().find(|(_, least)| met >= least * applying.count());
        let grade = reached.map_or(EvidenceGrade::D, |(grade, _)| *grade).max(most);
        Self { grade, lacks }
    }

    /// The grade and the unmet indicators as fields of the row.
    pub fn fields(self) -> Vec<(Field, Value)> {
        let grade: &str = self.grade.into();
        let mut fields = vec![(Field::Evidence, Value::Text(grade.into()))];
        let lacking = Indicator::VARIANTS.iter().filter(|indicator| self.lacks.has(**indicator));
        let lacking: Vec<&str> = lacking.map(|indicator| indicator.key()).collect();
        if !lacking.is_empty() {
            fields.push((Field::EvidenceLacks, Value::Text(lacking.join(", ").into())));
        }
        fields
    }
}

/// Whether a row's field [`Field::EvidenceLacks`] contains an indicator.
pub fn lacks(stated: &str, indicator: Indicator) -> bool {
    stated.split(", ").any(|key| key == indicator.key())
}

/// The rule in words: each indicator with the statements that satisfy it, and how many of them each grade needs.
pub fn evidence_rule() -> String {
    let mut text = String::from(
        "# How well a measurement is attested\n\n\
         Each measurement has a grade of evidence from `a` (the best) to `d`, computed when the knowledge base is read and\n\
         never stated in a file. It follows from what the measurement and its source's entry state, not from the value, and\n\
         is the same for numbers that were reported and for those of `dlbench run`.\n\n\
         | indicator | principle | met where |\n| --- | --- | --- |\n",
    );
    for indicator in Indicator::VARIANTS {
        let _ = writeln!(text, "| {indicator} | {} | {} |", indicator.principle(), indicator.rests_on());
    }
    text.push('\n');
    let all = Indicator::VARIANTS.len();
    for (grade, least) in LEAST_OF_EIGHT {
        let _ = writeln!(text, "- `{grade}`: {least} of {all} are met, or the same share of those that apply");
    }
    let _ =
        writeln!(text, "- `{}`: fewer, or the measurement or its source is disputed or retracted", EvidenceGrade::D);
    let _ = writeln!(
        text,
        "\nA measurement of `dlbench run` whose processes began within a quarter of an hour is `{}` at best, because its interval does not\n\
         include slow drift.",
        EvidenceGrade::C
    );
    let of_failed: Vec<&str> = Indicator::VARIANTS.iter().filter(|i| i.applies_to_failed()).map(|i| i.key()).collect();
    let _ = write!(
        text,
        "\nOf an attempt that gave no value only {} apply.\n\n\
         `evidence-lacks` names what is not met. Both are fields like others: `evidence:a..b` or `evidence>=b` in a question,\n\
         `evidence-lacks:*spread*`, `--columns id,evidence`, `dlbench table principles --sources` for the shares of each source.\n",
        of_failed.join(", ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_tells_every_indicator() {
        let rule = evidence_rule();
        for indicator in Indicator::VARIANTS {
            assert!(rule.contains(indicator.key()) && rule.contains(indicator.rests_on()), "{indicator}");
        }
        assert!(lacks("samples, spread", Indicator::Spread) && !lacks("samples, spread", Indicator::Code));
    }
}

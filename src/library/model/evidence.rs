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

//! How well a measurement is attested: the principles of benchmarking as indicators of a row, the grade that follows from them, and
//! the rule in words.
//!
//! The indicators rest on what the row and its source's entry state, never on the value: a number that is graded `d` may be
//! right, but a reader cannot tell. Reported numbers and those of our own runner are judged alike.

use std::fmt::Write as _;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::{Field, Value};
use crate::values::EvidenceGrade;

/// Something that a row that is well attested states. The kebab-case name is its key.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Indicator {
    /// What lies between start and stop of the clock.
    Timed,
    /// The numeric recipe and how much ran at once.
    Recipe,
    /// What the value is of its samples.
    Statistic,
    /// Which version of the source.
    Code,
    /// Software and its version.
    Environment,
    /// How many samples.
    Samples,
    /// How far the samples lie apart.
    Spread,
    /// Another system under the same conditions.
    SameConditions,
}

/// The grades, the best first, and of eight indicators how many at least are met; below the last it is `d`.
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

    /// What it rests on.
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

    /// Whether it applies to an attempt that gave no value.
    pub fn applies_to_failed(self) -> bool {
        matches!(self, Self::Timed | Self::Recipe | Self::Environment | Self::Code)
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Some of the indicators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Indicators(u16);

impl Indicators {
    /// Those that hold.
    pub fn of(all: &[(Indicator, bool)]) -> Self {
        Self(all.iter().filter(|(_, holds)| *holds).fold(0, |set, (indicator, _)| set | indicator.bit()))
    }

    fn has(self, indicator: Indicator) -> bool {
        self.0 & indicator.bit() != 0
    }

    /// Those that are in one or the other.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Of a row that may have failed those that apply.
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

/// How well one row is attested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attested {
    grade: EvidenceGrade,
    lacks: Indicators,
}

impl Attested {
    /// By the share of the indicators that are met among those that apply; what somebody doubts or took back is `d`.
    pub fn of(met: Indicators, has_failed: bool, is_doubted: bool) -> Self {
        let applying = Indicators::applying(has_failed);
        let lacks = applying.without(met);
        let met = (applying.count() - lacks.count()) * Indicator::VARIANTS.len() as u32;
        let reached = LEAST_OF_EIGHT.iter().find(|(_, least)| met >= least * applying.count());
        let grade = reached.filter(|_| !is_doubted).map_or(EvidenceGrade::D, |(grade, _)| *grade);
        Self { grade, lacks }
    }

    /// As fields of the row.
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

/// Whether a row, by its field [`Field::EvidenceLacks`], lacks an indicator.
pub fn lacks(stated: &str, indicator: Indicator) -> bool {
    stated.split(", ").any(|key| key == indicator.key())
}

/// The rule in words: each indicator with what it rests on, and which grade so many of them are.
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

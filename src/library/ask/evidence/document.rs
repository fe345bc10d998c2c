//! The JSON output of `dlbench evidence -f json`; its shape is stable.

use serde::Serialize;
use strum::{Display, IntoStaticStr};

/// The JSON Schema of an [`Evidence`].
pub const SCHEMA: &str = include_str!("evidence.schema.json");

/// Claims tested against measurements.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The question; empty for everything.
    pub query: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// How intervals are computed, in words.
    pub method: String,
    /// The claims: grades, framework facts, figures from texts.
    pub claims: Vec<ClaimEvidence>,
    /// How often chance alone would give these verdicts, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_chance: Option<ByChance>,
}

/// How often chance alone gives a verdict on two sides: the directions of the real pairs are swapped at random, those of all pairs
/// of a device together (half of the times by the devices of one side, half by those of the other); if items are counted, those
/// of each item.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ByChance {
    /// The accepted share of both verdicts together.
    pub level: f64,
    /// How many times directions were swapped.
    pub shuffles: usize,
    /// All pairs of sides with enough evidence for a verdict.
    pub rates: Vec<ChanceRate>,
}

/// Two sides with directions swapped at random.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChanceRate {
    /// The metric by whose definition they are compared.
    pub metric: String,
    /// The measure, if rows are compared.
    pub measure: Option<String>,
    /// `then` or `since`.
    pub period: String,
    /// One side, as filters.
    pub subject: String,
    /// The other side, as filters.
    pub baseline: String,
    /// Number of pairs, or of counted items.
    pub pairs: usize,
    /// Number of units, usually networks.
    pub units: usize,
    /// Number of devices of the side with fewer, if they represent a class.
    pub devices: Option<usize>,
    /// Share of the swaps in which a claim that the subject has more was supported.
    pub supported: f64,
    /// Share of the swaps in which it was contradicted.
    pub contradicted: f64,
}

/// A claim, with the evidence for and against it.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClaimEvidence {
    /// `gpu/energy-efficiency`, `pytorch/license-type`, or the id of a figure.
    pub id: String,
    /// The kind of claim.
    pub kind: ClaimKind,
    /// The class, framework or filters that it is about.
    pub about: String,
    /// The metric by whose definition it is judged.
    pub metric: Option<String>,
    /// What is claimed: a grade, a fact as printed, a range.
    pub claimed: String,
    /// The claim in a sentence.
    pub text: String,
    /// The source of the claim.
    pub said_by: String,
    /// The place in the source: a section, or a table with row or column.
    pub place: Option<String>,
    /// The year of the claim.
    pub year: Option<i64>,
    /// Remarks on the claim.
    pub notes: Option<String>,
    /// The verdict by measurements after the claim's year, else by those up to it.
    pub verdict: EvidenceVerdict,
    /// The period on which the verdict is based.
    pub by: Option<String>,
    /// The evidence up to the claim's year and since then.
    pub periods: Vec<PeriodEvidence>,
    /// How the claim is expressed as a number.
    pub formula: String,
    /// What the number does not capture.
    pub not_captured: String,
    /// What would change the verdict.
    pub would_change: String,
}

/// Kinds of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ClaimKind {
    /// A grade of a hardware class.
    #[default]
    Grade,
    /// A fact of a framework.
    Fact,
    /// A figure or an order from a text.
    Figure,
}

/// What the evidence says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum EvidenceVerdict {
    /// The evidence supports the claim.
    #[strum(to_string = "supported")]
    Supported,
    /// The evidence contradicts the claim.
    #[strum(to_string = "contradicted")]
    Contradicted,
    /// The evidence supports a part of the claim, or is undecided.
    #[strum(to_string = "mixed")]
    Mixed,
    /// There is no evidence, or too little.
    #[strum(to_string = "no evidence")]
    #[default]
    NoEvidence,
}

impl EvidenceVerdict {
    /// Combines verdicts: those without evidence are ignored, differing ones are mixed.
    pub(super) fn combined(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let known = verdicts.into_iter().filter(|verdict| *verdict != Self::NoEvidence);
        known.reduce(|a, b| if a == b { a } else { Self::Mixed }).unwrap_or(Self::NoEvidence)
    }

    /// Supported if the claim is true, otherwise contradicted.
    pub(super) fn whether(is_so: bool) -> Self {
        if is_so { Self::Supported } else { Self::Contradicted }
    }
}

/// The evidence from the rows of a period.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PeriodEvidence {
    /// `then`, up to the claim's year, or `since`.
    pub period: String,
    /// The combined verdict of all comparisons.
    pub verdict: EvidenceVerdict,
    /// The comparisons.
    pub comparisons: Vec<Comparison>,
}

/// A comparison of two sides, or the evidence for an item of a fact.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The class or framework of the claim, or filters.
    pub subject: String,
    /// What it is compared with, or the item of the fact.
    pub baseline: String,
    /// What is claimed: `more`, `less`, `alike`, a range, or the item.
    pub claimed: String,
    /// The verdict.
    pub verdict: Option<EvidenceVerdict>,
    /// The metric, derived measure or fact that is the evidence.
    pub measure: Option<String>,
    /// Whether a weaker measure replaces the first one.
    pub weak: bool,
    /// The unit of the effect: `ratio`, `years` or `share`, how many times as good, years earlier or how much more the subject is;
    /// `value`, a fact of the catalog; `cited`, what another work states.
    pub unit: Option<String>,
    /// The mean over units; for ratios the geometric mean.
    pub effect: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// Number of pairs, or of counted items.
    pub pairs: usize,
    /// Number of units that are resampled for the interval, usually networks.
    pub units: usize,
    /// Number of devices of the side with fewer; `None` if they do not represent a class.
    pub devices: Option<usize>,
    /// Number of independent measurers of the side with fewer.
    pub measurers: usize,
    /// The sources.
    pub sources: Vec<String>,
    /// The first and last year of the rows.
    pub years: Option<(i64, i64)>,
    /// Ids of rows, subject and baseline alternately; if there are many pairs, a sample spread over all.
    pub measurements: Vec<String>,
    /// Why there is no evidence, or a remark on it.
    pub remark: Option<String>,
    /// All pairs, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<PairEvidence>,
}

/// A pair of rows.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairEvidence {
    /// The network, framework or task.
    pub unit: String,
    /// The subject's value.
    pub subject: Option<f64>,
    /// The baseline's value.
    pub baseline: Option<f64>,
    /// The effect, in the unit of the comparison.
    pub effect: f64,
    /// Devices of both sides.
    pub devices: Vec<String>,
    /// Ids of rows.
    pub measurements: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::evidence::{WANTED_SCHEMA, Wanted};
    use crate::ask::published_schema::is_current;

    #[test]
    fn the_published_schemas_are_current() {
        is_current::<Evidence>("evidence/evidence", SCHEMA);
        is_current::<Wanted>("evidence/wanted", WANTED_SCHEMA);
    }

    #[test]
    fn verdicts_come_to_one() {
        use EvidenceVerdict::*;
        assert_eq!(EvidenceVerdict::combined([NoEvidence, Supported]), Supported);
        assert_eq!(EvidenceVerdict::combined([Contradicted, Supported]), Mixed);
        assert_eq!(EvidenceVerdict::combined([Mixed, Supported]), Mixed);
        assert_eq!(EvidenceVerdict::combined([]), NoEvidence);
    }
}

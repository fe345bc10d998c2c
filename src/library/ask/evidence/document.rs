//! The JSON output of `dlbench evidence -f json`; its shape is stable.

use serde::Serialize;
use strum::{Display, IntoStaticStr};

/// The JSON Schema of an [`Evidence`].
pub const SCHEMA: &str = include_str!("evidence.schema.json");

/// Claims held against what was measured.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Evidence {
    /// What was asked; empty is everything.
    pub query: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// How intervals are made, in words.
    pub method: String,
    /// The claims: grades, facts of frameworks, figures of texts.
    pub claims: Vec<ClaimEvidence>,
    /// How often chance alone would give these verdicts, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_chance: Option<ByChance>,
}

/// How often verdicts on two sides come by chance alone: the real pairs with directions exchanged at random, those of all pairs of
/// a device together (half of the times by the devices of the one side, half by those of the other); where things are counted,
/// those of each thing.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ByChance {
    /// The share of both verdicts together that is allowed.
    pub level: f64,
    /// So many times directions were exchanged.
    pub shuffles: usize,
    /// Each two sides on which there was enough evidence for a verdict.
    pub rates: Vec<ChanceRate>,
}

/// Two sides with their directions exchanged at random.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChanceRate {
    /// The metric by whose definition they are compared.
    pub metric: String,
    /// The measure, where it is by rows.
    pub measure: Option<String>,
    /// `then` or `since`.
    pub period: String,
    /// One side, as filters.
    pub subject: String,
    /// The other.
    pub baseline: String,
    /// Pairs, or counted things.
    pub pairs: usize,
    /// Networks, as a rule.
    pub units: usize,
    /// Devices of the side that has fewer, where they stand for a class.
    pub devices: Option<usize>,
    /// In which share of the exchanges a claim that the subject has more was supported.
    pub supported: f64,
    /// In which it was contradicted.
    pub contradicted: f64,
}

/// A claim, and what speaks for and against it.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClaimEvidence {
    /// `gpu/energy-efficiency`, `pytorch/license-type`, or the id of a figure.
    pub id: String,
    /// What kind of claim it is.
    pub kind: ClaimKind,
    /// The class, framework or filters that it is about.
    pub about: String,
    /// The metric by whose definition it is judged.
    pub metric: Option<String>,
    /// What is claimed: a grade, a fact as printed, a range.
    pub claimed: String,
    /// The claim in a sentence.
    pub text: String,
    /// Who says so.
    pub said_by: String,
    /// Where in the source: a section, or a table with row or column.
    pub place: Option<String>,
    /// The year of the claim.
    pub year: Option<i64>,
    /// What must be said of the claim.
    pub notes: Option<String>,
    /// The verdict by what was measured after the claim's year, else by what was measured until then.
    pub verdict: EvidenceVerdict,
    /// On which period the verdict rests.
    pub by: Option<String>,
    /// The verdict for the claim's time and for the years since.
    pub periods: Vec<PeriodEvidence>,
    /// How the claim is made a number.
    pub formula: String,
    /// What that does not capture.
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
    /// A grade of a class of hardware.
    #[default]
    Grade,
    /// A fact of a framework.
    Fact,
    /// A figure or an order of a text.
    Figure,
}

/// What the evidence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum EvidenceVerdict {
    /// It is so.
    #[strum(to_string = "supported")]
    Supported,
    /// It is otherwise.
    #[strum(to_string = "contradicted")]
    Contradicted,
    /// Partly so, or not to be told.
    #[strum(to_string = "mixed")]
    Mixed,
    /// Nothing is known, or too little.
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

/// What the rows of a period say.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PeriodEvidence {
    /// `then`, up to the claim's year, or `since`.
    pub period: String,
    /// What all comparisons come to.
    pub verdict: EvidenceVerdict,
    /// What was compared.
    pub comparisons: Vec<Comparison>,
}

/// Two sides compared, or an item of a fact looked for.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The class or framework of the claim, or filters.
    pub subject: String,
    /// What it is compared with, or the item of the fact.
    pub baseline: String,
    /// What the claim has it to be: `more`, `less`, `alike`, a range, or the item.
    pub claimed: String,
    /// The verdict.
    pub verdict: Option<EvidenceVerdict>,
    /// The metric, derived measure or fact that speaks.
    pub measure: Option<String>,
    /// Whether a weaker measure had to speak for the first one.
    pub weak: bool,
    /// In what the effect is: `ratio`, `years` or `share`, how many times as good, earlier or more the subject is; `value`, a fact of
    /// the catalog; `cited`, what another work states.
    pub unit: Option<String>,
    /// The mean over units; of ratios the geometric one.
    pub effect: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Pairs, or counted things.
    pub pairs: usize,
    /// Networks, as a rule: what is drawn for the interval.
    pub units: usize,
    /// Devices of the side that has fewer; nothing where they stand for no more than themselves.
    pub devices: Option<usize>,
    /// How many independent of each other measured the side that fewer measured.
    pub measurers: usize,
    /// The sources.
    pub sources: Vec<String>,
    /// The first and the last year of the rows.
    pub years: Option<(i64, i64)>,
    /// Ids of rows, subject and baseline in turn; of many pairs some that are spread over all.
    pub measurements: Vec<String>,
    /// Why there is no evidence, or what must be said of it.
    pub remark: Option<String>,
    /// Each pair, where it was asked for.
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
    /// The baseline's.
    pub baseline: Option<f64>,
    /// The effect, as that of the comparison.
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

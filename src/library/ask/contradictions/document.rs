//! The JSON output of `dlbench evidence --contradictions -f json`; its shape is stable.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::ask::execute::spread::rounded;
use crate::model::Value;

/// The JSON Schema of [`Contradictions`].
pub const SCHEMA: &str = include_str!("contradictions.schema.json");

/// Where those who measured the same do not agree.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contradictions {
    /// What was asked; empty is everything.
    pub query: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// When two contradict each other, in words; `None` where the catalog does not say, and nothing is found.
    pub formula: Option<String>,
    /// What that does not capture.
    pub not_captured: Option<String>,
    /// What is usual: repetitions first, then each kind of context.
    pub allowances: Vec<Allowance>,
    /// Pairs of measurers and configurations that were compared.
    pub compared: usize,
    /// Those of them whose values differ by no more than repetitions do.
    pub within_repetitions: usize,
    /// Those whose difference the context explains.
    pub explained: usize,
    /// Those whose stated dispersions overlap.
    pub within_spread: usize,
    /// What is left.
    pub unexplained: usize,
    /// Of what is left, the largest factor first, each value of a measurer once.
    pub contradictions: Vec<Contradiction>,
    /// Number of pairs of devices, frameworks or precisions with direct evidence.
    pub pairs: usize,
    /// The pairs on which the evidence disagrees, largest factor first; those with a common cause once.
    pub disagreements: Vec<Disagreement>,
}

/// How far values of one measurer lie apart where one kind of circumstance differs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Allowance {
    /// `repetitions`, or the kind of context.
    pub name: String,
    /// The fields of the context.
    pub fields: Vec<String>,
    /// The usual factor at most; `None` where too few pairs tell, and nothing is taken to be explained by it.
    pub factor: Option<f64>,
    /// Of so many pairs.
    pub pairs: usize,
    /// Of so many measurers.
    pub measurers: usize,
}

/// Two rows of one configuration by two who are independent of each other.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contradiction {
    /// The metric.
    pub metric: String,
    /// How many times the lower value the higher one is: the nearest ends of the ranges of both.
    pub factor: f64,
    /// How many times would have been usual.
    pub usual: f64,
    /// Who has the higher value.
    pub higher: ContradictionSide,
    /// Who has the lower one.
    pub lower: ContradictionSide,
    /// So many more pairs that are not explained hold one of these two values.
    pub further: usize,
    /// What both state alike.
    pub under: IndexMap<String, Option<Value>>,
    /// What differs in context.
    pub differences: Vec<ContextDifference>,
}

impl Contradiction {
    /// The circumstances in which the two rows differ or that only one of them states, in words.
    pub fn differing(&self) -> String {
        let fields = self.differences.iter().map(|difference| {
            let state = |text: &Option<String>| text.clone().unwrap_or_else(|| "not stated".to_owned());
            format!("{} {} against {}", difference.field, state(&difference.higher), state(&difference.lower))
        });
        fields.collect::<Vec<_>>().join("; ")
    }
}

/// One side of a contradiction.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContradictionSide {
    /// Who measured: an author of the source, or who submitted.
    pub measurer: String,
    /// The source.
    pub source: String,
    /// The id of the row that is nearest to the other side.
    pub measurement: String,
    /// Its value.
    pub value: f64,
    /// How many repetitions there are.
    pub rows: usize,
    /// The least value of them.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

/// A circumstance in which two rows differ, or of which one says nothing.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContextDifference {
    /// The kind of context.
    pub context: String,
    /// The field.
    pub field: String,
    /// What the row with the higher value states.
    pub higher: Option<String>,
    /// What the other one states.
    pub lower: Option<String>,
}

/// A ratio on which the evidence disagrees: the 90 % intervals of two parts of it do not overlap.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// The field whose values are compared: `device`, `framework` or `precision`.
    pub of: String,
    /// The numerator of the ratios.
    pub subject: String,
    /// The denominator.
    pub baseline: String,
    /// Whether the devices process one item or a few at a time.
    pub small_batches: bool,
    /// Factor between the nearest ends of the two intervals.
    pub factor: f64,
    /// Number of other baselines for which the evidence on the subject disagrees.
    pub further: usize,
    /// One part of the evidence.
    pub one: DisagreementSide,
    /// The part that disagrees with it.
    pub other: DisagreementSide,
    /// Some of the rows behind the direct evidence.
    pub measurements: Vec<String>,
}

impl Disagreement {
    /// The part with the higher ratio, then the part with the lower ratio.
    pub fn sides(&self) -> (&DisagreementSide, &DisagreementSide) {
        if self.one.ratio > self.other.ratio { (&self.one, &self.other) } else { (&self.other, &self.one) }
    }

    /// The same disagreement with subject and baseline swapped.
    pub(super) fn swapped(self) -> Self {
        let [one, other] = [self.one, self.other].map(DisagreementSide::swapped);
        Self { subject: self.baseline, baseline: self.subject, one, other, ..self }
    }
}

/// A part of the evidence on a ratio.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DisagreementSide {
    /// `direct evidence` (settings that contain both), `all other evidence` or `one measurer`.
    pub by: String,
    /// The measurers, except for `all other evidence`.
    pub measurers: Vec<String>,
    /// How many times as good the subject is as the baseline.
    pub ratio: f64,
    /// Lower end of the 90 % interval.
    pub low: f64,
    /// Upper end of the 90 % interval.
    pub high: f64,
    /// Number of settings that contain both; 0 for `all other evidence`.
    pub settings: usize,
}

impl DisagreementSide {
    /// A side with its ratio; `ratio` is `[value, low, high]`.
    pub(super) fn of(by: &str, measurers: Vec<String>, ratio: [f64; 3], settings: usize) -> Self {
        let [ratio, low, high] = ratio.map(rounded);
        Self { by: by.to_owned(), measurers, ratio, low, high, settings }
    }

    fn swapped(self) -> Self {
        let [ratio, low, high] = [self.ratio, self.high, self.low].map(|ratio| rounded(ratio.recip()));
        Self { ratio, low, high, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::published_schema::is_current;

    #[test]
    fn the_published_schema_of_contradictions_is_current() {
        is_current::<Contradictions>("contradictions/contradictions", SCHEMA);
    }
}

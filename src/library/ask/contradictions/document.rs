//! The JSON output of `dlbench evidence --contradictions -f json`; its shape is stable.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::ask::execute::spread::rounded;
use crate::model::Value;

/// The JSON Schema of [`Contradictions`].
pub const SCHEMA: &str = include_str!("contradictions.schema.json");

/// Disagreements between sources that measured the same.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contradictions {
    /// The question; empty for everything.
    pub query: String,
    /// Hash of the knowledge base's content.
    pub knowledge_base: String,
    /// When two rows contradict each other, in words; `None` if the catalog does not define it, so that nothing is found.
    pub formula: Option<String>,
    /// What this definition does not capture.
    pub not_captured: Option<String>,
    /// The usual differences: between repetitions, then for each kind of context.
    pub allowances: Vec<Allowance>,
    /// Number of pairs compared: two measurers of one configuration.
    pub compared: usize,
    /// Number of these pairs whose difference is usual between repetitions.
    pub within_repetitions: usize,
    /// Number of pairs whose difference the context explains.
    pub explained: usize,
    /// Number of pairs whose stated dispersions overlap.
    pub within_spread: usize,
    /// Number of remaining pairs.
    pub unexplained: usize,
    /// The remaining pairs, largest factor first; each value of a measurer is listed once.
    pub contradictions: Vec<Contradiction>,
    /// Number of pairs of devices, frameworks or precisions with direct evidence.
    pub pairs: usize,
    /// The pairs on which the evidence disagrees, largest factor first; those with a common cause once.
    pub disagreements: Vec<Disagreement>,
}

/// How much values of one measurer differ between repetitions, or if one kind of context differs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Allowance {
    /// `repetitions`, or the kind of context.
    pub name: String,
    /// The fields of the context.
    pub fields: Vec<String>,
    /// The largest usual factor; `None` if there are too few pairs: then it explains no difference.
    pub factor: Option<f64>,
    /// Number of pairs behind it.
    pub pairs: usize,
    /// Number of measurers behind it.
    pub measurers: usize,
}

/// Two rows of one configuration by independent measurers.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contradiction {
    /// The metric.
    pub metric: String,
    /// Ratio of the higher to the lower value, between the nearest ends of their ranges.
    pub factor: f64,
    /// The ratio that would be usual.
    pub usual: f64,
    /// The side with the higher value.
    pub higher: ContradictionSide,
    /// The side with the lower value.
    pub lower: ContradictionSide,
    /// Number of other remaining pairs that contain one of these two values.
    pub further: usize,
    /// The conditions that both share.
    pub under: IndexMap<String, Option<Value>>,
    /// The differences in context.
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
    /// The measurer: an author of the source, or the submitter.
    pub measurer: String,
    /// The source.
    pub source: String,
    /// The id of the row that is nearest to the other side.
    pub measurement: String,
    /// Its value.
    pub value: f64,
    /// Number of repetitions.
    pub rows: usize,
    /// The lowest value of the repetitions.
    pub low: f64,
    /// The highest value of the repetitions.
    pub high: f64,
}

/// A context field in which two rows differ, or that only one of them states.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContextDifference {
    /// The kind of context.
    pub context: String,
    /// The field.
    pub field: String,
    /// The value in the row with the higher result.
    pub higher: Option<String>,
    /// The value in the other row.
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

//! The answer, in the shape that `-f json` promises.

use std::collections::BTreeMap;

use crate::ask::conclude::{Conclusion, UnstatedField};
use crate::ask::question::{Intent, ReadAs};
use crate::model::Value;
use crate::rows::{JoinedCatalog, JoinedRow, Note};
use crate::stores::index::ShareCounts;
use crate::values::EntityKind;

/// The joined answer to a question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The question as it was asked.
    pub query: String,
    /// How each word was read.
    pub read_as: Vec<ReadAs>,
    /// What kind of answer the question wants.
    pub intent: Intent,
    /// What the answer comes to.
    pub conclusion: Conclusion,
    /// Words that constrain nothing and were not understood.
    pub ignored: Vec<String>,
    /// Rows that would match if they stated a field that the question asks for.
    pub unstated: Vec<UnstatedField>,
    /// All measurements that match; `measurements` holds a page of them.
    pub total: usize,
    /// The page of measurements.
    pub measurements: Vec<JoinedRow>,
    /// The catalog entities that the matching measurements name, and those that match by themselves.
    pub catalog: JoinedCatalog,
    /// What a reader must know to judge the numbers.
    pub notes: Vec<Note>,
    /// Questions near this one that have an answer.
    pub suggestions: Vec<Suggestion>,
    /// How often each value occurs in all measurements that match, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Vec<FacetCounts>>,
    /// How many of all measurements that match have each setup, workload, protocol and batch.
    #[serde(skip)]
    pub(super) shares: ShareCounts,
    /// The question in explicit filters; asked again, it gives the same answer.
    #[serde(skip)]
    pub equivalent: String,
    /// Whether the measurements are those that the conclusion rests on, rather than the first of all that match.
    #[serde(skip)]
    pub behind_conclusion: bool,
    /// Whether the conclusion answers the whole question although no row meets it, since it follows from what rows state.
    #[serde(skip)]
    pub follows: bool,
    /// The kind of entities that the question asks for, where it asks for them rather than for measurements.
    #[serde(skip)]
    pub listed: Option<EntityKind>,
    /// What entities are called that the conclusion names and the catalog of this answer does not hold.
    #[serde(skip)]
    pub names: BTreeMap<(EntityKind, String), String>,
    /// What the question is about and nothing here has.
    #[serde(skip)]
    pub unknown_names: Vec<String>,
    /// Whether the measurements are in an order that was asked for.
    #[serde(skip)]
    pub sorted: bool,
}

impl Answer {
    /// Whether nothing was found in either view that answers.
    pub fn is_empty(&self) -> bool {
        let of_numbers = matches!(self.intent, Intent::Ranking | Intent::Comparison | Intent::Relation);
        if self.conclusion.entries.is_empty() && (of_numbers || !self.unknown_names.is_empty()) {
            return true;
        }
        if self.follows {
            return false;
        }
        // Rows behind a conclusion from less than the whole question do not meet it.
        self.total == 0 && (self.catalog.is_empty() || self.behind_conclusion)
    }
}

/// The values of one aspect, and how many measurements have each.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FacetCounts {
    /// The aspect's key, in snake_case.
    pub field: String,
    /// Its values, the most frequent one first. For a metric: how many measurements have one, under `null`.
    pub values: Vec<ValueCount>,
    /// Measurements of which the value is not known.
    pub not_stated: usize,
}

/// One value, and how many measurements have it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueCount {
    /// The value; `null` stands for any number, where numbers are too many to be told apart.
    pub value: Option<Value>,
    /// How many measurements have it.
    pub count: usize,
}

/// A question near the one that was asked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// The question.
    pub query: String,
    /// How many measurements it finds.
    pub total: usize,
}

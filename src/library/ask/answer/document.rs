//! The answer, in the shape that `-f json` promises.

use std::collections::BTreeMap;

use super::remark::WordedRemark;
use crate::ask::execute::Entry;
use crate::ask::parse::{Ask, Key, Question, Span};
use crate::model::Value;
use crate::rows::{JoinedCatalog, JoinedRow};
use crate::stores::index::ShareCounts;
use crate::values::EntityKind;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The question as asked.
    pub query: String,
    /// The question in the explicit language, which has the same answer.
    pub question: String,
    /// How each word of the question was read.
    pub read_as: Vec<Span>,
    /// The words that were not read.
    pub unread: Vec<String>,
    /// Number of matching measurements; `measurements` contains one page of them.
    pub total: usize,
    /// The conclusion.
    pub conclusion: Conclusion,
    /// What a reader must know to use the answer, most important first.
    pub remarks: Vec<WordedRemark>,
    /// The page of measurements, best row first.
    pub measurements: Vec<JoinedRow>,
    /// The catalog entities to which the matching measurements refer, and those that match the question themselves.
    pub catalog: JoinedCatalog,
    /// Rows that match but do not state a field that the question asks for.
    pub unstated: Vec<UnstatedField>,
    /// Similar questions that have an answer.
    pub suggestions: Vec<Suggestion>,
    /// How often each value occurs in all matching measurements, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Vec<FacetCounts>>,
    /// The parsed question.
    #[serde(skip)]
    pub asked: Question,
    /// The kind of answer given; it can differ from the kind asked for.
    #[serde(skip)]
    pub ask: Ask,
    /// Whether there is no conclusion because words of the question were not found.
    #[serde(skip)]
    pub is_stopped: bool,
    /// Whether the conclusion answers only a part of the question, because nothing matches all of it.
    #[serde(skip)]
    pub is_relaxed: bool,
    /// Whether the measurements are those behind the conclusion instead of the first of all that match.
    #[serde(skip)]
    pub behind_conclusion: bool,
    /// Number of matching measurements for each setup, workload, protocol and batch.
    #[serde(skip)]
    pub(super) shares: ShareCounts,
    /// Names of the entities in the conclusion that the catalog of this answer does not contain.
    #[serde(skip)]
    pub names: BTreeMap<(EntityKind, String), String>,
}

/// The conclusion of an answer.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Conclusion {
    /// The first line.
    pub text: String,
    /// The values, most important first.
    pub entries: Vec<Entry>,
}

impl Answer {
    /// Whether nothing was found that answers the question.
    pub fn is_empty(&self) -> bool {
        let needs_value = matches!(self.ask, Ask::Rank | Ask::Compare | Ask::Along | Ask::Fact | Ask::Grade);
        let has_value = self.conclusion.entries.iter().any(|entry| entry.value.is_some() || entry.low.is_some());
        self.is_stopped || self.is_relaxed || !has_value && (needs_value || self.total == 0 && self.catalog.is_empty())
    }

    /// The kind of entities that the answer lists instead of measurements.
    pub fn listed(&self) -> Option<EntityKind> {
        match self.asked.of {
            Some(Key::Facet(facet)) if self.ask == Ask::List => facet.entity_kind(),
            _ => None,
        }
    }
}

/// Rows that match but do not state a field.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnstatedField {
    /// The field, as spelled in filters.
    pub field: String,
    /// Number of rows.
    pub rows: usize,
}

/// The values of one aspect, with the number of measurements that have each.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FacetCounts {
    /// The aspect's key, in snake_case.
    pub field: String,
    /// Its values, most frequent first. For a metric, `null` has the number of measurements that state it.
    pub values: Vec<ValueCount>,
    /// Number of measurements whose value is not known.
    pub not_stated: usize,
}

/// One value, with the number of measurements that have it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValueCount {
    /// The value; `null` means any number, if there are too many numbers to distinguish.
    pub value: Option<Value>,
    /// Number of measurements that have it.
    pub count: usize,
}

/// A question similar to the one asked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// The question.
    pub query: String,
    /// Number of measurements that it finds.
    pub total: usize,
}

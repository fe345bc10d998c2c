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
    /// The question as it was asked.
    pub query: String,
    /// The same in the explicit language; asked again, it gives the same answer.
    pub question: String,
    /// Where each word of the question went.
    pub read_as: Vec<Span>,
    /// The words that were not read.
    pub unread: Vec<String>,
    /// How many measurements match; `measurements` holds a page of them.
    pub total: usize,
    /// What the answer comes to.
    pub conclusion: Conclusion,
    /// What a reader must know to use the answer, the most important first.
    pub remarks: Vec<WordedRemark>,
    /// The page of measurements, the best row first.
    pub measurements: Vec<JoinedRow>,
    /// The catalog entities that the matching measurements name, and those that match by themselves.
    pub catalog: JoinedCatalog,
    /// Rows that match but do not state a field that the question asks for.
    pub unstated: Vec<UnstatedField>,
    /// Questions near this one that have an answer.
    pub suggestions: Vec<Suggestion>,
    /// How often each value occurs in all measurements that match, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Vec<FacetCounts>>,
    /// The question as a value.
    #[serde(skip)]
    pub asked: Question,
    /// The kind of answer that was given, which may be another than the one asked for.
    #[serde(skip)]
    pub ask: Ask,
    /// Whether nothing was concluded since words of the question were not found.
    #[serde(skip)]
    pub is_stopped: bool,
    /// Whether the conclusion is that of a part of the question, since nothing meets all of it.
    #[serde(skip)]
    pub is_relaxed: bool,
    /// Whether the measurements are those that the conclusion rests on, rather than the first of all that match.
    #[serde(skip)]
    pub behind_conclusion: bool,
    /// How many of all measurements that match have each setup, workload, protocol and batch.
    #[serde(skip)]
    pub(super) shares: ShareCounts,
    /// What entities are called that the conclusion names and the catalog of this answer does not hold.
    #[serde(skip)]
    pub names: BTreeMap<(EntityKind, String), String>,
}

/// What an answer comes to.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Conclusion {
    /// The first line.
    pub text: String,
    /// The values, the telling one first.
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
    /// The field, as filters spell it.
    pub field: String,
    /// How many rows.
    pub rows: usize,
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
    /// The value; `null` stands for any number, where numbers are too many to be distinguished.
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

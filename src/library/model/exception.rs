//! A finding that is allowed, with the reason why.

use super::{Code, Field};
use crate::values::EntityId;

/// Findings of one rule that are right as they are: a source's own error, or a fact stranger than the rule expects.
///
/// It covers the file it stands in; in the entry of a source it also covers all measurements of that source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The rule.
    pub rule: Code,
    /// Why its findings are right as they are.
    pub reason: String,
    /// In the entry of a source: only this batch, the stem of a file of its measurements.
    pub batch: Option<String>,
    /// Only these entries of a collection.
    pub ids: Vec<EntityId>,
    /// Only rows whose fields have these values.
    pub fields: Vec<(Field, String)>,
}

//! Counts of the rows that a question matches, in total and for each value of each field.

use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{FacetCounts, Page};
use dlbench::model::Value;

/// Counts of the values in the rows that a question matches.
pub(super) struct Counted {
    /// Number of rows.
    pub rows: usize,
    facets: Vec<FacetCounts>,
}

impl Counted {
    /// Counts the rows that a question matches.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or a store fails.
    pub fn of(question: &str, kb: &KnowledgeBase) -> Result<Self, Refusal> {
        let answer = kb.query_page(question, &Page { most: 0, ..Page::of(0, 0) })?;
        Ok(Self { rows: answer.total, facets: kb.facets(&answer)? })
    }

    /// The values of a field, the most frequent first.
    pub fn values(&self, field: &str) -> Vec<(String, usize)> {
        let values = self.facets.iter().filter(|facet| facet.field == field).flat_map(|facet| &facet.values);
        let named = values.filter_map(|value| match value.value.as_ref()? {
            Value::Text(text) => Some((text.to_string(), value.count)),
            Value::Count(count) => Some((count.to_string(), value.count)),
            Value::Number(number) => Some((number.to_string(), value.count)),
        });
        named.collect()
    }
}

//! Limits on what follows from rows and prices, `above 1000 images per dollar`: the index holds no column of them, so that they
//! are held against the values of the rows found.

use crate::ask::conclude::basis::derived_values::derived_values;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{DerivedLimit, QueryError, Question};
use crate::model::{Derived, Metric};
use crate::stores::Stores;

/// The limits that rows can be held against one by one.
pub(super) struct HeededLimits<'q>(Vec<&'q DerivedLimit>);

impl<'q> HeededLimits<'q> {
    /// Those of a question.
    pub fn of(question: &'q Question) -> Self {
        // How well devices scale is no matter of one row.
        Self(question.wanted.limits.iter().filter(|limit| limit.measure != Derived::ScalingEfficiency).collect())
    }

    /// The metrics that they follow from.
    pub fn needs(&self) -> impl Iterator<Item = Metric> {
        self.0.iter().flat_map(|limit| limit.measure.needs()).copied()
    }

    /// The rows that meet all of them.
    pub fn applied(&self, stores: &Stores, values: &SharedValues, hits: HitColumns) -> Result<HitColumns, QueryError> {
        let mut hits = hits;
        for limit in &self.0 {
            let derived = derived_values(stores, values, &hits, limit.measure)?;
            hits = hits.kept(|hit| derived.get(hit).is_some_and(|value| limit.is_met_by(*value)));
        }
        Ok(hits)
    }

    /// Their words.
    pub fn in_words(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|limit| format!("`{}`", limit.text))
    }
}

//! The order of an answer: by any metric, by whatever measurements state, or by a fact that the catalog joins to them.

use std::fmt;

use crate::model::{Aspect, Metric, Part};
use crate::stores::database::{AspectColumn, Database, DatabaseError};
use crate::stores::index::{Sort, SortKey};

/// What the measurements of an answer are ordered by; those without a value come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortOrder {
    /// A metric, a number of the row's own or something that rows share.
    by: Aspect,
    /// Largest first, or the last of the alphabet.
    pub descending: bool,
}

impl SortOrder {
    /// By a metric.
    pub fn by_metric(metric: Metric, descending: bool) -> Self {
        Self { by: Aspect::Metric(metric), descending }
    }

    /// By an aspect; `None` for ids and free texts, which nobody orders by.
    pub fn by(by: Aspect, descending: bool) -> Option<Self> {
        let has_order = by.part().is_some() || matches!(by, Aspect::Field(_)) && by.is_numeric();
        has_order.then_some(Self { by, descending })
    }

    /// What it is by, as filters call it.
    pub fn key(self) -> &'static str {
        self.by.key()
    }

    /// The same for the index.
    pub fn sort(self, store: &Database) -> Result<Sort, DatabaseError> {
        let by = match (self.by, self.by.part()) {
            (Aspect::Metric(metric), _) => SortKey::Metric(metric),
            (Aspect::Field(field), None) => SortKey::Field(field),
            (shared, Some(part)) => SortKey::Shared(part, ranks(&store.aspect(shared)?, shared.is_numeric())),
            (_, None) => SortKey::Shared(Part::Setup, Vec::new()),
        };
        Ok(Sort { by, descending: self.descending })
    }
}

impl fmt::Display for SortOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.descending { "-" } else { "" }, self.key())
    }
}

/// An order in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Superlative {
    /// By the metric's direction.
    Best,
    /// Against it.
    Worst,
    /// Largest first.
    Most,
    /// Smallest first.
    Least,
    /// By cost.
    Cheapest,
}

/// The sort value of each share: its number, or the rank of its text in alphabetical order.
fn ranks(column: &AspectColumn, numeric: bool) -> Vec<Option<f64>> {
    let mut values: Vec<&str> = column.values().collect();
    values.sort_unstable();
    let rank = |value: &str| match numeric {
        true => value.parse().ok(),
        false => values.binary_search(&value).ok().map(|place| place as f64),
    };
    column.shares().map(|value| value.and_then(rank)).collect()
}

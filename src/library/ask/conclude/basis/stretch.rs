//! A stretch of a row that many share: of many thousand frames most have one candidate, of candidates most one run, and a vector
//! for each would cost more than what is in it.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// Some of the items of a row.
#[derive(Debug, Clone)]
pub(in crate::ask::conclude) struct Stretch<T> {
    all: Arc<Vec<T>>,
    own: Range<usize>,
}

impl<T> Stretch<T> {
    /// The items from one place up to another; none where the row has no such places.
    pub fn of(all: &Arc<Vec<T>>, own: Range<usize>) -> Self {
        Self { all: Arc::clone(all), own }
    }
}

impl<T> Deref for Stretch<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.all.get(self.own.clone()).unwrap_or_default()
    }
}

impl<T> From<Vec<T>> for Stretch<T> {
    fn from(items: Vec<T>) -> Self {
        Self { own: 0..items.len(), all: Arc::new(items) }
    }
}

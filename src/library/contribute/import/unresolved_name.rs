//! The names of an import that the catalog does not have: all at once, each with what is near.

use crate::model::Facet;
use crate::stores::database::{Database, DatabaseError};
use crate::stores::resolve::{Resolved, nearest_names};

/// A name that leads to no entity of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedName {
    /// What it is a name of.
    pub facet: Facet,
    /// The source's spelling.
    pub spelling: String,
    /// How many records have it.
    pub rows: usize,
    /// Where the first of them stands, as `file:line`.
    pub first: String,
    /// Why it is not resolved.
    pub why: String,
    /// The ids whose names are nearest, best first.
    pub near: Vec<String>,
}

/// So many near names help; more are noise.
const NEAR: usize = 3;

impl UnresolvedName {
    /// A name as it was read, of so many records.
    pub(super) fn of(
        store: &Database,
        facet: Facet,
        resolved: &Resolved,
        rows: usize,
        first: &str,
    ) -> Result<Self, DatabaseError> {
        let mut near = resolved.ids.clone();
        if near.is_empty() {
            for name in nearest_names::<Database>(&resolved.input, store, 4 * NEAR)? {
                if name.facet == facet && !near.contains(&name.value) {
                    near.push(name.value);
                }
            }
        }
        near.truncate(NEAR);
        Ok(Self {
            facet,
            spelling: resolved.input.clone(),
            rows,
            first: first.to_owned(),
            why: resolved.why.clone(),
            near,
        })
    }
}

//! The sides of a comparison: what stands on both sides of a `vs`, or the values of one facet that a question compares.

mod chain;
mod linked;
mod listed;
mod names;

pub(super) use chain::{ReadClause, facet_of};
pub(super) use linked::joined;

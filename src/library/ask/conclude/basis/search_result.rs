//! What was found for a question, from which conclusions are drawn.

use crate::rows::JoinedCatalog;
use crate::stores::index::Hits;

/// What was found for a question.
#[derive(Debug, Clone, Copy)]
pub struct SearchResult<'f> {
    /// All measurements that match, counted.
    pub hits: &'f Hits,
    /// The entities that they name, and those that match by themselves.
    pub catalog: &'f JoinedCatalog,
}

//! The search: a tantivy index of facet terms, text and numbers over measurements and catalog entities alike.

mod collected_query;
mod collectors;
mod column_filter;
mod columns;
mod condition;
mod hits;
mod open;
mod rows;
mod schema;
mod search;
mod sort;
mod tally;
mod terms;
mod top_hits;
mod write;

pub use columns::Columns;
pub use condition::{Condition, DocumentKind};
pub use hits::{Hits, ShareCounts};
pub use open::Index;
pub use sort::{Sort, SortKey};

/// What went wrong in the index, for a message to a person.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Tantivy failed.
    #[error("the search index failed: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
    /// A file beside it could not be read or written.
    #[error("the search index failed: {0}")]
    File(#[from] std::io::Error),
    /// The index is not one of ours, or not whole.
    #[error("the search index is damaged: {0}")]
    Damaged(String),
}

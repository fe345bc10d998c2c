//! The search: a tantivy index of facet terms, text and numbers over measurements and catalog entities alike.

mod collect;
mod condition;
mod schema;
mod search;
mod write;

pub use collect::Columns;
pub use collect::{Hits, ShareCounts};
pub use collect::{Sort, SortKey};
pub use condition::Index;
pub use condition::{Condition, DocumentKind};

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

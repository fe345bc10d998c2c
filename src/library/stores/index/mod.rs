//! The search index: a tantivy index of facet terms, text and numbers of measurements and catalog entities.

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

/// An error of the index, with a message for people.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Tantivy failed.
    #[error("the search index failed: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
    /// A file beside the index could not be read or written.
    #[error("the search index failed: {0}")]
    File(#[from] std::io::Error),
    /// The index was not written by this program, or is incomplete.
    #[error("the search index is damaged: {0}")]
    Damaged(String),
}

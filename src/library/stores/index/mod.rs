//! The search: a tantivy index of facet terms, text and numbers over measurements and catalog entities alike.

mod best;
mod collected;
mod columns;
mod condition;
mod found;
mod hits;
mod rows;
mod schema;
mod search;
mod sieve;
mod tally;
mod terms;
mod write;

pub use columns::Columns;
pub use condition::{Condition, Subject};
pub use hits::{Hits, ShareCounts};
pub use search::{Sort, Sorting};

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

/// An open index.
pub struct Index {
    searcher: tantivy::Searcher,
    fields: schema::Fields,
    rows: rows::RowParts,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Index({} documents)", self.searcher.num_docs())
    }
}

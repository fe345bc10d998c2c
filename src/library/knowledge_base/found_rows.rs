//! Rows that are read a portion at a time: for what is written as it is read.

use super::KnowledgeBase;
use crate::rows::{EntityCache, JoinedRow};
use crate::stores::database::DatabaseError;
use crate::values::ParseError;

/// Rows that are in memory at a time.
const PORTION: usize = 2048;

/// The rows that a question finds, in their order.
#[derive(Debug)]
pub struct FoundRows<'k> {
    kb: &'k KnowledgeBase,
    /// The content in which the rows have these numbers.
    content: String,
    numbers: Vec<u64>,
}

impl<'k> FoundRows<'k> {
    pub(super) fn of(kb: &'k KnowledgeBase, numbers: Vec<u64>) -> Self {
        Self { kb, content: kb.content().to_owned(), numbers }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// All of them from the beginning, joined with what the catalog says of them.
    pub fn portions(&self) -> impl Iterator<Item = Result<Vec<JoinedRow>, DatabaseError>> {
        let mut entities = EntityCache::default();
        self.numbers.chunks(PORTION).map(move |portion| {
            self.kb.asked(|stores| {
                if stores.content != self.content {
                    return Err(ParseError::expected("files that do not change while they are read").into());
                }
                entities.join(&stores.database, stores.database.measurements(portion)?)
            })
        })
    }
}

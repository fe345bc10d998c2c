//! An index that is open for questions.

use std::path::Path;

use tantivy::ReloadPolicy;

use super::IndexError;
use super::rows::RowParts;
use super::schema::IndexFields;

/// An open index.
pub struct Index {
    pub(super) searcher: tantivy::Searcher,
    pub(super) fields: IndexFields,
    pub(super) rows: RowParts,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Index({} documents)", self.searcher.num_docs())
    }
}

impl Index {
    /// Opens a finished index.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        Self::of(tantivy::Index::open_in_dir(path)?)
    }

    pub(super) fn of(index: tantivy::Index) -> Result<Self, IndexError> {
        let fields = IndexFields::of(&index.schema())?;
        let reader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(0).try_into()?;
        let rows = RowParts::open(index.directory())?;
        Ok(Self { searcher: reader.searcher(), fields, rows })
    }
}

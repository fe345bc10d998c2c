//! The relational truth: an SQLite database of entities, names and measurements.
//!
//! A measurement is a narrow row: the numbers of its setup, workload, protocol and batch (each a row of a
//! table of its own, since many measurements share them), and its figures.

mod aspects;
mod catalog;
mod measurements;
mod write;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

pub use aspects::AspectColumn;
use aspects::AspectColumns;
pub use catalog::{Counts, StoredKind};
use rusqlite::{Connection, OpenFlags};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use crate::model::{Aspect, Name};
use crate::values::text::encoded_path;

/// What an SQLite operation said, for a message to a person.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite failed.
    #[error("the SQLite store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file beside it could not be read or written.
    #[error("the columns beside the SQLite store failed: {0}")]
    File(#[from] std::io::Error),
    /// A stored entity could not be read back.
    #[error("the SQLite store holds what this dlbench cannot read: {0}")]
    Body(#[from] serde_json::Error),
    /// A stored id, word or number could not be read back.
    #[error("the SQLite store holds what this dlbench cannot read: {0}")]
    Value(#[from] crate::values::ParseError),
}

/// An open store.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    aspects: AspectColumns,
    /// By their spelling.
    names: NameMemo,
    /// All of them, once a word was looked for that is near to one at most.
    all_names: OnceCell<Arc<[Name]>>,
}

/// Where the database is mapped into memory, up to so many bytes: its pages need not be copied then.
const MOST_MAPPED: u64 = 1 << 32;

impl Database {
    /// Opens a finished database; it is never written to again, so no locks are taken.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let uri = format!("file:{}?immutable=1", encoded_path(path.as_os_str().as_encoded_bytes()));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags)?;
        connection.set_prepared_statement_cache_capacity(64);
        connection.execute_batch(&format!("PRAGMA mmap_size = {MOST_MAPPED}"))?;
        // A truncated file shows itself here rather than in the middle of an answer.
        connection.query_row("SELECT count(*) FROM definition", [], |row| row.get::<_, i64>(0))?;
        let aspects = AspectColumns::open(path.parent().unwrap_or(Path::new("")))?;
        Ok(Self { connection, aspects, names: NameMemo::default(), all_names: OnceCell::new() })
    }

    /// The column of one aspect; empty where no share states it, or where it belongs to the rows themselves.
    pub fn aspect(&self, aspect: Aspect) -> Result<AspectColumn, DatabaseError> {
        Ok(self.aspects.column(aspect).unwrap_or_default())
    }

    /// The columns of those aspects that are wanted and that any share states.
    pub fn aspects(&self, wanted: impl Fn(Aspect) -> bool) -> Result<BTreeMap<Aspect, AspectColumn>, DatabaseError> {
        let wanted = Aspect::all().filter(|aspect| wanted(*aspect));
        Ok(wanted.filter_map(|aspect| Some((aspect, self.aspects.column(aspect)?))).collect())
    }
}

/// So many spellings are remembered; then it begins anew. A question looks for some hundreds at most.
const MOST: usize = 4_096;

/// What spellings are the names of, also those that are of nothing.
#[derive(Debug, Default)]
struct NameMemo(RefCell<HashMap<String, Vec<Name>, Xxh3DefaultBuilder>>);

impl NameMemo {
    /// The names of a spelling: as they are remembered, else as `look_up` finds them.
    ///
    /// # Errors
    ///
    /// Those of `look_up`, which are not remembered.
    pub fn names<E>(&self, normal: &str, look_up: impl FnOnce() -> Result<Vec<Name>, E>) -> Result<Vec<Name>, E> {
        if let Some(known) = self.0.borrow().get(normal) {
            return Ok(known.clone());
        }
        let found = look_up()?;
        let mut memo = self.0.borrow_mut();
        if memo.len() >= MOST {
            memo.clear();
        }
        memo.insert(normal.to_owned(), found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Facet, NameKind};

    fn name(of: &str) -> Name {
        Name { normal: of.to_owned(), facet: Facet::Device, value: of.to_owned(), kind: NameKind::Exact }
    }

    fn found(names: Vec<Name>) -> Result<Vec<Name>, &'static str> {
        Ok(names)
    }

    #[test]
    fn what_was_looked_up_is_remembered_found_or_not_and_failures_are_not() {
        let memo = NameMemo::default();
        let failed = || Err("full");
        assert!(memo.names("v100", failed).is_err());
        assert_eq!(memo.names("v100", || found(vec![name("v100")])).unwrap(), [name("v100")]);
        assert_eq!(memo.names("of", || found(Vec::new())).unwrap(), []);
        assert_eq!(memo.names("v100", failed).unwrap(), [name("v100")]);
        assert_eq!(memo.names("of", failed).unwrap(), []);
    }

    #[test]
    fn it_forgets_before_it_grows() {
        let memo = NameMemo::default();
        for at in 0..3 * MOST {
            memo.names(&at.to_string(), || found(Vec::new())).unwrap();
            assert!(memo.0.borrow().len() <= MOST);
        }
    }
}

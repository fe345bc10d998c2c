//! The relational store: an SQLite database of entities, names and measurements.
//!
//! A measurement is a narrow row: its figures, and the numbers of its setup, workload, protocol and batch. Each of these is a
//! row of a table of its own, because many measurements share it.

mod aspects;
mod catalog;
mod measurements;
mod write;

use std::any::Any;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use aspects::AspectColumn;
use aspects::AspectColumns;
pub use catalog::{Counts, StoredKind};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::memo::Memo;
use crate::model::{Aspect, Name, Part, SharedPart};
use crate::values::EntityKind;
use crate::values::text::encoded_path;

/// An error of the store, with a message for people.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite failed.
    #[error("the SQLite store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file of columns beside the database could not be read or written.
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
    /// Names by normalised spelling.
    names: Memo<String, Vec<Name>>,
    entities: Memo<(EntityKind, String), Option<Arc<dyn Any + Send + Sync>>>,
    /// Ancestors and descendants, by the SQL statement that finds them.
    relatives: Memo<(&'static str, EntityKind, String), Vec<String>>,
    shares: Memo<(Part, u32), Arc<SharedPart>>,
    /// Labels and notes.
    remarks: Memo<i64, Arc<str>>,
    /// All names, loaded when the nearest names are first needed.
    all_names: OnceCell<Arc<[Name]>>,
}

/// Maximum size of the memory map of the database; mapped pages need not be copied.
const MOST_MAPPED: u64 = 1 << 32;

impl Database {
    /// Opens a finished database; it is never written to again, so no locks are taken.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let uri = format!("file:{}?immutable=1", encoded_path(path.as_os_str().as_encoded_bytes()));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags)?;
        connection.set_prepared_statement_cache_capacity(64);
        // With stable query plans, a statement is not prepared again for other bound values.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.execute_batch(&format!("PRAGMA mmap_size = {MOST_MAPPED}"))?;
        // Detects a truncated file here rather than in the middle of an answer.
        connection.query_row("SELECT count(*) FROM definition", [], |row| row.get::<_, i64>(0))?;
        let aspects = AspectColumns::open(path.parent().unwrap_or(Path::new("")))?;
        Ok(Self::of(connection, aspects))
    }

    fn of(connection: Connection, aspects: AspectColumns) -> Self {
        Self {
            connection,
            aspects,
            names: Memo::default(),
            entities: Memo::default(),
            relatives: Memo::default(),
            shares: Memo::default(),
            remarks: Memo::default(),
            all_names: OnceCell::new(),
        }
    }

    /// The column of an aspect; empty if no share states it, or if it belongs to individual rows.
    pub fn aspect(&self, aspect: Aspect) -> Result<AspectColumn, DatabaseError> {
        Ok(self.aspects.column(aspect).unwrap_or_default())
    }

    /// The columns of the wanted aspects that any share states.
    pub fn aspects(&self, wanted: impl Fn(Aspect) -> bool) -> Result<BTreeMap<Aspect, AspectColumn>, DatabaseError> {
        let wanted = Aspect::all().filter(|aspect| wanted(*aspect));
        Ok(wanted.filter_map(|aspect| Some((aspect, self.aspects.column(aspect)?))).collect())
    }
}

//! What the stores of a knowledge base hold, and where they come from.

use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;

use crate::stores::database::{Counts, DatabaseError};
use crate::stores::{BuiltFrom, Stores};

/// What the stores hold, and when and from what they were built.
#[derive(Debug, Clone, Serialize)]
pub struct StoresStatus {
    /// How many measurements and entities there are.
    #[serde(flatten)]
    pub counts: Counts,
    /// The folder of the files.
    pub knowledge_base: String,
    /// Hash of their content.
    pub content: String,
    /// The folder of the stores, or `memory`.
    pub stores: String,
    /// When they were built, in UTC to the second.
    pub built_at: Option<String>,
    /// Whether this process built them.
    pub built_now: bool,
}

impl StoresStatus {
    pub(super) fn of(root: &Path, stores: &Stores) -> Result<Self, DatabaseError> {
        let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let (place, built_at, built_now) = match &stores.built {
            BuiltFrom::Cache { folder, fresh } => {
                let built = std::fs::metadata(folder).and_then(|meta| meta.modified()).ok();
                (folder.display().to_string(), built, !fresh)
            }
            BuiltFrom::Memory { .. } => ("memory".to_owned(), Some(SystemTime::now()), true),
        };
        Ok(Self {
            counts: stores.database.counts()?,
            knowledge_base: root.display().to_string(),
            content: stores.content.clone(),
            stores: place,
            built_at: built_at
                .and_then(|time| jiff::Timestamp::try_from(time).ok())
                .and_then(|time| time.round(jiff::Unit::Second).ok())
                .map(|time| time.to_string()),
            built_now,
        })
    }
}

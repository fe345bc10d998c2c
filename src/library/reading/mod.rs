//! Reads TOML files into the model, strictly: reports all mistakes at once, each with its place.

mod atomic_write;
mod canonical;
mod catalog_files;
mod collections;
mod evidence_files;
mod files;
pub mod findings;
mod load;
mod measurement_files;
mod measurement_writer;
mod run_records;
pub mod schema;
mod strict;

use std::path::PathBuf;

pub use atomic_write::written_hash;
pub use atomic_write::{FolderLock, lock_folder, reached_without_links, rewrite};
pub use atomic_write::{
    TemporaryFolder, WriteError, create_folder, exchange_folders, may_grow_to, remove_left_behind,
    remove_left_behind_beside, write_atomically, write_atomically_with, write_synced,
};
pub use canonical::{LocatedText, texts};
pub use canonical::{canonical, is_canonical};
pub use files::{
    FileFault, FileKind, FileStamp, KbFile, ListedFile, MAX_FILE_BYTES, decoded, kind_of, list, stamp, walk,
};
pub use files::{LocateError, locate};
pub use files::{read_limited, read_text_limited, read_text_unlinked, read_unlinked};
pub use findings::Located;
pub use findings::{ColumnPlaces, Step, column_places, key_spans};
pub use load::ReadFile;
pub use load::keys_of;
pub use load::read_sound;
pub use load::{
    Loaded, check_measurements, claims, info, knowledge, load, load_texts, load_with, read, read_catalog, read_files,
    suite, suites,
};
pub use measurement_writer::{
    RecordPart, WrittenRow, table_file, toml_literal, toml_one_line, toml_text, with_run, with_run_at, with_run_taken,
};
pub use schema::{OWN_SCHEMAS, SHARED_SCHEMAS, SchemaPlace, write_schemas};

use crate::model::Diagnostic;
use crate::values::text::printable_path;

/// Why a knowledge base could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The folder is not a knowledge base.
    #[error("{} is not a knowledge base: {why}", printable_path(path))]
    NotAKnowledgeBase {
        /// The folder that was tried.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// A folder could not be listed.
    #[error("cannot read {}: {source}", printable_path(path))]
    Io {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The files have mistakes.
    #[error("the knowledge base has mistakes")]
    Findings(Vec<Diagnostic>),
}

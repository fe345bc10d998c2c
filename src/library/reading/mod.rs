//! From TOML files to the model, strictly: every mistake is found at once and told with its place.

mod attached;
mod canonical;
mod catalog_files;
pub mod codes;
mod collections;
mod compact_tables;
mod content;
mod duplicates;
mod evidence_files;
mod files;
mod find_knowledge_base;
mod findings;
mod key_position;
mod limited;
mod load;
mod located;
mod measurement_files;
mod measurement_writer;
mod order;
mod read_file;
mod reader_keys;
mod references;
mod rewrite;
mod run_records;
mod scalars;
pub mod schema;
mod schema_files;
mod sound;
mod strict;
mod suite_files;
mod table_keys;
mod texts;
mod unknown_key;
mod write_whole;
mod written_hash;

use std::path::PathBuf;

pub use canonical::{canonical, is_canonical};
pub use content::keys_of;
pub use files::{
    FileFault, FileKind, FileStamp, KbFile, ListedFile, MAX_FILE_BYTES, decoded, kind_of, list, stamp, walk,
};
pub use find_knowledge_base::{LocateError, locate};
pub use key_position::{ColumnPlaces, Step, column_places, key_spans};
pub use limited::{read_limited, read_text_limited, read_text_unlinked, read_unlinked};
pub use load::{
    Loaded, check_measurements, claims, info, knowledge, load, load_texts, load_with, read, read_catalog, read_files,
    suite, suites,
};
pub use located::Located;
pub use measurement_writer::{
    RecordPart, WrittenRow, table_file, toml_literal, toml_one_line, toml_text, with_run, with_run_at, with_run_taken,
};
pub use read_file::ReadFile;
pub use rewrite::{FolderLock, lock_folder, reached_without_links, rewrite};
pub use schema_files::{OWN_SCHEMAS, SHARED_SCHEMAS, SchemaPlace, write_schemas};
pub use sound::read_sound;
pub use texts::{LocatedText, texts};
pub use write_whole::{
    TemporaryFolder, WriteError, create_folder, exchange_folders, may_grow_to, remove_left_behind,
    remove_left_behind_beside, write_whole, write_whole_synced, write_whole_with,
};
pub use written_hash::written_hash;

use crate::model::Diagnostic;
use crate::values::text::printable_path;

/// Why a knowledge base could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The folders are not those of a knowledge base.
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
        /// What the system said.
        source: std::io::Error,
    },
    /// The files have mistakes.
    #[error("the knowledge base has mistakes")]
    Findings(Vec<Diagnostic>),
}

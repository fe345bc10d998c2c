//! Imports other people's result files: a recipe maps records to measurements, and no record is dropped without a reason.

mod comments;
mod convert;
mod corrected;
mod entry_draft;
mod error;
mod formats;
mod input_files;
mod kept;
mod mapped_row;
pub mod nvidia_smi;
mod records;
mod report;
mod request;
mod row_mapper;
mod rule_text;
mod template;
mod unknown_column;
mod unresolved_name;
mod written_numbers;

pub use crate::contribute::recipe::{Recipe, RecipeError};
pub use convert::{Imported, import, install};
pub use entry_draft::{EntryDraft, entry_drafts};
pub use error::{ImportError, UnknownId};
pub use formats::{FORMATS, NamedFormat, recipe_of};
pub use report::{ImportChanges, ImportReport, LeftOut, UnreadFile};
pub use request::{ExistingRows, ImportRequest};
pub use unknown_column::UnknownColumn;
pub use unresolved_name::UnresolvedName;

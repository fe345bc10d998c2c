//! Imports other people's result files: a recipe maps records to measurements, and no record is dropped without a reason.

mod convert;
mod error;
mod formats;
mod input_files;
mod merge;
pub mod new_devices;
mod records;
mod report;
mod row_mapper;
mod rule_text;

pub use crate::contribute::recipe::{Recipe, RecipeError};
pub use convert::{Imported, import, install};
pub use error::UnknownColumn;
pub use error::UnresolvedName;
pub use error::{ExistingRows, ImportRequest};
pub use error::{ImportError, UnknownId};
pub use formats::{FORMATS, NamedFormat, recipe_of};
pub use report::{EntryDraft, entry_drafts};
pub use report::{ImportChanges, ImportReport, LeftOut, UnreadFile};

//! Imports other people's result files: a recipe maps records to measurements, and no record is dropped without a reason.

mod convert;
mod error;
mod formats;
mod input_files;
pub mod nvidia_smi;
mod records;
mod report;
mod request;
mod row_mapper;
mod template;

pub use crate::contribute::recipe::{Recipe, RecipeError};
pub use convert::{Imported, import, install};
pub use error::ImportError;
pub use formats::{FORMATS, NamedFormat, recipe_of};
pub use report::{ImportChanges, ImportReport, LeftOut};
pub use request::ImportRequest;

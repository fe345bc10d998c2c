//! Import recipes: they map columns, headings, parts of file names and constants to the fields of a measurement.

mod compiled;
mod raw;

pub(in crate::contribute) use compiled::plain_names;
pub(in crate::contribute) use compiled::{Choice, Compiled, wildcard};
pub(in crate::contribute) use raw::{DecimalMark, Join, Part, Reaches, Subject, TableFormat};
pub use raw::{RECIPE_REFERENCE, RECIPE_SCHEMA};
pub use raw::{Recipe, RecipeError};
pub(in crate::contribute) use raw::{Resolving, Rule};

//! Recipes of imports: which column, heading, part of a file name or constant gives which field of a measurement.

mod compiled;
mod raw;
mod reference;
mod rule;
mod template_names;

pub(in crate::contribute) use compiled::{Choice, Compiled, wildcard};
pub(in crate::contribute) use raw::{DecimalMark, Join, Part, Reaches, Subject, TableFormat};
pub use raw::{Recipe, RecipeError};
pub use reference::{RECIPE_REFERENCE, RECIPE_SCHEMA};
pub(in crate::contribute) use rule::{Resolving, Rule};
pub(in crate::contribute) use template_names::plain_names;

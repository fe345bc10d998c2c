//! What a question finds: rows in their order and entities, joined with what the catalog says of them. Nothing is concluded here.

mod entities;
mod interpreted;
mod join;
mod rows;

pub use entities::{EntitiesFound, entities};
pub use interpreted::{Interpreted, interpret};
pub(in crate::ask) use join::{EntitySets, entities_of, entities_that_match, join};
pub(in crate::ask) use rows::hits_of;
pub use rows::{RowsWithCatalog, all_rows, joined_rows, rows_in_order};

//! What a question finds: ordered rows and entities, joined with the catalog. Nothing is concluded here.

mod entities;
mod interpreted;
mod join;
mod order;
mod rows;

pub use entities::{EntitiesFound, entities};
pub use interpreted::{Interpreted, interpret};
pub(in crate::ask) use join::{EntitySets, catalog_of, direct_entities, listed};
pub(in crate::ask) use order::{last_protocols, order_of};
pub use rows::{RowsWithCatalog, all_rows, joined_rows, rows_in_order};

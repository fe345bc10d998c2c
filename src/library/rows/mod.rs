//! A measurement joined with its entities: its facts, names and order, and what must be said of it. Answers, tables,
//! figures, comparisons and exports are made of these rows.

mod aspects;
mod catalog;
mod entities;
mod names;
mod natural_order;
mod notes;
mod page_notes;
mod row;
#[cfg(test)]
mod schema;
mod submitter;

pub use catalog::{JoinedCatalog, JoinedFramework};
pub use entities::EntityCache;
pub use names::{entity_kind, labelled, labelled_fact, short_device_name};
pub use natural_order::{by_value, distinct, natural};
pub use notes::Note;
pub use page_notes::notes_on;
pub use row::{JoinedRow, formulas};
pub use submitter::submitter_of;

//! A measurement joined with its entities: its facts, names and sort order, and notes on it. Answers, tables, figures,
//! comparisons and exports consist of these rows.

mod entities;
mod names;
mod notes;
mod row;
#[cfg(test)]
mod schema;

pub use entities::EntityCache;
pub use entities::{JoinedCatalog, JoinedFramework};
pub use names::{by_value, distinct, natural};
pub use names::{entity_kind, labelled, labelled_fact, short_device_name};
pub use notes::Note;
pub use notes::notes_on;
pub use row::submitter_of;
pub use row::{JoinedRow, formulas};

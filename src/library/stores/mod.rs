//! The stores, which are derived from the files and can be rebuilt at any time: the database, the search index, and the name
//! resolver, in the user's cache folder.

mod attested;
mod building;
mod cache;
pub mod database;
pub mod index;
mod memo;
mod open;
pub mod resolve;
mod resolve_spelling;
mod result_cache;
#[cfg(test)]
pub(crate) mod sample;

pub use attested::{dated_by, graded, source_dated};
pub use building::{BuildProgress, build_progress};
pub use cache::{Cache, create_private, distrusted};
pub use open::{BuiltFrom, OpenError, Stores, noted_content};
pub use resolve_spelling::{catalog_store, devices_of_instance, resolve_spelling};

//! Floor 3: what is derived from the files and can be built again at any time.
//!
//! The rooms (`comparability`, `store`, `index`, `lint`, `resolve`, `stats`) do not know each other; the files beside them bring them together.

mod cache;
pub mod comparability;
mod fingerprint;
pub mod index;
pub mod lint;
mod manifest;
pub mod resolve;
mod spellings;
pub mod stats;
pub mod store;
mod stores;
mod surroundings;

pub use cache::Cache;
pub use spellings::{catalog_store, resolve_spelling};
pub use stores::{BuiltFrom, OpenError, Stores};
pub use surroundings::Surroundings;

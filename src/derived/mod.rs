//! Floor 3: what is derived from the files and can be built again at any time.
//!
//! The rooms (`store`, `index`, `resolve`) do not know each other; the files beside them bring them together.

mod cache;
mod fingerprint;
pub mod index;
pub mod resolve;
pub mod store;
mod stores;

pub use cache::Cache;
pub use stores::{BuiltFrom, OpenError, Stores};

//! The entry point for all interfaces: command line, web page, Python module. It uses every other module except plotting.

mod ask;
mod contribute;
mod files;
mod look_up;
mod open;
mod snapshot;

pub use ask::FoundRows;
pub use files::{KnowledgeFiles, PathError};
pub use open::StoresStatus;
pub use open::{KnowledgeBase, Opening, default_cache};
pub use snapshot::default_data;
pub use snapshot::{BuiltInSnapshot, FindError, FoundKnowledgeBase};
pub use snapshot::{Snapshot, SnapshotError};

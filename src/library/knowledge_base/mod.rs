//! The door for every face of dlbench: the command line, a page, a Python module. It stands on all rooms but the drawing.

mod ahead;
mod ask;
mod contribute;
mod damaged_stores;
mod files;
mod find;
mod found_rows;
mod look_up;
mod machine;
mod open;
mod pulled;
mod snapshot;
mod status;

pub use files::{KnowledgeFiles, PathError};
pub use find::{Carried, FindError, FoundKnowledgeBase};
pub use found_rows::FoundRows;
pub use open::{KnowledgeBase, Opening, default_cache};
pub use pulled::default_data;
pub use snapshot::{Snapshot, SnapshotError};
pub use status::StoresStatus;

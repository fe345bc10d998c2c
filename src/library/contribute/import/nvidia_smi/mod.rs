//! `nvidia-smi` output beside the catalog: which device a board is and what differs, or the draft of an entry.

mod board;
mod device_draft;
mod identify;

pub use board::Board;
pub use identify::{CatalogMatch, IdentifiedBoard, identify};

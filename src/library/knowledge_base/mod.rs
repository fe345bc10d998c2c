//! The door for every face of dlbench: the command line, a page, a Python module. It stands on all rooms but the drawing.

mod open;

pub use open::{KnowledgeBase, default_cache};

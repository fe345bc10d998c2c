//! Floor 4: what can be asked of a knowledge base.
//!
//! The rooms (`bench`, `compare`, `export`, `import`, `plot`, `query`, `tables`) do not know each other.

pub mod bench;
pub mod changes;
pub mod check;
pub mod compare;
pub mod create;
pub mod export;
mod figures;
pub mod import;
mod knowledge_base;
pub mod online;
pub mod paper;
pub mod plot;
pub mod query;
pub mod tables;

pub use figures::FigureError;
pub use knowledge_base::{CompareFailure, Compared, KnowledgeBase, default_cache};

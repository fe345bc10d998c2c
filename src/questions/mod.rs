//! Floor 4: what can be asked of a knowledge base.
//!
//! The rooms (`query`, `tables`) do not know each other.

mod knowledge_base;
pub mod query;
pub mod tables;

pub use knowledge_base::{KnowledgeBase, default_cache};

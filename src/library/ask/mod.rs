//! What can be asked of a knowledge base. [`KnowledgeBase`] is the door.

pub mod compare;
pub mod diff;
pub mod export;
mod figures;
mod knowledge_base;
pub mod paper;
pub mod plot;
pub mod query;
pub mod tables;

pub use figures::FigureError;
pub use knowledge_base::{CompareFailure, Compared, KnowledgeBase, default_cache};

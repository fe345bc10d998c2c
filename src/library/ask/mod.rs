//! What can be asked of a knowledge base; [`KnowledgeBase`](crate::KnowledgeBase) is the door.

pub mod answer;
pub mod axes;
pub mod cards;
pub mod compare;
pub mod conclude;
pub mod diff;
mod examples;
pub mod export;
mod figures;
mod hits;
mod nearest_measurements;
pub mod paper;
pub mod plot;
pub mod question;
mod references;
pub mod tables;

pub use examples::{ExampleQuestion, examples};
pub use figures::{FigureError, figure};
pub use nearest_measurements::nearest_known;
pub use references::{cited, cited_by, knowledge_base_reference};

//! What can be asked of a knowledge base; [`KnowledgeBase`](crate::KnowledgeBase) is the door.

pub mod answer;
pub mod axes;
pub mod cards;
pub mod compare;
pub mod diff;
pub mod evidence;
mod examples;
pub mod execute;
pub mod export;
mod figures;
pub mod found;
mod hits;
mod nearest_measurements;
pub mod paper;
pub mod parse;
pub mod plot;
mod references;
pub mod tables;

pub use examples::{ExampleQuestion, examples};
pub use figures::{FigureError, figure};
pub use nearest_measurements::nearest_known;
pub use references::{cited, cited_by, knowledge_base_reference};

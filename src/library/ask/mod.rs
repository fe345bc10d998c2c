//! What can be asked of a knowledge base; [`KnowledgeBase`](crate::KnowledgeBase) is the door.

pub mod answer;
#[cfg(not(feature = "engine-only"))]
pub mod axes;
#[cfg(not(feature = "engine-only"))]
pub mod cards;
#[cfg(not(feature = "engine-only"))]
pub mod compare;
#[cfg(not(feature = "engine-only"))]
pub mod conclude;
#[cfg(not(feature = "engine-only"))]
pub mod diff;
#[cfg(not(feature = "engine-only"))]
mod examples;
pub mod execute;
#[cfg(not(feature = "engine-only"))]
pub mod export;
#[cfg(not(feature = "engine-only"))]
mod figures;
mod hits;
#[cfg(not(feature = "engine-only"))]
mod nearest_measurements;
#[cfg(not(feature = "engine-only"))]
pub mod paper;
pub mod parse;
#[cfg(not(feature = "engine-only"))]
pub mod plot;
#[cfg(not(feature = "engine-only"))]
pub mod question;
#[cfg(not(feature = "engine-only"))]
mod references;
#[cfg(not(feature = "engine-only"))]
pub mod tables;

#[cfg(not(feature = "engine-only"))]
pub use examples::{ExampleQuestion, examples};
#[cfg(not(feature = "engine-only"))]
pub use figures::{FigureError, figure};
#[cfg(not(feature = "engine-only"))]
pub use nearest_measurements::nearest_known;
#[cfg(not(feature = "engine-only"))]
pub use references::{cited, cited_by, knowledge_base_reference};

//! The query: measurements that a question asks for are found, both views joined, and a conclusion drawn.

mod ask;
mod best;
mod document;
mod explain;
mod facets;
mod names;
mod nearest_questions;
#[cfg(test)]
mod schema;

pub use ask::{Page, ask, ask_apart};
pub use document::{Answer, FacetCounts, Suggestion, ValueCount};
pub use explain::{Explanation, PlanStep, explain};
pub use facets::facets;
#[cfg(test)]
pub use schema::schema_of_tests;

/// The JSON Schema of an [`Answer`] as JSON, and of its measurements, which stand alone in NDJSON.
pub const SCHEMA: &str = include_str!("answer.schema.json");

//! Turns an outcome into words, a page of rows and the published JSON.

mod ask;
mod best;
mod document;
mod estimate;
mod explain;
mod facets;
mod names;
mod nearest_questions;
mod remark;
#[cfg(test)]
mod schema;
mod sentence;
mod words;

pub use ask::{Page, ask, ask_question, ask_with_row_numbers};
pub use document::{Answer, Conclusion, FacetCounts, Suggestion, UnstatedField, ValueCount};
pub use estimate::estimate;
pub use explain::{Explanation, explain, read};
pub use facets::facets;
pub use remark::{Place, WordedRemark, reading_in_words, shell_word};
#[cfg(test)]
pub use schema::schema_of_tests;
pub use sentence::is_of_speed;
pub use words::{ROWS, SPEED_UP, Words, grouped, key_name, number, quantity_name, rounded};

/// The JSON Schema of an [`Answer`] as JSON, and of its measurements, each of which is a line of NDJSON.
pub const SCHEMA: &str = include_str!("answer.schema.json");

//! The question: its words are read as names, filters and turns of phrase, and what it wants to know is made out.

mod asked;
mod axis;
mod clause;
mod conditions;
mod counts;
mod error;
mod filters;
mod grammar;
mod hints;
mod idioms;
mod inherited;
mod instances;
mod intent;
mod interpretation;
mod interpreter;
mod kinds;
mod mentions;
mod name_lengths;
mod names;
mod order;
#[expect(clippy::module_inception, reason = "the room is about questions, and this is their type")]
mod question;
mod read_as;
mod seen;
mod sentence;
mod sides;
mod sizes;
mod understand;
mod unfound;
mod vocabulary;
mod wanted;
mod words;
mod years;

pub use clause::Clause;
pub use error::QueryError;
pub use grammar::GrammarError;
pub use intent::Intent;
pub use interpretation::{Interpretation, interpret};
pub use order::{SortOrder, Superlative};
pub use question::{Quantity, Question, Wanted};
pub use read_as::ReadAs;
pub use understand::{near_replacements, understand};

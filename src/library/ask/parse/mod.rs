//! From text to [`Question`]: words, spans that tile them, composition rules, one table for the kind of answer.

mod ask;
mod directive;
mod error;
mod filter;
mod grammar;
mod json;
#[cfg(test)]
mod known;
mod lexicon;
mod names;
mod number;
mod piece;
mod print;
mod question;
mod reader;
mod rules;
mod span;
mod spans;

pub use error::{GrammarError, QueryError, Result};
pub use json::{QUESTION_SCHEMA, filter_json, from_json, to_json};
pub use lexicon::is_out_of_scope;
pub use print::{filter as print_filter, print, test as print_test};
pub use question::{Ask, Beyond, End, Filter, Is, Key, Order, Quantity, Question, Reach, Term, Test};
pub use reader::parse;
pub use span::{How, Span};

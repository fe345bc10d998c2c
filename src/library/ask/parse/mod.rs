//! From text to [`Question`]: words, spans that tile them, composition rules, one table for the kind of answer.

mod error;
mod grammar;
mod question;
mod span;
mod word;

pub use error::{GrammarError, QueryError};
pub use question::{Ask, Beyond, Claim, End, Filter, Is, Key, Order, Quantity, Question, Term, Test};
pub use span::{How, Span};

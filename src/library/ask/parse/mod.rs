//! From text to [`Question`]: words, spans that tile them, composition rules, one table for the kind of answer.

mod ask;
mod error;
mod grammar;
mod lexicon;
mod names;
mod question;
mod rules;
mod span;
mod spans;
mod word;

pub use error::{GrammarError, QueryError};
pub use question::{Ask, Beyond, Claim, End, Filter, Is, Key, Order, Quantity, Question, Term, Test};
pub use span::{How, Span};

use crate::model::Lookup;
use crate::stores::database::DatabaseError;

/// The question that a text asks. Names and the lexicon are looked up, rows never: the same words always read the same.
///
/// # Errors
///
/// When an explicit filter has a mistake or the lookup fails.
pub fn parse(text: &str, names: &impl Lookup<Error = DatabaseError>) -> Result<Question, QueryError> {
    let words = spans::words(text);
    let list = spans::tile(&words, names)?;
    let (mut question, pieces) = rules::compose(list, &words);
    for filter in question.sides.iter_mut().chain([&mut question.subject]) {
        names::expand(filter, names)?;
    }
    question.ask = ask::kind_of_answer(&question, &pieces);
    ask::settle(&mut question);
    question.spans = pieces.list.iter().map(|piece| spans::span(piece, &words, text)).collect();
    Ok(question)
}

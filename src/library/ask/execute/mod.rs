//! From [`Question`](crate::ask::parse::Question) to [`Outcome`]: one engine for plans.

mod apart;
mod compare;
pub(in crate::ask) mod condition;
mod entities;
mod facts;
mod fits;
mod grades;
mod lookup;
pub(in crate::ask) mod measure;
mod outcome;
mod overview;
pub(in crate::ask) mod pair;
pub(in crate::ask) mod possible;
mod rank;
mod series;
pub(in crate::ask) mod sizes;
pub(in crate::ask) mod spread;
mod statement;
pub(in crate::ask) mod under;

pub use condition::{checked_later, condition};
pub use outcome::{Entry, EntryValue, Outcome, PairValues, Remark};

use crate::ask::parse::{Ask, QueryError, Question};
use crate::stores::Stores;

/// Answers a question with values; `ask/answer` words them.
///
/// # Errors
///
/// When a store fails.
pub fn execute(stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    match question.ask {
        Ask::Lookup => lookup::lookup(stores, question),
        Ask::Rank => rank::rank(stores, question),
        Ask::Compare => compare::compare(stores, question),
        Ask::Along => series::series(stores, question),
        Ask::Fact => facts::facts(stores, question),
        Ask::Grade => grades::grades(stores, question),
        Ask::List => entities::entities(stores, question),
        Ask::Overview => overview::overview(stores, question),
        Ask::Fits => fits::fits(stores, question),
    }
}

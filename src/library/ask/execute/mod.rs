//! From [`Question`](crate::ask::parse::Question) to [`Outcome`]: one engine for plans.

mod apart;
pub(in crate::ask) mod condition;
mod outcome;
pub(in crate::ask) mod pair;
pub(in crate::ask) mod sizes;
pub(in crate::ask) mod spread;

pub use condition::{checked_later, condition};
pub use outcome::{Entry, EntryValue, Outcome, Remark};

//! From [`Question`](crate::ask::parse::Question) to [`Outcome`]: one engine for plans.

mod apart;
mod outcome;
pub(in crate::ask) mod pair;
pub(in crate::ask) mod sizes;
pub(in crate::ask) mod spread;

pub use outcome::{Entry, EntryValue, Outcome, Remark};

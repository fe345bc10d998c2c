//! From [`Question`](crate::ask::parse::Question) to [`Outcome`]: one engine for plans.

mod outcome;

pub use outcome::{Entry, EntryValue, Outcome, Remark};

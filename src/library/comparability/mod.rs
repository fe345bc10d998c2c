//! What makes two numbers comparable: one definition for every answer, table and verdict.
//!
//! Fields weigh by tiers (identity, axis, context, disclosure). What is unknown equals nothing; what one source leaves out
//! of all its rows alike is said, and does not divide them.

mod criterion;
mod ranking;
mod spread;
mod stated;
mod verdict;

pub use criterion::Criterion;
pub use ranking::{Asked, Contender, Placed, ranks};
pub use spread::{Spread, distinguishable};
pub use stated::{Comparand, Facts};
pub use verdict::{Caveat, Difference, Kind, Verdict, compared};

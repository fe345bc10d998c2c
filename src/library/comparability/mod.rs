//! What makes two numbers comparable: one definition for every answer, table and verdict.
//!
//! Fields weigh by tiers (identity, axis, context, disclosure). What is unknown equals nothing; what one source leaves out
//! of all its rows alike is said, and does not divide them.

mod criterion;
mod ranked_together;
mod ranks;
mod verdict;

pub use criterion::ComparedRow;
pub use criterion::ComparisonFacts;
pub use criterion::Criterion;
pub use criterion::{RowKind, hangs_on, must_be_known};
pub use ranked_together::under_same_conditions;
pub use ranked_together::{AllowedAxes, RankingKeys};
pub use ranks::nearest_factors;
pub use ranks::{RankAmong, RankedRow, ranks};
pub use ranks::{Spread, distinguishable};
pub use verdict::{Difference, Verdict, VerdictKind, compared};

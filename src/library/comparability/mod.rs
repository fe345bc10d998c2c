//! What makes two numbers comparable: one definition for every answer, table and verdict.
//!
//! Fields weigh by tiers (identity, axis, context, disclosure). What is unknown equals nothing; what one source leaves out
//! of all its rows alike is said, and does not divide them.

mod compared_row;
mod criterion;
mod entity_facts;
mod nearest;
mod ranked_together;
mod ranks;
mod required;
mod same_conditions;
mod spread;
mod verdict;

pub use compared_row::ComparedRow;
pub use criterion::Criterion;
pub use entity_facts::ComparisonFacts;
pub use nearest::nearest_factors;
pub use ranked_together::{AllowedAxes, RankingKeys};
pub use ranks::{RankAmong, RankedRow, ranks};
pub use required::{RowKind, hangs_on, must_be_known};
pub use same_conditions::under_same_conditions;
pub use spread::{Spread, distinguishable};
pub use verdict::{Difference, Verdict, VerdictKind, compared};

//! What makes two numbers comparable: one definition for every answer, table and verdict.
//!
//! Fields have tiers (identity, axis, context, disclosure). An unknown value equals no other; a field that one source
//! omits in all its rows is reported but does not divide them.

mod criterion;
mod ranked_together;
mod ranks;
mod verdict;

pub use criterion::ComparedRow;
pub use criterion::ComparisonFacts;
pub use criterion::Criterion;
pub use criterion::{RowKind, depends_on, must_be_known};
pub use ranked_together::under_same_conditions;
pub use ranked_together::{AllowedAxes, RankingKeys};
pub use ranks::nearest_factors;
pub use ranks::{RankAmong, RankedRow, ranks};
pub use ranks::{Spread, distinguishable};
pub use verdict::{Difference, Verdict, VerdictKind, compared};

//! The statistics of comparisons: effects of candidates from all comparable evidence, with intervals. It knows numbers alone, so that it is
//! optimised where the rest is not: the tests rank over everything.

mod effects;
mod equations;

pub use effects::{CONTEXTS, Effect, Effects, Estimate, Observation, Outlier, Split, Variances};

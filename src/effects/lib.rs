//! Effects of candidates from all comparable evidence: a network meta-analysis on plain numbers.

#![forbid(unsafe_code)]

mod effects;
mod equations;
mod mixed_model;
mod splits;

pub use effects::{Effects, Estimate, Mix, Outlier, Ranked};
pub use mixed_model::{CONTEXTS, KINDS, Observation, Variances};
pub use splits::Split;

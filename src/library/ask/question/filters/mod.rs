//! Explicit filters: `device:v100`, `batch>=32`, `memory>=16GB`, `cuda:9`, `sort:-throughput`.

mod by_key;
mod facet;
mod fact;
mod field;
mod mistakes;
mod number;

pub(super) use field::{is_version_of, passes};
pub(super) use number::{Bounds, bounds_of};

//! Names: every spelling that leads to a value of a facet.

mod names;
mod reading;

pub use names::collect;
pub use reading::{How, Reading, nearest_names, read_words};

//! Names: every spelling that leads to a value of a facet.

mod device;
mod entity;
mod names;
mod words;

pub use device::{Certainty, Families, Member, Resolved, resolve_device};
pub use entity::resolve_named;
pub use names::collect;
pub use words::{MatchKind, WordReading, nearest_names, read_words};

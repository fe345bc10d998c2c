//! Names: every spelling that leads to a value of a facet.

mod device;
mod english;
mod entity;
mod families;
mod instance;
mod named_device;
mod names;
mod nearest;
mod product_words;
mod resolved;
mod slip;
mod stated;
mod tokens;
mod words;

pub use device::resolve_device;
pub use english::is_english;
pub use entity::resolve_named;
pub use families::{Families, Member, Offered};
pub use names::collect;
pub use nearest::nearest_names;
pub use resolved::{Certainty, Resolved};
pub use slip::slip_of;
pub use words::{MatchKind, WordReading, begins_product, is_form_with_number, named, read_words};

//! Name resolution: every spelling of the values of a facet.

mod device;
mod entity;
mod names;
mod product_name;
mod resolved;
mod slip;
mod spelled;
mod words;

pub use device::cores_of_tpu_chip;
pub use device::resolve_device;
pub use entity::Formats;
pub use entity::resolve_named;
pub use names::collect;
pub use names::look_up_words;
pub use names::{Families, Member, Offered};
pub use product_name::{ProductName, ProductNumber, Suffix, is_product_line, suffix_of};
pub use resolved::{Certainty, Resolved};
pub use slip::is_english;
pub use slip::nearest_names;
pub use slip::slip_of;
pub use spelled::{boilerplate, names_within, without_marks};
pub use words::read_words;
pub use words::{MatchKind, WordReading};

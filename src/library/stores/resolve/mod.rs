//! Names: every spelling that leads to a value of a facet.

mod beginning;
mod device;
mod english;
mod entity;
mod families;
mod fillers;
mod instance;
mod named;
mod named_device;
mod names;
mod nearest;
mod product_name;
mod product_words;
mod quantised_name;
mod resolved;
mod slip;
mod stated;
mod tokens;
mod tpu_cores;
mod word_reading;
mod words;

pub use device::resolve_device;
pub use english::is_english;
pub use entity::resolve_named;
pub use families::{Families, Member, Offered};
pub use named::{is_form_with_number, named};
pub use names::collect;
pub use nearest::nearest_names;
pub use product_name::{ProductName, ProductNumber, Suffix, suffix_of};
pub use quantised_name::Formats;
pub use resolved::{Certainty, Resolved};
pub use slip::slip_of;
pub use tpu_cores::cores_of_tpu_chip;
pub use word_reading::{MatchKind, WordReading};
pub use words::read_words;

//! The measurements that a question finds, as columns: the values of their parts, their comparison keys, and the rules that exclude
//! rows from conclusions. Nothing here reads a row.

mod combined_numbers;
mod comparison_key;
mod hit_columns;
mod layer_sizes;
mod number_map;
mod shared_values;
mod usual;

pub use combined_numbers::CombinedNumbers;
pub use comparison_key::{ComparisonKey, ComparisonKeys};
pub use hit_columns::{HitColumns, Run, distinct};
pub use layer_sizes::LayerSizes;
pub use number_map::NumberMap;
pub use shared_values::{PartNumbers, PerShare, SharedValues};
pub use usual::Usual;

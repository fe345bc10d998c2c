//! The arithmetic between networks, devices and measurements, each concept defined once.

mod bytes;
mod counted;
mod dense_peak;
mod device_limits;
mod operations;
mod row_operations;
mod throughput;

pub use bytes::bytes_of;
pub use counted::{is_one_image, is_one_sample};
pub use dense_peak::{dense_peak, formats_of};
pub use device_limits::DeviceLimits;
pub use operations::{OPERATIONS_PER_MULTIPLY_ADD, forward_passes, operations_per_item};
pub use row_operations::{operations_of_row, peak_allowance};
pub use throughput::items_per_second;

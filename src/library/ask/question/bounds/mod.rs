//! Limits in words: sizes with their units, versions, numbers on an axis, and what is limited by another entity.

mod further_bounds;
mod limiting_words;
mod numbers_on_axes;
mod stated_sizes;
mod version_bounds;

pub(super) use limiting_words::{Limited, OF_SIZE, is_number, lead};
pub(super) use stated_sizes::{LONGEST_UNIT, Size, aspect_of, in_filter, is_unit, named, samples, size_of, unit_at};

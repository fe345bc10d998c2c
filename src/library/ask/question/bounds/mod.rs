//! Limits in words: sizes with their units, versions, numbers on an axis, and what is limited by another entity.

mod comparators;
mod comparison;
mod further_bounds;
mod limiting_words;
mod numbers_on_axes;
mod stated_number;
mod stated_sizes;
mod turned_round;
mod version_bounds;

pub(super) use comparators::{comparator, comparator_behind};
pub(super) use comparison::{BoundInWords, comparison, number_at};
pub(super) use limiting_words::{Limited, is_number, lead, of_size};
pub(super) use stated_sizes::{
    LONGEST_UNIT, Size, aspect_of, in_filter, is_unit, limit_in_other_currency, named, samples, size_of, unit_at,
};

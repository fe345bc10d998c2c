//! Limits in words: sizes with their units, versions, numbers on an axis, and what is limited by another entity.

mod comparators;
mod comparison;
mod further_bounds;
mod limiting_words;
mod numbered_fields;
mod numbers_on_axes;
mod ranges;
mod stated_number;
mod stated_sizes;
mod turned_round;
mod units;
mod version_bounds;

pub(super) use comparators::{comparator, comparator_behind, comparator_of_number, without_number};
pub(super) use comparison::{BoundInWords, comparison, number_at};
pub(super) use limiting_words::{Limited, is_number, lead, of_size};
pub(super) use ranges::{Ends, Written, ends};
pub(super) use stated_sizes::{Size, aspect_of, in_filter, limit_in_other_currency, named, samples, size_of};
pub(super) use units::{LONGEST_UNIT, is_unit, unit_at};

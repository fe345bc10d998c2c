//! Conclusions: what an answer comes to, in one or two sentences and in entries that name what they rest on.
//!
//! Each kind of answer has a file of its own; none of them draws, and none reads the question again.

mod along_batch;
mod along_values;
mod asked_names;
mod axis_condition;
mod compared_sides;
mod comparison;
mod comparison_text;
mod conclusion;
mod denial;
mod derived_values;
mod dispatch;
mod evidence;
mod fact;
mod fact_per;
mod fact_wording;
mod found;
mod frames;
mod generations;
mod grade;
mod largest_batch;
mod list;
mod listed;
mod lookup;
mod matched_pairs;
mod measured;
mod measures;
mod memory_fit;
mod named;
mod near_relatives;
mod nearest_pair;
mod overview;
mod possible;
mod precision_support;
mod ranked_frames;
mod ranking;
mod ranking_of_facts;
mod ranking_text;
mod relation;
mod relaxation;
mod row_counts;
#[cfg(test)]
mod sample;
mod scaling;
mod share_keys;
mod side;
mod sizes;
mod standing;
mod statement;
mod trade_off;
mod unknown_subject;
mod unpaired;
mod unstated;
mod value_list;
mod versions;
mod wording;
mod yes_or_no;

pub use conclusion::{Conclusion, Entry, EntryValue, UnstatedField};
pub use dispatch::conclude;
pub use fact_wording::{fact_name, number_text, value_text};
pub use found::Found;
pub use list::NAMES_IN_LIST;
pub use unknown_subject::unknown_names;
pub use unstated::unstated;

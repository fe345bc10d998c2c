//! What all conclusions are made of: what a question asks for, rows and pairs as columns have them, entities and facts, names
//! and words, and the shape of a conclusion.

mod alike_kernels;
pub(in crate::ask::conclude) mod asked_facts;
pub(in crate::ask::conclude) mod asked_names;
pub(in crate::ask::conclude) mod axis_condition;
pub(in crate::ask::conclude) mod conclusion;
pub(in crate::ask::conclude) mod derived_values;
pub(in crate::ask::conclude) mod device_sizes;
pub(in crate::ask::conclude) mod evidence;
pub(in crate::ask::conclude) mod fact_entries;
pub(in crate::ask::conclude) mod fact_wording;
mod limits_of_devices;
pub(in crate::ask::conclude) mod listed;
pub(in crate::ask::conclude) mod listed_kinds;
pub(in crate::ask::conclude) mod matched_pairs;
pub(in crate::ask::conclude) mod measured;
pub(in crate::ask::conclude) mod measures;
pub(in crate::ask::conclude) mod named;
pub(in crate::ask::conclude) mod named_alternatives;
pub(in crate::ask::conclude) mod named_behind_first;
pub(in crate::ask::conclude) mod near_relatives;
pub(in crate::ask::conclude) mod not_stated;
pub(in crate::ask::conclude) mod noted;
pub(in crate::ask::conclude) mod numbered;
pub(in crate::ask::conclude) mod outliers;
pub(in crate::ask::conclude) mod over_rows;
pub(in crate::ask::conclude) mod possible;
pub(in crate::ask::conclude) mod row_counts;
pub(in crate::ask::conclude) mod row_groups;
mod runs_apart;
#[cfg(test)]
pub(in crate::ask::conclude) mod sample;
pub(in crate::ask::conclude) mod search_result;
pub(in crate::ask::conclude) mod series;
pub(in crate::ask::conclude) mod share_keys;
pub(in crate::ask::conclude) mod side;
pub(in crate::ask::conclude) mod sizes;
pub(in crate::ask::conclude) mod sources_called;
pub(in crate::ask::conclude) mod spans;
pub(in crate::ask::conclude) mod statement;
pub(in crate::ask::conclude) mod stretch;
pub(in crate::ask::conclude) mod tested_rows;
pub(in crate::ask::conclude) mod unlike;
pub(in crate::ask::conclude) mod unstated_fields;
pub(in crate::ask::conclude) mod unstated_rows;
pub(in crate::ask::conclude) mod wording;

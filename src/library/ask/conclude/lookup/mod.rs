//! The numbers found, summed up; and what is said where there are none.

mod cost_on_instance;
pub(in crate::ask::conclude) mod denial;
mod elsewhere;
mod left_by_exclusion;
mod less;
mod near_products;
mod other_measures;
pub(in crate::ask::conclude) mod other_processors;
mod regimes;
pub(in crate::ask::conclude) mod relaxation;
mod summary;
mod summary_text;
pub(in crate::ask::conclude) mod told_fields;
pub(in crate::ask::conclude) mod unknown_subject;
pub(in crate::ask::conclude) mod unstated;

pub(in crate::ask::conclude) use summary::conclude;

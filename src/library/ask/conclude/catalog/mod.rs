//! What the catalog states: facts, grades, definitions, lists of entities, and what is known of one.

mod by_surveys;
pub(in crate::ask::conclude) mod class_grades;
pub(in crate::ask::conclude) mod definitions;
pub(in crate::ask::conclude) mod fact;
pub(in crate::ask::conclude) mod fact_per;
pub(in crate::ask::conclude) mod fact_sentence;
pub(in crate::ask::conclude) mod grade;
mod grade_measured;
mod grade_text;
mod graded_classes;
pub(in crate::ask::conclude) mod instance_offers;
mod introduction;
pub(in crate::ask::conclude) mod list;
mod list_caveats;
mod list_each;
mod most_measured;
mod offers;
pub(in crate::ask::conclude) mod overview;
pub(in crate::ask::conclude) mod precision_support;
mod provider_prices;
mod rack;
mod source_line;
mod unstated_by_sources;
mod value_list;
mod yes_or_no;

//! The rules, by code: DL00 form of TOML, DL01 references and names, DL02 facts and citations, DL03 measurements,
//! DL04 physics, DL05 form.

mod ambiguous_name;
mod canonical_form;
mod citation_target;
mod date_order;
mod dead_link;
mod duplicate_entity;
mod duplicate_measurement;
mod empty_text;
mod family_contradiction;
mod family_loop;
mod family_measured;
mod far_off;
mod fp16_gain;
mod fraction_range;
mod future_date;
mod global_batch;
mod homoglyph;
mod idle_device;
mod implausible_device;
mod implausible_network;
mod impossible_test;
mod invalid_url;
mod invisible_character;
mod latency_throughput;
mod later_schema;
mod license;
mod measured_too_early;
mod memory_contradicts_name;
mod metric_default;
mod misplaced_file;
mod missing_key;
mod near_peak;
mod no_metric;
mod not_positive;
mod outside_spread;
mod over_memory;
mod over_peak;
mod over_power;
mod placeholder_text;
mod recipe_reference;
mod row_length;
mod sku_in_raw_name;
mod stale_fact;
mod surrounding_whitespace;
mod survey_contradiction;
mod syntax;
mod uncited;
mod uncited_fact;
mod uncounted_throughput;
mod unknown_id;
mod unknown_key;
mod unknown_replacement;
mod unknown_word;
pub(super) mod unneeded_exception;
mod unreadable_file;
mod unreadable_recipe;
mod unreferenced;
mod unstated_fact;
mod wrong_hardware;
mod wrong_value;

use crate::contribute::lint::Rule;
use crate::model::Code;

/// Every rule, in the order of the codes.
pub const RULES: &[&Rule] = &[
    &syntax::RULE,
    &unreadable_file::RULE,
    &misplaced_file::RULE,
    &unknown_key::RULE,
    &missing_key::RULE,
    &wrong_value::RULE,
    &unknown_word::RULE,
    &empty_text::RULE,
    &later_schema::RULE,
    &row_length::RULE,
    &unknown_id::RULE,
    &duplicate_entity::RULE,
    &duplicate_measurement::RULE,
    &ambiguous_name::RULE,
    &family_measured::RULE,
    &sku_in_raw_name::RULE,
    &unreferenced::RULE,
    &family_loop::RULE,
    &family_contradiction::RULE,
    &recipe_reference::RULE,
    &unreadable_recipe::RULE,
    &unknown_replacement::RULE,
    &license::RULE,
    &unstated_fact::RULE,
    &citation_target::RULE,
    &uncited::RULE,
    &uncited_fact::RULE,
    &date_order::RULE,
    &measured_too_early::RULE,
    &future_date::RULE,
    &stale_fact::RULE,
    &survey_contradiction::RULE,
    &impossible_test::RULE,
    &implausible_device::RULE,
    &implausible_network::RULE,
    &invalid_url::RULE,
    &dead_link::RULE,
    &memory_contradicts_name::RULE,
    &no_metric::RULE,
    &uncounted_throughput::RULE,
    &not_positive::RULE,
    &metric_default::RULE,
    &wrong_hardware::RULE,
    &fraction_range::RULE,
    &outside_spread::RULE,
    &global_batch::RULE,
    &over_peak::RULE,
    &near_peak::RULE,
    &idle_device::RULE,
    &over_memory::RULE,
    &over_power::RULE,
    &latency_throughput::RULE,
    &fp16_gain::RULE,
    &far_off::RULE,
    &canonical_form::RULE,
    &invisible_character::RULE,
    &homoglyph::RULE,
    &placeholder_text::RULE,
    &surrounding_whitespace::RULE,
    &unneeded_exception::RULE,
];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

//! The rules, by code: DL00 form of TOML, DL01 references and names, DL02 facts and citations, DL03 measurements,
//! DL04 physics, DL05 form.

mod against_the_work;
mod ambiguous_name;
mod canonical_form;
pub(super) mod contradicted_fact;
mod contradicts_source;
mod date_order;
mod dead_link;
mod device_relations;
mod divided_devices;
mod energy_of_power;
mod entry_type;
mod evidence_reference;
mod family_contradiction;
mod family_loop;
mod family_measured;
mod far_off;
mod faster_than_its_file;
mod foreign_field;
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
mod laptop_figures;
mod latency_throughput;
mod measured_before_release;
mod memory_contradicts_name;
mod metrics_contradict;
mod missing_format;
mod name_figures;
mod near_peak;
mod network_relations;
mod newer_than_source;
mod no_subject;
mod one_spelling;
mod other_spelling;
mod other_unit;
mod out_of_series;
mod outcome_with_value;
mod outside_spread;
mod over_memory;
mod over_peak;
mod over_power;
mod over_rated;
mod placeholder_text;
mod platform_class;
mod raw_name;
mod raw_words;
mod recipe_reference;
mod scenario_unit;
mod shared_identifier;
mod sku_in_raw_name;
mod software_versions;
mod stage_order;
mod stage_sum;
mod stale_fact;
mod strict_reading;
mod surrounding_whitespace;
mod survey_contradiction;
mod tokens_of_a_batch;
mod uncited;
mod uncited_fact;
mod unfit_for_network;
mod unknown_replacement;
mod unlike_neighbours;
mod unnamed_member;
pub(super) mod unneeded_exception;
mod unreadable_recipe;
mod unreferenced;
mod wrong_hardware;

use crate::contribute::rule_interface::Rule;
use crate::model::Code;

/// Every rule, in the order of the codes.
pub const RULES: &[&Rule] = &[
    &strict_reading::SYNTAX,
    &strict_reading::UNREADABLE,
    &strict_reading::MISPLACED,
    &strict_reading::UNKNOWN_KEY,
    &strict_reading::MISSING_KEY,
    &strict_reading::WRONG_VALUE,
    &strict_reading::UNKNOWN_WORD,
    &strict_reading::EMPTY_TEXT,
    &strict_reading::LATER_SCHEMA,
    &strict_reading::ROWS,
    &strict_reading::REFERENCE,
    &strict_reading::DUPLICATE_ENTITY,
    &strict_reading::DUPLICATE_MEASUREMENT,
    &ambiguous_name::RULE,
    &family_measured::RULE,
    &sku_in_raw_name::RULE,
    &unreferenced::RULE,
    &family_loop::RULE,
    &family_contradiction::RULE,
    &recipe_reference::RULE,
    &unreadable_recipe::RULE,
    &unknown_replacement::RULE,
    &shared_identifier::RULE,
    &evidence_reference::RULE,
    &strict_reading::LICENSE,
    &strict_reading::UNSTATED_FACT,
    &strict_reading::CITATION,
    &uncited::RULE,
    &uncited_fact::RULE,
    &date_order::RULE,
    &measured_before_release::RULE,
    &future_date::RULE,
    &stale_fact::RULE,
    &survey_contradiction::RULE,
    &impossible_test::RULE,
    &implausible_device::RULE,
    &implausible_network::RULE,
    &invalid_url::RULE,
    &dead_link::RULE,
    &memory_contradicts_name::RULE,
    &device_relations::RULE,
    &network_relations::RULE,
    &newer_than_source::RULE,
    &name_figures::RULE,
    &contradicted_fact::RULE,
    &laptop_figures::RULE,
    &entry_type::RULE,
    &platform_class::RULE,
    &other_spelling::RULE,
    &strict_reading::NO_METRIC,
    &strict_reading::UNCOUNTED,
    &strict_reading::NOT_POSITIVE,
    &strict_reading::METRIC_DEFAULT,
    &wrong_hardware::RULE,
    &fraction_range::RULE,
    &outside_spread::RULE,
    &global_batch::RULE,
    &raw_name::RULE,
    &raw_words::RULE,
    &missing_format::RULE,
    &unfit_for_network::RULE,
    &software_versions::RULE,
    &outcome_with_value::RULE,
    &metrics_contradict::RULE,
    &foreign_field::RULE,
    &no_subject::RULE,
    &scenario_unit::RULE,
    &divided_devices::RULE,
    &one_spelling::RULE,
    &unnamed_member::RULE,
    &over_peak::RULE,
    &near_peak::RULE,
    &idle_device::RULE,
    &over_memory::RULE,
    &over_power::RULE,
    &latency_throughput::RULE,
    &fp16_gain::RULE,
    &far_off::RULE,
    &over_rated::RULE,
    &out_of_series::RULE,
    &unlike_neighbours::RULE,
    &stage_order::RULE,
    &against_the_work::RULE,
    &other_unit::RULE,
    &stage_sum::RULE,
    &contradicts_source::RULE,
    &energy_of_power::RULE,
    &tokens_of_a_batch::RULE,
    &faster_than_its_file::RULE,
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

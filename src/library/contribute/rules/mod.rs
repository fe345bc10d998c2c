//! The rules, by code: DL00 form of TOML, DL01 references and names, DL02 facts and citations, DL03 measurements,
//! DL04 physics, DL05 form.

mod absent_as_text;
mod address;
mod ambiguous_name;
mod blank_ends;
mod citation;
mod contradiction;
mod date_order;
mod dead_address;
mod duplicate_entity;
mod duplicate_measurement;
mod empty_text;
mod family_contradiction;
mod family_loop;
mod family_measured;
mod far_off;
mod form;
mod fp16_gain;
mod fraction;
mod future_date;
mod global_batch;
mod idle_device;
mod implausible_device;
mod implausible_network;
mod impossible_test;
mod invisible;
mod latency_throughput;
mod later_schema;
mod license;
mod look_alike;
mod measured_too_early;
mod memory_in_name;
mod metric_default;
mod misplaced;
mod missing_key;
mod near_peak;
mod no_metric;
mod not_positive;
mod orphan;
mod over_memory;
mod over_peak;
mod over_power;
mod recipe;
mod recipe_form;
mod reference;
mod replacement;
mod rows;
mod sku_in_raw;
mod spread;
mod stale_fact;
mod syntax;
mod uncited;
mod uncited_fact;
mod uncounted;
mod unknown_key;
mod unknown_word;
pub(super) mod unneeded_exception;
mod unreadable;
mod unstated_fact;
mod wrong_hardware;
mod wrong_value;

use crate::contribute::lint::rule::Rule;

/// Every rule, in the order of the codes.
pub const RULES: &[&Rule] = &[
    &syntax::RULE,
    &unreadable::RULE,
    &misplaced::RULE,
    &unknown_key::RULE,
    &missing_key::RULE,
    &wrong_value::RULE,
    &unknown_word::RULE,
    &empty_text::RULE,
    &later_schema::RULE,
    &rows::RULE,
    &reference::RULE,
    &duplicate_entity::RULE,
    &duplicate_measurement::RULE,
    &ambiguous_name::RULE,
    &family_measured::RULE,
    &sku_in_raw::RULE,
    &orphan::RULE,
    &family_loop::RULE,
    &family_contradiction::RULE,
    &recipe::RULE,
    &recipe_form::RULE,
    &replacement::RULE,
    &license::RULE,
    &unstated_fact::RULE,
    &citation::RULE,
    &uncited::RULE,
    &uncited_fact::RULE,
    &date_order::RULE,
    &measured_too_early::RULE,
    &future_date::RULE,
    &stale_fact::RULE,
    &contradiction::RULE,
    &impossible_test::RULE,
    &implausible_device::RULE,
    &implausible_network::RULE,
    &address::RULE,
    &dead_address::RULE,
    &memory_in_name::RULE,
    &no_metric::RULE,
    &uncounted::RULE,
    &not_positive::RULE,
    &metric_default::RULE,
    &wrong_hardware::RULE,
    &fraction::RULE,
    &spread::RULE,
    &global_batch::RULE,
    &over_peak::RULE,
    &near_peak::RULE,
    &idle_device::RULE,
    &over_memory::RULE,
    &over_power::RULE,
    &latency_throughput::RULE,
    &fp16_gain::RULE,
    &far_off::RULE,
    &form::RULE,
    &invisible::RULE,
    &look_alike::RULE,
    &absent_as_text::RULE,
    &blank_ends::RULE,
    &unneeded_exception::RULE,
];

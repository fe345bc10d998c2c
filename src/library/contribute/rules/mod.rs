//! The rules, by code: DL00 form of TOML, DL01 references and names, DL02 facts and citations, DL03 measurements,
//! DL04 physics, DL05 form.

mod addresses;
mod against_the_work;
mod batch;
mod citations;
pub(super) mod contradicted_fact;
mod contradicts_source;
mod dates;
mod device_limits;
mod device_relations;
mod energy_of_power;
mod evidence_reference;
mod families;
mod far_off;
mod faster_than_its_file;
mod foreign_field;
mod frameworks;
mod implausible;
mod laptop_figures;
mod metrics_contradict;
mod name_figures;
mod network_relations;
mod newer_than_source;
mod other_unit;
mod out_of_series;
mod raw_name;
mod raw_words;
mod recipes;
mod row_form;
mod software_versions;
mod spellings;
mod stages;
mod strict_reading;
mod text_form;
mod unfit_for_network;
mod unlike_neighbours;
mod unnamed_member;
pub(super) mod unneeded_exception;

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
    &spellings::AMBIGUOUS_NAME,
    &families::FAMILY_MEASURED,
    &families::SKU_IN_RAW_NAME,
    &citations::UNREFERENCED,
    &families::FAMILY_LOOP,
    &families::FAMILY_CONTRADICTION,
    &recipes::RECIPE_REFERENCE,
    &recipes::UNREADABLE_RECIPE,
    &families::UNKNOWN_REPLACEMENT,
    &addresses::SHARED_IDENTIFIER,
    &evidence_reference::RULE,
    &strict_reading::LICENSE,
    &strict_reading::UNSTATED_FACT,
    &strict_reading::CITATION,
    &citations::UNCITED,
    &citations::UNCITED_FACT,
    &dates::DATE_ORDER,
    &dates::MEASURED_BEFORE_RELEASE,
    &dates::FUTURE_DATE,
    &citations::STALE_FACT,
    &frameworks::SURVEY_CONTRADICTION,
    &frameworks::IMPOSSIBLE_TEST,
    &implausible::IMPLAUSIBLE_DEVICE,
    &implausible::IMPLAUSIBLE_NETWORK,
    &addresses::INVALID_URL,
    &addresses::DEAD_LINK,
    &implausible::MEMORY_CONTRADICTS_NAME,
    &device_relations::RULE,
    &network_relations::RULE,
    &newer_than_source::RULE,
    &name_figures::RULE,
    &contradicted_fact::RULE,
    &laptop_figures::RULE,
    &citations::ENTRY_TYPE,
    &frameworks::PLATFORM_CLASS,
    &spellings::OTHER_SPELLING,
    &strict_reading::NO_METRIC,
    &strict_reading::UNCOUNTED,
    &strict_reading::NOT_POSITIVE,
    &strict_reading::METRIC_DEFAULT,
    &frameworks::WRONG_HARDWARE,
    &row_form::FRACTION_RANGE,
    &row_form::OUTSIDE_SPREAD,
    &batch::GLOBAL_BATCH,
    &raw_name::RULE,
    &raw_words::RULE,
    &implausible::MISSING_FORMAT,
    &unfit_for_network::RULE,
    &software_versions::RULE,
    &row_form::OUTCOME_WITH_VALUE,
    &metrics_contradict::RULE,
    &foreign_field::RULE,
    &row_form::NO_SUBJECT,
    &batch::SCENARIO_UNIT,
    &batch::DIVIDED_DEVICES,
    &spellings::ONE_SPELLING,
    &unnamed_member::RULE,
    &device_limits::OVER_PEAK,
    &device_limits::NEAR_PEAK,
    &device_limits::IDLE_DEVICE,
    &device_limits::OVER_MEMORY,
    &device_limits::OVER_POWER,
    &stages::LATENCY_THROUGHPUT,
    &device_limits::FP16_GAIN,
    &far_off::RULE,
    &device_limits::OVER_RATED,
    &out_of_series::RULE,
    &unlike_neighbours::RULE,
    &stages::STAGE_ORDER,
    &against_the_work::RULE,
    &other_unit::RULE,
    &stages::STAGE_SUM,
    &contradicts_source::RULE,
    &energy_of_power::RULE,
    &batch::TOKENS_OF_A_BATCH,
    &faster_than_its_file::RULE,
    &text_form::CANONICAL_FORM,
    &text_form::INVISIBLE_CHARACTER,
    &text_form::HOMOGLYPH,
    &text_form::PLACEHOLDER_TEXT,
    &text_form::SURROUNDING_WHITESPACE,
    &unneeded_exception::RULE,
];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

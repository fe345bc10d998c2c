//! The rules, by code: DL00 TOML format, DL01 references and names, DL02 facts and citations, DL03 measurements, DL04
//! physics, DL05 formatting.

mod addresses;
mod against_the_work;
mod batch;
mod citations;
mod copied_or_exchanged;
mod dates;
mod device_bounds;
mod device_limits;
mod device_relations;
mod entry_texts;
mod exchanged_values;
mod families;
mod faster_than_its_file;
mod frameworks;
mod hosts;
mod implausible;
mod metrics;
mod name_figures;
mod networks;
mod odd_entry;
mod odd_one;
mod other_unit;
mod outliers;
pub(super) mod own_findings;
mod own_words;
mod raw_names;
mod references;
mod repeats;
mod row_form;
mod row_relations;
mod row_texts;
mod series;
mod software_versions;
mod spellings;
mod stages;
mod strict_reading;
mod text_form;
mod unlike_source;

use crate::contribute::rule_interface::Rule;
use crate::model::Code;

/// Every rule, ordered by code.
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
    &references::RECIPE_REFERENCE,
    &references::UNREADABLE_RECIPE,
    &families::UNKNOWN_REPLACEMENT,
    &addresses::SHARED_IDENTIFIER,
    &references::EVIDENCE_REFERENCE,
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
    &networks::NETWORK_RELATIONS,
    &dates::NEWER_THAN_SOURCE,
    &name_figures::RULE,
    &own_findings::CONTRADICTED_FACT,
    &implausible::LAPTOP_FIGURES,
    &citations::ENTRY_TYPE,
    &frameworks::PLATFORM_CLASS,
    &spellings::OTHER_SPELLING,
    &odd_entry::RULE,
    &entry_texts::RULE,
    &strict_reading::NO_METRIC,
    &strict_reading::UNCOUNTED,
    &strict_reading::NOT_POSITIVE,
    &strict_reading::METRIC_DEFAULT,
    &frameworks::WRONG_HARDWARE,
    &row_form::FRACTION_RANGE,
    &row_form::OUTSIDE_SPREAD,
    &batch::GLOBAL_BATCH,
    &raw_names::RAW_NAME,
    &raw_names::RAW_WORDS,
    &implausible::MISSING_FORMAT,
    &networks::UNFIT_FOR_NETWORK,
    &software_versions::RULE,
    &row_form::OUTCOME_WITH_VALUE,
    &metrics::METRICS_CONTRADICT,
    &raw_names::FOREIGN_FIELD,
    &row_form::NO_SUBJECT,
    &batch::SCENARIO_UNIT,
    &batch::DIVIDED_DEVICES,
    &spellings::ONE_SPELLING,
    &families::UNNAMED_MEMBER,
    &own_words::RULE,
    &odd_one::RULE,
    &unlike_source::RULE,
    &hosts::RULE,
    &device_limits::OVER_PEAK,
    &device_limits::NEAR_PEAK,
    &device_limits::IDLE_DEVICE,
    &device_limits::OVER_MEMORY,
    &device_limits::OVER_POWER,
    &stages::LATENCY_THROUGHPUT,
    &device_limits::FP16_GAIN,
    &outliers::FAR_OFF,
    &device_limits::OVER_RATED,
    &series::OUT_OF_SERIES,
    &outliers::UNLIKE_NEIGHBOURS,
    &stages::STAGE_ORDER,
    &against_the_work::RULE,
    &other_unit::RULE,
    &stages::STAGE_SUM,
    &outliers::CONTRADICTS_SOURCE,
    &metrics::ENERGY_OF_POWER,
    &batch::TOKENS_OF_A_BATCH,
    &faster_than_its_file::RULE,
    &batch::STAGES_PER_DEVICE,
    &repeats::PERCENTILES,
    &repeats::FAR_REPEAT,
    &row_relations::RULE,
    &text_form::CANONICAL_FORM,
    &text_form::INVISIBLE_CHARACTER,
    &text_form::HOMOGLYPH,
    &text_form::PLACEHOLDER_TEXT,
    &text_form::SURROUNDING_WHITESPACE,
    &own_findings::UNNEEDED_EXCEPTION,
];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

//! The output of `dlbench compare -f json`, with a published schema.

use serde::Serialize;

use super::pair_verdict::PairVerdict;
use super::table::Pivot;

/// The JSON Schema of a [`CompareDocument`].
pub const SCHEMA: &str = include_str!("compare.schema.json");

/// A comparison as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum CompareDocument<'d> {
    /// A table.
    Table(PivotDocument<'d>),
    /// The verdict on some measurements.
    Verdict(&'d PairVerdict),
}

/// A table with the question that it answers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PivotDocument<'d> {
    /// The question.
    pub query: &'d str,
    /// The command, the question as filters, the knowledge base.
    pub about: &'d [String],
    /// Hash of the knowledge base's content.
    pub knowledge_base: &'d str,
    /// The table.
    #[serde(flatten)]
    pub pivot: &'d Pivot,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_schema_of_comparisons_is_current() {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<CompareDocument<'static>>();
        let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/ask/compare/compare.schema.json");
        if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
            std::fs::write(file, current).unwrap();
        } else {
            assert!(SCHEMA == current, "compare.schema.json is stale: run `make docs`");
        }
    }
}

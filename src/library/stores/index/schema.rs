//! The fields of a document.
//!
//! Measurements come first, so that a measurement's document is its row in the store; catalog entities follow, and after
//! them the texts of setups, workloads, protocols, batches and remarks, each of which many measurements share.

use strum::VariantArray;
use tantivy::schema::{
    FAST, Field as IndexField, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

use super::IndexError;
use crate::model::{Facet, Field, FieldType, Metric, Part};

/// The subject of measurements.
pub(super) const MEASUREMENT: &str = "measurement";

/// The subject of texts that measurements share.
pub(super) const SHARED: &str = "shared";

/// The document's fields: what it is, its facet terms, its text and its numbers.
pub(super) struct IndexFields {
    /// `measurement`, `shared` or the kind of an entity.
    pub subject: IndexField,
    /// An entity's id.
    pub entity: IndexField,
    /// `facet:value` terms of a measurement.
    pub facet: IndexField,
    /// The same for entities; a field of its own, so that the document frequency of `facet` counts measurements alone.
    pub entity_facet: IndexField,
    /// What is searched as text.
    pub text: IndexField,
    /// The setup, workload, protocol, batch and remarks of a measurement, as [`shared_term`]s.
    pub shared: IndexField,
    /// Which of them a text belongs to, as [`shared_term`].
    pub text_of: IndexField,
    numbers: Vec<Option<IndexField>>,
    metrics: Vec<IndexField>,
}

impl IndexFields {
    /// The schema of a new index.
    pub fn schema() -> Schema {
        let mut schema = Schema::builder();
        // Nothing is ranked by relevance, so the lengths of fields are of no use.
        let word = TextFieldIndexing::default().set_fieldnorms(false);
        let term = word.clone().set_tokenizer("raw").set_index_option(IndexRecordOption::Basic);
        let term = TextOptions::default().set_indexing_options(term);
        let text = word.set_index_option(IndexRecordOption::WithFreqsAndPositions);
        schema.add_text_field("subject", term.clone());
        schema.add_text_field("entity", term.clone().set_fast("raw"));
        schema.add_text_field("facet", term.clone());
        schema.add_text_field("entity-facet", term);
        schema.add_text_field("text", TextOptions::default().set_indexing_options(text));
        schema.add_u64_field("shared", NumericOptions::default().set_indexed());
        schema.add_u64_field("text-of", FAST);
        for field in Field::VARIANTS.iter().filter(|field| has_column(**field)) {
            schema.add_f64_field(&number_name(*field), FAST);
        }
        for metric in Metric::VARIANTS {
            schema.add_f64_field(&metric_name(*metric), FAST);
        }
        schema.build()
    }

    /// The fields of an existing index.
    pub fn of(schema: &Schema) -> Result<Self, IndexError> {
        let field =
            |name: &str| schema.get_field(name).map_err(|_| IndexError::Damaged(format!("it has no field {name}")));
        let number = |number: &Field| has_column(*number).then(|| field(&number_name(*number))).transpose();
        Ok(Self {
            subject: field("subject")?,
            entity: field("entity")?,
            facet: field("facet")?,
            entity_facet: field("entity-facet")?,
            text: field("text")?,
            shared: field("shared")?,
            text_of: field("text-of")?,
            numbers: Field::VARIANTS.iter().map(number).collect::<Result<_, _>>()?,
            metrics: Metric::VARIANTS.iter().map(|metric| field(&metric_name(*metric))).collect::<Result<_, _>>()?,
        })
    }

    /// The column of a field; `None` where it has none.
    pub fn number(&self, field: Field) -> Option<IndexField> {
        self.numbers[field as usize]
    }

    /// The column of a metric.
    pub fn metric(&self, metric: Metric) -> IndexField {
        self.metrics[metric as usize]
    }
}

/// A text that measurements share: that of one of their parts, or a remark (a label, caveats, a note).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SharedText {
    Part(Part, u32),
    Remark(u32),
}

impl SharedText {
    /// As one number.
    pub fn term(self) -> u64 {
        let (kind, number) = match self {
            Self::Part(part, number) => (part as u64, number),
            Self::Remark(number) => (Part::VARIANTS.len() as u64, number),
        };
        kind << 32 | u64::from(number)
    }
}

/// The term of a facet's value.
pub(super) fn facet_term(facet: Facet, value: &str) -> String {
    format!("{facet}:{value}")
}

/// A number as a column stores it: truncated to 28 significant bits, which keeps numbers of eight decimal digits apart in a
/// bit more than half the space. A bound must be truncated in the same way.
pub(super) fn as_stored(number: f64) -> f64 {
    const DROPPED: u64 = (1 << 24) - 1;
    f64::from_bits(number.to_bits() & !DROPPED)
}

/// The column of a measurement's field.
pub(super) fn number_name(field: Field) -> String {
    format!("number.{field}")
}

/// The column of a metric.
pub(super) fn metric_name(metric: Metric) -> String {
    format!("metric.{metric}")
}

/// Whether a field is a number of the row itself; a number that rows share is looked up by the share.
pub(super) fn has_column(field: Field) -> bool {
    field.part().is_none() && matches!(field.kind(), FieldType::Count | FieldType::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_eight_digits_keep_their_order(digits in 1u32..99_999_999, decimals in 0i32..9) {
            let scale = 10f64.powi(decimals);
            let (one, next) = (f64::from(digits) / scale, f64::from(digits + 1) / scale);
            prop_assert!(as_stored(one) < as_stored(next));
            prop_assert!(as_stored(-one) > as_stored(-next));
        }

        #[test]
        fn the_order_never_turns_round(one in proptest::num::f64::NORMAL, other in proptest::num::f64::NORMAL) {
            prop_assert!(one > other || as_stored(one) <= as_stored(other));
        }
    }
}

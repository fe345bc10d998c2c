//! The fields of a document.

use strum::VariantArray;
use tantivy::schema::{FAST, Field as IndexField, STRING, Schema, TEXT, TextOptions};

use super::IndexError;
use crate::model::{Facet, Field, FieldType, Metric};

/// Entities that the measurements of an answer name, kept as columns so that an answer of any size is joined at once.
pub(super) const JOINED: &[Field] = &[Field::Framework, Field::Backend, Field::Device, Field::Network, Field::Dataset];

/// The document's fields: what it is, its facet terms, its text and its numbers.
pub(super) struct Fields {
    /// `measurement` or the kind of an entity.
    pub subject: IndexField,
    /// An entity's id.
    pub entity: IndexField,
    /// A measurement's row in the store.
    pub row: IndexField,
    /// Everything that is searched as text.
    pub text: IndexField,
    facets: Vec<IndexField>,
}

impl Fields {
    /// The schema of a new index.
    pub fn schema() -> Schema {
        let mut schema = Schema::builder();
        let column = TextOptions::default().set_fast("raw");
        schema.add_text_field("subject", STRING);
        schema.add_text_field("entity", column.clone());
        schema.add_u64_field("row", FAST);
        schema.add_text_field("text", TEXT);
        for facet in Facet::VARIANTS {
            schema.add_text_field(&facet_name(*facet), STRING);
        }
        for field in JOINED {
            schema.add_text_field(&column_name(*field), column.clone());
        }
        schema.add_text_field(SOURCE_COLUMN, column);
        for field in Field::VARIANTS.iter().filter(|field| is_numeric(**field)) {
            schema.add_f64_field(&column_name(*field), FAST);
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
        Ok(Self {
            subject: field("subject")?,
            entity: field("entity")?,
            row: field("row")?,
            text: field("text")?,
            facets: Facet::VARIANTS.iter().map(|facet| field(&facet_name(*facet))).collect::<Result<_, _>>()?,
        })
    }

    /// The field that holds a facet's terms.
    pub fn facet(&self, facet: Facet) -> IndexField {
        self.facets[facet as usize]
    }
}

/// The column of the measurements' sources.
pub(super) const SOURCE_COLUMN: &str = "column.source";

fn facet_name(facet: Facet) -> String {
    format!("facet.{facet}")
}

/// The column of a measurement's field.
pub(super) fn column_name(field: Field) -> String {
    format!("column.{field}")
}

/// The column of a metric.
pub(super) fn metric_name(metric: Metric) -> String {
    format!("metric.{metric}")
}

/// Whether a field can be compared by size.
pub(super) fn is_numeric(field: Field) -> bool {
    matches!(field.kind(), FieldType::Count | FieldType::Number)
}

//! Building the index: one segment, measurements in the order of their rows, entities and shared texts after them.

use std::path::Path;

use strum::VariantArray;
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::{SingleSegmentIndexWriter, TantivyDocument};

use super::IndexError;
use super::open::Index;
use super::rows::RowParts;
use super::schema::{IndexFields, MEASUREMENT, SHARED, SharedText, as_stored};
use super::terms::DocumentTerms;
use crate::model::{Catalog, Knowledge, Measurement, Part, Parts, Value};
use crate::values::EntityKind;

/// Memory for postings before they go to the segment; one segment holds 10^6 measurements in less.
const WRITER_BYTES: usize = 512 << 20;

impl Index {
    /// Builds an index in the empty folder `path`.
    pub fn create(path: &Path, knowledge: &Knowledge, parts: &Parts) -> Result<(), IndexError> {
        let directory = MmapDirectory::open(path).map_err(tantivy::TantivyError::from)?;
        write(directory, knowledge, parts)?;
        Ok(())
    }

    /// Builds an index in memory.
    pub fn in_memory(knowledge: &Knowledge, parts: &Parts) -> Result<Self, IndexError> {
        Self::of(write(RamDirectory::create(), knowledge, parts)?)
    }
}

fn write(
    directory: impl Into<Box<dyn Directory>>,
    knowledge: &Knowledge,
    parts: &Parts,
) -> Result<tantivy::Index, IndexError> {
    let schema = IndexFields::schema();
    let mut writer = Writer {
        fields: IndexFields::of(&schema)?,
        writer: tantivy::Index::builder().schema(schema).single_segment_index_writer(directory, WRITER_BYTES)?,
    };
    writer.measurements(&knowledge.measurements, &knowledge.catalog, parts)?;
    writer.catalog(&knowledge.catalog)?;
    let index = writer.writer.finalize()?;
    RowParts::write(index.directory(), parts, knowledge.measurements.len())?;
    Ok(index)
}

struct Writer {
    fields: IndexFields,
    writer: SingleSegmentIndexWriter,
}

impl Writer {
    /// The measurements, and after them what they share.
    fn measurements(
        &mut self,
        measurements: &[Measurement],
        catalog: &Catalog,
        parts: &Parts,
    ) -> Result<(), IndexError> {
        let shared: Vec<Vec<(Vec<String>, String)>> = Part::VARIANTS
            .iter()
            .map(|part| {
                let terms = parts.shares(*part).iter().map(|share| match part {
                    Part::Setup => DocumentTerms::of_setup(share, catalog),
                    Part::Workload => DocumentTerms::of_workload(share, catalog),
                    Part::Protocol => DocumentTerms::of_protocol(share),
                    Part::Batch => DocumentTerms::default(),
                });
                terms.map(|terms| (terms.facet_terms(), terms.text)).collect()
            })
            .collect();
        for (row, measurement) in measurements.iter().enumerate() {
            let mut document = TantivyDocument::default();
            document.add_text(self.fields.subject, MEASUREMENT);
            for (at, &number) in parts.of_row(row).iter().enumerate() {
                document.add_u64(self.fields.shared, SharedText::Part(Part::VARIANTS[at], number).term());
                for term in &shared[at][number as usize].0 {
                    document.add_text(self.fields.facet, term);
                }
            }
            for (field, _) in measurement.fields().iter().filter(|(field, _)| field.is_remark()) {
                if let Some(number) = measurement.text(*field).and_then(|text| parts.remark_number(text)) {
                    document.add_u64(self.fields.shared, SharedText::Remark(number).term());
                }
            }
            for (field, value) in measurement.fields() {
                let number = match value {
                    Value::Count(count) => *count as f64,
                    Value::Number(number) => number.value(),
                    Value::Text(_) => continue,
                };
                if let Some(column) = self.fields.number(*field) {
                    document.add_f64(column, as_stored(number));
                }
            }
            for (metric, value) in measurement.metrics().iter().copied().chain(measurement.implied_metrics()) {
                document.add_f64(self.fields.metric(metric), as_stored(value.value()));
            }
            self.writer.add_document(document)?;
        }
        for (part, shares) in Part::VARIANTS.iter().zip(&shared) {
            for (number, (_, text)) in shares.iter().enumerate() {
                self.text(SharedText::Part(*part, number as u32), text)?;
            }
        }
        for (number, remark) in parts.remarks().enumerate() {
            self.text(SharedText::Remark(number as u32), remark)?;
        }
        Ok(())
    }

    fn catalog(&mut self, catalog: &Catalog) -> Result<(), IndexError> {
        for (id, entry) in &catalog.frameworks {
            self.entity(EntityKind::Framework, id.as_str(), DocumentTerms::of_framework(entry, catalog))?;
        }
        for (id, entry) in &catalog.devices {
            self.entity(EntityKind::Device, id.as_str(), DocumentTerms::of_device(entry, catalog))?;
        }
        for (id, entry) in &catalog.networks {
            self.entity(EntityKind::Network, id.as_str(), DocumentTerms::of_network(entry, catalog))?;
        }
        for (id, entry) in &catalog.datasets {
            self.entity(EntityKind::Dataset, id.as_str(), DocumentTerms::of_dataset(entry))?;
        }
        for (id, entry) in &catalog.sources {
            self.entity(EntityKind::Source, id.as_str(), DocumentTerms::of_source(entry))?;
        }
        for (class, entry) in &catalog.hardware_classes {
            self.entity(EntityKind::HardwareClass, (*class).into(), DocumentTerms::of_hardware_class(entry))?;
        }
        Ok(())
    }

    fn entity(&mut self, kind: EntityKind, id: &str, terms: DocumentTerms) -> Result<(), IndexError> {
        let mut document = TantivyDocument::default();
        document.add_text(self.fields.subject, <&str>::from(kind));
        document.add_text(self.fields.entity, id);
        for term in terms.facet_terms() {
            document.add_text(self.fields.entity_facet, term);
        }
        document.add_text(self.fields.text, &terms.text);
        self.writer.add_document(document)?;
        Ok(())
    }

    fn text(&mut self, of: SharedText, text: &str) -> Result<(), IndexError> {
        let mut document = TantivyDocument::default();
        document.add_text(self.fields.subject, SHARED);
        document.add_u64(self.fields.text_of, of.term());
        document.add_text(self.fields.text, text);
        self.writer.add_document(document)?;
        Ok(())
    }
}

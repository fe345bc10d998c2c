//! Building the index: one segment, measurements in the order of their rows, entities after them.

use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::{SingleSegmentIndexWriter, TantivyDocument};

use super::schema::{Fields, JOINED, SOURCE_COLUMN, column_name, metric_name};
use super::terms::Terms;
use super::{Index, IndexError, Subject};
use crate::model::{Knowledge, Measurement, Metric, Value};
use crate::values::EntityKind;

/// Memory for postings before they go to the segment; one segment holds 10^6 measurements in less.
const WRITER_BYTES: usize = 512 << 20;

impl Index {
    /// Builds an index in the empty folder `path`.
    pub fn create(path: &Path, knowledge: &Knowledge) -> Result<(), IndexError> {
        let directory = MmapDirectory::open(path).map_err(tantivy::TantivyError::from)?;
        write(directory, knowledge)?;
        Ok(())
    }

    /// Builds an index in memory.
    pub fn in_memory(knowledge: &Knowledge) -> Result<Self, IndexError> {
        Self::of(write(RamDirectory::create(), knowledge)?)
    }
}

fn write(directory: impl Into<Box<dyn Directory>>, knowledge: &Knowledge) -> Result<tantivy::Index, IndexError> {
    let schema = Fields::schema();
    let mut writer = Writer {
        fields: Fields::of(&schema)?,
        writer: tantivy::Index::builder()
            .schema(schema.clone())
            .single_segment_index_writer(directory, WRITER_BYTES)?,
        schema,
    };
    let catalog = &knowledge.catalog;
    for (row, measurement) in knowledge.measurements.iter().enumerate() {
        writer.measurement(row as u64, measurement, Terms::of_measurement(measurement, catalog))?;
    }
    for (id, entry) in &catalog.frameworks {
        writer.entity(EntityKind::Framework, id.as_str(), Terms::of_framework(entry, catalog))?;
    }
    for (id, entry) in &catalog.devices {
        writer.entity(EntityKind::Device, id.as_str(), Terms::of_device(entry, catalog))?;
    }
    for (id, entry) in &catalog.networks {
        writer.entity(EntityKind::Network, id.as_str(), Terms::of_network(entry, catalog))?;
    }
    for (id, entry) in &catalog.datasets {
        writer.entity(EntityKind::Dataset, id.as_str(), Terms::of_dataset(entry))?;
    }
    for (id, entry) in &catalog.sources {
        writer.entity(EntityKind::Source, id.as_str(), Terms::of_source(entry))?;
    }
    for (class, entry) in &catalog.hardware_classes {
        writer.entity(EntityKind::HardwareClass, (*class).into(), Terms::of_hardware_class(entry))?;
    }
    Ok(writer.writer.finalize()?)
}

struct Writer {
    schema: tantivy::schema::Schema,
    fields: Fields,
    writer: SingleSegmentIndexWriter,
}

impl Writer {
    fn measurement(&mut self, row: u64, measurement: &Measurement, terms: Terms) -> Result<(), IndexError> {
        let mut document = self.document(Subject::Measurement, terms);
        document.add_u64(self.fields.row, row);
        document.add_text(self.schema.get_field(SOURCE_COLUMN)?, measurement.source().as_str());
        for field in JOINED {
            if let Some(id) = measurement.text(*field) {
                document.add_text(self.schema.get_field(&column_name(*field))?, id);
            }
        }
        for (field, value) in measurement.fields() {
            let number = match value {
                Value::Count(count) => *count as f64,
                Value::Number(number) => number.value(),
                Value::Text(_) => continue,
            };
            document.add_f64(self.schema.get_field(&column_name(*field))?, number);
        }
        let implied = measurement.implied_throughput().map(|throughput| (Metric::ThroughputPerS, throughput));
        for (metric, value) in measurement.metrics().iter().copied().chain(implied) {
            document.add_f64(self.schema.get_field(&metric_name(metric))?, value.value());
        }
        self.writer.add_document(document)?;
        Ok(())
    }

    fn entity(&mut self, kind: EntityKind, id: &str, terms: Terms) -> Result<(), IndexError> {
        let mut document = self.document(Subject::Entity(kind), terms);
        document.add_text(self.fields.entity, id);
        self.writer.add_document(document)?;
        Ok(())
    }

    fn document(&self, subject: Subject, terms: Terms) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(self.fields.subject, subject.term());
        for (facet, value) in &terms.facets {
            document.add_text(self.fields.facet(*facet), value);
        }
        document.add_text(self.fields.text, &terms.text);
        document
    }
}

//! Builds the index, in one segment: the terms of each document; measurements in row order, then entities and shared texts.

use std::collections::BTreeSet;
use std::path::Path;

use strum::VariantArray;
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::{SingleSegmentIndexWriter, TantivyDocument};

use super::IndexError;
use super::condition::Index;
use super::schema::RowParts;
use super::schema::{IndexFields, MEASUREMENT, SHARED, SharedText, as_stored, facet_term};
use crate::model::{
    Catalog, Dataset, Device, Facet, Fact, Field, Framework, HardwareClassRecord, Knowledge, Measurement, Network,
    Part, Parts, SharedPart, Source, Value,
};
use crate::stores::building;
use crate::values::{ComputeUnit, EntityId, EntityKind, HardwareClass, Target};

/// Memory for postings before they are written to the segment; 10^6 measurements need less.
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
    /// Adds the measurements, and after them the texts that they share.
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
            building::indexed(row + 1, measurements.len());
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

/// The facet terms and the text by which a document is found.
#[derive(Debug, Default)]
pub(super) struct DocumentTerms {
    pub facets: BTreeSet<(Facet, String)>,
    pub text: String,
}

impl DocumentTerms {
    /// The index terms of the facets.
    pub fn facet_terms(&self) -> Vec<String> {
        self.facets.iter().map(|(facet, value)| facet_term(*facet, value)).collect()
    }

    fn add(&mut self, facet: Facet, value: impl ToString) {
        self.facets.insert((facet, value.to_string()));
    }

    fn say<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        for text in texts {
            self.text.push_str(text);
            self.text.push('\n');
        }
    }

    /// The terms that all rows of a setup share.
    pub fn of_setup(share: &SharedPart, catalog: &Catalog) -> Self {
        let mut terms = Self::default();
        let source = share.source.as_ref();
        if let Some(source) = source {
            terms.add(Facet::Source, source);
        }
        let entity = |field| share.text(field).and_then(|id| id.parse::<EntityId>().ok());
        // A row is found by its framework and its backend, but has the licence and languages of the framework only: otherwise
        // `apache c++` would match the licence of one and the language of the other.
        if let Some(framework) = entity(Field::Framework).and_then(|id| catalog.frameworks.get(&id)) {
            terms.framework_facts(framework);
        }
        if let Some(id) = entity(Field::Device) {
            for ancestor in catalog.device_lineage(&id) {
                terms.add(Facet::Device, &ancestor);
                if let Some(device) = catalog.devices.get(&ancestor) {
                    terms.device_facts(device);
                }
            }
        }
        terms.class_of_unit(share);
        let of_source = || Fact::Year.value(catalog.sources.get(source?)?);
        if let Some(year) = Fact::Year.from_date(share.text(Field::Date)).or_else(of_source) {
            terms.add(Facet::Year, year);
        }
        terms.add_fields(Part::Setup, share);
        terms
    }

    /// If a part of the device ran the network, its class replaces that of the device.
    fn class_of_unit(&mut self, share: &SharedPart) {
        let unit = share.text(Field::ComputeUnit).and_then(|unit| unit.parse::<ComputeUnit>().ok());
        let Some(unit) = unit else { return };
        let is_class = |facet: &Facet| *facet == Facet::Class;
        let of_devices: Vec<HardwareClass> = self
            .facets
            .iter()
            .filter(|(facet, _)| is_class(facet))
            .filter_map(|(_, class)| class.parse().ok())
            .collect();
        self.facets.retain(|(facet, _)| !is_class(facet));
        of_devices.into_iter().filter_map(|class| unit.class_on(class)).for_each(|class| self.add(Facet::Class, class));
    }

    /// The terms that all rows of a workload share.
    pub fn of_workload(share: &SharedPart, catalog: &Catalog) -> Self {
        let mut terms = Self::default();
        if let Some(id) = share.text(Field::Network).and_then(|id| id.parse::<EntityId>().ok()) {
            let lineage = catalog.network_lineage(&id);
            lineage.iter().for_each(|ancestor| terms.add(Facet::Network, ancestor));
            // A network's own task overrides that of its family: Llama is a transformer, but not a translation network.
            let task = |id: &EntityId| catalog.networks.get(id)?.task.as_deref();
            if let Some(task) = lineage.iter().find_map(task) {
                terms.add(Facet::Task, task);
            }
        }
        terms.add_fields(Part::Workload, share);
        terms
    }

    /// The terms that all rows of a protocol share.
    pub fn of_protocol(share: &SharedPart) -> Self {
        let mut terms = Self::default();
        for metric in &share.metrics {
            terms.add(Facet::Metric, metric);
        }
        terms.add_fields(Part::Protocol, share);
        terms
    }

    pub fn of_framework(framework: &Framework, catalog: &Catalog) -> Self {
        let mut terms = Self::default();
        terms.framework_facts(framework);
        for network in catalog.networks_tested_by(framework) {
            terms.add(Facet::Network, network);
        }
        for dataset in &framework.tested_datasets {
            terms.add(Facet::Dataset, dataset);
        }
        for target in &framework.hardware {
            let class = match target {
                Target::Cpu => HardwareClass::Cpu,
                Target::Gpu => HardwareClass::Gpu,
                Target::Fpga => HardwareClass::Fpga,
                Target::Asic | Target::Tpu => HardwareClass::Asic,
                Target::Mobile => continue,
            };
            terms.add(Facet::Class, class);
        }
        if let Some(date) = framework.first_release {
            terms.add(Facet::Year, date.year());
        }
        terms.named(&framework.name, &framework.aliases, framework.notes.as_deref());
        terms.say(framework.steward.as_deref());
        for survey in framework.reported.values() {
            terms.say(survey.notes.as_deref());
        }
        terms
    }

    pub fn of_device(device: &Device, catalog: &Catalog) -> Self {
        let mut terms = Self::default();
        for ancestor in catalog.device_lineage(&device.id) {
            terms.add(Facet::Device, &ancestor);
            if let Some(ancestor) = catalog.devices.get(&ancestor) {
                terms.device_facts(ancestor);
            }
        }
        for offer in &device.cloud {
            terms.add(Facet::Instance, &offer.instance);
        }
        if let Some(date) = device.release_date {
            terms.add(Facet::Year, date.year());
        }
        terms.named(&device.name, &device.aliases, device.notes.as_deref());
        terms.say([&device.chip, &device.memory_type, &device.form_factor].into_iter().filter_map(Option::as_deref));
        terms
    }

    pub fn of_network(network: &Network, catalog: &Catalog) -> Self {
        let mut terms = Self::default();
        for ancestor in catalog.network_lineage(&network.id) {
            terms.add(Facet::Network, &ancestor);
        }
        if let Some(task) = &network.task {
            terms.add(Facet::Task, task);
        }
        if let Some(year) = network.year {
            terms.add(Facet::Year, year);
        }
        terms.named(&network.name, &network.aliases, network.notes.as_deref());
        terms.say(network.differs_in.as_deref());
        terms
    }

    pub fn of_dataset(dataset: &Dataset) -> Self {
        let mut terms = Self::default();
        terms.add(Facet::Dataset, &dataset.id);
        if let Some(task) = &dataset.task {
            terms.add(Facet::Task, task);
        }
        terms.named(&dataset.name, &dataset.aliases, dataset.notes.as_deref());
        terms
    }

    pub fn of_source(source: &Source) -> Self {
        let mut terms = Self::default();
        terms.add(Facet::Source, &source.id);
        if let Some(year) = source.year {
            terms.add(Facet::Year, year);
        }
        if let Some(standing) = &source.standing {
            terms.add(Facet::Standing, standing.standing);
        }
        terms.named(&source.name, &source.aliases, source.notes.as_deref());
        terms.say(source.authors.iter().map(String::as_str));
        terms.say(source.venue.as_deref());
        if let Some(method) = &source.method {
            terms.say([&method.timed, &method.statistic, &method.description].into_iter().filter_map(Option::as_deref));
        }
        terms
    }

    pub fn of_hardware_class(class: &HardwareClassRecord) -> Self {
        let mut terms = Self::default();
        terms.add(Facet::Class, class.id);
        terms.named(&class.name, &class.aliases, class.notes.as_deref());
        terms.say(class.description.as_deref());
        for (metric, grade) in &class.grades {
            terms.say([metric.as_str()]);
            terms.say(grade.rationale.as_deref());
            terms.say(grade.notes.as_deref());
        }
        terms
    }

    /// Adds the facets and the searchable texts of the fields of a part.
    fn add_fields(&mut self, part: Part, share: &SharedPart) {
        for field in Field::of_part(part) {
            let text = share.text(field).or_else(|| field.unstated());
            if let (Some(facet), Some(value)) = (field.facet(), text) {
                self.add(facet, value);
            }
            self.say(text.filter(|_| field.is_searched()));
        }
    }

    fn framework_facts(&mut self, framework: &Framework) {
        self.add(Facet::Framework, &framework.id);
        for license in framework.license_ids() {
            self.add(Facet::License, license);
        }
        for language in framework.core_languages.iter().chain(&framework.api_languages) {
            self.add(Facet::Language, language);
        }
        for target in &framework.hardware {
            self.add(Facet::Hardware, target);
        }
        if let Some(multi_server) = framework.multi_server {
            self.add(Facet::MultiServer, if multi_server { "yes" } else { "no" });
        }
        if let Some(status) = framework.status {
            self.add(Facet::Maturity, status);
        }
    }

    fn device_facts(&mut self, device: &Device) {
        self.add(Facet::Class, device.class);
        if let Some(vendor) = &device.vendor {
            self.add(Facet::Vendor, vendor);
        }
        device.architectures().for_each(|architecture| self.add(Facet::Architecture, architecture));
    }

    fn named(&mut self, name: &str, aliases: &[String], notes: Option<&str>) {
        self.say([name]);
        self.say(aliases.iter().map(String::as_str));
        self.say(notes);
    }
}

//! The catalog entities that rows refer to, each read once, and the value of each aspect of a row.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::row::JoinedRow;
use crate::comparability::ComparisonFacts;
use crate::model::{
    Aspect, CatalogInputs, Dataset, Device, Fact, Field, FieldType, Framework, HardwareClassRecord, Measurement,
    Network, NumberFormat, Source, Value,
};
use crate::stores::database::{Database, DatabaseError, StoredKind};
use crate::values::{EntityId, EntityKind};

/// The entities that rows refer to, by id: borrowed from an answer's catalog, or read from the store.
#[derive(Debug, Default)]
pub struct EntityCache<'c> {
    frameworks: Known<'c, Framework>,
    devices: Known<'c, Device>,
    networks: Known<'c, Network>,
    datasets: Known<'c, Dataset>,
    sources: Known<'c, Source>,
    lineages: HashMap<String, Lineage>,
    /// Names of entities of which only the name is known.
    names: BTreeMap<(EntityKind, String), String>,
}

/// Entities by id; `None` if the store has no such entity.
type Known<'c, E> = HashMap<String, Option<Cow<'c, E>>>;

/// The families of a device, and whether it is a family itself.
#[derive(Debug)]
struct Lineage {
    families: Vec<String>,
    is_family: bool,
}

impl<'c> EntityCache<'c> {
    /// The entities of an answer's catalog. It has no lineages, so it cannot join rows; an answer's rows are joined already.
    pub fn of_catalog(catalog: &'c JoinedCatalog) -> Self {
        Self {
            frameworks: borrowed(
                catalog.frameworks.iter().map(|joined| (joined.framework.id.as_str(), &joined.framework)),
            ),
            devices: borrowed(catalog.devices.iter().map(|device| (device.id.as_str(), device))),
            networks: borrowed(catalog.networks.iter().map(|network| (network.id.as_str(), network))),
            datasets: borrowed(catalog.datasets.iter().map(|dataset| (dataset.id.as_str(), dataset))),
            sources: borrowed(catalog.sources.iter().map(|source| (source.id.as_str(), source))),
            lineages: HashMap::new(),
            names: BTreeMap::new(),
        }
    }

    /// Adds the names of further entities.
    pub fn with_names(mut self, names: &BTreeMap<(EntityKind, String), String>) -> Self {
        self.names.extend(names.iter().map(|(key, name)| (key.clone(), name.clone())));
        self
    }

    /// Whether a device, or a loaded member of a family, supports TF32.
    pub fn has_tf32(&self, id: &str) -> bool {
        let is_it = |device: &Device| {
            device.id.as_str() == id || device.variant_of.as_ref().is_some_and(|family| family.as_str() == id)
        };
        let mut own = self.devices.values().flatten().filter(|device| is_it(device));
        own.any(|device| device.peak_tflops.contains_key(&NumberFormat::Tf32Tensor))
    }

    /// The name of an entity of which only the name is known.
    pub(super) fn known_name(&self, kind: EntityKind, id: &str) -> Option<&str> {
        self.names.get(&(kind, id.to_owned())).map(String::as_str)
    }

    /// Joins measurements with the stored facts of their entities.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn join(&mut self, store: &Database, measurements: Vec<Measurement>) -> Result<Vec<JoinedRow>, DatabaseError> {
        let joined = measurements.into_iter().map(|measurement| {
            for field in [Field::Device, Field::Network, Field::Dataset] {
                self.load_value(store, field, measurement.text(field))?;
            }
            self.load(store, EntityKind::Source, measurement.source().as_str())?;
            if let Some(device) = measurement.text(Field::Device) {
                self.load_lineage(store, device)?;
            }
            let facts = self.facts(&measurement);
            Ok(JoinedRow::new(measurement, facts))
        });
        joined.collect()
    }

    /// Loads the entity that is the value of a field; does nothing for fields whose values are not entities.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn load_value(&mut self, store: &Database, field: Field, id: Option<&str>) -> Result<(), DatabaseError> {
        match (field.kind(), id) {
            (FieldType::Entity(kind), Some(id)) => self.load(store, kind, id),
            _ => Ok(()),
        }
    }

    /// Loads an entity, unless it is loaded.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn load(&mut self, store: &Database, kind: EntityKind, id: &str) -> Result<(), DatabaseError> {
        match kind {
            EntityKind::Framework => load(&mut self.frameworks, store, id),
            EntityKind::Device => load(&mut self.devices, store, id),
            EntityKind::Network => load(&mut self.networks, store, id),
            EntityKind::Dataset => load(&mut self.datasets, store, id),
            EntityKind::Source => load(&mut self.sources, store, id),
            EntityKind::HardwareClass => Ok(()),
        }
    }

    fn load_lineage(&mut self, store: &Database, device: &str) -> Result<(), DatabaseError> {
        if let Entry::Vacant(place) = self.lineages.entry(device.to_owned()) {
            let mut families = store.ancestors(EntityKind::Device, device)?;
            families.retain(|family| family != device);
            let is_family = store.descendants(EntityKind::Device, device)?.len() > 1;
            place.insert(Lineage { families, is_family });
        }
        Ok(())
    }

    /// The facts that comparisons need about a measurement.
    fn facts(&self, measurement: &Measurement) -> ComparisonFacts {
        let device = measurement.text(Field::Device);
        let lineage = device.and_then(|id| self.lineages.get(id));
        let network = measurement.text(Field::Network).and_then(|id| self.network(id));
        let source = self.source(measurement.source().as_str());
        ComparisonFacts {
            class: device.and_then(|id| self.device(id)).map(|device| device.class),
            is_family: lineage.is_some_and(|lineage| lineage.is_family),
            families: lineage.map(|lineage| lineage.families.clone()).unwrap_or_default(),
            task: network.and_then(|network| network.task.clone()),
            timed: source.and_then(|source| source.method.as_ref()?.timed.clone()),
        }
    }

    /// The entities with these ids, for derived measures.
    pub fn catalog_inputs(
        &self,
        device: Option<&str>,
        network: Option<&str>,
        dataset: Option<&str>,
    ) -> CatalogInputs<'_> {
        CatalogInputs {
            device: device.and_then(|id| self.device(id)),
            network: network.and_then(|id| self.network(id)),
            dataset: dataset.and_then(|id| self.dataset(id)),
        }
    }

    /// The framework with this id.
    pub fn framework(&self, id: &str) -> Option<&Framework> {
        self.frameworks.get(id)?.as_deref()
    }

    /// The device or device family with this id.
    pub fn device(&self, id: &str) -> Option<&Device> {
        self.devices.get(id)?.as_deref()
    }

    /// The network with this id.
    pub fn network(&self, id: &str) -> Option<&Network> {
        self.networks.get(id)?.as_deref()
    }

    /// The data set with this id.
    pub fn dataset(&self, id: &str) -> Option<&Dataset> {
        self.datasets.get(id)?.as_deref()
    }

    /// The source with this id.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.get(id)?.as_deref()
    }
}

fn borrowed<'c, E: Clone>(entities: impl Iterator<Item = (&'c str, &'c E)>) -> Known<'c, E> {
    entities.map(|(id, entity)| (id.to_owned(), Some(Cow::Borrowed(entity)))).collect()
}

fn load<E: StoredKind + Clone>(known: &mut Known<'_, E>, store: &Database, id: &str) -> Result<(), DatabaseError> {
    if let Entry::Vacant(place) = known.entry(id.to_owned()) {
        place.insert(store.entity(id)?.map(Cow::Owned));
    }
    Ok(())
}

/// The catalog entities to which some rows refer.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CatalogAnswer"))]
pub struct JoinedCatalog {
    /// Frameworks.
    pub frameworks: Vec<JoinedFramework>,
    /// Devices; a family comes with its SKUs.
    pub devices: Vec<Device>,
    /// Hardware classes with their grades.
    pub hardware_classes: Vec<HardwareClassRecord>,
    /// Networks.
    pub networks: Vec<Network>,
    /// Data sets.
    pub datasets: Vec<Dataset>,
    /// Sources.
    pub sources: Vec<Source>,
}

impl JoinedCatalog {
    /// Whether it has no entities.
    pub fn is_empty(&self) -> bool {
        self.frameworks.is_empty()
            && self.devices.is_empty()
            && self.hardware_classes.is_empty()
            && self.networks.is_empty()
            && self.datasets.is_empty()
            && self.sources.is_empty()
    }

    /// The device with this id. For a family without figures of its own: the first member, if all members have the same peaks and
    /// bandwidth; `None` if they differ, because it is not known which of them is meant.
    pub fn device_or_like_members(&self, id: &str) -> Option<&Device> {
        let own = self.devices.iter().find(|device| device.id.as_str() == id)?;
        if own.bandwidth_gb_per_s.is_some() && !own.peak_tflops.is_empty() {
            return Some(own);
        }
        let is_member = |device: &&Device| device.variant_of.as_ref().is_some_and(|family| family.as_str() == id);
        let mut members = self.devices.iter().filter(is_member);
        let Some(first) = members.next() else { return Some(own) };
        let figures = |device: &Device| (device.bandwidth_gb_per_s, device.peak_tflops.clone());
        members.all(|member| figures(member) == figures(first)).then_some(first)
    }
}

/// A framework, and which of the answer's networks and data sets its developers tested.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JoinedFramework {
    /// The framework.
    #[serde(flatten)]
    pub framework: Framework,
    /// For each network of the answer, whether it or its family is officially tested.
    pub network_tested: BTreeMap<EntityId, bool>,
    /// For each data set of the answer, whether it is officially tested.
    pub dataset_tested: BTreeMap<EntityId, bool>,
}

impl EntityCache<'_> {
    /// The value of one aspect of a row; `None` if it is not known.
    ///
    /// Some unstated fields have a default: a measurement without a status counts as reported.
    pub fn value(&self, row: &JoinedRow, aspect: Aspect) -> Option<Value> {
        let recorded = row.recorded();
        match aspect {
            Aspect::Id => Some(text(row.id())),
            Aspect::Source => Some(text(recorded.source().as_str())),
            Aspect::Field(field) => recorded.get(field).cloned().or_else(|| field.unstated().map(text)),
            Aspect::Metric(metric) => row.metric(metric).map(|(value, _)| Value::Number(value)),
            Aspect::Derived(measure) => {
                let id = |field| recorded.text(field);
                let catalog = self.catalog_inputs(id(Field::Device), id(Field::Network), id(Field::Dataset));
                measure.of(recorded, &catalog).map(Value::Number)
            }
            Aspect::Fact(fact) => self.fact(fact, recorded.source().as_str(), |field| recorded.text(field)),
        }
    }

    /// A fact of an entity of the measurement: of the source with this id, or of the entity in one of its fields; or the year of
    /// its date.
    pub fn fact<'s>(&self, fact: Fact, source: &str, stated: impl Fn(Field) -> Option<&'s str>) -> Option<Value> {
        if let Some(year) = fact.from_date(stated(Field::Date)) {
            return Some(year);
        }
        let named = || fact.naming_fields().find_map(&stated);
        match fact.kind() {
            EntityKind::Framework => fact.value(self.framework(named()?)?),
            EntityKind::Device => fact.value(self.device(named()?)?),
            EntityKind::Network => fact.value(self.network(named()?)?),
            EntityKind::Dataset => fact.value(self.dataset(named()?)?),
            EntityKind::Source => fact.value(self.source(source)?),
            EntityKind::HardwareClass => None,
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

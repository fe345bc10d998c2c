//! The entities that measurements name, as far as comparisons and derived measures need them, each read once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::comparability::Facts;
use crate::model::{Dataset, Device, Field, Measurement, Network, Setting, Source};
use crate::stores::store::{Store, StoreError, StoredKind};
use crate::values::EntityKind;

/// What the catalog says of the entities that some measurements name.
#[derive(Debug, Default)]
pub struct Surroundings {
    devices: HashMap<String, Option<NamedDevice>>,
    networks: HashMap<String, Option<Network>>,
    datasets: HashMap<String, Option<Dataset>>,
    sources: HashMap<String, Option<Source>>,
}

#[derive(Debug)]
struct NamedDevice {
    device: Device,
    families: Vec<String>,
    is_family: bool,
}

impl Surroundings {
    /// The surroundings of some measurements.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn of<'m>(store: &Store, measurements: impl IntoIterator<Item = &'m Measurement>) -> Result<Self, StoreError> {
        let mut surroundings = Self::default();
        for measurement in measurements {
            surroundings.name(store, Field::Device, measurement.text(Field::Device))?;
            surroundings.name(store, Field::Network, measurement.text(Field::Network))?;
            surroundings.name(store, Field::Dataset, measurement.text(Field::Dataset))?;
            load(&mut surroundings.sources, store, measurement.source().as_str())?;
        }
        Ok(surroundings)
    }

    /// Reads the entity that a field names.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn name(&mut self, store: &Store, field: Field, id: Option<&str>) -> Result<(), StoreError> {
        let Some(id) = id else { return Ok(()) };
        match field {
            Field::Device => self.load_device(store, id),
            Field::Network => load(&mut self.networks, store, id),
            Field::Dataset => load(&mut self.datasets, store, id),
            _ => Ok(()),
        }
    }

    /// Reads a source.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn name_source(&mut self, store: &Store, id: &str) -> Result<(), StoreError> {
        load(&mut self.sources, store, id)
    }

    fn load_device(&mut self, store: &Store, id: &str) -> Result<(), StoreError> {
        if let Entry::Vacant(place) = self.devices.entry(id.to_owned()) {
            let device = match store.entity::<Device>(id)? {
                None => None,
                Some(device) => {
                    let mut families = store.ancestors(EntityKind::Device, id)?;
                    families.retain(|family| family != id);
                    let is_family = store.descendants(EntityKind::Device, id)?.len() > 1;
                    Some(NamedDevice { device, families, is_family })
                }
            };
            place.insert(device);
        }
        Ok(())
    }

    /// What comparisons need to know of a measurement.
    pub fn facts(&self, measurement: &Measurement) -> Facts {
        let device = measurement.text(Field::Device).and_then(|id| self.devices.get(id)?.as_ref());
        let network = measurement.text(Field::Network).and_then(|id| self.networks.get(id)?.as_ref());
        let source = self.sources.get(measurement.source().as_str()).and_then(Option::as_ref);
        Facts {
            class: device.map(|named| named.device.class),
            is_family: device.is_some_and(|named| named.is_family),
            families: device.map(|named| named.families.clone()).unwrap_or_default(),
            task: network.and_then(|network| network.task.clone()),
            timed: source.and_then(|source| source.method.as_ref()?.timed.clone()),
        }
    }

    /// The entities with these ids, for derived measures.
    pub fn setting(&self, device: Option<&str>, network: Option<&str>, dataset: Option<&str>) -> Setting<'_> {
        Setting {
            device: device.and_then(|id| Some(&self.devices.get(id)?.as_ref()?.device)),
            network: network.and_then(|id| self.networks.get(id)?.as_ref()),
            dataset: dataset.and_then(|id| self.datasets.get(id)?.as_ref()),
        }
    }

    /// A source that one of the measurements is from.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.get(id)?.as_ref()
    }
}

fn load<E: StoredKind>(known: &mut HashMap<String, Option<E>>, store: &Store, id: &str) -> Result<(), StoreError> {
    if let Entry::Vacant(place) = known.entry(id.to_owned()) {
        place.insert(store.entity(id)?);
    }
    Ok(())
}

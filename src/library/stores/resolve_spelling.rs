//! Resolves spellings against the stores of a knowledge base.

use super::database::{Database, DatabaseError};
use super::resolve::{Families, Member, Offered, Resolved, collect, resolve_device, resolve_named};
use std::sync::Arc;

use crate::model::{Catalog, Device, Facet, KbInfo, Knowledge, Lookup, Name, Network, Parts};
use crate::values::EntityKind;
use crate::values::text::normalise;

/// Resolves a spelling of `facet`: a device, network, framework, data set or precision.
///
/// # Errors
///
/// When the store fails.
pub fn resolve_spelling(store: &Database, facet: Facet, spelling: &str) -> Result<Resolved, DatabaseError> {
    let names = StoredNames(store);
    if facet == Facet::Device {
        return resolve_device(spelling, &names);
    }
    resolve_named(spelling, facet, &names, |id| match facet {
        // A family has members and no figures of its own: ResNet-50 has revisions, but is a network itself.
        Facet::Network if store.descendants(EntityKind::Network, id)?.len() > 1 => {
            let network = store.entity::<Network>(id)?;
            Ok(network.is_none_or(|network| network.parameters_m.is_none() && network.input_shape.is_none()))
        }
        _ => Ok(false),
    })
}

/// A store in memory of the catalog only, which can resolve spellings even if the measurements have mistakes.
///
/// # Errors
///
/// When the store fails.
pub fn catalog_store(catalog: &Catalog) -> Result<Database, DatabaseError> {
    let info =
        KbInfo { name: String::new(), schema: 1, license: String::new(), url: None, unasked: Vec::new(), notes: None };
    let knowledge = Knowledge { info, catalog: catalog.clone(), measurements: Vec::new(), skipped: Vec::new() };
    let parts = Parts::default();
    Database::in_memory(&knowledge, &parts, &collect(&knowledge, &parts))
}

/// Gives the resolver access to the names in a store.
struct StoredNames<'s>(&'s Database);

impl Lookup for StoredNames<'_> {
    type Error = DatabaseError;

    fn exact(&self, normal: &str) -> Result<Vec<Name>, DatabaseError> {
        self.0.exact(normal)
    }

    fn all(&self) -> Result<Arc<[Name]>, DatabaseError> {
        self.0.all()
    }
}

impl Families for StoredNames<'_> {
    fn device(&self, id: &str) -> Result<Option<Member>, DatabaseError> {
        Ok(self.0.entity::<Device>(id)?.map(member))
    }

    fn members(&self, id: &str) -> Result<Vec<Member>, DatabaseError> {
        let mut members = Vec::new();
        for below in self.0.descendants(EntityKind::Device, id)? {
            if below != id {
                members.extend(self.device(&below)?);
            }
        }
        Ok(members)
    }

    fn offers(&self, instance: &str) -> Result<Vec<Offered>, DatabaseError> {
        let named = self.0.exact(instance)?.iter().any(|name| name.facet == Facet::Instance);
        let devices: Vec<Device> = if named { self.0.entities()? } else { Vec::new() };
        let mut offers: Vec<Offered> = Vec::new();
        for device in &devices {
            let of_instance = device.cloud.iter().filter(|offer| normalise(&offer.instance) == instance);
            for offer in of_instance {
                let count = offer.devices.and_then(|count| count.try_into().ok());
                match offers.iter_mut().find(|known| known.device == device.id.as_str()) {
                    Some(known) => known.count = known.count.or(count),
                    None => offers.push(Offered { device: device.id.to_string(), count }),
                }
            }
        }
        Ok(offers)
    }
}

fn member(device: Device) -> Member {
    Member {
        id: device.id.to_string(),
        vendor: device.vendor,
        memory_gib: device.memory_gib.map(|gib| gib.value()),
        form_factor: device.form_factor,
    }
}

/// The devices of a cloud instance in the catalog, with their number per instance; empty if the catalog does not have it.
///
/// # Errors
///
/// When the store fails.
pub fn devices_of_instance(store: &Database, instance: &str) -> Result<Vec<Offered>, DatabaseError> {
    StoredNames(store).offers(&normalise(instance))
}

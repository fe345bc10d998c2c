//! What devices can do at most, each read once: of a family the widest of its members.

use std::collections::HashMap;

use crate::ask::question::QueryError;
use crate::model::Device;
use crate::model::physics::DeviceLimits;
use crate::stores::Stores;
use crate::values::EntityKind;

/// The limits of devices by their ids.
pub(super) struct LimitsOfDevices<'l> {
    stores: &'l Stores,
    known: HashMap<String, DeviceLimits>,
}

impl<'l> LimitsOfDevices<'l> {
    pub fn new(stores: &'l Stores) -> Self {
        Self { stores, known: HashMap::new() }
    }

    /// Reads those of a device, unless they are known.
    pub fn load(&mut self, id: &str) -> Result<(), QueryError> {
        if self.known.contains_key(id) {
            return Ok(());
        }
        let mut members = Vec::new();
        for member in self.stores.database.descendants(EntityKind::Device, id)? {
            members.extend(self.stores.database.entity::<Device>(&member)?);
        }
        self.known.insert(id.to_owned(), DeviceLimits::of(members.iter()));
        Ok(())
    }

    /// Those of a device that was read.
    pub fn get(&self, id: &str) -> Option<&DeviceLimits> {
        self.known.get(id)
    }
}

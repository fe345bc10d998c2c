//! The knowledge base as the rules see it: what was loaded, and what several rules compute from it.

use std::collections::{BTreeMap, HashMap};

use super::options::LintOptions;
use crate::model::physics::DeviceLimits;
use crate::model::{CatalogEntity, Measurement};
use crate::reading::{Loaded, Located};
use crate::values::{EntityId, EntityKind, Standing};

/// The loaded knowledge base, the options of the check, and what several rules compute from them.
pub(in crate::contribute) struct LintContext<'l> {
    pub loaded: &'l Loaded,
    pub options: &'l LintOptions,
    /// The SKUs (and sub-families) of each device family.
    pub members: BTreeMap<&'l EntityId, Vec<&'l EntityId>>,
    /// What each device can do at most; of a family what its best SKU can.
    pub limits: HashMap<&'l str, DeviceLimits>,
}

/// A measurement and its index in [`Loaded::rows`].
pub(in crate::contribute) struct IndexedRow<'l> {
    pub at: usize,
    pub row: &'l Located<Measurement>,
}

impl IndexedRow<'_> {
    pub fn get(&self) -> &Measurement {
        self.row.get()
    }
}

/// An entity and its place.
pub(in crate::contribute) struct LocatedEntity<'l> {
    pub entity: &'l dyn CatalogEntity,
    pub place: &'l Located<()>,
}

impl<'l> LintContext<'l> {
    pub fn new(loaded: &'l Loaded, options: &'l LintOptions) -> Self {
        let mut members: BTreeMap<&EntityId, Vec<&EntityId>> = BTreeMap::new();
        for (id, device) in &loaded.catalog.devices {
            for family in loaded.catalog.device_lineage(id).into_iter().skip(1) {
                if let Some((family, _)) = loaded.catalog.devices.get_key_value(&family) {
                    members.entry(family).or_default().push(&device.id);
                }
            }
        }
        let limits = loaded.catalog.devices.keys().map(|id| {
            let all = members.get(id).into_iter().flatten().copied().chain([id]);
            (id.as_str(), DeviceLimits::of(all.filter_map(|id| loaded.catalog.devices.get(id))))
        });
        let limits = limits.collect();
        Self { loaded, options, members, limits }
    }

    /// Where an entity stands.
    pub fn place(&self, kind: EntityKind, id: &str) -> Option<&'l Located<()>> {
        self.loaded.places.get(&(kind, id.to_owned()))
    }

    /// Whether somebody still says so: neither the measurement nor its source is disputed or retracted.
    pub fn is_claimed(&self, measurement: &Measurement) -> bool {
        let of_source = || Some(self.loaded.catalog.sources.get(measurement.source())?.standing.as_ref()?.standing);
        !matches!(measurement.standing().or_else(of_source), Some(Standing::Disputed | Standing::Retracted))
    }

    /// All frameworks, devices, networks, data sets and sources.
    pub fn entities(&self) -> impl Iterator<Item = LocatedEntity<'l>> {
        let all = self.loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass);
        all.filter_map(|entity| Some(LocatedEntity { entity, place: self.place(entity.kind(), entity.id())? }))
    }
}

//! The knowledge base as the rules see it: what was loaded, and what several rules compute from it.

use std::collections::{BTreeMap, HashMap};

use super::options::LintOptions;
use super::settings::Settings;
use crate::model::physics::DeviceLimits;
use crate::model::{CatalogEntity, Field, Measurement};
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
    /// The compute capability of each device that has one.
    capabilities: HashMap<&'l str, (u32, u32)>,
    /// What each network is for, as it or the nearest of its families says.
    tasks: HashMap<&'l str, &'l str>,
    /// Each network with its families, nearest first.
    lineages: HashMap<&'l str, Vec<String>>,
    settings: Settings,
}

/// The latest compute capability of NVIDIA's architectures before matrix units for all formats: the CUDA C++ Programming
/// Guide.
const LATEST_OF: &[(&str, (u32, u32))] =
    &[("Kepler", (3, 7)), ("Maxwell", (5, 3)), ("Pascal", (6, 2)), ("Volta", (7, 2)), ("Turing", (7, 5))];

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
        let own = |id: &EntityId| -> Option<(u32, u32)> {
            let device = loaded.catalog.devices.get(id)?;
            let Some(stated) = device.compute_capability.as_deref() else {
                let architecture = device.architecture.as_deref()?;
                return LATEST_OF.iter().find(|(of, _)| *of == architecture).map(|(_, latest)| *latest);
            };
            let (major, minor) = stated.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        let capabilities = loaded.catalog.devices.keys().filter_map(|id| {
            let of_members = || members.get(id).into_iter().flatten().filter_map(|id| own(id)).max();
            Some((id.as_str(), own(id).or_else(of_members)?))
        });
        let capabilities = capabilities.collect();
        let networks = &loaded.catalog.networks;
        let task = |id: &EntityId| networks.get(id)?.task.as_deref();
        let tasks = networks.keys().filter_map(|id| {
            let of_family = || loaded.catalog.network_lineage(id).iter().find_map(task);
            Some((id.as_str(), task(id).or_else(of_family)?))
        });
        let lineage = |id: &EntityId| loaded.catalog.network_lineage(id).iter().map(ToString::to_string).collect();
        let lineages = networks.keys().map(|id| (id.as_str(), lineage(id))).collect();
        let settings = Settings::of(&loaded.rows);
        Self { loaded, options, members, limits, capabilities, tasks: tasks.collect(), lineages, settings }
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

    /// The compute capability of a device; of a family that states none the highest of its members.
    pub fn capability(&self, device: &str) -> Option<(u32, u32)> {
        self.capabilities.get(device).copied()
    }

    /// What a network is for.
    pub fn task(&self, network: &str) -> Option<&'l str> {
        self.tasks.get(network).copied()
    }

    /// A network and its families, nearest first; nothing where the catalog does not have it.
    pub fn network_lineage(&self, network: &str) -> &[String] {
        self.lineages.get(network).map_or(&[], Vec::as_slice)
    }

    /// What a row (its index in [`Loaded::rows`]) has in common with others but for some fields, as a hash.
    pub fn setting_but_for(&self, at: usize, but: &[Field]) -> u64 {
        self.settings.but_for(at, self.loaded.rows[at].get(), but)
    }

    /// Whether the network has parameters or multiply-adds: a single layer is of any size, what has figures is the same
    /// work every time.
    pub fn has_figures(&self, measurement: &Measurement) -> bool {
        let network = measurement.text(Field::Network).and_then(|id| self.loaded.catalog.networks.get(id));
        network.is_some_and(|network| network.parameters_m.is_some() || network.multiply_adds_g.is_some())
    }

    /// Whether the network is one that somebody uses, and no single layer: of that the library chooses another algorithm for
    /// every shape.
    pub fn is_whole_network(&self, measurement: &Measurement) -> bool {
        let has_task = || self.task(measurement.text(Field::Network)?);
        self.has_figures(measurement) || has_task().is_some()
    }

    /// Whether two devices are one, or one is in the other's family, or both are in one.
    pub fn is_kin(&self, a: &str, b: &str) -> bool {
        let lineage = |id: &str| id.parse().map(|id| self.loaded.catalog.device_lineage(&id)).unwrap_or_default();
        let of_b = lineage(b);
        a == b || lineage(a).iter().any(|own| of_b.contains(own))
    }

    /// All frameworks, devices, networks, data sets and sources.
    pub fn entities(&self) -> impl Iterator<Item = LocatedEntity<'l>> {
        let all = self.loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass);
        all.filter_map(|entity| Some(LocatedEntity { entity, place: self.place(entity.kind(), entity.id())? }))
    }
}

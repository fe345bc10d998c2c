//! The files under `catalog/`: which keys each kind has.

mod citations;
mod dataset;
mod definitions;
mod device;
mod framework;
mod hardware_class;
mod kb_info;
mod network;
mod source;

use super::evidence_files::{self, EvidenceFile};
use super::files::FileKind;
use super::strict::StrictTable;
use crate::model::{
    Catalog, Claim, CloudOffer, Dataset, Device, Framework, HardwareClassRecord, MetricDefinition, Network, Source,
};
use crate::values::{EntityId, EntityKind};
use dataset::dataset;
use definitions::definitions;
pub(super) use device::{cloud_offer, device};
use framework::framework;
use hardware_class::hardware_class;
pub(super) use kb_info::read_info;
pub(super) use network::network;
use source::source;

/// What one catalog file held.
#[derive(Debug, Clone)]
pub(super) enum CatalogEntry {
    Framework(Framework),
    Device(Device),
    Network(Network),
    Dataset(Dataset),
    Source(Source),
    HardwareClass(HardwareClassRecord),
    /// An offer of a device that has an entry of its own.
    Offer(EntityId, CloudOffer),
    HardwareMetrics(Vec<MetricDefinition>),
    FrameworkMetrics(Vec<MetricDefinition>),
    Principles(Vec<MetricDefinition>),
    Evidence(EvidenceFile),
    Claims(Vec<Claim>),
}

impl CatalogEntry {
    /// What a second entry of the same name would replace; `None` for the lists, of which each has one file.
    pub fn key(&self) -> Option<(EntityKind, String)> {
        Some(match self {
            Self::Framework(entry) => (EntityKind::Framework, entry.id.to_string()),
            Self::Device(entry) => (EntityKind::Device, entry.id.to_string()),
            Self::Network(entry) => (EntityKind::Network, entry.id.to_string()),
            Self::Dataset(entry) => (EntityKind::Dataset, entry.id.to_string()),
            Self::Source(entry) => (EntityKind::Source, entry.id.to_string()),
            Self::HardwareClass(entry) => (EntityKind::HardwareClass, entry.id.to_string()),
            Self::Offer(..)
            | Self::HardwareMetrics(_)
            | Self::FrameworkMetrics(_)
            | Self::Principles(_)
            | Self::Evidence(_)
            | Self::Claims(_) => return None,
        })
    }

    /// Whether the entry adds to another one, which must be there before.
    pub fn is_addition(&self) -> bool {
        matches!(self, Self::Offer(..))
    }

    /// Puts the entry where it belongs.
    pub fn insert_into(self, catalog: &mut Catalog) {
        match self {
            Self::Framework(entry) => drop(catalog.frameworks.insert(entry.id.clone(), entry)),
            Self::Device(entry) => drop(catalog.devices.insert(entry.id.clone(), entry)),
            Self::Network(entry) => drop(catalog.networks.insert(entry.id.clone(), entry)),
            Self::Dataset(entry) => drop(catalog.datasets.insert(entry.id.clone(), entry)),
            Self::Source(entry) => drop(catalog.sources.insert(entry.id.clone(), entry)),
            Self::HardwareClass(entry) => drop(catalog.hardware_classes.insert(entry.id, entry)),
            Self::Offer(device, offer) => {
                // A device that is not there is a finding of its own.
                if let Some(device) = catalog.devices.get_mut(&device) {
                    device.cloud.push(offer);
                }
            }
            Self::HardwareMetrics(entries) => catalog.hardware_metrics = entries,
            Self::FrameworkMetrics(entries) => catalog.framework_metrics = entries,
            Self::Principles(entries) => catalog.principles = entries,
            Self::Evidence(file) => {
                catalog.evidence = file.definitions;
                catalog.contradiction = file.contradiction;
            }
            Self::Claims(entries) => catalog.claims = entries,
        }
    }
}

/// Reads a catalog file by its kind; `None` when it is too broken to be an entry.
pub(super) fn read_entry(kind: &FileKind, table: StrictTable<'_, '_>) -> Option<CatalogEntry> {
    match kind {
        FileKind::HardwareMetrics => Some(CatalogEntry::HardwareMetrics(definitions(table, "metric"))),
        FileKind::FrameworkMetrics => Some(CatalogEntry::FrameworkMetrics(definitions(table, "metric"))),
        FileKind::Principles => Some(CatalogEntry::Principles(definitions(table, "principle"))),
        FileKind::Evidence => Some(CatalogEntry::Evidence(evidence_files::definitions(table))),
        FileKind::Claims => Some(CatalogEntry::Claims(evidence_files::claims(table))),
        FileKind::Entity(kind, id) => match kind {
            EntityKind::Framework => framework(id, table).map(CatalogEntry::Framework),
            EntityKind::Device => device(id, table).map(CatalogEntry::Device),
            EntityKind::Network => network(id, table).map(CatalogEntry::Network),
            EntityKind::Dataset => dataset(id, table).map(CatalogEntry::Dataset),
            EntityKind::Source => source(id, table).map(CatalogEntry::Source),
            EntityKind::HardwareClass => hardware_class(id, table).map(CatalogEntry::HardwareClass),
        },
        FileKind::Info
        | FileKind::Collection
        | FileKind::Recipe
        | FileKind::Suite(_)
        | FileKind::Measurements(_)
        | FileKind::Misplaced(_) => None,
    }
}

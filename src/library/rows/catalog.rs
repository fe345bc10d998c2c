//! The qualitative side of the join: the entities that rows name.

use std::collections::BTreeMap;

use crate::model::{Dataset, Device, Framework, HardwareClassRecord, Network, Source};
use crate::values::EntityId;

/// The catalog entities that some rows name.
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
    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.frameworks.is_empty()
            && self.devices.is_empty()
            && self.hardware_classes.is_empty()
            && self.networks.is_empty()
            && self.datasets.is_empty()
            && self.sources.is_empty()
    }

    /// The device with this id, or of a family without figures of its own the member with the highest peak.
    pub fn largest_member(&self, id: &str) -> Option<&Device> {
        let own = self.devices.iter().find(|device| device.id.as_str() == id)?;
        if own.bandwidth_gb_per_s.is_some() && !own.peak_tflops.is_empty() {
            return Some(own);
        }
        let members = self.devices.iter().filter(|device| device.variant_of.as_ref().is_some_and(|f| f.as_str() == id));
        let peak = |device: &Device| device.peak_tflops.values().map(|peak| peak.value()).fold(0.0, f64::max);
        members.max_by(|a, b| peak(a).total_cmp(&peak(b)).then_with(|| b.id.cmp(&a.id))).or(Some(own))
    }
}

/// A framework, and which of the answer's networks and data sets its makers tested.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JoinedFramework {
    /// Its record.
    #[serde(flatten)]
    pub framework: Framework,
    /// Whether each network of the answer is, itself or by its family, among the officially tested ones.
    pub network_tested: BTreeMap<EntityId, bool>,
    /// Whether each data set of the answer is among the officially tested ones.
    pub dataset_tested: BTreeMap<EntityId, bool>,
}

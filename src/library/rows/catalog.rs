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

    /// The device with this id; of a family without figures of its own a member, where all members have the same peaks and the
    /// same bandwidth: else nothing says which of them is meant.
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

//! Measures the quality of the knowledge base: the share of cited facts, and the share of measurements that state what
//! makes them comparable.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::model::{Catalog, Device, Field, Knowledge, LeftOutRows, Measurement, Source, stated_facts};
use crate::stores::dated_by;
use crate::values::{Date, Dating, EntityId, EntityKind};

/// How many members of a set have a property.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Number that have it.
    pub have: usize,
    /// Size of the set.
    pub of: usize,
}

impl Coverage {
    /// The share in thousandths, rounded down; 1000 for an empty set.
    pub fn per_mille(self) -> usize {
        (self.have * 1000).checked_div(self.of).unwrap_or(1000)
    }

    fn count(&mut self, has: bool) {
        self.of += 1;
        self.have += usize::from(has);
    }
}

/// The quality of a knowledge base.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Quality {
    /// Facts of the catalog with a citation.
    pub facts_cited: Coverage,
    /// Devices (except families) with a dense peak in at least one number format.
    pub devices_with_peaks: Coverage,
    /// Networks (except families) with parameters and multiply-adds.
    pub networks_with_figures: Coverage,
    /// Measurements by the release year of their device; `not stated` if the catalog does not give one.
    pub released: BTreeMap<String, DeviceGroup>,
    /// Measurements for each device of the newest three of these years.
    pub newest: BTreeMap<EntityId, DeviceGroup>,
    /// Number of measurements for each metric.
    pub metrics: BTreeMap<String, usize>,
    /// Number of measurements with a price.
    pub priced: usize,
    /// Number of measurements by how they are dated.
    pub dated: BTreeMap<Dating, usize>,
    /// Coverage over all measurements.
    pub measurements: Stated,
    /// Coverage for each source with measurements.
    pub sources: BTreeMap<EntityId, SourceQuality>,
}

/// The measurements of a group of devices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DeviceGroup {
    /// Release date of the device, if the group is a single device.
    pub date: Option<Date>,
    /// Number of measurements of whole networks.
    pub networks: usize,
    /// Number of measurements of single operations.
    pub operations: usize,
    /// The devices in the group.
    pub devices: BTreeSet<EntityId>,
    /// The sources of the measurements.
    pub sources: BTreeSet<EntityId>,
}

impl DeviceGroup {
    fn count(&mut self, device: &EntityId, source: &EntityId, is_operation: bool) {
        *if is_operation { &mut self.operations } else { &mut self.networks } += 1;
        if !self.devices.contains(device) {
            self.devices.insert(device.clone());
        }
        if !self.sources.contains(source) {
            self.sources.insert(source.clone());
        }
    }
}

/// What the measurements of a source state, and which of its rows were left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SourceQuality {
    /// Coverage over its measurements.
    #[serde(flatten)]
    pub stated: Stated,
    /// Rows that its files hold and the knowledge base does not, by reason.
    pub left_out: Vec<LeftOutRows>,
}

/// How many measurements state each field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Stated {
    /// A device that is not a family.
    pub sku: Coverage,
    /// The device count.
    pub device_count: Coverage,
    /// The framework.
    pub framework: Coverage,
    /// The version of the framework.
    pub framework_version: Coverage,
    /// The precision.
    pub precision: Coverage,
    /// The batch size.
    pub batch: Coverage,
    /// The statistic that the values are: in the row, or in the source's method.
    pub statistic: Coverage,
    /// The date of the run.
    pub date: Coverage,
    /// What was timed: in the row, or in the source's method.
    pub method: Coverage,
    /// The framework version, and the version of some software below it.
    pub environment: Coverage,
}

impl Stated {
    /// The coverages with their labels, in table order.
    pub fn shares(&self) -> [(&'static str, Coverage); 10] {
        [
            ("SKU", self.sku),
            ("count", self.device_count),
            ("framework", self.framework),
            ("version", self.framework_version),
            ("precision", self.precision),
            ("batch", self.batch),
            ("statistic", self.statistic),
            ("date", self.date),
            ("method", self.method),
            ("environment", self.environment),
        ]
    }
}

/// Computes the quality of a knowledge base.
pub fn quality(knowledge: &Knowledge) -> Quality {
    let catalog = &knowledge.catalog;
    let mut quality = Quality { facts_cited: facts_cited(catalog), ..Quality::default() };
    let families: BTreeSet<&EntityId> = catalog.devices.values().filter_map(|d| d.variant_of.as_ref()).collect();
    for (id, device) in &catalog.devices {
        if !families.contains(id) {
            quality.devices_with_peaks.count(!device.peak_tflops.is_empty());
        }
    }
    let network_families: BTreeSet<&EntityId> =
        catalog.networks.values().flat_map(|network| network.family.iter().chain(&network.variant_of)).collect();
    for (id, network) in &catalog.networks {
        if !network_families.contains(id) {
            let of_tokens = network.task.as_deref().is_some_and(|task| OF_TOKENS.contains(&task));
            let has_work = network.multiply_adds_g.is_some() || of_tokens;
            quality.networks_with_figures.count(network.parameters_m.is_some() && has_work);
        }
    }
    // A single operation has its own sizes, and has a batch size only if one of them is called so.
    let operations: BTreeSet<&str> = catalog
        .networks
        .iter()
        .filter(|(_, network)| network.task.as_deref() == Some("layer"))
        .map(|(id, _)| id.as_str())
        .collect();
    let mut releases: BTreeMap<&EntityId, Option<Date>> = BTreeMap::new();
    let mut by_device: BTreeMap<&EntityId, DeviceGroup> = BTreeMap::new();
    for measurement in &knowledge.measurements {
        let is_operation = measurement.text(Field::Network).is_some_and(|id| operations.contains(id));
        let id = measurement.source();
        let source = catalog.sources.get(id);
        let own = quality.sources.entry(id.clone()).or_insert_with(|| SourceQuality {
            stated: Stated::default(),
            left_out: source.map(|source| source.left_out.clone()).unwrap_or_default(),
        });
        for stated in [&mut own.stated, &mut quality.measurements] {
            count(stated, measurement, &families, (source, is_operation));
        }
        for (metric, _) in measurement.metrics() {
            *quality.metrics.entry(metric.key().to_owned()).or_default() += 1;
        }
        quality.priced += usize::from(measurement.get(Field::PriceUsdPerHour).is_some());
        if let Some(by) = dated_by(measurement, source) {
            *quality.dated.entry(by).or_default() += 1;
        }
        let device = measurement.text(Field::Device).and_then(|id| catalog.devices.get(id));
        if let Some(Device { id: device, .. }) = device {
            let date = *releases.entry(device).or_insert_with(|| release(device, catalog));
            let year = date.map_or_else(|| "not stated".to_owned(), |date| date.year().to_string());
            quality.released.entry(year).or_default().count(device, id, is_operation);
            let of_device = by_device.entry(device).or_default();
            of_device.date = date;
            of_device.count(device, id, is_operation);
        }
    }
    let newest = by_device.values().filter_map(|of| of.date).map(Date::year).max().unwrap_or_default();
    let is_new = |released: &DeviceGroup| released.date.is_some_and(|date| date.year() + NEWEST_YEARS > newest);
    quality.newest = by_device.into_iter().filter(|(_, of)| is_new(of)).map(|(id, of)| (id.clone(), of)).collect();
    quality
}

/// Number of release years whose devices are listed individually.
const NEWEST_YEARS: u16 = 3;

/// The release date of a device, or of its family if its own entry has none.
fn release(device: &EntityId, catalog: &Catalog) -> Option<Date> {
    let own = catalog.devices.get(device).and_then(|device| device.release_date);
    own.or_else(|| catalog.device_lineage(device).iter().find_map(|id| catalog.devices.get(id)?.release_date))
}

fn count(
    stated: &mut Stated,
    measurement: &Measurement,
    families: &BTreeSet<&EntityId>,
    (source, is_operation): (Option<&Source>, bool),
) {
    let has = |field| measurement.get(field).is_some();
    let method = source.and_then(|source| source.method.as_ref());
    let sku = measurement.text(Field::Device).is_some_and(|id| !families.iter().any(|family| family.as_str() == id));
    stated.sku.count(sku);
    stated.device_count.count(has(Field::DeviceCount));
    stated.framework.count(has(Field::Framework));
    stated.framework_version.count(has(Field::FrameworkVersion));
    stated.precision.count(has(Field::Precision));
    // A server forms its own batches from pending requests, so concurrency counts as a batch size.
    let states_batch = [Field::BatchSize, Field::BatchSizeGlobal, Field::Concurrency].into_iter().any(has);
    if states_batch || !is_operation {
        stated.batch.count(states_batch);
    }
    stated.statistic.count(has(Field::Statistic) || method.is_some_and(|method| method.statistic.is_some()));
    stated.date.count(has(Field::Date));
    let is_timed = method.is_some_and(|method| method.timed.is_some() || method.description.is_some());
    stated.method.count(is_timed || has(Field::Timed));
    let below = [Field::Cuda, Field::Cudnn, Field::Driver, Field::Os, Field::Container, Field::Software];
    stated.environment.count(has(Field::FrameworkVersion) && below.into_iter().any(has) || has(Field::Software));
}

/// Tasks whose networks have no fixed sample for counting multiply-adds; their parameters give the multiply-adds per
/// token.
const OF_TOKENS: &[&str] = &["text-generation", "language-model", "vision-language"];

fn facts_cited(catalog: &Catalog) -> Coverage {
    let mut share = Coverage::default();
    for entity in
        catalog.entities().filter(|entity| !matches!(entity.kind(), EntityKind::Source | EntityKind::HardwareClass))
    {
        let citations = entity.citations();
        let all = citations.iter().any(|citation| citation.facts.is_empty());
        for fact in stated_facts(entity) {
            share.count(all || citations.iter().any(|citation| citation.facts.contains(&fact)));
        }
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_down_so_that_a_whole_is_a_whole() {
        assert_eq!(Coverage { have: 999, of: 1000 }.per_mille(), 999);
        assert_eq!(Coverage { have: 19_999, of: 20_000 }.per_mille(), 999);
        assert_eq!(Coverage { have: 3, of: 3 }.per_mille(), 1000);
        assert_eq!(Coverage::default().per_mille(), 1000);
    }
}

//! Whether a device can do what a row claims: a result above the dense peak is a failed run, and is not ranked.

use std::collections::HashMap;

use super::measure::members_of;
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::physics::{DeviceLimits, items_per_second, operations_of_row, peak_allowance};
use crate::model::{Derived, Field, Measure, Metric, Network};
use crate::stores::Stores;
use crate::values::EntityKind;

/// What devices can do and networks take, each read once.
pub(in crate::ask) struct Possible<'p> {
    stores: &'p Stores,
    values: &'p SharedValues,
    /// Of a family the widest of its members.
    limits: HashMap<String, DeviceLimits>,
    networks: HashMap<String, Option<(Network, Vec<String>)>>,
}

impl<'p> Possible<'p> {
    /// Nothing is read yet.
    pub fn new(stores: &'p Stores, values: &'p SharedValues) -> Self {
        Self { stores, values, limits: HashMap::new(), networks: HashMap::new() }
    }

    /// Whether a row's value is within the peak of its devices; it is where too little is known to tell.
    pub fn is_possible(&mut self, parts: &PartNumbers, measure: Measure, value: f64) -> Result<bool, QueryError> {
        self.load(parts)?;
        let devices = self.values.count(Field::DeviceCount, parts).unwrap_or(1);
        let rate = match measure {
            Measure::Derived(Derived::PeakFraction) => {
                return Ok(value <= self.limits(parts).map_or(1.0, |(.., allowance)| allowance));
            }
            Measure::Metric(Metric::ThroughputPerS) => Some(value),
            Measure::Derived(Derived::ThroughputPerDevice) => Some(value * devices as f64),
            Measure::Derived(Derived::TimePerItemMs) => Some(1000.0 / value),
            Measure::Metric(Metric::LatencyMs) => {
                // A batch has one item at least.
                let of_all = self.values.count(Field::BatchSizeGlobal, parts);
                let batch = of_all.or_else(|| self.values.batch(parts)?.checked_mul(devices)).unwrap_or(1);
                items_per_second(batch, value)
            }
            _ => None,
        };
        let share = rate.and_then(|rate| self.share_of_peak(parts, rate, devices as f64));
        Ok(share.is_none_or(|share| share <= 1.0))
    }

    /// The network of a row, the peak of its device, and how many times that it may claim by the method of its network.
    fn limits(&self, parts: &PartNumbers) -> Option<(&Network, f64, f64)> {
        let text = |field: Field| self.values.text(field, parts);
        let (network, lineage) = self.networks.get(text(Field::Network)?)?.as_ref()?;
        let precision = text(Field::Precision).and_then(|precision| precision.parse().ok());
        let (peak, format) = self.limits.get(text(Field::Device)?)?.peak(precision)?;
        Some((network, peak, peak_allowance(format, lineage)))
    }

    /// The share of what the devices can do at most that a rate of items claims.
    fn share_of_peak(&self, parts: &PartNumbers, rate: f64, devices: f64) -> Option<f64> {
        let text = |field: Field| self.values.text(field, parts);
        let (network, peak, allowance) = self.limits(parts)?;
        let counts = text(Field::Counts).and_then(|word| word.parse().ok());
        let input = text(Field::InputShape).and_then(|shape| shape.parse().ok());
        let operations = operations_of_row(network, text(Field::Stage)?.parse().ok()?, counts, input.as_ref())?;
        Some(rate * operations / 1e12 / (peak * devices * allowance))
    }

    fn load(&mut self, parts: &PartNumbers) -> Result<(), QueryError> {
        let store = &self.stores.database;
        let text = |field: Field| self.values.text(field, parts);
        if let Some(id) = text(Field::Device).filter(|id| !self.limits.contains_key(*id)) {
            self.limits.insert(id.to_owned(), DeviceLimits::of(members_of(self.stores, id)?.iter()));
        }
        if let Some(id) = text(Field::Network).filter(|id| !self.networks.contains_key(*id)) {
            let network = match store.entity::<Network>(id)? {
                Some(network) => Some((network, store.ancestors(EntityKind::Network, id)?)),
                None => None,
            };
            self.networks.insert(id.to_owned(), network);
        }
        Ok(())
    }
}

//! Whether a device can do what a row claims: a result above the dense peak is a failed run, and is not ranked.

use std::collections::HashMap;

use super::limits_of_devices::LimitsOfDevices;
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::model::physics::{items_per_second, operations_of_row, peak_allowance};
use crate::model::{Aspect, Derived, Field, Metric, Network};
use crate::stores::Stores;
use crate::values::EntityKind;

/// What devices can do and networks take, each read once.
pub(in crate::ask::conclude) struct Possible<'p> {
    stores: &'p Stores,
    values: &'p SharedValues,
    limits: LimitsOfDevices<'p>,
    networks: HashMap<String, Option<(Network, Vec<String>)>>,
}

impl<'p> Possible<'p> {
    pub fn new(stores: &'p Stores, values: &'p SharedValues) -> Self {
        Self { stores, values, limits: LimitsOfDevices::new(stores), networks: HashMap::new() }
    }

    /// Whether a row's value is within the peak of its devices; it is where too little is known to tell.
    pub fn is_possible(&mut self, parts: &PartNumbers, metric: Metric, value: f64) -> Result<bool, QueryError> {
        self.load(parts)?;
        Ok(self.utilisation(parts, metric, value).is_none_or(|utilisation| utilisation <= 1.0))
    }

    /// The same of what follows from a row's throughput: the share of the peak itself is held against what the format allows, and
    /// of other measures nothing is known.
    pub fn is_possible_as(&mut self, parts: &PartNumbers, derived: Derived, value: f64) -> Result<bool, QueryError> {
        let devices = self.values.count(Field::DeviceCount, parts).unwrap_or(1) as f64;
        match derived {
            Derived::PeakFraction => {
                self.load(parts)?;
                Ok(value <= self.allowance(parts).unwrap_or(1.0))
            }
            Derived::ThroughputPerDevice => self.is_possible(parts, Metric::ThroughputPerS, value * devices),
            Derived::TimePerItemMs => self.is_possible(parts, Metric::ThroughputPerS, 1000.0 / value),
            _ => Ok(true),
        }
    }

    /// How many times the peak a row may claim by the method of its network.
    fn allowance(&self, parts: &PartNumbers) -> Option<f64> {
        let text = |field: Field| self.values.text(Aspect::Field(field), parts);
        let limits = self.limits.get(text(Field::Device)?)?;
        let (_, lineage) = self.networks.get(text(Field::Network)?)?.as_ref()?;
        let (_, format) = limits.peak(text(Field::Precision).and_then(|precision| precision.parse().ok()))?;
        Some(peak_allowance(format, lineage))
    }

    /// The share of what the devices can do at most that a row claims.
    fn utilisation(&self, parts: &PartNumbers, metric: Metric, value: f64) -> Option<f64> {
        let text = |field: Field| self.values.text(Aspect::Field(field), parts);
        let limits = self.limits.get(text(Field::Device)?)?;
        let (network, lineage) = self.networks.get(text(Field::Network)?)?.as_ref()?;
        let (peak, format) = limits.peak(text(Field::Precision).and_then(|precision| precision.parse().ok()))?;
        let devices = self.values.count(Field::DeviceCount, parts).unwrap_or(1);
        let rate = match metric {
            Metric::ThroughputPerS => value,
            Metric::LatencyMs => {
                // A batch has one item at least.
                let of_all = self.values.count(Field::BatchSizeGlobal, parts);
                let batch = of_all.or_else(|| self.values.batch(parts)?.checked_mul(devices)).unwrap_or(1);
                items_per_second(batch, value)?
            }
            _ => return None,
        };
        let counts = text(Field::Counts).and_then(|word| word.parse().ok());
        let input = text(Field::InputShape).and_then(|shape| shape.parse().ok());
        let operations = operations_of_row(network, text(Field::Stage)?.parse().ok()?, counts, input.as_ref())?;
        let claimed = rate * operations / 1e12;
        Some(claimed / (peak * devices as f64 * peak_allowance(format, lineage)))
    }

    fn load(&mut self, parts: &PartNumbers) -> Result<(), QueryError> {
        let store = &self.stores.database;
        if let Some(id) = self.values.text(Aspect::Field(Field::Device), parts) {
            self.limits.load(id)?;
        }
        if let Some(id) = self.values.text(Aspect::Field(Field::Network), parts)
            && !self.networks.contains_key(id)
        {
            let network = match store.entity::<Network>(id)? {
                Some(network) => Some((network, store.ancestors(EntityKind::Network, id)?)),
                None => None,
            };
            self.networks.insert(id.to_owned(), network);
        }
        Ok(())
    }
}

//! Whether a device can do what a row claims: a result above the dense peak is a failed run, and is not ranked.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::measure::members_of;
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::physics::{DeviceLimits, items_per_second, operations_of_row, peak_allowance};
use crate::model::{Derived, Field, Measure, Metric, Network};
use crate::stores::Stores;
use crate::values::EntityKind;

/// The peaks of devices for networks, each made out once.
pub(in crate::ask) struct Possible<'p> {
    stores: &'p Stores,
    values: &'p SharedValues,
    /// By the numbers of device, network and precision.
    limits: HashMap<[u32; 3], Option<Limit>>,
}

/// The network, the peak of the device, and how many times that it may claim by the method of its network.
type Limit = (Network, f64, f64);

impl<'p> Possible<'p> {
    /// Nothing is read yet.
    pub fn new(stores: &'p Stores, values: &'p SharedValues) -> Self {
        Self { stores, values, limits: HashMap::new() }
    }

    /// Whether a row's value is within the peak of its devices; it is where too little is known to tell.
    pub fn is_possible(&mut self, parts: &PartNumbers, measure: Measure, value: f64) -> Result<bool, QueryError> {
        let key = [Field::Device, Field::Network, Field::Precision].map(|field| self.values.number(field, parts));
        let limit = match self.limits.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(limit(self.stores, self.values, parts)?),
        };
        let devices = self.values.count(Field::DeviceCount, parts).unwrap_or(1);
        let rate = match measure {
            Measure::Derived(Derived::PeakFraction) => {
                return Ok(value <= limit.as_ref().map_or(1.0, |(.., allowance)| *allowance));
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
        // The share of what the devices can do at most that a rate of items claims.
        let share = rate.zip(limit.as_ref()).and_then(|(rate, (network, peak, allowance))| {
            let text = |field: Field| self.values.text(field, parts);
            let counts = text(Field::Counts).and_then(|word| word.parse().ok());
            let input = text(Field::InputShape).and_then(|shape| shape.parse().ok());
            let operations = operations_of_row(network, text(Field::Stage)?.parse().ok()?, counts, input.as_ref())?;
            Some(rate * operations / 1e12 / (peak * devices as f64 * allowance))
        });
        Ok(share.is_none_or(|share| share <= 1.0))
    }
}

/// What the devices and the network of a row limit it to; the widest of the members of a family.
fn limit(stores: &Stores, values: &SharedValues, parts: &PartNumbers) -> Result<Option<Limit>, QueryError> {
    let text = |field: Field| values.text(field, parts);
    let (Some(device), Some(id)) = (text(Field::Device), text(Field::Network)) else { return Ok(None) };
    let Some(network) = stores.database.entity::<Network>(id)? else { return Ok(None) };
    let precision = text(Field::Precision).and_then(|precision| precision.parse().ok());
    let lineage = stores.database.ancestors(EntityKind::Network, id)?;
    let peak = DeviceLimits::of(members_of(stores, device)?.iter()).peak(precision);
    Ok(peak.map(|(peak, format)| (network, peak, peak_allowance(format, &lineage))))
}

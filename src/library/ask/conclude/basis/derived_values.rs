//! Derived measures hit by hit, from the columns of throughput and power and the facts of the catalog.

use std::collections::HashMap;

use super::share_keys::{ShareKey, ShareKeys};
use crate::ask::hits::{HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Aspect, CatalogInputs, Dataset, Derived, Device, Field, Metric, Network, Value};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::{Date, Decimal, EntityKind};

/// The values of a derived measure, hit by hit; NaN where too little is known.
pub(in crate::ask::conclude) fn derived_values(
    stores: &Stores,
    values: &SharedValues,
    hits: &HitColumns,
    measure: Derived,
) -> Result<Vec<f64>, QueryError> {
    let mut catalog = Catalog::default();
    // Rows that are alike in what the factor hangs on have the same one, whatever else their shares state.
    let keys = ShareKeys::of(values, measure.inputs().iter().copied().map(Aspect::Field));
    let mut factors: NumberMap<ShareKey, Option<f64>> = NumberMap::default();
    let mut derived = Vec::with_capacity(hits.len());
    // What each row states of itself is no share, and is the whole factor.
    let own = match measure.own_number() {
        Some(field) => stores.index.numbers_of(field, hits.rows())?,
        None => Vec::new(),
    };
    for hit in 0..hits.len() {
        let rate = hits.values(measure.rate()).get(hit).copied().unwrap_or(f64::NAN);
        if rate.is_nan() {
            derived.push(f64::NAN);
            continue;
        }
        if let Some(own) = own.get(hit) {
            let factor = Some(own.recip()).filter(|factor| factor.is_finite());
            derived.push(factor.and_then(|factor| measure.value(factor, rate, None)).unwrap_or(f64::NAN));
            continue;
        }
        let parts = hits.parts(hit);
        let key = keys.key(&parts);
        let factor = match factors.get(&key) {
            Some(factor) => *factor,
            None => {
                let factor = catalog.factor(stores, values, measure, &parts)?;
                factors.insert(key, factor);
                factor
            }
        };
        let power = hits.values(Metric::PowerW).get(hit).copied().filter(|power| !power.is_nan());
        derived.push(factor.and_then(|factor| measure.value(factor, rate, power)).unwrap_or(f64::NAN));
    }
    Ok(derived)
}

/// The rows that meet a condition, with a derived measure in the place of the metric by whose rules it is compared.
pub(in crate::ask::conclude) fn derived_hits(
    stores: &Stores,
    values: &SharedValues,
    condition: &Condition,
    measure: Derived,
) -> Result<HitColumns, QueryError> {
    let hits = HitColumns::of(stores, condition, measure.needs())?;
    let derived = derived_values(stores, values, &hits, measure)?;
    Ok(hits.with_values(measure.basis(), derived))
}

/// What was paid for the device of a row, by the catalog.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::ask::conclude) enum PricePaid {
    /// What one device cost when it was new, in US dollars.
    AtLaunch(f64),
    /// What one device costs an hour.
    Rent {
        /// US dollars.
        usd_per_hour: f64,
        /// Who rents it out.
        provider: String,
        /// Name of the instance type.
        instance: String,
        /// When the price held.
        as_of: Option<Date>,
    },
}

/// The price on which a priced measure of a row hangs; `None` where none is known, or where the measure hangs on none.
pub(in crate::ask::conclude) fn price_paid(
    stores: &Stores,
    values: &SharedValues,
    measure: Derived,
    parts: &PartNumbers,
) -> Result<Option<PricePaid>, QueryError> {
    let Some(id) = values.text(Aspect::Field(Field::Device), parts) else { return Ok(None) };
    let mut catalog = Catalog::default();
    catalog.load_device(stores, id)?;
    let Some(device) = catalog.devices.get(id).and_then(Option::as_ref) else { return Ok(None) };
    if measure == Derived::RatePerLaunchUsd {
        return Ok(device.launch_price_usd.map(|price| PricePaid::AtLaunch(price.value())));
    }
    let inputs = CatalogInputs { device: Some(device), network: None, dataset: None };
    let date = values.text(Aspect::Field(Field::Date), parts).and_then(|date| date.parse().ok());
    let offer = inputs.price(values.text(Aspect::Field(Field::Instance), parts), date, 1.0);
    Ok(offer.map(|(usd_per_hour, offer)| PricePaid::Rent {
        usd_per_hour,
        provider: offer.provider.clone(),
        instance: offer.instance.clone(),
        as_of: offer.as_of,
    }))
}

/// A family is rented out as one of its members, and may draw what all of them may that state it.
fn fill_from_members(stores: &Stores, family: &mut Device) -> Result<(), QueryError> {
    if !family.cloud.is_empty() && family.tdp_w.is_some() && family.launch_price_usd.is_some() {
        return Ok(());
    }
    let mut members: Vec<Device> = Vec::new();
    for member in stores.database.descendants(EntityKind::Device, family.id.as_str())? {
        members.extend(stores.database.entity::<Device>(&member)?);
    }
    let of_all = |read: fn(&Device) -> Option<Decimal>| -> Option<Decimal> {
        let stated: Vec<Decimal> = members.iter().filter_map(read).collect();
        stated.first().filter(|first| stated.iter().all(|other| other.value() == first.value())).copied()
    };
    family.tdp_w = family.tdp_w.or_else(|| of_all(|member| member.tdp_w));
    family.launch_price_usd = family.launch_price_usd.or_else(|| of_all(|member| member.launch_price_usd));
    if family.cloud.is_empty() {
        family.cloud = members.into_iter().flat_map(|member| member.cloud).collect();
    }
    Ok(())
}

/// The entities of factors, each read once.
#[derive(Default)]
struct Catalog {
    devices: HashMap<String, Option<Device>>,
    networks: HashMap<String, Option<Network>>,
    datasets: HashMap<String, Option<Dataset>>,
}

impl Catalog {
    fn load_device(&mut self, stores: &Stores, id: &str) -> Result<(), QueryError> {
        if self.devices.contains_key(id) {
            return Ok(());
        }
        let mut device: Option<Device> = stores.database.entity(id)?;
        if let Some(family) = device.as_mut() {
            fill_from_members(stores, family)?;
        }
        self.devices.insert(id.to_owned(), device);
        Ok(())
    }

    fn factor(
        &mut self,
        stores: &Stores,
        values: &SharedValues,
        measure: Derived,
        parts: &PartNumbers,
    ) -> Result<Option<f64>, QueryError> {
        let inputs = measure.inputs();
        let text = |field: Field| values.text(Aspect::Field(field), parts).filter(|_| inputs.contains(&field));
        let store = &stores.database;
        let (device, network, dataset) = (text(Field::Device), text(Field::Network), text(Field::Dataset));
        if let Some(id) = device {
            self.load_device(stores, id)?;
        }
        if let Some(id) = network.filter(|id| !self.networks.contains_key(*id)) {
            self.networks.insert(id.to_owned(), store.entity(id)?);
        }
        if let Some(id) = dataset.filter(|id| !self.datasets.contains_key(*id)) {
            self.datasets.insert(id.to_owned(), store.entity(id)?);
        }
        let catalog = CatalogInputs {
            device: device.and_then(|id| self.devices.get(id)?.as_ref()),
            network: network.and_then(|id| self.networks.get(id)?.as_ref()),
            dataset: dataset.and_then(|id| self.datasets.get(id)?.as_ref()),
        };
        let stated: Vec<(Field, Value)> =
            inputs.iter().filter_map(|field| Some((*field, values.value(*field, parts)?))).collect();
        let get = |field: Field| stated.iter().find(|(of, _)| *of == field).map(|(_, value)| value);
        Ok(catalog.factor(measure, get))
    }
}

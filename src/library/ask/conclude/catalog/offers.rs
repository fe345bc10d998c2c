//! The offers of cloud instances in the catalog.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::{QueryError, Question};
use crate::model::{Device, Facet, Fact, Field, Value};
use crate::rows::short_device_name;
use crate::stores::Stores;
use crate::values::spelling::normalise;

/// What an instance was offered for.
pub(super) struct Offer {
    pub instance: String,
    pub provider: String,
    pub device: String,
    pub device_name: String,
    pub devices: Option<i64>,
    pub usd_per_hour: f64,
    pub as_of: Option<String>,
    pub source: String,
}

/// The values of what a question reads as a facet.
pub(super) fn values_of<'q>(question: &'q Question, key: &str) -> Vec<&'q String> {
    let read = question.read_as().filter(|read| read.facet == key && !read.text.starts_with('-'));
    read.flat_map(|read| &read.values).collect()
}

/// The offers of some instances, else of all, with some devices, else with any.
pub(super) fn offers(stores: &Stores, instances: &[String], devices: &[&String]) -> Result<Vec<Offer>, QueryError> {
    let all: Vec<Device> = stores.database.entities()?;
    let mut offers = Vec::new();
    for device in &all {
        let is_wanted =
            !instances.is_empty() || devices.is_empty() || devices.iter().any(|id| device.id.as_str() == *id);
        if !is_wanted {
            continue;
        }
        for offer in &device.cloud {
            let is_named = instances.is_empty() || instances.contains(&normalise(&offer.instance));
            let Some(price) = offer.usd_per_hour.filter(|price| is_named && price.value() > 0.0) else { continue };
            offers.push(Offer {
                instance: offer.instance.clone(),
                provider: offer.provider.clone(),
                device: device.id.to_string(),
                device_name: short_device_name(device).to_owned(),
                devices: offer.devices,
                usd_per_hour: price.value(),
                as_of: offer.as_of.map(|date| date.to_string()),
                source: offer.source.to_string(),
            });
        }
    }
    Ok(offers)
}

impl Offer {
    /// The price of the instance shared among its devices, US dollars an hour; that of the instance where their number is not
    /// stated.
    pub fn usd_per_device_hour(&self) -> f64 {
        self.usd_per_hour / self.devices.unwrap_or(1).max(1) as f64
    }

    /// `Dataoorts, 2025-03-07`.
    pub fn whose(&self) -> String {
        format!("{}, {}", self.provider, self.as_of.as_deref().unwrap_or("not dated"))
    }

    /// `p3.2xlarge (AWS, 1 x Tesla V100) with 3.06 USD/h (2019-09-27, u39kun-2018)`.
    pub fn in_words(&self) -> String {
        let devices = match self.devices {
            Some(count) => format!("{count} x {}", self.device_name),
            None => self.device_name.clone(),
        };
        let as_of = self.as_of.as_ref().map_or_else(|| "not dated, ".to_owned(), |date| format!("{date}, "));
        let price = three(self.usd_per_hour);
        format!("{} ({}, {devices}) with {price} USD/h ({as_of}{})", self.instance, self.provider, self.source)
    }

    /// How many devices the instance has, and when the price held; null where that is not stated.
    pub fn held_under(&self) -> IndexMap<String, Option<Value>> {
        IndexMap::from([
            (Field::DeviceCount.key().to_owned(), self.devices.map(Value::Count)),
            (Field::Date.key().to_owned(), self.as_of.as_deref().map(|date| Value::Text(date.into()))),
        ])
    }

    pub fn entry(&self) -> Entry {
        let text = |value: &str| Value::Text(value.into());
        let subjects = IndexMap::from([
            (Facet::Instance.key().to_owned(), text(&self.instance)),
            (Facet::Device.key().to_owned(), text(&self.device)),
        ]);
        Entry {
            subjects,
            quantity: Fact::Price.file_key().to_owned(),
            value: Some(EntryValue::Number(self.usd_per_hour)),
            unit: Some("USD/h".to_owned()),
            n: 1,
            under: self.held_under(),
            sources: vec![self.source.clone()],
            ..Entry::default()
        }
    }
}

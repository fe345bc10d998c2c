//! What cloud instances cost: the offers of the catalog, each with when the price held.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::provider_prices;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::{Intent, Quantity, QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Device, Facet, Fact, Field, Metric, Value};
use crate::rows::short_device_name;
use crate::stores::Stores;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, counted};

/// So many offers are named.
const NAMED: usize = 3;

/// So many have an entry.
const MOST_ENTRIES: usize = 30;

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

/// Tells what the instances cost that a question names, or which is the cheapest; `None` where something else is asked.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Conclusion>, QueryError> {
    let named: Vec<&String> = values_of(question, Facet::Instance.key());
    let of_price = |quantity: &Quantity| {
        matches!(
            quantity,
            Quantity::Fact(Fact::LaunchPrice | Fact::Price)
                | Quantity::Metric(Metric::CostUsd)
                | Quantity::Derived(Derived::ItemsPerDollar)
        )
    };
    let quantities = &question.wanted.quantities;
    let of_work = [Field::Network, Field::Dataset, Field::Stage, Field::Framework, Field::Precision];
    let is_of_work = question
        .read_as()
        .any(|read| read.facet == Facet::Task.key() || of_work.iter().any(|field| field.key() == read.facet));
    let ranks =
        question.wanted.intent == Intent::Ranking && question.wanted.candidates == Some(Aspect::Field(Field::Instance));
    let asks = quantities.iter().all(of_price) && (!quantities.is_empty() || ranks && is_cheapest(question));
    if is_of_work || !asks {
        return Ok(None);
    }
    if let Some(offers) = provider_prices::conclude(stores, question)? {
        return Ok(Some(offers));
    }
    if question.wanted.sides.len() > 1 {
        return Ok(None);
    }
    if named.is_empty() && !ranks {
        return of_devices(stores, question);
    }
    // Who asks for what a dollar buys of an instance that is named asks for no price.
    if !ranks && quantities.iter().any(|quantity| matches!(quantity, Quantity::Derived(_))) {
        return Ok(None);
    }
    let names: Vec<String> = named.iter().map(|name| normalise(name)).collect();
    let mut offers = offers(stores, &names, &values_of(question, Facet::Device.key()))?;
    if offers.is_empty() {
        return Ok(None);
    }
    let dearest_first = question.wanted.superlative == Some(Superlative::Most);
    offers.sort_by(|a, b| {
        let by_price = a.usd_per_hour.total_cmp(&b.usd_per_hour);
        let newest = b.as_of.cmp(&a.as_of);
        match ranks {
            true => (if dearest_first { by_price.reverse() } else { by_price }).then(newest),
            false => newest.then(by_price),
        }
        .then_with(|| a.instance.cmp(&b.instance))
    });
    // The newest of several at one price says it.
    let mut seen = HashSet::new();
    offers.retain(|offer| seen.insert((offer.instance.clone(), offer.provider.clone(), offer.usd_per_hour.to_bits())));
    let told: Vec<String> = offers.iter().take(NAMED).map(Offer::in_words).collect();
    let of = counted(offers.len(), "offer", "offers");
    let text = match (ranks, dearest_first) {
        (true, true) => {
            format!("Most expensive instance: {}; of {of} in the catalog, as of their dates.", then_list(&told))
        }
        (true, false) => format!("Cheapest instance: {}; of {of} in the catalog, as of their dates.", then_list(&told)),
        (false, _) if offers.len() > NAMED => format!("{}; {of} in all, as of their dates.", and_list(&told)),
        (false, _) => format!("{}.", and_list(&told)),
    };
    Ok(Some(Conclusion { text, entries: offers.iter().take(MOST_ENTRIES).map(Offer::entry).collect() }))
}

fn is_cheapest(question: &Question) -> bool {
    question.wanted.superlative == Some(Superlative::Cheapest)
}

fn then_list(told: &[String]) -> String {
    match told.split_first() {
        Some((first, [])) => first.clone(),
        Some((first, others)) => format!("{first}, then {}", and_list(others)),
        None => String::new(),
    }
}

/// What devices cost by the hour, where that alone is asked of them: the span for one device, and the newest offers.
fn of_devices(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let devices = values_of(question, Facet::Device.key());
    let [Quantity::Fact(Fact::Price)] = question.wanted.quantities.as_slice() else { return Ok(None) };
    if devices.is_empty() || question.wanted.superlative.is_some() {
        return Ok(None);
    }
    let mut offers = offers(stores, &[], &devices)?;
    offers.sort_by(|a, b| {
        let newest = b.as_of.cmp(&a.as_of);
        newest
            .then(a.usd_per_device_hour().total_cmp(&b.usd_per_device_hour()))
            .then_with(|| a.instance.cmp(&b.instance))
    });
    let by_price = |a: &&Offer, b: &&Offer| a.usd_per_device_hour().total_cmp(&b.usd_per_device_hour());
    let (Some(least), Some(most)) = (offers.iter().min_by(by_price), offers.iter().max_by(by_price)) else {
        return Ok(None);
    };
    let providers: HashSet<&str> = offers.iter().map(|offer| offer.provider.as_str()).collect();
    let newest: Vec<String> = offers.iter().take(NAMED).map(Offer::in_words).collect();
    let text = match offers.as_slice() {
        [only] => format!("{}.", only.in_words()),
        _ => format!(
            "{} to {} USD for a device and hour ({} to {}), by {} of {}. {}: {}.",
            three(least.usd_per_device_hour()),
            three(most.usd_per_device_hour()),
            least.whose(),
            most.whose(),
            counted(offers.len(), "offer", "offers"),
            counted(providers.len(), "provider", "providers"),
            if offers.len() > NAMED { "The newest" } else { "They are" },
            and_list(&newest),
        ),
    };
    Ok(Some(Conclusion { text, entries: offers.iter().take(MOST_ENTRIES).map(Offer::entry).collect() }))
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
    fn usd_per_device_hour(&self) -> f64 {
        self.usd_per_hour / self.devices.unwrap_or(1).max(1) as f64
    }

    /// `Dataoorts, 2025-03-07`.
    fn whose(&self) -> String {
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
    fn held_under(&self) -> IndexMap<String, Option<Value>> {
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

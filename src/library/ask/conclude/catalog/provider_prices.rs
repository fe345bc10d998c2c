//! What providers ask for instances with a device: of each that is named its offers, else which of its instances hold the device without
//! a price that is known, and then what others ask.

use std::collections::BTreeSet;

use super::offers::{Offer, offers, values_of};
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::question::{Clause, QueryError, Question, ReadAs};
use crate::model::{Device, Facet, Field};
use crate::stores::Stores;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, counted};

/// So many offers of each provider are told, and so many of others.
const TOLD: usize = 2;
const NEAREST: usize = 3;

/// More instances than this without a price are counted, not named.
const MOST_UNPRICED: usize = 3;

/// An instance of the catalog that holds a device, its price known or not.
struct Holding {
    instance: String,
    provider: String,
    device: String,
    devices: Option<i64>,
}

/// Tells the prices of the providers that are named, for the device that is; `None` where the question names no provider or no
/// device.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let clauses = question.clauses.iter().flat_map(|clause| match clause.sides.is_empty() {
        true => std::slice::from_ref(clause),
        false => &clause.sides[..],
    });
    // A provider's name is also the maker's of chips that it rents out; what is asked for stands beside it.
    let (providers, rest): (Vec<&Clause>, Vec<&Clause>) = clauses.partition(|clause| is_provider(clause));
    let is_device = |read: &&ReadAs| read.facet == Facet::Device.key() && !read.text.starts_with('-');
    let read = rest.into_iter().flat_map(|clause| &clause.readings).map(|reading| &reading.read_as);
    let devices: Vec<&String> = read.filter(is_device).flat_map(|read| &read.values).collect();
    // What is called by no name here, beside a provider, has no offers: `on lambda or runpod`.
    let unknown: Vec<&Clause> = question.wanted.sides.iter().filter(|side| side.plain_kind() == Some("text")).collect();
    let others = question.wanted.sides.iter().any(|side| !is_provider(side) && side.plain_kind() != Some("text"));
    if devices.is_empty() || providers.is_empty() || others || question.wanted.superlative.is_some() {
        return Ok(None);
    }
    let holdings = holdings(stores, &devices)?;
    let count = values_of(question, Field::DeviceCount.key()).first().and_then(|count| count.parse::<i64>().ok());
    let mut priced = offers(stores, &[], &devices)?;
    priced.sort_by(|a, b| b.as_of.cmp(&a.as_of).then(a.usd_per_hour.total_cmp(&b.usd_per_hour)));
    let is_count = |devices: Option<i64>| count.is_none() || devices == count;
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    let mut is_known = true;
    for provider in &providers {
        let names = names_of_provider(stores, provider)?;
        let is_own = |name: &str| names.contains(name);
        let own: Vec<&Offer> = priced.iter().filter(|offer| is_own(&offer.provider)).collect();
        let exact: Vec<&&Offer> = own.iter().filter(|offer| is_count(offer.devices)).collect();
        if !exact.is_empty() {
            let words: Vec<String> = exact.iter().take(TOLD).map(|offer| offer.in_words()).collect();
            let more = match exact.len().saturating_sub(words.len()) {
                0 => String::new(),
                more => format!("; {more} more of its offers"),
            };
            told.push(format!("{}: {}{more}.", provider.text, and_list(&words)));
            conclusion.entries.extend(exact.iter().take(TOLD).map(|offer| offer.entry()));
            continue;
        }
        is_known = false;
        let unpriced: Vec<String> = holdings
            .iter()
            .filter(|held| is_own(&held.provider) && is_count(held.devices))
            .map(|held| match held.devices {
                Some(devices) => format!("{} ({devices} x {})", held.instance, held.device),
                None => held.instance.clone(),
            })
            .collect();
        let has = match unpriced.as_slice() {
            [] => "no instance with it is in the catalog".to_owned(),
            [only] => format!("{only} has it, and its price is not known"),
            few if few.len() <= MOST_UNPRICED => format!("{} have it, and their prices are not known", and_list(few)),
            many => format!("{} have it, and no price of them is known", counted(many.len(), "instance", "instances")),
        };
        let nearest: Vec<String> = own.iter().take(1).map(|offer| offer.in_words()).collect();
        let nearest = if nearest.is_empty() { String::new() } else { format!("; of other sizes {}", nearest.concat()) };
        conclusion.entries.extend(own.iter().take(1).map(|offer| offer.entry()));
        told.push(format!("{}: {has}{nearest}.", provider.text));
    }
    for side in &unknown {
        is_known = false;
        told.push(format!("{}: no offer of it is in the catalog.", side.text));
    }
    if !is_known {
        let others: Vec<&Offer> = priced.iter().filter(|offer| is_count(offer.devices)).take(NEAREST).collect();
        let words: Vec<String> = others.iter().map(|offer| offer.in_words()).collect();
        told.push(match words.is_empty() {
            true => "No price of such an instance is known of any provider.".to_owned(),
            false => format!("The newest prices of such instances elsewhere: {}.", and_list(&words)),
        });
        let entries: Vec<_> = others.iter().map(|offer| offer.entry()).collect();
        conclusion
            .entries
            .extend(entries.into_iter().filter(|one| !conclusion.entries.contains(one)).collect::<Vec<_>>());
    }
    conclusion.text = told.join(" ");
    Ok(Some(conclusion))
}

/// Whether a clause names a provider, by all of its instances, and not one of them.
fn is_provider(clause: &Clause) -> bool {
    let of_instances = clause.readings.iter().any(|reading| reading.read_as.facet == Facet::Instance.key());
    of_instances && !clause.text.contains(|c: char| c.is_ascii_digit())
}

/// The names under which a provider's offers stand.
fn names_of_provider(stores: &Stores, clause: &Clause) -> Result<BTreeSet<String>, QueryError> {
    let instances: BTreeSet<String> =
        clause.readings.iter().flat_map(|reading| &reading.read_as.values).map(|value| normalise(value)).collect();
    let mut names = BTreeSet::new();
    for device in stores.database.entities::<Device>()? {
        let own = device.cloud.into_iter().filter(|offer| instances.contains(&normalise(&offer.instance)));
        names.extend(own.map(|offer| offer.provider));
    }
    Ok(names)
}

/// The instances that hold any of some devices.
fn holdings(stores: &Stores, devices: &[&String]) -> Result<Vec<Holding>, QueryError> {
    let mut holdings = Vec::new();
    for id in devices {
        let Some(device) = stores.database.entity::<Device>(id)? else { continue };
        let name = crate::rows::short_device_name(&device).to_owned();
        holdings.extend(device.cloud.iter().map(|offer| Holding {
            instance: offer.instance.clone(),
            provider: offer.provider.clone(),
            device: name.clone(),
            devices: offer.devices,
        }));
    }
    holdings.sort_by(|a, b| a.instance.cmp(&b.instance));
    holdings.dedup_by(|a, b| a.instance == b.instance && a.provider == b.provider);
    Ok(holdings)
}

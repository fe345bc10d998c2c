//! What cloud instances cost: the offers of the catalog, each with when the price held.

use std::collections::HashSet;

use super::offers::{Offer, offers, values_of};
use super::provider_prices;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::{Clause, Intent, Quantity, QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::spelling::normalise;
use crate::values::text::{and_list, counted};

/// So many offers are named.
const NAMED: usize = 3;

/// So many have an entry.
const MOST_ENTRIES: usize = 30;

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
    let years = years_of(question);
    let is_rent =
        question.wanted.quantities == [Quantity::Fact(Fact::Price)]
            || !years.is_empty()
                && question.wanted.quantities.iter().any(|quantity| {
                    matches!(quantity, Quantity::Fact(Fact::Price) | Quantity::Metric(Metric::CostUsd))
                });
    if !is_rent || devices.is_empty() || question.wanted.superlative.is_some() {
        return Ok(None);
    }
    let mut offers = offers(stores, &[], &devices)?;
    let of_years =
        |offer: &Offer| offer.as_of.as_ref().is_some_and(|date| years.iter().any(|year| date.starts_with(*year)));
    let lead = match years.is_empty() {
        true => String::new(),
        false if offers.iter().any(of_years) => {
            offers.retain(of_years);
            String::new()
        }
        false => format!("No offer of `{}` is in the catalog; at other times: ", words_of_years(question)),
    };
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
        [only] => format!("{lead}{}.", only.in_words()),
        _ => format!(
            "{lead}{} to {} USD for a device and hour ({} to {}), by {} of {}. {}: {}.",
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

/// The clause that says when, `in 2019`.
fn when(question: &Question) -> Option<&Clause> {
    question.clauses.iter().find(|clause| clause.plain_kind() == Some(Facet::Year.key()))
}

/// The years that are asked for.
fn years_of(question: &Question) -> Vec<&str> {
    match when(question).map(|clause| &clause.condition) {
        Some(Condition::Facet(Facet::Year, years)) => years.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

fn words_of_years(question: &Question) -> &str {
    when(question).map_or("", |clause| clause.text.as_str())
}

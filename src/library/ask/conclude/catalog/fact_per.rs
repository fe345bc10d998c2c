//! Numbers that follow from two facts of a device: memory bandwidth for each watt of TDP, memory for each dollar.

use std::collections::HashSet;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_wording::{fact_name, unit_of};
use crate::ask::conclude::basis::measures::with_or_without_metric;
use crate::ask::conclude::basis::named::{named_entities, subject_key};
use crate::ask::conclude::basis::statement::statement;
use crate::ask::conclude::basis::wording::{rounded, three};
use crate::ask::question::{Quantity, QueryError, Question, Superlative};
use crate::model::{Derived, Facet, Fact, Metric, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, capital, counted};

/// So many devices are told in the sentence.
const MOST_SAID: usize = 5;
/// So many have an entry.
const MOST_ENTRIES: usize = 30;

/// A fact for each unit of another.
struct FactPer {
    fact: Fact,
    /// What stands in for a device that does not state it.
    else_fact: Option<Fact>,
    per: Fact,
}

/// A device with the number that follows.
struct Known {
    id: String,
    name: String,
    value: f64,
    sources: Vec<String>,
}

/// Tells devices by a fact for each watt or dollar; `None` where another thing is asked.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Conclusion>, QueryError> {
    let Some(wanted) = FactPer::of(question) else { return Ok(None) };
    let ids = devices(stores, question)?;
    let mut known = Vec::new();
    for id in &ids {
        known.extend(wanted.known(stores, id)?);
    }
    let least_first = matches!(question.wanted.superlative, Some(Superlative::Least | Superlative::Worst));
    known.sort_by(|a, b| {
        let by_value = a.value.total_cmp(&b.value);
        (if least_first { by_value } else { by_value.reverse() }).then_with(|| a.id.cmp(&b.id))
    });
    // What two records call alike is one product: the one with the higher value stands for both.
    let mut named = HashSet::new();
    known.retain(|known| named.insert(known.name.clone()));
    let (name, per) = (capital(&fact_name(wanted.fact)), wanted.per_in_words());
    let devices = counted(ids.len(), "device", "devices");
    if known.is_empty() {
        let text = format!("{name} {per} cannot be derived: both facts are known of none of {devices}.");
        return Ok(Some(Conclusion { text, entries: Vec::new() }));
    }
    let unit = wanted.unit();
    let said = known.iter().take(MOST_SAID).map(|known| format!("{} {} {unit}", known.name, three(known.value)));
    let said: Vec<String> = said.collect();
    let text = format!(
        "{name} {per}, derived from the two facts: {}; of {devices} both are known of {}.",
        and_list(&said),
        known.len()
    );
    let entry = |known: Known| Entry {
        subjects: [(subject_key(EntityKind::Device).to_owned(), Value::Text(known.id.into()))].into_iter().collect(),
        quantity: wanted.key(),
        value: Some(EntryValue::Number(rounded(known.value))),
        unit: Some(wanted.unit()),
        n: 1,
        sources: known.sources,
        ..Entry::default()
    };
    let most = question.limit.unwrap_or(MOST_ENTRIES);
    Ok(Some(Conclusion { text, entries: known.into_iter().take(most).map(entry).collect() }))
}

impl FactPer {
    /// The two facts that a question names, and nothing else.
    fn of(question: &Question) -> Option<Self> {
        let quantities = &question.wanted.quantities;
        let fact = |quantity: &Quantity| match quantity {
            Quantity::Fact(fact @ (Fact::Memory | Fact::Bandwidth | Fact::Cores | Fact::TensorCores)) => Some(*fact),
            Quantity::Fact(fact) if fact.key().starts_with("peak-") => Some(*fact),
            _ => None,
        };
        let per = |quantity: &Quantity| match quantity {
            Quantity::Metric(Metric::ItemsPerJoule) => Some(Fact::Tdp),
            Quantity::Derived(Derived::ItemsPerDollar) => Some(Fact::LaunchPrice),
            _ => None,
        };
        let own = |quantity: &Quantity| fact(quantity).is_some() || per(quantity).is_some();
        quantities.iter().all(own).then_some(())?;
        let stated = quantities.iter().find_map(fact)?;
        // Of a peak in a format that of the tensor cores is the higher one.
        let faster = stated.of_tensor_cores().filter(|faster| quantities.contains(&Quantity::Fact(*faster)));
        Some(Self {
            fact: faster.unwrap_or(stated),
            else_fact: faster.map(|_| stated),
            per: quantities.iter().find_map(per)?,
        })
    }

    fn known(&self, stores: &Stores, id: &str) -> Result<Option<Known>, QueryError> {
        let of = |fact: Fact| statement(stores, EntityKind::Device, id, fact);
        let of_else = |fact: Option<Fact>| fact.map(&of).transpose().map(Option::flatten);
        let stated = match of(self.fact)?.filter(|own| own.number().is_some()) {
            Some(own) => Some(own),
            None => of_else(self.else_fact)?,
        };
        let (Some(fact), Some(per)) = (stated, of(self.per)?) else { return Ok(None) };
        let (Some(value), Some(by)) = (fact.number(), per.number().filter(|by| *by > 0.0)) else { return Ok(None) };
        let mut sources = fact.sources();
        sources.extend(per.sources().into_iter().filter(|source| !fact.sources().contains(source)));
        Ok(Some(Known { id: id.to_owned(), name: fact.name, value: value / by, sources }))
    }

    fn key(&self) -> String {
        format!("{}-per-{}", self.fact.key(), if self.per == Fact::Tdp { "watt" } else { "dollar" })
    }

    fn unit(&self) -> String {
        let of = |fact: Fact| unit_of(fact).unwrap_or_default();
        match of(self.fact).as_str() {
            "" => format!("per {}", of(self.per)),
            unit => format!("{unit} per {}", of(self.per)),
        }
    }

    fn per_in_words(&self) -> &'static str {
        match self.per {
            Fact::Tdp => "per watt of TDP",
            _ => "per dollar at launch",
        }
    }
}

/// The devices that a question names, with the members of families; where it names none, those that meet it.
fn devices(stores: &Stores, question: &Question) -> Result<Vec<String>, QueryError> {
    let named = named_entities(stores, question)?;
    let named = named.into_iter().filter(|named| named.kind == EntityKind::Device);
    let mut ids: Vec<String> = named.flat_map(|named| std::iter::once(named.id).chain(named.members)).collect();
    // A word may name a family and each of its members.
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    match ids.is_empty() {
        // No device has a metric of rows.
        true => {
            // The format belongs to the peak.
            let mut question = question.clone();
            question.clauses.retain(|clause| clause.plain_kind() != Some(Facet::Precision.key()));
            Ok(stores.index.entities(EntityKind::Device, &with_or_without_metric(&question))?)
        }
        false => Ok(ids),
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity};
    use crate::model::{Fact, Metric};

    #[test]
    fn a_fact_for_each_watt_is_said_to_be_derived() {
        let sample = Sample::of(&[]);
        let mut question = sample.question("", Intent::Ranking);
        question.wanted.quantities = vec![Quantity::Fact(Fact::Memory), Quantity::Metric(Metric::ItemsPerJoule)];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 0.064", "device core 0.05333"]);
        assert_eq!(
            conclusion.text,
            "Memory per watt of TDP, derived from the two facts: Nova 0.0640 GiB per W and Core 0.0533 GiB per W; of 3 \
             devices both are known of 2."
        );
    }
}

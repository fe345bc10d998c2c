//! What hardware and frameworks are compared by, and the principles of benchmarking: lists of definitions of the survey.

use indexmap::IndexMap;

use crate::ask::conclude::basis::asked_facts::fact_of_framework_metric;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::overview_entries;
use crate::ask::conclude::basis::fact_wording::value_text;
use crate::ask::conclude::basis::named::named_entities;
use crate::ask::conclude::basis::statement::statement;
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Fact, MetricDefinition, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// A list of definitions, what it is for, and what one of its entries is.
const LISTS: &[(&str, &str, &str)] = &[
    ("hardware-metrics", "Classes of hardware are graded", "metrics"),
    ("framework-metrics", "Frameworks are compared", "metrics"),
    ("principles", "Benchmarks are judged", "principles"),
];

/// Lists the definitions that are asked for; `None` where none are.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Conclusion>, QueryError> {
    let asks = |quantity: &Quantity| question.wanted.quantities.contains(quantity);
    let says = |word: &str| {
        let mut asked =
            question.read_as().filter(|read| read.values.iter().any(|value| *value == Quantity::Criteria.key()));
        asked.any(|read| read.text.to_lowercase().contains(word))
    };
    let of_kind = |kind: EntityKind| question.about == Some(kind) || names(question, kind);
    let lists: Vec<&(&str, &str, &str)> = match () {
        () if asks(&Quantity::Principles) => LISTS[2..].iter().collect(),
        () if !asks(&Quantity::Criteria) => return Ok(None),
        () if says("framework") || of_kind(EntityKind::Framework) => LISTS[1..2].iter().collect(),
        () if of_kind(EntityKind::HardwareClass) || question.wanted.candidates.is_some() => LISTS[..1].iter().collect(),
        () => LISTS[..2].iter().collect(),
    };
    if let [(list, ..)] = lists.as_slice()
        && let Some(of_frameworks) = metrics_of_frameworks(stores, question, list)?
    {
        return Ok(Some(of_frameworks));
    }
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for (list, lead, noun) in lists {
        let definitions = stores.database.definitions(list)?;
        let called: Vec<String> = definitions.iter().map(|one| one.id.as_str().replace('-', " ")).collect();
        let by = format!("{lead} by {} {noun} (dlbench table {list}): {}.", called.len(), and_list(&called));
        sentences.push(by);
        conclusion.entries.extend(definitions.iter().map(|one| entry(list, one)));
    }
    conclusion.text = sentences.join(" ");
    Ok(Some(conclusion))
}

/// What the frameworks that a question names state for each of the metrics: `Keras: license type Apache-2.0, core codes …`.
fn metrics_of_frameworks(stores: &Stores, question: &Question, list: &str) -> Result<Option<Conclusion>, QueryError> {
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    let named = named_entities(stores, question)?;
    for framework in named.iter().filter(|named| named.kind == EntityKind::Framework) {
        let mut parts = Vec::new();
        let mut name = None;
        for definition in stores.database.definitions(list)? {
            let Some(fact) = fact_of_framework_metric(definition.id.as_str()) else { continue };
            let Some(stated) = statement(stores, framework.kind, &framework.id, fact)? else { continue };
            let metric = definition.id.as_str().replace('-', " ");
            let value = stated.value.as_ref().map_or_else(|| "not stated".to_owned(), value_text);
            let others = stated.others.iter().map(|(source, words)| format!("{source}: {words}"));
            let others: Vec<String> = others.collect();
            // Of stability the catalog knows whether a framework runs on several servers.
            let value = if fact == Fact::MultiServer { format!("multi-server {value}") } else { value };
            parts.push(match others.is_empty() {
                true => format!("{metric} {value}"),
                false => format!("{metric} {value} ({})", others.join("; ")),
            });
            name = Some(stated.name.clone());
            conclusion.entries.extend(overview_entries(stores, framework, &[fact])?);
        }
        sentences.extend(name.map(|name| {
            format!("{name} by the {} metrics that frameworks are compared by: {}.", parts.len(), parts.join("; "))
        }));
    }
    conclusion.text = sentences.join(" ");
    Ok((!conclusion.entries.is_empty()).then_some(conclusion))
}

fn names(question: &Question, kind: EntityKind) -> bool {
    let key = crate::model::Facet::of_entities(kind).key();
    question.read_as().any(|read| read.facet == key)
}

fn entry(list: &str, definition: &MetricDefinition) -> Entry {
    Entry {
        subjects: IndexMap::from([(list.to_owned(), Value::Text(definition.id.as_str().into()))]),
        quantity: "definition".to_owned(),
        value: Some(EntryValue::Text(definition.definition.clone())),
        n: 1,
        ..Entry::default()
    }
}

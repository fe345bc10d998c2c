//! The entities that meet the conditions, each with the fact that was asked for.

use indexmap::IndexMap;

use super::conclusion::{Conclusion, Entry, EntryValue};
use super::fact::fact_of_framework_metric;
use super::fact_wording::{unit_of, value_text};
use super::found::Found;
use super::grade::graded_classes;
use super::named::subject_key;
use super::statement::statement;
use crate::ask::question::{Quantity, QueryError, Question, Superlative};
use crate::model::{
    Aspect, Dataset, Device, Facet, Fact, FactEntity as _, Framework, HardwareClassRecord, Network, Source, Value,
};
use crate::rows::{entity_kind, short_device_name};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// More names than this are counted, not said.
const MOST_NAMES: usize = 10;

/// An entity of the list.
struct Listed {
    id: String,
    name: String,
    fact: Option<Fact>,
    value: Option<EntryValue>,
    sources: Vec<String>,
    rows: usize,
}

/// Lists the entities that were asked for.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &Found<'_>) -> Result<Conclusion, QueryError> {
    if let Some(graded) = graded_classes(stores, question)? {
        return Ok(graded);
    }
    let Some(kind) = question.about.or_else(|| question.wanted.candidates.and_then(entity_kind)) else {
        return Ok(rows_that_meet(found));
    };
    let fact = fact_asked_for(question, kind);
    let direct = stores.index.entities(kind, &question.condition_without(None))?;
    let mut listed = if direct.is_empty() {
        measured_entities(stores, kind, found)?
    } else {
        direct.into_iter().map(|id| (id, 0)).collect()
    };
    listed.sort();
    let mut entities = Vec::with_capacity(listed.len());
    for (id, rows) in listed {
        entities.push(entity(stores, kind, id, rows, fact)?);
    }
    order(&mut entities, question, fact);
    Ok(Conclusion {
        text: sentence(&entities, kind, fact),
        entries: entities.into_iter().map(|e| entry(e, kind)).collect(),
    })
}

/// Where entities of no kind are asked for, rows are.
fn rows_that_meet(found: &Found<'_>) -> Conclusion {
    let text = match found.hits.total {
        0 => "Nothing meets these conditions.".to_owned(),
        rows => format!("{} these conditions.", counted(rows, "measurement meets", "measurements meet")),
    };
    Conclusion { text, entries: Vec::new() }
}

/// The entities that the rows found name, each with the number of its rows.
fn measured_entities(stores: &Stores, kind: EntityKind, found: &Found<'_>) -> Result<Vec<(String, usize)>, QueryError> {
    let aspect = match kind {
        EntityKind::HardwareClass => Some(Aspect::Fact(Fact::Class)),
        kind => Aspect::of_entities().find(|(_, of)| *of == kind).map(|(aspect, _)| aspect),
    };
    let Some((aspect, part)) = aspect.and_then(|aspect| Some((aspect, aspect.part()?))) else { return Ok(Vec::new()) };
    let column = stores.store.aspect(aspect)?;
    let shares = found.hits.shares.get(part as usize).map(Vec::as_slice).unwrap_or_default();
    Ok(column.counts(shares).map(|(id, rows)| (id.to_owned(), rows)).collect())
}

/// The fact that each entity is listed with: the one that was asked for by name, else the one that a condition is about.
fn fact_asked_for(question: &Question, kind: EntityKind) -> Option<Fact> {
    let of_quantity = |quantity: &Quantity| match quantity {
        Quantity::Fact(fact) => Some(*fact),
        Quantity::FrameworkMetric(id) => fact_of_framework_metric(id),
        _ => None,
    };
    let named = question.wanted.quantities.iter().find_map(of_quantity);
    let of_reading = |facet: &str| match facet.parse::<Facet>() {
        Ok(Facet::License) => Some(Fact::License),
        Ok(Facet::Language) => Some(Fact::ApiLanguage),
        Ok(Facet::Hardware) => Some(Fact::Hardware),
        Ok(Facet::Task) => Some(Fact::Task),
        Ok(Facet::Network) if kind == EntityKind::Framework => Some(Fact::TestedNetwork),
        Ok(Facet::Dataset) if kind == EntityKind::Framework => Some(Fact::TestedDataset),
        _ => Fact::filter(facet),
    };
    named.or_else(|| question.read_as().find_map(|read| of_reading(&read.facet))).filter(|fact| has(kind, *fact))
}

/// Whether entities of a kind can state a fact.
fn has(kind: EntityKind, fact: Fact) -> bool {
    match kind {
        EntityKind::Framework => Framework::reader(fact).is_some(),
        EntityKind::Device => Device::reader(fact).is_some(),
        EntityKind::Network => Network::reader(fact).is_some(),
        EntityKind::Dataset => Dataset::reader(fact).is_some(),
        EntityKind::Source => Source::reader(fact).is_some(),
        EntityKind::HardwareClass => false,
    }
}

fn entity(
    stores: &Stores,
    kind: EntityKind,
    id: String,
    rows: usize,
    fact: Option<Fact>,
) -> Result<Listed, QueryError> {
    let fact = fact.or((kind == EntityKind::Source).then_some(Fact::Year));
    let stated = match fact {
        Some(fact) => statement(stores, kind, &id, fact)?,
        None => None,
    };
    let name = match &stated {
        Some(stated) if kind != EntityKind::Source => stated.name.clone(),
        _ => name_of(stores, kind, &id)?,
    };
    let sources = match kind {
        EntityKind::Source => vec![id.clone()],
        _ => stated.as_ref().map(|stated| stated.sources()).unwrap_or_default(),
    };
    let value = stated.and_then(|stated| stated.value);
    Ok(Listed { id, name, fact, value, sources, rows })
}

fn name_of(stores: &Stores, kind: EntityKind, id: &str) -> Result<String, QueryError> {
    let store = &stores.store;
    let name = match kind {
        EntityKind::Framework => store.entity::<Framework>(id)?.map(|entity| entity.name),
        EntityKind::Device => store.entity::<Device>(id)?.map(|device| short_device_name(&device).to_owned()),
        EntityKind::Network => store.entity::<Network>(id)?.map(|entity| entity.name),
        EntityKind::Dataset => store.entity::<Dataset>(id)?.map(|entity| entity.name),
        EntityKind::HardwareClass => store.entity::<HardwareClassRecord>(id)?.map(|entity| entity.name),
        // A source is known by its id.
        EntityKind::Source => None,
    };
    Ok(name.unwrap_or_else(|| id.to_owned()))
}

/// By the number that was asked for, the newest source first, else by name.
fn order(entities: &mut [Listed], question: &Question, fact: Option<Fact>) {
    let number = |listed: &Listed| match listed.value {
        Some(EntryValue::Number(number)) => Some(number),
        _ => None,
    };
    let numeric = entities.iter().any(|listed| number(listed).is_some());
    let is_source = fact.is_none() && entities.iter().any(|listed| listed.fact == Some(Fact::Year));
    let descending = is_source
        || matches!(question.wanted.superlative, Some(Superlative::Most | Superlative::Best))
        || fact.is_some_and(|fact| matches!(fact, Fact::Memory | Fact::Bandwidth));
    if !numeric {
        return;
    }
    entities.sort_by(|a, b| match (number(a), number(b)) {
        (Some(a), Some(b)) if descending => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
}

/// `7 frameworks: Caffe, Caffe2, CNTK …`.
fn sentence(entities: &[Listed], kind: EntityKind, fact: Option<Fact>) -> String {
    let plural = if kind == EntityKind::Dataset { "data sets".to_owned() } else { kind.plural().replace('-', " ") };
    if entities.is_empty() {
        return format!("No {} meets these conditions.", kind.noun());
    }
    let unit = fact.and_then(unit_of);
    let shown = |listed: &Listed| {
        let value = match &listed.value {
            Some(value @ EntryValue::Number(_)) => Some(value_text(value)),
            _ => None,
        };
        match (value, &unit) {
            (Some(value), Some(unit)) => format!("{} ({value} {unit})", listed.name),
            (Some(value), None) => format!("{} ({value})", listed.name),
            (None, _) if listed.rows > 0 => format!("{} ({})", listed.name, counted(listed.rows, "row", "rows")),
            (None, _) => listed.name.clone(),
        }
    };
    let mut names: Vec<String> = entities.iter().take(MOST_NAMES).map(shown).collect();
    let hidden = entities.len() - names.len();
    if hidden > 0 {
        names.push(format!("{hidden} more"));
    }
    format!("{}: {}.", counted(entities.len(), kind.noun(), &plural), and_list(&names))
}

fn entry(listed: Listed, kind: EntityKind) -> Entry {
    let (quantity, value, unit) = match (listed.fact, listed.value) {
        (Some(fact), Some(value)) => (fact.file_key().to_owned(), Some(value), unit_of(fact)),
        _ if listed.rows > 0 => ("measurements".to_owned(), Some(EntryValue::Number(listed.rows as f64)), None),
        (Some(fact), None) => (fact.file_key().to_owned(), None, unit_of(fact)),
        (None, _) => ("name".to_owned(), Some(EntryValue::Text(listed.name)), None),
    };
    Entry {
        subjects: IndexMap::from([(subject_key(kind).to_owned(), Value::Text(listed.id.as_str().into()))]),
        quantity,
        value,
        unit,
        n: listed.rows.max(1),
        sources: listed.sources,
        ..Entry::default()
    }
}

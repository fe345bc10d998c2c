//! Entities with what a question wants to know of each: the facts that it names or limits, and the rows that measured them.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::conclusion::{Entry, EntryValue};
use super::fact_entries::{main_facts, overview_entries};
use super::fact_wording::{fact_name, value_in_words};
use super::listed_kinds::{aspect_of, name_of};
use super::named::{NamedEntity, subject_key};
use super::over_rows::{is_excluded_by_catalog, over_all_rows, with_ancestors};
use super::row_counts::RowCounts;
use super::statement::{fact_of_facet, has};
use super::tested_rows::{tested_facet, tested_on};
use super::wording::Names;
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, FactType, Field, Source, Value};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind, Hits};
use crate::values::EntityKind;
use crate::values::text::counted;

/// The first so many of a list come with their main facts: those of thousands nobody reads, and each is a look-up.
const MOST_WITH_MAIN_FACTS: usize = 64;

/// So many facts of an entity are told beside its name.
const MOST_FACTS: usize = 4;

/// An entity of a list.
#[derive(Debug)]
pub(in crate::ask::conclude) struct Listed {
    /// Its id.
    pub id: String,
    /// What is known of the facts that the question is about.
    pub facts: Vec<Entry>,
    /// Where it is about none, what entities of the kind are told by.
    pub main: Vec<Entry>,
    /// The rows that measured it, of those that meet the question.
    pub rows: usize,
    /// How many sources measured it, where that is limited.
    pub sources: Option<usize>,
}

/// The entities of a kind that meet a question, the most measured first.
pub(in crate::ask::conclude) fn listed(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    hits: &Hits,
) -> Result<Vec<Listed>, QueryError> {
    let mut direct = stores.index.entities(kind, &question.condition_without(None))?;
    let tested = if kind == EntityKind::Framework { tested_on(question) } else { None };
    let counts = match aspect_of(kind) {
        // What was tested on is what rows are of, whether a list of tests has it or not.
        Some(aspect) if tested.is_some() => {
            let condition = Condition::All(tested.iter().flatten().cloned().collect());
            let ran = RowCounts::of(stores, &stores.index.measurements(&condition, None, &[], 0, 0)?, aspect)?;
            let is_other = |clause: &&Clause| tested_facet(clause).is_none();
            let others = question.clauses.iter().filter(is_other).map(|clause| clause.condition.clone());
            let able = stores.index.entities(kind, &Condition::All(others.collect()))?;
            let measured = ran.values.iter().map(|(id, _)| id).filter(|id| able.contains(id) && !direct.contains(id));
            direct.extend(measured.cloned().collect::<Vec<_>>());
            ran
        }
        // What entities are selected by is of the catalog: all of their rows count.
        Some(aspect) if !direct.is_empty() => {
            let own = Condition::Facet(Facet::of_entities(kind), direct.clone());
            let class = class_of_rows(stores, question, kind)?.map(|clause| clause.condition.clone());
            let condition = Condition::All(class.into_iter().chain([own]).collect());
            RowCounts::of(stores, &stores.index.measurements(&condition, None, &[], 0, 0)?, aspect)?
        }
        Some(aspect) => RowCounts::of(stores, hits, aspect)?,
        None => RowCounts::default(),
    };
    let direct_condition = (!direct.is_empty()).then(|| Condition::Facet(Facet::of_entities(kind), direct.clone()));
    let mut entities: Vec<(String, usize)> = match direct.is_empty() {
        // What the catalog excludes of all is not let in again by rows that were run without it.
        true if is_excluded_by_catalog(stores, question, kind)? => Vec::new(),
        true => counts.values.clone(),
        false => direct.into_iter().map(|id| (counts.rows_of(&id), id)).map(|(rows, id)| (id, rows)).collect(),
    };
    if question.wanted.unmeasured {
        // A family is measured where any of its members is.
        let measured = with_ancestors(stores, kind, &counts)?;
        entities.retain(|(id, _)| !measured.contains(id));
    }
    if let Some(aspect) = aspect_of(kind) {
        over_all_rows(stores, question, (kind, aspect), &mut entities)?;
    }
    let by_sources = match &question.wanted.counted {
        Some(limit) => {
            let by_sources = sources_of_each(stores, question, kind, direct_condition)?;
            let count = |id: &String, rows: usize| match limit.of_sources {
                true => by_sources.get(id).copied().unwrap_or_default(),
                false => rows,
            };
            entities.retain(|(id, rows)| limit.is_met_by(count(id, *rows)));
            if limit.of_sources { by_sources } else { BTreeMap::new() }
        }
        None => BTreeMap::new(),
    };
    if let (Some(aspect), EntityKind::Source) = (question.wanted.comparing, kind) {
        let several = with_several(stores, question, aspect)?;
        entities.retain_mut(|(id, rows)| {
            let found = several.get(id);
            *rows = found.copied().unwrap_or(*rows);
            found.is_some()
        });
    }
    let sources = |id: &String| by_sources.get(id).copied();
    entities.sort_by(|a, b| sources(&b.0).cmp(&sources(&a.0)).then_with(|| b.1.cmp(&a.1)).then_with(|| a.0.cmp(&b.0)));
    if let Some(sort) = question.sort.filter(|sort| kind == EntityKind::Source && sort.key() == Field::Date.key()) {
        let mut years: BTreeMap<String, i64> = BTreeMap::new();
        for source in stores.database.entities::<Source>()? {
            years.insert(source.id.to_string(), source.year.unwrap_or_default());
        }
        let year = |id: &String| years.get(id).copied().filter(|year| *year > 0);
        entities.sort_by_key(|(id, _)| {
            let age = year(id).map(|year| if sort.descending { -year } else { year });
            (age.is_none(), age)
        });
    }
    let facts = facts_shown(question, kind);
    let main = if facts.iter().all(|fact| fact.unit().is_none()) { main_facts(kind) } else { &[] };
    let mut listed = Vec::with_capacity(entities.len());
    for (id, rows) in entities {
        let main = if listed.len() < MOST_WITH_MAIN_FACTS { facts_of(stores, kind, &id, main)? } else { Vec::new() };
        let sources = by_sources.get(&id).copied();
        listed.push(Listed { facts: facts_of(stores, kind, &id, &facts)?, main, id, rows, sources });
    }
    // Of what a figure is asked of those lead that have it.
    if question.sort.is_none() {
        let asks = |entry: &Entry| {
            let fact = Fact::of_file_key(&entry.quantity);
            fact.is_some_and(|fact| fact.unit().is_some() && question.wanted.quantities.contains(&Quantity::Fact(fact)))
        };
        listed.sort_by_key(|listed: &Listed| !listed.facts.iter().any(asks));
    }
    Ok(listed)
}

/// By how many sources each entity of a kind was measured, in the rows that meet a question or are of what it selects.
fn sources_of_each(
    stores: &Stores,
    question: &Question,
    kind: EntityKind,
    own: Option<Condition>,
) -> Result<BTreeMap<String, usize>, QueryError> {
    let aspect = aspect_of(kind);
    let parts = (Aspect::Source.part(), aspect.and_then(Aspect::part));
    let (Some(aspect), (Some(source_part), Some(part))) = (aspect, parts) else { return Ok(BTreeMap::new()) };
    let columns = stores.index.columns(&own.unwrap_or_else(|| question.condition_without(None)), &[])?;
    let (sources, values) = (stores.database.aspect(Aspect::Source)?, stores.database.aspect(aspect)?);
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (source, value) in columns.parts[source_part as usize].iter().zip(&columns.parts[part as usize]) {
        if let Some(value) = values.of(*value) {
            found.entry(value).or_default().extend(sources.of(*source));
        }
    }
    Ok(found.into_iter().map(|(id, sources)| (id.to_owned(), sources.len())).collect())
}

/// The sources that have rows of several of an aspect, with how many of their rows meet the question.
fn with_several(stores: &Stores, question: &Question, aspect: Aspect) -> Result<BTreeMap<String, usize>, QueryError> {
    let (Some(source_part), Some(part)) = (Aspect::Source.part(), aspect.part()) else { return Ok(BTreeMap::new()) };
    let columns = stores.index.columns(&question.condition_without(None), &[])?;
    let (sources, values) = (stores.database.aspect(Aspect::Source)?, stores.database.aspect(aspect)?);
    let mut found: BTreeMap<&str, (BTreeSet<&str>, usize)> = BTreeMap::new();
    let rows = columns.parts[source_part as usize].iter().zip(&columns.parts[part as usize]);
    for (source, value) in rows {
        let Some(source) = sources.of(*source) else { continue };
        let (known, count) = found.entry(source).or_default();
        known.extend(values.of(*value));
        *count += 1;
    }
    let several = found.into_iter().filter(|(_, (known, _))| known.len() > 1);
    Ok(several.map(|(source, (_, rows))| (source.to_owned(), rows)).collect())
}

/// What an entity states of some facts; a variant that does not state one has its family's.
pub(in crate::ask::conclude) fn facts_of(
    stores: &Stores,
    kind: EntityKind,
    id: &str,
    facts: &[Fact],
) -> Result<Vec<Entry>, QueryError> {
    let mut stated = Vec::new();
    if facts.is_empty() {
        return Ok(stated);
    }
    let mut members = stores.database.descendants(kind, id)?;
    members.retain(|member| member != id);
    let own = NamedEntity { kind, id: id.to_owned(), members };
    for &fact in facts {
        let mut entries = overview_entries(stores, &own, &[fact])?;
        if entries.is_empty() && kind == EntityKind::Device {
            for family in stores.database.ancestors(kind, id)?.into_iter().filter(|family| family != id) {
                let family = NamedEntity { kind, id: family, members: Vec::new() };
                entries = overview_entries(stores, &family, &[fact])?;
                if !entries.is_empty() {
                    break;
                }
            }
        }
        for mut entry in entries {
            entry.subjects = subject(kind, id);
            stated.push(entry);
        }
    }
    Ok(stated)
}

/// The class of hardware by which frameworks are listed, where rows are of it, too: no row is of two classes at once.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn class_of_rows<'q>(
    stores: &Stores,
    question: &'q Question,
    kind: EntityKind,
) -> Result<Option<&'q Clause>, QueryError> {
    let is_of_class = |clause: &&Clause| clause.plain_kind() == Some(Facet::Class.key());
    let class = question.clauses.iter().find(is_of_class).filter(|_| kind == EntityKind::Framework);
    let Some(class) = class else { return Ok(None) };
    let rows = stores.index.count(DocumentKind::Measurement, &class.condition)?;
    Ok((rows > 0).then_some(class))
}

impl Listed {
    /// `RTX 4090 (24 GiB, 450 W; 790 rows)`.
    pub fn in_words(&self, stores: &Stores, names: &mut Names, kind: EntityKind) -> Result<String, QueryError> {
        // Beside the peak of matrix units that of the others says little.
        let of_matrix_units = |entry: &Entry| {
            let beside = format!("{}-tensor", entry.quantity);
            self.facts.iter().any(|other| other.quantity == beside)
        };
        let told = self.facts.iter().filter(|entry| !of_matrix_units(entry));
        let told: Vec<(&Entry, String)> = told.filter_map(|entry| Some((entry, said_beside(entry)?))).collect();
        // Of several rates each says in what it is.
        let is_one_of_several = |entry: &Entry| {
            entry.quantity.starts_with("peak-") && told.iter().filter(|(other, _)| other.unit == entry.unit).count() > 1
        };
        let name = |entry: &Entry| Fact::of_file_key(&entry.quantity).map_or_else(String::new, fact_name);
        let facts: Vec<String> = told
            .iter()
            .take(MOST_FACTS)
            .map(|(entry, value)| match is_one_of_several(entry) {
                true => format!("{} {value}", name(entry)),
                false => value.clone(),
            })
            .collect();
        let mut beside = facts.join(", ");
        if self.rows > 0 {
            let rows = counted(self.rows, "row", "rows");
            let rows = match self.sources {
                Some(sources) => format!("{}, {rows}", counted(sources, "source", "sources")),
                None => rows,
            };
            beside = if beside.is_empty() { rows } else { format!("{beside}; {rows}") };
        }
        let name = name_of(stores, names, kind, &self.id)?;
        Ok(if beside.is_empty() { name } else { format!("{name} ({beside})") })
    }

    /// An entry for each fact, and one for the rows; of an entity of which neither is known one for its name.
    pub fn into_entries(self, kind: EntityKind, name: String) -> Vec<Entry> {
        let subjects = subject(kind, &self.id);
        let mut entries = self.facts;
        for main in self.main {
            if entries.iter().all(|entry| entry.quantity != main.quantity) {
                entries.push(main);
            }
        }
        if self.rows > 0 {
            let value = Some(EntryValue::Number(self.rows as f64));
            let sources = if kind == EntityKind::Source { vec![self.id.clone()] } else { Vec::new() };
            let quantity = "measurements".to_owned();
            entries.push(Entry { subjects, quantity, value, n: self.rows, sources, ..Entry::default() });
        } else if entries.is_empty() {
            let value = Some(EntryValue::Text(name));
            entries.push(Entry { subjects, quantity: "name".to_owned(), value, n: 1, ..Entry::default() });
        }
        entries
    }
}

/// A number or a date, which says something beside a name; other facts stand in the table.
fn said_beside(entry: &Entry) -> Option<String> {
    let fact = Fact::of_file_key(&entry.quantity)?;
    let telling = matches!(fact.value_type(), FactType::Number(_) | FactType::Date);
    telling.then(|| value_in_words(entry)).flatten()
}

fn subject(kind: EntityKind, id: &str) -> IndexMap<String, Value> {
    IndexMap::from([(subject_key(kind).to_owned(), Value::Text(id.into()))])
}

/// The facts that each entity of a kind is listed with: those asked for by name, then those that conditions are about.
pub(in crate::ask::conclude) fn facts_shown(question: &Question, kind: EntityKind) -> Vec<Fact> {
    let named = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Fact(fact) => Some(*fact),
        Quantity::FrameworkMetric(id) => super::asked_facts::fact_of_framework_metric(id),
        _ => None,
    });
    let readings = question.read_as().filter(|read| !read.text.starts_with('-'));
    let of_conditions = readings.filter_map(|read| fact_of_facet(&read.facet, kind));
    let of_sources = (kind == EntityKind::Source).then_some(Fact::Year);
    let mut facts: Vec<Fact> = Vec::new();
    for fact in named.chain(of_conditions).chain(of_sources) {
        if has(kind, fact) && !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

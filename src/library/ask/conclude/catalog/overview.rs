//! What is known of an entity or a group of them: its facts, one main finding, and what was measured on it by name.

use crate::ask::conclude::basis::fact_entries;
use indexmap::IndexMap;

use super::class_grades::{METRICS, all_grades};
use super::grade_text::{about_all, verdicts_on_all};
use super::introduction::Introduction;
use super::list;
use super::source_line::of_source;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::fact_entries::{overview_entries, overview_facts};
use crate::ask::conclude::basis::fact_wording::fact_in_words;
use crate::ask::conclude::basis::named::{NamedEntity, named_entities, subject_key};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::sources_called::sources_called;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::conclude::lookup;
use crate::ask::conclude::ranking::standing::{Finding, extremes, places};
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Device, Facet, Fact, Field, HardwareClassRecord, Source, Value};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::text::{and_list, capital, counted};

/// So many entities are told.
const MOST_ENTITIES: usize = 3;
/// So many names of what was measured are said.
const MOST_SAID: usize = 5;
/// So many of them have an entry.
const MOST_COUNTED: usize = 20;
/// On so many networks places are sought.
const NETWORKS_OF_PLACES: usize = 5;
/// Of more rows than this the numbers are not summed up one by one.
const MOST_SUMMED_UP: usize = 6_000;

/// Tells what is known of what was named.
///
/// # Errors
///
/// When a store fails.
pub fn conclude(stores: &Stores, question: &Question, found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let mut conclusion = Conclusion::default();
    let mut sentences = Vec::new();
    for entity in named.iter().take(MOST_ENTITIES) {
        let (sentence, entries) = about(stores, entity)?;
        sentences.extend(sentence);
        conclusion.entries.extend(entries);
    }
    sentences.extend(offers(stores, question)?);
    let kind = named.first().map(|entity| entity.kind);
    let networks = if kind.is_none() { networks_of_task(stores, question, found)? } else { None };
    let lists_networks = networks.is_some();
    if let Some(listed) = networks {
        sentences.push(listed.text);
        conclusion.entries.extend(listed.entries);
    } else if kind.is_none() {
        sentences.extend(groups(stores, question)?);
    }
    if let Some((sentence, entries)) = finding(stores, question, found, &named)? {
        sentences.push(sentence);
        conclusion.entries.extend(entries);
    }
    let measured = RowsOverview { stores, found, subjects: subjects(question, &named) };
    let mut aspects = told_aspects(question, &named);
    aspects.retain(|aspect| !lists_networks || *aspect != Aspect::Field(Field::Network));
    let (sentence, entries) = measured.told(aspects)?;
    sentences.push(sentence);
    conclusion.entries.extend(entries);
    if found.hits.total > 0 && found.hits.total <= MOST_SUMMED_UP {
        conclusion.entries.extend(lookup::conclude(stores, question, found)?.entries);
    }
    conclusion.text = sentences.join(" ");
    Ok(conclusion)
}

/// What the answer is about, as entries name it.
fn subjects(question: &Question, named: &[NamedEntity]) -> IndexMap<String, Value> {
    let of_entities = named.iter().map(|entity| (subject_key(entity.kind).to_owned(), entity.id.clone()));
    let of_groups = question.read_as().filter(|read| is_group(&read.facet)).filter_map(|read| {
        let value = read.values.first()?;
        Some((read.facet.clone(), value.clone()))
    });
    of_entities.chain(of_groups).map(|(key, value)| (key, Value::Text(value.into()))).collect()
}

/// Whether a filter selects a group of devices or of networks that is no entity.
fn is_group(facet: &str) -> bool {
    matches!(facet.parse(), Ok(Facet::Vendor | Facet::Architecture | Facet::Task))
}

/// What an entity is, in a sentence, and its facts.
fn about(stores: &Stores, entity: &NamedEntity) -> Result<(Option<String>, Vec<Entry>), QueryError> {
    match entity.kind {
        EntityKind::HardwareClass => {
            let Some(class) = stores.database.entity::<HardwareClassRecord>(&entity.id)? else {
                return Ok((None, Vec::new()));
            };
            let definitions = stores.database.definitions(METRICS)?;
            let grades = about_all(std::slice::from_ref(&class), &definitions);
            let told: Vec<String> = [Some(grades), verdicts_on_all(stores, &class)?].into_iter().flatten().collect();
            Ok((Some(told.join(" ")), all_grades(stores, &class)?))
        }
        EntityKind::Source => {
            let source = stores.database.entity::<Source>(&entity.id)?;
            Ok((source.map(|source| of_source(&source)), Vec::new()))
        }
        kind => {
            let entries = overview_entries(stores, entity, overview_facts(kind))?;
            let Some(name) = fact_entries::name(stores, entity)? else {
                return Ok((None, entries));
            };
            let family = match entity.members.len() {
                0 => String::new(),
                members => format!(" (family of {members})"),
            };
            let facts: Vec<String> = entries.iter().filter_map(fact_in_words).collect();
            let introduction = Introduction::of(stores, entity)?;
            let told: Vec<String> = introduction.iter().map(Introduction::in_words).chain(facts).collect();
            let told = if told.is_empty() { "no facts recorded".to_owned() } else { told.join(", ") };
            let noted = introduction.and_then(|own| own.noted).map_or_else(String::new, |noted| format!(" {noted}"));
            Ok((Some(format!("{name}{family}: {told}.{noted}")), entries))
        }
    }
}

/// A maker, an architecture or a task with the number of its members.
fn groups(stores: &Stores, question: &Question) -> Result<Option<String>, QueryError> {
    let mut said = Vec::new();
    for read in question.read_as() {
        let values = || read.values.join(", ");
        let Ok(facet) = read.facet.parse::<Facet>() else { continue };
        let condition = Condition::Facet(facet, read.values.clone());
        let members = |kind: EntityKind| -> Result<String, QueryError> {
            let members = stores.index.entities(kind, &condition)?.len();
            Ok(counted(members, kind.noun(), kind.plural()))
        };
        said.push(match facet {
            Facet::Vendor => format!("{}: {}", values(), members(EntityKind::Device)?),
            Facet::Architecture => format!("{} architecture: {}", values(), members(EntityKind::Device)?),
            Facet::Task => format!("{}: {}", capital(&values()), members(EntityKind::Network)?),
            _ => format!("{} {}", capital(&read.facet), values()),
        });
    }
    Ok((!said.is_empty()).then(|| format!("{}.", said.join("; "))))
}

/// `object detectors`: of a task the networks are what it stands for, which are listed; `None` where more is named than a task.
fn networks_of_task(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let of_task = |clause: &Clause| clause.plain_kind() == Some(Facet::Task.key());
    if question.clauses.is_empty() || !question.clauses.iter().all(of_task) {
        return Ok(None);
    }
    let mut of_networks = question.clone();
    of_networks.about = Some(EntityKind::Network);
    list::conclude(stores, &of_networks, found).map(Some)
}

/// What a cloud instance holds and costs, where the question names one.
fn offers(stores: &Stores, question: &Question) -> Result<Option<String>, QueryError> {
    let instance = Field::Instance.key();
    let Some(wanted) = question.read_as().find(|read| read.facet == instance).and_then(|read| read.values.first())
    else {
        return Ok(None);
    };
    let devices: Vec<Device> = stores.database.entities()?;
    let offers = devices.iter().flat_map(|device| device.cloud.iter().map(move |offer| (device, offer)));
    let said = offers.filter(|(_, offer)| offer.instance.eq_ignore_ascii_case(wanted)).map(|(device, offer)| {
        let count = offer.devices.map_or_else(String::new, |devices| format!("{devices} x "));
        let price = offer.usd_per_hour.map_or_else(String::new, |price| format!(", {price} USD/h"));
        let date = offer.as_of.as_ref().map_or_else(String::new, |date| format!(" as of {date}"));
        format!("{wanted} ({}): {count}{}{price}{date} ({}).", offer.provider, device.name, offer.source)
    });
    let said: Vec<String> = said.collect();
    Ok((!said.is_empty()).then(|| said.join(" ")))
}

/// The main finding: where a device or a framework stands among others, or which devices stand first and last on the rest.
fn finding(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
    named: &[NamedEntity],
) -> Result<Option<Finding>, QueryError> {
    let device = Aspect::Field(Field::Device);
    if found.hits.total == 0 {
        return Ok(None);
    }
    let aspect = match named {
        [only] if only.kind == EntityKind::Device => device,
        [only] if only.kind == EntityKind::Framework => Aspect::Field(Field::Framework),
        [only] if only.kind == EntityKind::HardwareClass => return Ok(None),
        _ => return extremes(stores, &question.condition_without(None), device),
    };
    let own: Vec<String> =
        named.iter().flat_map(|entity| std::iter::once(&entity.id).chain(&entity.members)).cloned().collect();
    let networks = RowCounts::of(stores, found.hits, Aspect::Field(Field::Network))?.values;
    let networks: Vec<String> = networks.into_iter().take(NETWORKS_OF_PLACES).map(|(id, _)| id).collect();
    places(stores, &networks, aspect, &own)
}

/// What rows are counted by: what the answer is not about itself.
fn told_aspects(question: &Question, named: &[NamedEntity]) -> Vec<Aspect> {
    let [device, network, framework, precision] =
        [Field::Device, Field::Network, Field::Framework, Field::Precision].map(Aspect::Field);
    let has = |facet: Facet| question.read_as().any(|read| read.facet == facet.key());
    match named.first() {
        Some(entity) if entity.kind == EntityKind::Device && entity.members.is_empty() => vec![network, framework],
        Some(entity) if entity.kind == EntityKind::Device => vec![device, network, framework],
        Some(entity) if entity.kind == EntityKind::Network && entity.members.is_empty() => vec![device, framework],
        Some(entity) if entity.kind == EntityKind::Network => vec![network, device, framework],
        Some(entity) if entity.kind == EntityKind::Framework => vec![network, device],
        Some(entity) if entity.kind == EntityKind::HardwareClass => vec![device, network],
        _ if has(Facet::Vendor) || has(Facet::Architecture) => vec![device, network, framework],
        _ if has(Facet::Precision) => vec![precision, network, device],
        _ => vec![network, device, framework],
    }
}

/// That nothing was measured, and the sources that are called so: a framework's own benchmark may name another one in its rows.
fn nothing_measured(stores: &Stores, subjects: &IndexMap<String, Value>) -> Result<String, QueryError> {
    let mut sources = Vec::new();
    for id in subjects.values() {
        for source in sources_called(stores, &id.to_string())? {
            let condition = Condition::Facet(Facet::Source, vec![source.clone()]);
            let rows = stores.index.count(DocumentKind::Measurement, &condition)?;
            let told = format!("{source} ({})", counted(rows, "row", "rows"));
            if rows > 0 && !sources.contains(&told) {
                sources.push(told);
            }
        }
    }
    Ok(match sources.as_slice() {
        [] => "No row names it.".to_owned(),
        several => format!("No row names it; of the source called so there are: {}.", and_list(several)),
    })
}

/// What was measured on what the answer is about.
struct RowsOverview<'m> {
    stores: &'m Stores,
    found: &'m SearchResult<'m>,
    subjects: IndexMap<String, Value>,
}

impl RowsOverview<'_> {
    /// `Measured: 79 rows from 3 sources (2017 to 2021). Networks: ResNet-50 (33), VGG-16 (28) and 6 more.`
    fn told(&self, aspects: Vec<Aspect>) -> Result<(String, Vec<Entry>), QueryError> {
        let total = self.found.hits.total;
        if total == 0 {
            return Ok((nothing_measured(self.stores, &self.subjects)?, Vec::new()));
        }
        let counts = |aspect: Aspect| RowCounts::of(self.stores, self.found.hits, aspect);
        let sources = counts(Aspect::Source)?.values;
        let years: Vec<String> = counts(Aspect::Fact(Fact::Year))?.values.into_iter().map(|(year, _)| year).collect();
        let from = match sources.as_slice() {
            [(only, _)] => only.clone(),
            several => counted(several.len(), "source", "sources"),
        };
        let mut text = format!("Measured: {} from {from}", counted(total, "row", "rows"));
        if let (Some(first), Some(last)) = (years.iter().min(), years.iter().max()) {
            text.push_str(&if first == last { format!(" ({first})") } else { format!(" ({first} to {last})") });
        }
        // What was taken back counts for nothing, and is not passed over in silence.
        for (standing, rows) in counts(Aspect::Field(Field::Standing))?.values {
            text.push_str(&format!(", {rows} of them {standing}"));
        }
        text.push('.');
        let mut entries = vec![Entry {
            subjects: self.subjects.clone(),
            quantity: "measurements".to_owned(),
            value: Some(EntryValue::Number(total as f64)),
            n: total,
            sources: sources.into_iter().map(|(id, _)| id).collect(),
            ..Entry::default()
        }];
        let mut names = Names::default();
        for aspect in aspects {
            let counts = counts(aspect)?;
            if counts.values.is_empty() {
                continue;
            }
            let words = counts.in_words(self.stores, &mut names, aspect, MOST_SAID)?;
            text.push_str(&format!(" {}: {words}.", heading(aspect, counts.values.len())));
            entries.extend(
                counts.values.iter().take(MOST_COUNTED).map(|(value, rows)| self.counted(aspect, value, *rows)),
            );
        }
        Ok((text, entries))
    }

    fn counted(&self, aspect: Aspect, value: &str, rows: usize) -> Entry {
        let mut subjects = self.subjects.clone();
        subjects.insert(aspect.key().to_owned(), Value::Text(value.into()));
        let value = Some(EntryValue::Number(rows as f64));
        Entry { subjects, quantity: "measurements".to_owned(), value, n: rows, ..Entry::default() }
    }
}

/// `6 networks`, `network`.
fn heading(aspect: Aspect, count: usize) -> String {
    counted(count, aspect.key(), &format!("{}s", aspect.key()))
}

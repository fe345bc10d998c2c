//! Answering a question: find, join, and say what must be known to judge the numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Answer, AnsweredMeasurement, CatalogAnswer, JoinedFramework, Note, ReadAs};
use super::near_misses::explain_empty;
use super::understand::{Understood, understand};
use super::{QueryError, grammar};
use crate::derived::Stores;
use crate::derived::index::{Condition, Hits, SortKey, Subject};
use crate::derived::store::{StoreError, StoredKind};
use crate::model::{Field, Framework, Metric, Tier, Value};
use crate::values::text::{and_list, counted};
use crate::values::{EntityId, EntityKind, Precision};

/// Which of the matching measurements are returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over.
    pub offset: usize,
    /// How many are returned at most.
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { offset: 0, limit: 20 }
    }
}

/// Answers a question from the stores.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn ask(stores: &Stores, question: &str, page: &Page) -> Result<Answer, QueryError> {
    let alternatives = grammar::parse(question)?;
    let understood = understand(question, &alternatives, stores)?;
    let condition = understood.condition_without(None);
    let hits = stores.index.measurements(&condition, understood.sort, page.offset, page.limit)?;
    let direct = if understood.clauses.is_empty() { BTreeMap::new() } else { direct_entities(stores, &understood)? };
    let measurements: Vec<AnsweredMeasurement> =
        stores.store.measurements(&hits.rows)?.into_iter().map(Into::into).collect();
    let catalog = join(stores, &hits, &direct)?;

    let mut notes = understood.notes.clone();
    notes.extend(notes_on(&measurements, &catalog));
    let mut suggestions = Vec::new();
    if hits.total == 0 {
        let (note, near) = explain_empty(&understood, stores)?;
        if !catalog.is_empty() {
            notes.push(Note::new("catalog-only", "No measurement matches; the answer is from the catalog of facts."));
        }
        notes.extend(note);
        suggestions = near;
    }
    Ok(Answer {
        query: question.to_owned(),
        read_as: readings(stores, &understood)?,
        total: hits.total,
        measurements,
        catalog,
        notes,
        suggestions,
        equivalent: equivalent(&understood),
        sorted: understood.sort.is_some(),
    })
}

fn equivalent(understood: &Understood) -> String {
    let mut clauses: Vec<String> = understood.clauses.iter().map(|clause| clause.equivalent.clone()).collect();
    if let Some(sort) = understood.sort {
        let key = match sort.by {
            SortKey::Metric(metric) => metric.key(),
            SortKey::Field(field) => field.key(),
        };
        clauses.push(format!("sort:{}{key}", if sort.descending { "-" } else { "" }));
    }
    clauses.join(" ")
}

/// Every reading, with what its clause leaves of all measurements where that is not known yet.
fn readings(stores: &Stores, understood: &Understood) -> Result<Vec<ReadAs>, QueryError> {
    let mut readings = Vec::new();
    for clause in &understood.clauses {
        for read in &clause.read_as {
            let mut read = read.clone();
            // A text is counted here, and so is what is left out: it leaves the others.
            if read.how == "text" || matches!(clause.condition, Condition::Not(_)) {
                read.leaves = stores.index.count(Subject::Measurement, &clause.condition)?;
            }
            readings.push(read);
        }
    }
    Ok(readings)
}

type EntitySets = BTreeMap<EntityKind, BTreeSet<String>>;

/// Entities that every word of the question is about.
fn direct_entities(stores: &Stores, understood: &Understood) -> Result<EntitySets, QueryError> {
    use strum::VariantArray as _;
    let condition = understood.condition_without(None);
    let mut direct = EntitySets::new();
    for &kind in EntityKind::VARIANTS {
        let ids = stores.index.entities(kind, &condition)?;
        direct.insert(kind, ids.into_iter().collect());
    }
    Ok(direct)
}

/// The catalog entities that the hits name, and those that match by themselves.
fn join(stores: &Stores, hits: &Hits, direct: &EntitySets) -> Result<CatalogAnswer, QueryError> {
    let store = &stores.store;
    let mut named: EntitySets =
        hits.entities.iter().map(|(kind, counts)| (*kind, counts.keys().cloned().collect())).collect();
    for (kind, ids) in direct {
        named.entry(*kind).or_default().extend(ids.iter().cloned());
    }
    // A row that names a family may be any of its SKUs: their facts differ, so they are all shown.
    let mut devices: BTreeSet<String> = BTreeSet::new();
    for id in named.get(&EntityKind::Device).into_iter().flatten() {
        devices.extend(store.descendants(EntityKind::Device, id)?);
    }
    named.insert(EntityKind::Device, devices);

    let devices: Vec<crate::model::Device> = load(stores, &named)?;
    let mut classes: BTreeSet<String> = named.remove(&EntityKind::HardwareClass).unwrap_or_default();
    classes.extend(devices.iter().map(|device| device.class.to_string()));
    named.insert(EntityKind::HardwareClass, classes);

    let networks: Vec<EntityId> = ids(hits, EntityKind::Network);
    let datasets: Vec<EntityId> = ids(hits, EntityKind::Dataset);
    let mut frameworks = Vec::new();
    for framework in load::<Framework>(stores, &named)? {
        let mut network_tested = BTreeMap::new();
        for network in &networks {
            let lineage = store.ancestors(EntityKind::Network, network.as_str())?;
            let tested = framework
                .tested_networks
                .iter()
                .any(|tested| lineage.iter().any(|ancestor| ancestor == tested.as_str()));
            network_tested.insert(network.clone(), tested);
        }
        let dataset_tested =
            datasets.iter().map(|dataset| (dataset.clone(), framework.tested_datasets.contains(dataset))).collect();
        frameworks.push(JoinedFramework { framework, network_tested, dataset_tested });
    }
    Ok(CatalogAnswer {
        frameworks,
        devices,
        hardware_classes: load(stores, &named)?,
        networks: load(stores, &named)?,
        datasets: load(stores, &named)?,
        sources: load(stores, &named)?,
    })
}

fn ids(hits: &Hits, kind: EntityKind) -> Vec<EntityId> {
    let counts = hits.entities.get(&kind);
    counts.into_iter().flat_map(BTreeMap::keys).filter_map(|id| id.parse().ok()).collect()
}

fn load<E: StoredKind>(stores: &Stores, named: &EntitySets) -> Result<Vec<E>, StoreError> {
    let ids = named.get(&E::KIND).into_iter().flatten();
    ids.filter_map(|id| stores.store.entity(id).transpose()).collect()
}

/// What must be known to judge the numbers of this page.
fn notes_on(measurements: &[AnsweredMeasurement], catalog: &CatalogAnswer) -> Vec<Note> {
    let mut notes = Vec::new();
    let mixed = measurements
        .iter()
        .filter(|m| {
            let precision = m.recorded().text(Field::Precision).and_then(|p| p.parse::<Precision>().ok());
            precision.is_some_and(Precision::is_mixed)
        })
        .count();
    if mixed > 0 {
        notes.push(Note::new(
            "mixed-precision",
            format!(
                "{} in mixed precision (amp), which computes in the shorter format.",
                counted(mixed, "row is", "rows are")
            ),
        ));
    }
    let derived =
        measurements.iter().filter(|m| m.metric(Metric::ThroughputPerS).is_some_and(|(_, derived)| derived)).count();
    if derived > 0 {
        notes.push(Note::new(
            "derived-throughput",
            format!("The throughput of {} is derived: batch size / latency.", counted(derived, "row", "rows")),
        ));
    }
    for family in &catalog.devices {
        let skus = catalog.devices.iter().filter(|device| device.variant_of.as_ref() == Some(&family.id)).count();
        let rows = measurements.iter().filter(|m| m.recorded().text(Field::Device) == Some(family.id.as_str())).count();
        if skus > 0 && rows > 0 {
            notes.push(Note::new(
                "family",
                format!(
                    "{} {}, the family: the source does not say which of its {} it was.",
                    counted(rows, "row names", "rows name"),
                    family.name,
                    counted(skus, "SKU", "SKUs"),
                ),
            ));
        }
    }
    for base in &catalog.networks {
        let revisions: Vec<&str> = catalog
            .networks
            .iter()
            .filter(|network| network.variant_of.as_ref() == Some(&base.id))
            .map(|network| network.name.as_str())
            .collect();
        if !revisions.is_empty() {
            notes.push(Note::new(
                "revisions",
                format!("{} and its revision {} are different networks.", base.name, and_list(&revisions)),
            ));
        }
    }
    notes.extend(comparability(measurements));
    notes
}

/// Which identity fields differ among the rows, so that they cannot be ranked together, and what is not stated.
fn comparability(measurements: &[AnsweredMeasurement]) -> Vec<Note> {
    use strum::VariantArray as _;
    if measurements.len() < 2 {
        return Vec::new();
    }
    let mut notes = Vec::new();
    let values = |field: Field| -> BTreeSet<Option<String>> {
        measurements.iter().map(|m| m.recorded().get(field).map(Value::to_string)).collect()
    };
    let identity = Field::VARIANTS.iter().filter(|field| field.tier() == Tier::Identity);
    let mut differing: Vec<Field> =
        identity.copied().filter(|field| values(*field).iter().flatten().count() > 1).collect();
    // What was timed follows from the stage.
    if differing.contains(&Field::Stage) {
        differing.retain(|field| *field != Field::Timed);
    }
    let differing: Vec<&str> = differing.into_iter().map(Field::heading).collect();
    if !differing.is_empty() {
        notes.push(Note::new(
            "not-comparable",
            format!("Rows that differ in {} are not comparable with each other.", and_list(&differing)),
        ));
    }
    let unstated: Vec<String> = [Field::Precision, Field::BatchSize, Field::FrameworkVersion]
        .into_iter()
        .filter_map(|field| {
            // What has no framework (a figure of a chip) has no version of one.
            let applies = |m: &&AnsweredMeasurement| {
                field != Field::FrameworkVersion || m.recorded().get(Field::Framework).is_some()
            };
            let unstated = |m: &&AnsweredMeasurement| m.recorded().get(field).is_none();
            let missing = measurements.iter().filter(applies).filter(unstated).count();
            (missing > 0).then(|| format!("{} ({missing} of {})", field.heading(), measurements.len()))
        })
        .collect();
    if !unstated.is_empty() {
        notes.push(Note::new(
            "unknown",
            format!("Not stated by the source, and not to be taken as equal: {}.", and_list(&unstated)),
        ));
    }
    notes
}

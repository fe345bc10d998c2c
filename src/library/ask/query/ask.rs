//! Answering a question: find, join, and say what must be known to judge the numbers.

use std::collections::BTreeSet;

use super::answer::{Answer, Note, ReadAs};
use super::best::mark_best;
use super::join::{EntitySets, direct_entities, join};
use super::near_misses::explain_empty;
use super::understand::understand;
use super::{QueryError, grammar};
use crate::model::{Aspect, Field, Metric, Part, Tier, Value};
use crate::rows::{EntityCache, JoinedCatalog, JoinedRow};
use crate::stores::Stores;
use crate::stores::index::{Condition, Hits};
use crate::stores::store::AspectColumn;
use crate::values::Precision;
use crate::values::text::{and_list, counted};

/// Which of the matching measurements are returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over, unless the question says so itself (`offset:20`).
    pub offset: usize,
    /// How many are returned at most, unless the question says so itself (`limit:20`).
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { offset: 0, limit: 20 }
    }
}

/// What a question asks for, understood but not yet answered.
#[derive(Debug, Clone)]
pub struct Interpretation {
    /// What measurements must be like.
    pub condition: Condition,
    /// How each word was read.
    pub read_as: Vec<ReadAs>,
    /// The question in explicit filters.
    pub equivalent: String,
    /// What must be said about the reading.
    pub notes: Vec<Note>,
}

/// Understands a question without answering it: for tables and figures over everything that it finds.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn interpret(stores: &Stores, question: &str) -> Result<Interpretation, QueryError> {
    let alternatives = grammar::parse(question)?;
    let understood = understand(question, &alternatives, stores)?;
    Ok(Interpretation {
        condition: understood.condition_without(None),
        read_as: understood.read_as().cloned().collect(),
        equivalent: understood.equivalent(),
        notes: understood.notes,
    })
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
    let direct = match understood.about {
        None if understood.clauses.is_empty() => EntitySets::new(),
        _ => direct_entities(stores, &understood)?,
    };
    // Who asks for frameworks gets frameworks: the numbers are counted, not shown.
    let only_facts = understood.about.is_some_and(|kind| direct.get(&kind).is_some_and(|ids| !ids.is_empty()));
    let offset = understood.offset.unwrap_or(page.offset);
    let limit = understood.limit.unwrap_or(if only_facts { 0 } else { page.limit });
    let sort = understood.sort.map(|order| order.sort(&stores.store)).transpose()?;
    let standings = stores.store.aspect(Aspect::Field(Field::Standing))?;
    let behind = standings.shares_with(|_| true);
    let hits = stores.index.measurements(&condition, sort, &behind, offset, limit)?;
    let found = stores.store.measurements(&hits.rows)?;
    let mut measurements = EntityCache::default().join(&stores.store, found)?;
    mark_best(&mut measurements);
    let mut notes = understood.notes.clone();
    let catalog = if only_facts && limit == 0 {
        if let (Some(kind), true) = (understood.about, hits.total > 0) {
            let text = format!(
                "{} match, too; they are shown when the question does not ask for {}.",
                counted(hits.total, "measurement", "measurements"),
                kind.plural().replace('-', " "),
            );
            notes.push(Note::new("facts-asked-for", text));
        }
        join(stores, &Hits::default(), direct, &[], &mut notes)?
    } else {
        join(stores, &hits, direct, &measurements, &mut notes)?
    };
    notes.extend(standing(&hits, &standings));
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
        read_as: understood.read_as().cloned().collect(),
        total: hits.total,
        shares: hits.shares,
        measurements,
        catalog,
        notes,
        suggestions,
        facets: None,
        equivalent: understood.equivalent(),
        sorted: understood.sort.is_some(),
    })
}

/// How many of all hits do not stand as they were published.
fn standing(hits: &Hits, standings: &AspectColumn) -> Option<Note> {
    let rows = &hits.shares[Part::Protocol as usize];
    let mut by_standing: Vec<(&str, usize)> = standings.counts(rows).collect();
    by_standing.sort_unstable();
    let counts: Vec<String> = by_standing.iter().map(|(standing, rows)| format!("{rows} {standing}")).collect();
    let (comes, is) = match by_standing.iter().map(|(_, rows)| rows).sum::<usize>() {
        0 => return None,
        1 => ("measurement comes", "is"),
        _ => ("measurements come", "are"),
    };
    let text = format!("{} {comes} behind all others and {is} never marked as best.", and_list(&counts));
    Some(Note::new("standing", text))
}

/// What must be known to judge the numbers of this page.
fn notes_on(measurements: &[JoinedRow], catalog: &JoinedCatalog) -> Vec<Note> {
    let mut notes = Vec::new();
    let mixed = measurements.iter().filter(|row| row.recorded().precision().is_some_and(Precision::is_mixed)).count();
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
    notes.extend(disturbances(measurements));
    notes.extend(comparability(measurements));
    notes
}

/// What disturbed measurements of our own runner: the names of their caveats.
fn disturbances(measurements: &[JoinedRow]) -> Option<Note> {
    let texts: Vec<&str> = measurements.iter().filter_map(|m| m.recorded().text(Field::Caveats)).collect();
    // Each is a sentence: `Busy machine: other processes used 70% …; measure again when nothing else runs.`
    let names: BTreeSet<String> = texts
        .iter()
        .flat_map(|text| text.split(". "))
        .filter_map(|caveat| Some(caveat.split_once(": ")?.0.to_lowercase()))
        .collect();
    let rows = counted(texts.len(), "row has a caveat", "rows have caveats");
    let names = and_list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    (!texts.is_empty()).then(|| Note::new("caveats", format!("{rows} ({names}): column caveats, -f csv.")))
}

/// Which identity fields differ among the rows, so that they cannot be ranked together, and what is not stated.
fn comparability(measurements: &[JoinedRow]) -> Vec<Note> {
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
            let applies =
                |m: &&JoinedRow| field != Field::FrameworkVersion || m.recorded().get(Field::Framework).is_some();
            let unstated = |m: &&JoinedRow| m.recorded().get(field).is_none();
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

//! The entities and measurements that differ between two states of a knowledge base.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::ChangesError;
use super::described::what;
use super::imported_file::{ImportedFile, MAX_LISTED_MEASUREMENTS, imported};
use super::revision::at_revision;
use crate::model::{CatalogEntity, Field, Measurement};
use crate::reading::{self, Loaded, Located};
use crate::values::EntityKind;

/// All changes.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Changes {
    /// Changed entities, by kind and id.
    pub entities: Vec<EntityChange>,
    /// Changed measurements, by id.
    pub measurements: Vec<MeasurementChange>,
    /// Files with many new measurements, by path.
    pub imports: Vec<ImportedFile>,
}

/// The type of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content changed.
    Changed,
    /// It was removed.
    Removed,
}

/// An entity that changed.
#[derive(Debug, PartialEq, Serialize)]
pub struct EntityChange {
    /// The type of the change.
    pub change: ChangeKind,
    /// The kind of the entity.
    pub kind: EntityKind,
    /// The id of the entity.
    pub id: String,
    /// The facts that differ; all facts of a new or removed entity.
    pub facts: Vec<FactChange>,
}

/// A measurement that changed.
#[derive(Debug, PartialEq, Serialize)]
pub struct MeasurementChange {
    /// The type of the change.
    pub change: ChangeKind,
    /// The id of the measurement.
    pub id: String,
    /// Its source.
    pub source: String,
    /// The file that contains or contained it.
    pub file: String,
    /// A short description of the measurement.
    pub what: String,
    /// The fields and metrics that differ; for a new or removed measurement its metrics.
    pub facts: Vec<FactChange>,
}

/// A fact before and after a change.
#[derive(Debug, PartialEq, Serialize)]
pub struct FactChange {
    /// The key.
    pub key: String,
    /// The value before; `None` if it was not stated.
    pub before: Option<String>,
    /// The value after; `None` if it is not stated.
    pub after: Option<String>,
}

/// The changes from revision `from` to revision `to` (`None` is the working tree) of the repository that contains the
/// knowledge base at `root`.
///
/// # Errors
///
/// Fails if git fails or the working tree cannot be listed. Unreadable files are compared as far as they can be read.
pub fn between(root: &Path, from: &str, to: Option<&str>) -> Result<Changes, ChangesError> {
    let before = at_revision(root, from)?;
    let after = match to {
        Some(revision) => at_revision(root, revision)?,
        None => {
            let files = reading::list(root)?;
            reading::load(root, &files)
        }
    };
    Ok(compare(&before, &after))
}

/// The changes between two loaded knowledge bases.
pub fn compare(before: &Loaded, after: &Loaded) -> Changes {
    let measurements = measurements(before, after);
    let imports = imports(after, &measurements);
    Changes { entities: entities(before, after), measurements, imports }
}

/// The files with too many new measurements to list individually.
fn imports(after: &Loaded, changes: &[MeasurementChange]) -> Vec<ImportedFile> {
    let added = changes.iter().filter(|change| change.change == ChangeKind::Added);
    let added: HashSet<&str> = added.map(|change| change.id.as_str()).collect();
    let mut files: BTreeMap<&Path, Vec<&Measurement>> = BTreeMap::new();
    for row in after.rows.iter().filter(|row| added.contains(row.get().id())) {
        files.entry(&row.file().path).or_default().push(row.get());
    }
    let many = files.into_iter().filter(|(_, rows)| rows.len() > MAX_LISTED_MEASUREMENTS);
    many.map(|(path, rows)| imported(&path.display().to_string(), &rows)).collect()
}

fn entities(before: &Loaded, after: &Loaded) -> Vec<EntityChange> {
    let (before, after) = (facts_of_all(before), facts_of_all(after));
    let keys: BTreeSet<&(EntityKind, String)> = before.keys().chain(after.keys()).collect();
    let none = BTreeMap::new();
    let mut changes = Vec::new();
    for key in keys {
        let change = kind(before.contains_key(key), after.contains_key(key));
        let facts = facts(before.get(key).unwrap_or(&none), after.get(key).unwrap_or(&none));
        if !facts.is_empty() {
            changes.push(EntityChange { change, kind: key.0, id: key.1.clone(), facts });
        }
    }
    changes
}

fn measurements(before: &Loaded, after: &Loaded) -> Vec<MeasurementChange> {
    let (before, after) = (by_id(before), by_id(after));
    let ids: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let mut changes = Vec::new();
    for id in ids {
        let (old, new) = (before.get(id), after.get(id));
        let Some(place) = new.or(old) else { continue };
        let (old, new) = (old.map(|row| row.get()), new.map(|row| row.get()));
        if old == new {
            continue;
        }
        let shown = place.get();
        let stated = |measurement: Option<&Measurement>, all: bool| -> BTreeMap<String, String> {
            let Some(measurement) = measurement else { return BTreeMap::new() };
            let metrics = measurement.metrics().iter().map(|(metric, value)| (metric.to_string(), value.to_string()));
            let fields = measurement.fields().iter().filter(|(field, _)| all || *field == Field::Outcome);
            metrics.chain(fields.map(|(field, value)| (field.to_string(), value.to_string()))).collect()
        };
        let both = old.is_some() && new.is_some();
        changes.push(MeasurementChange {
            change: kind(old.is_some(), new.is_some()),
            id: id.to_owned(),
            source: shown.source().to_string(),
            file: place.file().path.display().to_string(),
            what: what(shown),
            facts: facts(&stated(old, both), &stated(new, both)),
        });
    }
    changes
}

fn by_id(loaded: &Loaded) -> BTreeMap<&str, &Located<Measurement>> {
    loaded.rows.iter().map(|row| (row.get().id(), row)).collect()
}

fn kind(before: bool, after: bool) -> ChangeKind {
    match (before, after) {
        (false, _) => ChangeKind::Added,
        (true, true) => ChangeKind::Changed,
        (true, false) => ChangeKind::Removed,
    }
}

fn facts(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<FactChange> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changes = keys.into_iter().map(|key| FactChange {
        key: key.clone(),
        before: before.get(key).cloned(),
        after: after.get(key).cloned(),
    });
    let mut changes: Vec<FactChange> = changes.filter(|change| change.before != change.after).collect();
    changes.sort_by_key(|change| weight(&change.key));
    changes
}

/// Reviewers look at figures first, then at what an entity is, and last at its sources.
fn weight(key: &str) -> u8 {
    match key.split('.').next().unwrap_or(key) {
        "memory-gib" | "tdp-w" | "bandwidth-gb-per-s" | "parameters-m" | "active-parameters-m" | "multiply-adds-g" => 0,
        "peak-tflops" => 1,
        "aliases" | "notes" => 3,
        "sources" | "accessed" => 4,
        _ => 2,
    }
}

/// Every fact of every entity, as text.
fn facts_of_all(loaded: &Loaded) -> BTreeMap<(EntityKind, String), BTreeMap<String, String>> {
    let facts = |entity: &dyn CatalogEntity| {
        let mut facts = BTreeMap::new();
        flatten("", &entity.json(), &mut facts);
        facts.remove("id");
        ((entity.kind(), entity.id().to_owned()), facts)
    };
    loaded.catalog.entities().map(facts).collect()
}

/// Flattens JSON into texts by dotted keys; a list of plain values is a single fact.
fn flatten(key: &str, value: &Value, facts: &mut BTreeMap<String, String>) {
    let below = |inner: &str| match key {
        "" => inner.replace('_', "-"),
        key => format!("{key}.{}", inner.replace('_', "-")),
    };
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match value {
        Value::Null => {}
        Value::Object(items) => items.iter().for_each(|(inner, value)| flatten(&below(inner), value, facts)),
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) if items.iter().all(|item| !item.is_object()) => {
            facts.insert(key.to_owned(), items.iter().map(plain).collect::<Vec<_>>().join(", "));
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(&below(&(at + 1).to_string()), item, facts);
            }
        }
        other => {
            facts.insert(key.to_owned(), plain(other));
        }
    }
}

//! The entities and measurements that differ between two states of a knowledge base.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::ChangesError;
use super::revision::at_revision;
use crate::model::{CatalogEntity, Field, Measurement};
use crate::reading::{self, Loaded};
use crate::values::EntityKind;

/// What changed.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Changes {
    /// Entities, by kind and id.
    pub entities: Vec<EntityChange>,
    /// Measurements, by source and file order.
    pub measurements: Vec<MeasurementChange>,
}

/// How something changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It says something else.
    Changed,
    /// It is gone.
    Removed,
}

/// An entity that changed.
#[derive(Debug, PartialEq, Serialize)]
pub struct EntityChange {
    /// How.
    pub change: ChangeKind,
    /// What it is.
    pub kind: EntityKind,
    /// Its id.
    pub id: String,
    /// The facts that differ: all of one that is new or gone.
    pub facts: Vec<FactChange>,
}

/// A measurement that changed.
#[derive(Debug, PartialEq, Serialize)]
pub struct MeasurementChange {
    /// How.
    pub change: ChangeKind,
    /// Its id.
    pub id: String,
    /// Its source.
    pub source: String,
    /// What was measured, in a few words.
    pub what: String,
    /// The fields and metrics that differ; of one that is new or gone its metrics.
    pub facts: Vec<FactChange>,
}

/// A fact before and after.
#[derive(Debug, PartialEq, Serialize)]
pub struct FactChange {
    /// The key.
    pub key: String,
    /// Before; `None` where it was not stated.
    pub before: Option<String>,
    /// After.
    pub after: Option<String>,
}

/// What changed from revision `from` to revision `to` (`None` is the working tree) of the repository that holds the
/// knowledge base at `root`.
///
/// # Errors
///
/// When git fails or the working tree cannot be listed. Files that cannot be read count as far as they can.
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

/// The same for what is loaded.
pub fn compare(before: &Loaded, after: &Loaded) -> Changes {
    Changes { entities: entities(before, after), measurements: measurements(before, after) }
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
    let by_id = |loaded: &'_ Loaded| -> BTreeMap<String, Measurement> {
        loaded.rows.iter().map(|row| (row.get().id().to_owned(), row.get().clone())).collect()
    };
    let (before, after) = (by_id(before), by_id(after));
    let ids: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut changes = Vec::new();
    for id in ids {
        let (old, new) = (before.get(id), after.get(id));
        if old == new {
            continue;
        }
        let Some(shown) = new.or(old) else { continue };
        let stated = |measurement: Option<&Measurement>, all: bool| -> BTreeMap<String, String> {
            let Some(measurement) = measurement else { return BTreeMap::new() };
            let metrics = measurement.metrics().iter().map(|(metric, value)| (metric.to_string(), value.to_string()));
            let fields = measurement.fields().iter().filter(|(field, _)| all || *field == Field::Outcome);
            metrics.chain(fields.map(|(field, value)| (field.to_string(), value.to_string()))).collect()
        };
        let both = old.is_some() && new.is_some();
        changes.push(MeasurementChange {
            change: kind(old.is_some(), new.is_some()),
            id: id.clone(),
            source: shown.source().to_string(),
            what: what(shown),
            facts: facts(&stated(old, both), &stated(new, both)),
        });
    }
    changes
}

fn kind(before: bool, after: bool) -> ChangeKind {
    match (before, after) {
        (false, _) => ChangeKind::Added,
        (true, true) => ChangeKind::Changed,
        (true, false) => ChangeKind::Removed,
    }
}

/// What tells the measurement, as a person would say it.
fn what(measurement: &Measurement) -> String {
    let mut words: Vec<String> = Vec::new();
    for field in [Field::Network, Field::Stage, Field::Precision, Field::Device, Field::Framework] {
        words.extend(measurement.text(field).map(str::to_owned));
    }
    words.extend(measurement.text(Field::FrameworkVersion).map(str::to_owned));
    words.extend(measurement.count(Field::BatchSize).map(|batch| format!("batch {batch}")));
    words.join(" ")
}

fn facts(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<FactChange> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changes = keys.into_iter().map(|key| FactChange {
        key: key.clone(),
        before: before.get(key).cloned(),
        after: after.get(key).cloned(),
    });
    changes.filter(|change| change.before != change.after).collect()
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

/// Texts and numbers by the keys that lead to them; lists of plain values are one fact.
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

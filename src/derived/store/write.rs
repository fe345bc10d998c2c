//! Building the database.

use std::path::Path;

use rusqlite::{Connection, params, params_from_iter, types::Value as SqlValue};
use serde::Serialize;
use strum::VariantArray;

use super::{Store, StoreError, column, column_type};
use crate::model::{Field, Knowledge, Measurement, MetricDefinition, Name, Value};
use crate::values::EntityKind;

impl Store {
    /// Builds a database in the file `path`, which must not exist.
    pub fn create(path: &Path, knowledge: &Knowledge, names: &[Name]) -> Result<(), StoreError> {
        let connection = Connection::open(path)?;
        // The file is renamed into place only when it is whole: a crash leaves nothing to recover.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")?;
        fill(&connection, knowledge, names)?;
        connection.close().map_err(|(_, error)| error)?;
        Ok(())
    }

    /// Builds a database in memory.
    pub fn in_memory(knowledge: &Knowledge, names: &[Name]) -> Result<Self, StoreError> {
        let connection = Connection::open_in_memory()?;
        fill(&connection, knowledge, names)?;
        Ok(Self { connection })
    }
}

fn fill(connection: &Connection, knowledge: &Knowledge, names: &[Name]) -> Result<(), StoreError> {
    connection.execute_batch("BEGIN")?;
    create_tables(connection)?;
    let catalog = &knowledge.catalog;
    insert_entities(connection, EntityKind::Framework, &catalog.frameworks)?;
    insert_entities(connection, EntityKind::Device, &catalog.devices)?;
    insert_entities(connection, EntityKind::Network, &catalog.networks)?;
    insert_entities(connection, EntityKind::Dataset, &catalog.datasets)?;
    insert_entities(connection, EntityKind::Source, &catalog.sources)?;
    insert_entities(connection, EntityKind::HardwareClass, &catalog.hardware_classes)?;
    insert_definitions(connection, "hardware-metrics", &catalog.hardware_metrics)?;
    insert_definitions(connection, "framework-metrics", &catalog.framework_metrics)?;
    insert_definitions(connection, "principles", &catalog.principles)?;
    insert_lineages(connection, knowledge)?;
    insert_names(connection, names)?;
    insert_measurements(connection, &knowledge.measurements)?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}

fn create_tables(connection: &Connection) -> Result<(), StoreError> {
    let columns: Vec<String> =
        Field::VARIANTS.iter().map(|&field| format!("{} {}", column(field), column_type(field))).collect();
    connection.execute_batch(&format!(
        "CREATE TABLE entity (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
         CREATE TABLE definition (list TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (list, position)) WITHOUT ROWID;
         CREATE TABLE lineage (kind TEXT NOT NULL, id TEXT NOT NULL, ancestor TEXT NOT NULL, PRIMARY KEY (kind, id, ancestor)) WITHOUT ROWID;
         CREATE TABLE name (normal TEXT NOT NULL, facet TEXT NOT NULL, value TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (normal, facet, value, kind)) WITHOUT ROWID;
         CREATE TABLE measurement (row INTEGER PRIMARY KEY, id TEXT NOT NULL, source TEXT NOT NULL, {});
         CREATE TABLE metric (row INTEGER NOT NULL, metric TEXT NOT NULL, value REAL NOT NULL, decimals INTEGER NOT NULL, PRIMARY KEY (row, metric)) WITHOUT ROWID;
         CREATE UNIQUE INDEX measurement_id ON measurement (id);",
        columns.join(", ")
    ))?;
    Ok(())
}

fn insert_entities<'a, K, E>(
    connection: &Connection,
    kind: EntityKind,
    entries: impl IntoIterator<Item = (&'a K, &'a E)>,
) -> Result<(), StoreError>
where
    K: ToString + 'a,
    E: Serialize + 'a,
{
    let mut insert = connection.prepare("INSERT INTO entity (kind, id, body) VALUES (?1, ?2, ?3)")?;
    for (id, entry) in entries {
        insert.execute(params![<&str>::from(kind), id.to_string(), serde_json::to_string(entry)?])?;
    }
    Ok(())
}

fn insert_definitions(connection: &Connection, list: &str, entries: &[MetricDefinition]) -> Result<(), StoreError> {
    let mut insert = connection.prepare("INSERT INTO definition (list, position, body) VALUES (?1, ?2, ?3)")?;
    for (position, entry) in entries.iter().enumerate() {
        insert.execute(params![list, position as i64, serde_json::to_string(entry)?])?;
    }
    Ok(())
}

/// Every entity descends from itself, too.
fn insert_lineages(connection: &Connection, knowledge: &Knowledge) -> Result<(), StoreError> {
    let mut insert = connection.prepare("INSERT INTO lineage (kind, id, ancestor) VALUES (?1, ?2, ?3)")?;
    let catalog = &knowledge.catalog;
    let networks = catalog.networks.keys().map(|id| (EntityKind::Network, id, catalog.network_lineage(id)));
    let devices = catalog.devices.keys().map(|id| (EntityKind::Device, id, catalog.device_lineage(id)));
    for (kind, id, ancestors) in networks.chain(devices) {
        for ancestor in ancestors {
            insert.execute(params![<&str>::from(kind), id.as_str(), ancestor.as_str()])?;
        }
    }
    Ok(())
}

fn insert_names(connection: &Connection, names: &[Name]) -> Result<(), StoreError> {
    let mut insert = connection.prepare("INSERT INTO name (normal, facet, value, kind) VALUES (?1, ?2, ?3, ?4)")?;
    for name in names {
        insert.execute(params![name.normal, name.facet.key(), name.value, <&str>::from(name.kind)])?;
    }
    Ok(())
}

fn insert_measurements(connection: &Connection, measurements: &[Measurement]) -> Result<(), StoreError> {
    let columns: Vec<String> = Field::VARIANTS.iter().map(|&field| column(field)).collect();
    let places: Vec<String> = (1..=columns.len() + 3).map(|place| format!("?{place}")).collect();
    let mut insert = connection.prepare(&format!(
        "INSERT INTO measurement (row, id, source, {}) VALUES ({})",
        columns.join(", "),
        places.join(", ")
    ))?;
    let mut insert_metric =
        connection.prepare("INSERT INTO metric (row, metric, value, decimals) VALUES (?1, ?2, ?3, ?4)")?;
    for (row, measurement) in measurements.iter().enumerate() {
        let row = row as i64;
        let mut values = vec![SqlValue::Null; columns.len() + 3];
        values[0] = SqlValue::Integer(row);
        values[1] = SqlValue::Text(measurement.id().to_owned());
        values[2] = SqlValue::Text(measurement.source().to_string());
        for (field, value) in measurement.fields() {
            values[3 + *field as usize] = match value {
                Value::Text(text) => SqlValue::Text(text.to_string()),
                Value::Count(count) => SqlValue::Integer(*count),
                Value::Number(number) => SqlValue::Text(number.to_string()),
            };
        }
        insert.execute(params_from_iter(values))?;
        for (metric, value) in measurement.metrics() {
            insert_metric.execute(params![row, metric.key(), value.value(), value.decimals()])?;
        }
    }
    Ok(())
}

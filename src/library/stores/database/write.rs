//! Builds the database.

use std::path::Path;

use rusqlite::{Connection, params, params_from_iter, types::Value as SqlValue};
use serde::Serialize;
use strum::VariantArray;

use super::aspects::AspectColumns;
use super::measurements;
use super::measurements::code_number;
use super::measurements::{column, create_tables};
use super::{Database, DatabaseError};
use crate::model::{
    Catalog, CatalogEntity, FactValue, Field, FilterFacts, Knowledge, Measurement, MeasurementKey, Name, Part, Parts,
    SkippedFile, Value, filter_facts, grades_of,
};
use crate::values::{Decimal, EntityKind, ParseError};

impl Database {
    /// Builds a database in the file `path`, which must not exist, and the columns of its aspects in the same folder.
    pub fn create(path: &Path, knowledge: &Knowledge, parts: &Parts, names: &[Name]) -> Result<(), DatabaseError> {
        let connection = Connection::open(path)?;
        // The file is renamed into place only when it is complete, so there is nothing to recover after a crash.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")?;
        fill(&connection, knowledge, parts, names)?;
        connection.close().map_err(|(_, error)| error)?;
        Ok(AspectColumns::write(path.parent().unwrap_or(Path::new("")), parts, &knowledge.catalog)?)
    }

    /// Builds a database in memory.
    pub fn in_memory(knowledge: &Knowledge, parts: &Parts, names: &[Name]) -> Result<Self, DatabaseError> {
        let connection = Connection::open_in_memory()?;
        fill(&connection, knowledge, parts, names)?;
        let aspects = AspectColumns::in_memory(parts, &knowledge.catalog)?;
        Ok(Self::of(connection, aspects))
    }
}

fn fill(connection: &Connection, knowledge: &Knowledge, parts: &Parts, names: &[Name]) -> Result<(), DatabaseError> {
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
    insert_definitions(connection, "evidence", &catalog.evidence)?;
    insert_definitions(connection, "contradiction", catalog.contradiction.as_slice())?;
    insert_definitions(connection, "claims", &catalog.claims)?;
    insert_lineages(connection, knowledge)?;
    insert_names(connection, names)?;
    insert_facts(connection, catalog)?;
    insert_shares(connection, parts)?;
    insert_measurements(connection, &knowledge.measurements, parts)?;
    insert_codes(connection, &knowledge.measurements)?;
    insert_skipped(connection, &knowledge.skipped)?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}

fn insert_entities<'a, K, E>(
    connection: &Connection,
    kind: EntityKind,
    entries: impl IntoIterator<Item = (&'a K, &'a E)>,
) -> Result<(), DatabaseError>
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

fn insert_definitions(connection: &Connection, list: &str, entries: &[impl Serialize]) -> Result<(), DatabaseError> {
    let mut insert = connection.prepare("INSERT INTO definition (list, position, body) VALUES (?1, ?2, ?3)")?;
    for (position, entry) in entries.iter().enumerate() {
        insert.execute(params![list, position as i64, serde_json::to_string(entry)?])?;
    }
    Ok(())
}

/// Inserts the ancestors of each entity, which include the entity itself.
fn insert_lineages(connection: &Connection, knowledge: &Knowledge) -> Result<(), DatabaseError> {
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

fn insert_names(connection: &Connection, names: &[Name]) -> Result<(), DatabaseError> {
    let mut insert = connection.prepare("INSERT INTO name (normal, facet, value, kind) VALUES (?1, ?2, ?3, ?4)")?;
    for name in names {
        insert.execute(params![name.normal, name.facet.key(), name.value, <&str>::from(name.kind)])?;
    }
    Ok(())
}

fn insert_facts(connection: &Connection, catalog: &Catalog) -> Result<(), DatabaseError> {
    let mut insert =
        connection.prepare("INSERT INTO fact (fact, kind, id, number, word) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let mut insert_facts = |entity: &dyn CatalogEntity, facts: FilterFacts| -> Result<(), DatabaseError> {
        for (fact, value) in facts {
            let (number, word) = match value {
                FactValue::Number(number) => (Some(number), None),
                FactValue::Word(word) => (None, Some(word)),
            };
            insert.execute(params![fact, <&str>::from(entity.kind()), entity.id(), number, word])?;
        }
        Ok(())
    };
    for device in catalog.devices.values() {
        insert_facts(device, filter_facts(device, catalog))?;
    }
    for network in catalog.networks.values() {
        insert_facts(network, filter_facts(network, catalog))?;
    }
    for framework in catalog.frameworks.values() {
        insert_facts(framework, filter_facts(framework, catalog))?;
    }
    for dataset in catalog.datasets.values() {
        insert_facts(dataset, filter_facts(dataset, catalog))?;
    }
    for source in catalog.sources.values() {
        insert_facts(source, filter_facts(source, catalog))?;
    }
    for class in catalog.hardware_classes.values() {
        insert_facts(class, grades_of(class))?;
    }
    Ok(())
}

/// Inserts the setups, workloads, protocols and batches.
fn insert_shares(connection: &Connection, parts: &Parts) -> Result<(), DatabaseError> {
    for &part in Part::VARIANTS {
        let fields: Vec<Field> = Field::of_part(part).collect();
        let mut columns = ["id", "rows", "source", "metrics"].map(str::to_owned).to_vec();
        let front = columns.len();
        columns.extend(fields.iter().map(|field| column(*field)));
        let places = vec!["?"; columns.len()].join(", ");
        let mut insert =
            connection.prepare(&format!("INSERT INTO {part} ({}) VALUES ({places})", columns.join(", ")))?;
        for (number, share) in parts.shares(part).iter().enumerate() {
            let mut values = vec![SqlValue::Null; columns.len()];
            values[0] = SqlValue::Integer(number as i64);
            values[1] = SqlValue::Integer(share.rows as i64);
            if let Some(source) = &share.source {
                values[2] = SqlValue::Text(source.to_string());
            }
            if !share.metrics.is_empty() {
                let metrics: Vec<&str> = share.metrics.iter().map(|metric| metric.key()).collect();
                values[3] = SqlValue::Text(metrics.join(" "));
            }
            for (field, value) in &share.fields {
                if let Some(at) = fields.iter().position(|f| f == field) {
                    values[front + at] = match value {
                        Value::Text(text) => SqlValue::Text(text.to_string()),
                        Value::Count(count) => SqlValue::Integer(*count),
                        Value::Number(number) => SqlValue::Text(number.to_string()),
                    };
                }
            }
            insert.execute(params_from_iter(values))?;
        }
    }
    Ok(())
}

fn insert_measurements(
    connection: &Connection,
    measurements: &[Measurement],
    parts: &Parts,
) -> Result<(), DatabaseError> {
    let mut insert = connection.prepare(
        "INSERT INTO measurement (row, setup, workload, protocol, batch, figures) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut figures = Vec::new();
    for (row, measurement) in measurements.iter().enumerate() {
        figures.clear();
        for (metric, value) in measurement.metrics() {
            measurements::encode(MeasurementKey::Metric(*metric), *value, &mut figures);
        }
        for (field, value) in measurement.fields() {
            if field.part().is_some() {
                continue;
            }
            let number = match value {
                Value::Number(number) => Some(*number),
                Value::Count(count) => Decimal::new(*count as f64, 0),
                Value::Text(remark) => {
                    parts.remark_number(remark).and_then(|number| Decimal::new(f64::from(number), 0))
                }
            };
            if let Some(number) = number {
                measurements::encode(MeasurementKey::Field(*field), number, &mut figures);
            }
        }
        let [setup, workload, protocol, batch] = parts.of_row(row);
        insert.execute(params![row as i64, setup, workload, protocol, batch, figures,])?;
    }
    let mut insert = connection.prepare("INSERT INTO remark (id, text) VALUES (?1, ?2)")?;
    for (id, remark) in parts.remarks().enumerate() {
        insert.execute(params![id as i64, remark])?;
    }
    Ok(())
}

/// Inserts the code of each row, sorted by code. A code is computed from the row's fields, so that rows need not store
/// it. A collision between sources is next to impossible; in that case the next number is used.
fn insert_codes(connection: &Connection, measurements: &[Measurement]) -> Result<(), DatabaseError> {
    let mut codes = Vec::with_capacity(measurements.len());
    for (row, measurement) in measurements.iter().enumerate() {
        let code = code_number(measurement.code()).ok_or_else(|| ParseError::expected("a code of ten digits"))?;
        codes.push((code, row as i64));
    }
    codes.sort_unstable();
    let mut insert = connection.prepare("INSERT INTO code (code, row) VALUES (?1, ?2)")?;
    let mut free = i64::MIN;
    for (code, row) in codes {
        let place = code.max(free);
        insert.execute(params![place, row])?;
        free = place + 1;
    }
    Ok(())
}

fn insert_skipped(connection: &Connection, skipped: &[SkippedFile]) -> Result<(), DatabaseError> {
    let mut insert =
        connection.prepare("INSERT INTO skipped (path, line, why, measurements) VALUES (?1, ?2, ?3, ?4)")?;
    for file in skipped {
        insert.execute(params![file.path, file.line.map(|line| line as i64), file.why, file.measurements as i64])?;
    }
    Ok(())
}

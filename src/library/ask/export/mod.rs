//! Exports the whole knowledge base for other programs, as a JSON document or as typed tables.

mod columns;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod portions;
mod sheet;
mod sqlite;

use std::borrow::Borrow;

use serde::Serialize;

use crate::model::{
    Claim, ContradictionDefinition, Dataset, Device, EvidenceDefinition, Field, FieldType, Framework,
    HardwareClassRecord, Knowledge, Metric, MetricDefinition, Network, Source, Value,
};
use crate::rows::JoinedRow;
use crate::values::EntityId;
use columns::{Meanings, columns};
pub use json::{document, json};
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use portions::{ExportError, MeasurementPortions, each_portion};
pub use sheet::{ColumnType, Sheet, SheetColumn};
pub use sqlite::sqlite;

use strum::VariantArray as _;

/// The JSON Schema of a [`ExportDocument`].
pub const SCHEMA: &str = include_str!("export.schema.json");

/// Version of the export format. It changes with every incompatible change; new keys may be added without one.
pub const VERSION: u32 = 1;

/// Name of the table of measurements.
pub const MEASUREMENTS: &str = "measurements";

/// The whole knowledge base as one JSON document, `benchmark.json`. Measurements have the form of `dlbench query -f json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExportDocument<'k> {
    /// The kind of document: `dlbench-export`.
    pub format: &'static str,
    /// Version of the document's structure.
    pub version: u32,
    /// The exported knowledge base.
    pub knowledge_base: ExportedFrom<'k>,
    /// The curated facts.
    pub catalog: ExportedCatalog<'k>,
    /// All measurements, ordered by the id of the source and then as in its files.
    pub measurements: Vec<JoinedRow>,
}

/// The exported knowledge base.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExportedFrom<'k> {
    /// Its name.
    pub name: &'k str,
    /// Hash of the knowledge base's content.
    pub content: &'k str,
    /// Version of its file format.
    pub schema: i64,
    /// SPDX expression for its records.
    pub license: &'k str,
    /// Remarks.
    pub notes: Option<&'k str>,
    /// The program that wrote the document.
    pub written_by: String,
}

/// The curated facts, each kind by id.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExportedCatalog<'k> {
    /// Frameworks.
    pub frameworks: Vec<&'k Framework>,
    /// Devices: families and SKUs.
    pub devices: Vec<&'k Device>,
    /// Hardware classes with their grades.
    pub hardware_classes: Vec<&'k HardwareClassRecord>,
    /// Networks and families of networks.
    pub networks: Vec<&'k Network>,
    /// Data sets.
    pub datasets: Vec<&'k Dataset>,
    /// Sources of facts and numbers.
    pub sources: Vec<&'k Source>,
    /// The qualitative metrics of hardware, in the survey's order.
    pub hardware_metrics: &'k [MetricDefinition],
    /// The qualitative metrics of frameworks, in the survey's order.
    pub framework_metrics: &'k [MetricDefinition],
    /// The principles of benchmarking, in the survey's order.
    pub principles: &'k [MetricDefinition],
    /// How the metrics are tested against measurements.
    pub evidence: &'k [EvidenceDefinition],
    /// When two sources that measured the same contradict each other.
    pub contradiction: Option<&'k ContradictionDefinition>,
    /// The claims of texts.
    pub claims: &'k [Claim],
}

/// The knowledge base as typed tables: `measurements`, one table per kind of entity, their lists as separate tables, and
/// `columns`, which documents every column.
///
/// # Errors
///
/// Fails if an entity cannot be written as JSON, which would be a bug in dlbench.
pub fn sheets(knowledge: &Knowledge, content: &str) -> Result<Vec<Sheet>, serde_json::Error> {
    let catalog = &knowledge.catalog;
    let meanings = Meanings::read(SCHEMA)?;
    let meaning = |table: &'static str| {
        let meanings = &meanings;
        move |key: &str| meanings.of(table, key)
    };
    let mut sheets = vec![
        about(knowledge, content),
        measurements(knowledge.measurements.iter().cloned().map(JoinedRow::from)),
        Sheet::from_entities("frameworks", catalog.frameworks.values())?.documented(meaning("frameworks")),
        Sheet::from_entities("devices", catalog.devices.values())?.documented(meaning("devices")),
        peaks(catalog.devices.values()),
        Sheet::from_entities("hardware_classes", catalog.hardware_classes.values())?
            .documented(meaning("hardware_classes")),
        grades(catalog.hardware_classes.values()),
        Sheet::from_entities("networks", catalog.networks.values())?.documented(meaning("networks")),
        Sheet::from_entities("datasets", catalog.datasets.values())?.documented(meaning("datasets")),
        Sheet::from_entities("sources", catalog.sources.values())?.documented(meaning("sources")),
        Sheet::from_entities("hardware_metrics", &catalog.hardware_metrics)?.documented(meaning("hardware_metrics")),
        Sheet::from_entities("framework_metrics", &catalog.framework_metrics)?.documented(meaning("framework_metrics")),
        Sheet::from_entities("principles", &catalog.principles)?.documented(meaning("principles")),
    ];
    // A user's own knowledge base may have none of these, and a table needs columns.
    if !catalog.evidence.is_empty() {
        sheets.push(
            Sheet::from_entities("evidence_definitions", &catalog.evidence)?
                .documented(meaning("evidence_definitions")),
        );
    }
    if !catalog.claims.is_empty() {
        sheets.push(Sheet::from_entities("claims", &catalog.claims)?.documented(meaning("claims")));
    }
    sheets.push(columns(&sheets, MEASUREMENTS));
    Ok(sheets)
}

fn about(knowledge: &Knowledge, content: &str) -> Sheet {
    let mut sheet = Sheet::new("about", &[("key", "property"), ("value", "value")]);
    let info = &knowledge.info;
    for (key, value) in [
        ("name", info.name.clone()),
        ("content", content.to_owned()),
        ("schema", info.schema.to_string()),
        ("license", info.license.clone()),
        ("export_version", VERSION.to_string()),
        ("written_by", format!("dlbench {}", env!("CARGO_PKG_VERSION"))),
    ] {
        sheet.rows.push(vec![Some(text(key)), Some(text(&value))]);
    }
    sheet
}

/// The table of measurements with every field and metric of the registries; derived values are marked.
pub fn measurements<R: Borrow<JoinedRow>>(rows: impl IntoIterator<Item = R>) -> Sheet {
    let mut columns = vec![
        SheetColumn::text("id", "the measurement's id, stable under corrections of its values"),
        SheetColumn::text("source", "id of the source"),
    ];
    for field in Field::VARIANTS {
        let (kind, values) = match field.kind() {
            FieldType::Count => (ColumnType::Integer, "a whole number".to_owned()),
            FieldType::Number => (ColumnType::Number, "a number".to_owned()),
            FieldType::Entity(kind) => (ColumnType::Text, format!("id of a {}", kind.noun())),
            FieldType::Date => (ColumnType::Text, "a date to the year, month or day".to_owned()),
            FieldType::Shape => (ColumnType::Text, "extents such as 3x224x224".to_owned()),
            FieldType::Word(words) => (ColumnType::Text, format!("one of {}", words.join(", "))),
            FieldType::Text => (ColumnType::Text, "text".to_owned()),
        };
        let about = format!("{}; {values}", field.definition());
        columns.push(SheetColumn { key: field.json_key(), kind, about });
    }
    for metric in Metric::VARIANTS {
        let (key, about) = (metric.json_key(), metric.definition().to_owned());
        columns.push(SheetColumn { key, kind: ColumnType::Number, about });
    }
    columns.push(SheetColumn::text("derived", "metrics that follow from others of the row, with blanks between them"));
    Sheet { rows: rows.into_iter().map(|row| cells(row.borrow())).collect(), name: MEASUREMENTS, columns }
}

/// The cells of a measurement's row in that table.
pub fn cells(row: &JoinedRow) -> Vec<Option<Value>> {
    let recorded = row.recorded();
    let mut cells = vec![Some(text(row.id())), Some(text(recorded.source().as_str()))];
    let cell = |field: &Field| recorded.get(*field).cloned().or_else(|| field.unstated().map(text));
    cells.extend(Field::VARIANTS.iter().map(cell));
    cells.extend(Metric::VARIANTS.iter().map(|metric| row.metric(*metric).map(|(value, _)| Value::Number(value))));
    let derived = row.metrics().filter(|(_, _, derived)| *derived).map(|(metric, _, _)| metric.json_key());
    let derived = derived.collect::<Vec<_>>().join(" ");
    cells.push((!derived.is_empty()).then(|| text(&derived)));
    cells
}

/// The dense peaks of devices, one per row.
fn peaks<'d>(devices: impl Iterator<Item = &'d Device>) -> Sheet {
    let mut sheet = Sheet::new(
        "device_peaks",
        &[("device", "id of a device"), ("format", "a number format; -tensor is the matrix unit's")],
    );
    let about = "dense peak, 10^12 operations a second".to_owned();
    sheet.columns.push(SheetColumn { key: "peak_tflops".to_owned(), kind: ColumnType::Number, about });
    for device in devices {
        for (format, peak) in &device.peak_tflops {
            sheet.rows.push(vec![
                Some(text(device.id.as_str())),
                Some(text(&format.to_string())),
                Some(Value::Number(*peak)),
            ]);
        }
    }
    sheet
}

/// The grades of hardware classes, one per row.
fn grades<'c>(classes: impl Iterator<Item = &'c HardwareClassRecord>) -> Sheet {
    let mut sheet = Sheet::new(
        "grades",
        &[
            ("class", "a hardware class"),
            ("metric", "id of a hardware metric"),
            ("grade", "high, good, moderate or low"),
            ("rationale", "why"),
            ("source", "id of the source"),
        ],
    );
    for class in classes {
        for (metric, record) in &class.grades {
            let id = |id: &EntityId| Some(text(id.as_str()));
            let rationale = record.rationale.as_deref().map(text);
            sheet.rows.push(vec![
                Some(text(class.id.into())),
                id(metric),
                Some(text(&record.grade.to_string())),
                rationale,
                id(&record.source),
            ]);
        }
    }
    sheet
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_schema_of_exports_is_current() {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<ExportDocument<'static>>();
        let schema = crate::model::without_test_rows(schema);
        let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ask/export/export.schema.json");
        if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
            std::fs::write(file, current).unwrap();
        } else {
            assert!(SCHEMA == current, "export.schema.json is stale: run `make docs`");
        }
    }
}

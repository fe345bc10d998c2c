//! The table `columns`, which documents the columns of all others: their meaning, unit, and the basis of their numbers.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::sheet::{ColumnType, Sheet};
use crate::model::{Metric, Value};

/// Units by the ends of keys; longer ends come first.
const UNITS: &[(&str, &str)] = &[
    ("_gb_per_s", "10^9 byte/s"),
    ("_per_joule", "1/J"),
    ("_per_s", "1/s"),
    ("gflops", "10^9/s"),
    ("_tflops", "10^12/s"),
    ("_gib", "GiB"),
    ("_mib", "MiB"),
    ("_mhz", "MHz"),
    ("_usd", "USD"),
    ("_pct", "%"),
    ("_ms", "ms"),
    ("_nm", "nm"),
    ("_m", "10^6"),
    ("multiply_adds_g", "10^9"),
    ("_s", "s"),
    ("_w", "W"),
    ("_j", "J"),
];

/// The meaning of entity keys, from the published schema.
pub(super) struct Meanings(HashMap<&'static str, Json>);

/// Schema definitions by the tables that hold such entities.
const ENTITIES: &[(&str, &str)] = &[
    ("frameworks", "Framework"),
    ("devices", "Device"),
    ("hardware_classes", "HardwareClassRecord"),
    ("networks", "Network"),
    ("datasets", "Dataset"),
    ("sources", "Source"),
    ("hardware_metrics", "MetricDefinition"),
    ("framework_metrics", "MetricDefinition"),
    ("principles", "MetricDefinition"),
    ("evidence_definitions", "EvidenceDefinition"),
    ("claims", "Claim"),
];

impl Meanings {
    /// Parses the published schema of exports.
    ///
    /// # Errors
    ///
    /// Fails if it is not JSON, which would be a bug in dlbench.
    pub fn read(schema: &str) -> Result<Self, serde_json::Error> {
        let mut schema: Json = serde_json::from_str(schema)?;
        let mut definition = |name: &str| schema["$defs"][name]["properties"].take();
        let mut by_name: HashMap<&str, Json> = HashMap::new();
        let tables = ENTITIES.iter().map(|(table, name)| {
            let properties = by_name.entry(name).or_insert_with(|| definition(name)).clone();
            (*table, properties)
        });
        Ok(Self(tables.collect()))
    }

    /// The meaning of a key in a table of entities.
    pub fn of(&self, table: &str, key: &str) -> String {
        let said = self.0.get(table).and_then(|properties| properties[key]["description"].as_str());
        said.unwrap_or_default().to_owned()
    }
}

/// One row per column of all tables; in the table `measured` each metric has its basis.
pub(super) fn columns(sheets: &[Sheet], measured: &str) -> Sheet {
    let keys = [
        ("table_name", "the table"),
        ("column_name", "the column"),
        ("type", "text, integer or number"),
        ("unit", "the unit of its numbers; none where they count or are a fraction"),
        ("basis", "of what its numbers are"),
        ("meaning", "what its values are"),
    ];
    let mut sheet = Sheet::new("columns", &keys);
    for (table, column) in sheets.iter().flat_map(|sheet| sheet.columns.iter().map(move |column| (sheet, column))) {
        let unit = if column.kind == ColumnType::Text { None } else { unit(&column.key) };
        let metric = column.key.replace('_', "-").parse().ok().filter(|_| table.name == measured);
        let kind = column.kind.to_string();
        let cells = [
            Some(table.name),
            Some(column.key.as_str()),
            Some(kind.as_str()),
            unit,
            metric.map(basis),
            Some(column.about.as_str()).filter(|about| !about.is_empty()),
        ];
        sheet.rows.push(cells.into_iter().map(|cell| cell.map(|text| Value::Text(text.into()))).collect());
    }
    sheet
}

fn unit(key: &str) -> Option<&'static str> {
    UNITS.iter().find(|(end, _)| key.ends_with(end)).map(|(_, unit)| *unit)
}

/// What one value of a metric refers to.
fn basis(metric: Metric) -> &'static str {
    match metric {
        Metric::LatencyMs => "one batch on each device",
        Metric::EpochS => "one pass over the data set",
        Metric::DeviceThroughputPerS | Metric::DeviceGflops => "one of the devices",
        Metric::MeanLatencyMs
        | Metric::TimeToFirstTokenMs
        | Metric::TimePerOutputTokenMs
        | Metric::InterTokenLatencyMs
        | Metric::MedianTimeToFirstTokenMs
        | Metric::P90TimeToFirstTokenMs
        | Metric::P95TimeToFirstTokenMs
        | Metric::P99TimeToFirstTokenMs
        | Metric::MedianTimePerOutputTokenMs
        | Metric::P90TimePerOutputTokenMs
        | Metric::P95TimePerOutputTokenMs
        | Metric::P99TimePerOutputTokenMs
        | Metric::MedianInterTokenLatencyMs
        | Metric::P90InterTokenLatencyMs
        | Metric::P95InterTokenLatencyMs
        | Metric::P99InterTokenLatencyMs
        | Metric::EnergyPerRequestJ => "one request",
        metric if metric.is_relative() => "the same at the row's baseline",
        metric if metric.is_of_quality() => "the trained network",
        metric if metric.is_of_whole_task() => "the whole task",
        metric if metric.is_of_energy() && metric.is_of_items() => {
            "items as `counts` says, drawn by what `metered` names"
        }
        metric if metric.is_of_energy() => "what `metered` names",
        metric if metric.items_per().is_some() => "items as `counts` says, of all devices together",
        Metric::MemoryMib | Metric::GpuUtilPct => "the device",
        Metric::CpuUtilPct => "the host",
        _ => "all devices together",
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;
    use crate::values::Unit;

    #[test]
    fn every_metric_that_has_a_unit_tells_it() {
        for metric in Metric::VARIANTS {
            let (unit, heading) = (unit(&metric.json_key()), metric.heading());
            // A ratio has no unit, and operations are named by their unit.
            let in_brackets = heading.split_once('[').map(|(_, unit)| unit.trim_end_matches(']'));
            let has_unit =
                in_brackets.is_some_and(|unit| !["x", "bit"].contains(&unit)) || metric.unit() == Unit::GigaOperations;
            assert_eq!(unit.is_some(), has_unit, "{metric}: {unit:?}, and its heading is {heading}");
        }
    }
}

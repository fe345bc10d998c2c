//! The data that a page looks questions up in: the names of the catalog, and the rows of each network. They are scripts, since a
//! browser reads no other file beside a page that was opened from a disk.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::answers::Ranking;
use super::error::SiteError;
use super::output::Output;
use dlbench::ask::export::Sheet;
use dlbench::model::{Field, Knowledge, Metric, Value};
use dlbench::render::table::Table;
use dlbench::values::text::normalise;
use dlbench::values::{EntityId, EntityKind, Precision, Stage};
use strum::VariantArray as _;

/// What looks questions up.
pub(super) const SCRIPT: &str = include_str!("search.js");

/// What can be asked of a row in a browser; whoever wants more reads the file of all columns.
const FIELDS: &[Field] = &[
    Field::Device,
    Field::DeviceCount,
    Field::Framework,
    Field::FrameworkVersion,
    Field::Dataset,
    Field::Stage,
    Field::Scenario,
    Field::Precision,
    Field::BatchSize,
    Field::Date,
];

/// A name that leads to an entity.
fn entity(kind: EntityKind, id: &str, name: &str, aliases: &[String], parents: Vec<&EntityId>) -> Json {
    json!([<&str>::from(kind), id, name, aliases, parents])
}

/// The names of the catalog, the words of rows, and which networks have rows and rankings.
pub(super) fn names(knowledge: &Knowledge, rankings: &[Ranking], measured: &BTreeSet<String>) -> String {
    let catalog = &knowledge.catalog;
    let mut entities = Vec::new();
    for (id, found) in &catalog.devices {
        entities.push(entity(
            EntityKind::Device,
            id.as_str(),
            &found.name,
            &found.aliases,
            found.variant_of.iter().collect(),
        ));
    }
    for (id, found) in &catalog.frameworks {
        entities.push(entity(EntityKind::Framework, id.as_str(), &found.name, &found.aliases, Vec::new()));
    }
    for (id, found) in &catalog.networks {
        let parents = found.variant_of.iter().chain(&found.family).collect();
        entities.push(entity(EntityKind::Network, id.as_str(), &found.name, &found.aliases, parents));
    }
    for (id, found) in &catalog.datasets {
        entities.push(entity(EntityKind::Dataset, id.as_str(), &found.name, &found.aliases, Vec::new()));
    }
    for (id, found) in &catalog.sources {
        entities.push(entity(EntityKind::Source, id.as_str(), &found.name, &found.aliases, Vec::new()));
    }
    for (id, found) in &catalog.hardware_classes {
        entities.push(entity(EntityKind::HardwareClass, <&str>::from(*id), &found.name, &[], Vec::new()));
    }
    let folders: BTreeMap<&str, &str> =
        EntityKind::VARIANTS.iter().map(|kind| (<&str>::from(*kind), kind.plural())).collect();
    let mut words: BTreeMap<String, [String; 2]> = BTreeMap::new();
    for stage in Stage::VARIANTS {
        let key = stage.to_string();
        for word in stage.spellings().iter().copied().chain([key.as_str()]) {
            words.insert(normalise(word), ["stage".to_owned(), key.clone()]);
        }
    }
    for precision in Precision::VARIANTS {
        words.insert(normalise(&precision.to_string()), ["precision".to_owned(), precision.to_string()]);
    }
    let rankings: Vec<Json> = rankings
        .iter()
        .map(|ranking| json!([ranking.network, ranking.stage.to_string(), ranking.file(), ranking.devices]))
        .collect();
    script(
        "names.js",
        &json!({ "folders": folders, "entities": entities, "words": words, "rankings": rankings, "measured": measured }),
    )
}

/// A value as a script that hands it over.
fn script(name: &str, value: &Json) -> String {
    // JSON is JavaScript; nothing in it may end a script, wherever it comes to stand.
    format!("dlbench({},{});\n", json!(name), value).replace('<', "\\u003c")
}

/// The rows of each network: all columns for spreadsheets, and what can be asked for the search. Answers the networks that have any.
pub(super) fn rows(measurements: Sheet, out: &dyn Output) -> Result<BTreeSet<String>, SiteError> {
    let Sheet { name, columns, rows } = measurements;
    let network = columns.iter().position(|column| column.key == Field::Network.json_key());
    let mut by_network: BTreeMap<String, Vec<Vec<Option<Value>>>> = BTreeMap::new();
    for row in rows {
        let id = network.and_then(|at| row[at].as_ref()).map(Value::to_string);
        by_network.entry(id.unwrap_or_default()).or_default().push(row);
    }
    let mut measured = BTreeSet::new();
    for (network, rows) in by_network {
        let known: Vec<usize> = (0..columns.len()).filter(|at| rows.iter().any(|row| row[*at].is_some())).collect();
        let columns = known.iter().map(|at| columns[*at].clone()).collect();
        let rows = rows.into_iter().map(|row| known.iter().map(|at| row[*at].clone()).collect()).collect();
        let sheet = Sheet { name, columns, rows };
        let csv = Table::from(&sheet).csv().map_err(|error| SiteError::Csv(error.to_string()))?;
        if network.is_empty() {
            out.write("rows/without-network.csv", csv)?;
            continue;
        }
        out.write(&format!("rows/{network}.csv"), csv)?;
        let file = format!("rows/{network}.js");
        out.write(&file, script(&file, &searched(&sheet)))?;
        measured.insert(network);
    }
    Ok(measured)
}

/// What can be asked of the rows.
fn searched(sheet: &Sheet) -> Json {
    let fields: Vec<String> = FIELDS.iter().map(|field| field.json_key()).collect();
    let metrics: Vec<String> = Metric::VARIANTS.iter().map(|metric| metric.json_key()).collect();
    let is_asked = |key: &String| key == "id" || key == "source" || fields.contains(key) || metrics.contains(key);
    let asked: Vec<usize> = (0..sheet.columns.len()).filter(|at| is_asked(&sheet.columns[*at].key)).collect();
    let columns: Vec<&str> = asked.iter().map(|at| sheet.columns[*at].key.as_str()).collect();
    let measured: Vec<&str> =
        columns.iter().copied().filter(|key| metrics.iter().any(|metric| metric == key)).collect();
    let cell = |value: &Option<Value>| value.as_ref().map(Value::to_string);
    let rows: Vec<Vec<Option<String>>> =
        sheet.rows.iter().map(|row| asked.iter().map(|at| cell(&row[*at])).collect()).collect();
    json!({ "columns": columns, "metrics": measured, "rows": rows })
}

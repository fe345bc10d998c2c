//! The data for searching in the browser: the names of the catalog, and the rows of each network. They are scripts,
//! because a page opened from disk cannot load other files.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use serde_json::{Map, Value as Json, json};

use super::answers::Ranking;
use super::error::SiteError;
use super::output::Output;
use dlbench::ask::export::Sheet;
use dlbench::model::{Field, Knowledge, Metric, Value};
use dlbench::values::text::normalise;
use dlbench::values::{EntityId, EntityKind, Precision, Stage};
use strum::VariantArray as _;

/// The search script.
pub(super) const SCRIPT: &str = include_str!("search.js");

/// The fields that can be searched in a browser; for others, users need the program.
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

/// An entity in the search data: kind, id, names and parents.
fn entity(kind: EntityKind, id: &str, name: &str, aliases: &[String], parents: Vec<&EntityId>) -> Json {
    json!([<&str>::from(kind), id, name, aliases, parents])
}

/// The search data: names of the catalog, words of rows, and the networks with rows and rankings.
pub(super) fn names(knowledge: &Knowledge, rankings: &[Ranking], measured: &BTreeMap<String, usize>) -> String {
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

/// A script that passes a value to the page.
fn script(name: &str, value: &Json) -> String {
    // JSON is valid JavaScript; `<` is escaped so that it cannot end a script element.
    format!("dlbench({},{});\n", json!(name), value).replace('<', "\\u003c")
}

/// Target size of a file of rows, in bytes; a larger file has a single network.
const PACK: usize = 256 * 1024;

/// Writes the searchable rows of all networks, several networks per file. Returns the number of each network's file.
pub(super) fn rows(measurements: Sheet, out: &dyn Output) -> Result<BTreeMap<String, usize>, SiteError> {
    let Sheet { columns, rows, .. } = measurements;
    let network = columns.iter().position(|column| column.key == Field::Network.json_key());
    let mut by_network: BTreeMap<String, Vec<Vec<Option<Value>>>> = BTreeMap::new();
    for row in rows {
        if let Some(id) = network.and_then(|at| row[at].as_ref()).map(Value::to_string) {
            by_network.entry(id).or_default().push(row);
        }
    }
    let fields: Vec<String> = FIELDS.iter().map(|field| field.json_key()).chain(["source".to_owned()]).collect();
    let metrics: Vec<String> = Metric::VARIANTS.iter().map(|metric| metric.json_key()).collect();
    let mut packs: BTreeMap<String, usize> = BTreeMap::new();
    let (mut number, mut pack) = (0, Pack::default());
    for (network, rows) in by_network {
        let known = |at: &usize| rows.iter().any(|row| row[*at].is_some());
        let of = |keys: &[String]| -> Vec<usize> {
            (0..columns.len()).filter(|at| keys.contains(&columns[*at].key)).filter(known).collect()
        };
        let (fields, metrics) = (of(&fields), of(&metrics));
        let id = columns.iter().position(|column| column.key == "id");
        let told = rows.iter().map(|row| {
            let own = id.and_then(|at| row[at].as_ref()).map(Value::to_string).unwrap_or_default();
            let mut cells = vec![json!(own.rsplit(':').next())];
            cells.extend(
                fields.iter().map(|at| row[*at].as_ref().map_or(Json::Null, |value| pack.word(&value.to_string()))),
            );
            cells.extend(metrics.iter().map(|at| row[*at].as_ref().map_or(Json::Null, |value| json!(value))));
            Json::from(cells)
        });
        let told: Vec<Json> = told.collect();
        let keys = |ats: &[usize]| ats.iter().map(|at| columns[*at].key.clone()).collect::<Vec<_>>();
        let told = json!({ "fields": keys(&fields), "metrics": keys(&metrics), "rows": told });
        packs.insert(network.clone(), number);
        pack.add(network, told);
        if pack.size > PACK {
            std::mem::take(&mut pack).written(number, out)?;
            number += 1;
        }
    }
    if pack.size > 0 {
        pack.written(number, out)?;
    }
    Ok(packs)
}

/// The rows of some networks, with each distinct text stored once.
#[derive(Default)]
struct Pack {
    words: IndexSet<String>,
    networks: Map<String, Json>,
    size: usize,
}

impl Pack {
    /// The index of a text among the words.
    fn word(&mut self, text: &str) -> Json {
        self.words.insert_full(text.to_owned()).0.into()
    }

    fn add(&mut self, network: String, rows: Json) {
        self.size += rows.to_string().len();
        self.networks.insert(network, rows);
    }

    fn written(self, number: usize, out: &dyn Output) -> Result<(), SiteError> {
        let file = format!("rows/{number}.js");
        let words: Vec<String> = self.words.into_iter().collect();
        out.write(&file, script(&file, &json!({ "words": words, "networks": self.networks })))
    }
}

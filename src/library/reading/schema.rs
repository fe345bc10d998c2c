//! JSON Schemas of the files, for editors: generated from the keys that the strict reader reads and from the registries of
//! fields and metrics, so that they cannot disagree with either.

use std::path::Path;

use serde_json::{Map, Value, json};
use strum::VariantArray;

use super::atomic_write::reached_without_links;
use super::atomic_write::{WriteError, create_folder, write_atomically};
use super::collections::CollectionKind;
use super::files::{FileKind, kind_of};
use super::findings::{TableKeys, ValueKind};
use super::load::record_of;
use super::run_records;
use super::strict::Word as _;
use crate::model::{Catalog, Field, FieldType, Metric};
use crate::values::EntityKind;

/// The JSON Schema draft that taplo supports.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// A schema and the files that it describes.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// File name of the schema.
    pub name: String,
    /// Glob pattern of the files in the knowledge base that it describes.
    pub files: &'static str,
    /// The schema.
    pub schema: Value,
}

/// The schemas of all kinds of file. With a catalog, each schema lists the ids that it refers to (taplo does not read a
/// second file); without one, it gives the pattern of an id and does not change when an entity is added.
pub fn schemas(catalog: Option<&Catalog>) -> Vec<Schema> {
    let of = |name: &str, files: &'static str, sample: &str| Schema {
        name: format!("{name}.json"),
        files,
        schema: whole(name, object(&record_of(&kind_of(sample.as_ref()))), catalog),
    };
    let mut all = vec![
        of("framework", "catalog/frameworks/*.toml", "catalog/frameworks/a.toml"),
        of("device", "catalog/devices/*.toml", "catalog/devices/a.toml"),
        of("network", "catalog/networks/*.toml", "catalog/networks/a.toml"),
        of("dataset", "catalog/datasets/*.toml", "catalog/datasets/a.toml"),
        of("source", "catalog/sources/*.toml", "catalog/sources/a.toml"),
        of("hardware-class", "catalog/hardware-classes/*.toml", "catalog/hardware-classes/gpu.toml"),
        of("suite", "catalog/suites/*.toml", "catalog/suites/a.toml"),
        of("kb", "catalog/kb.toml", "catalog/kb.toml"),
        of("metrics", "catalog/*-metrics.toml", "catalog/hardware-metrics.toml"),
        of("principles", "catalog/principles.toml", "catalog/principles.toml"),
        of("evidence", "catalog/evidence.toml", "catalog/evidence.toml"),
        of("claims", "catalog/claims.toml", "catalog/claims.toml"),
    ];
    all.push(Schema {
        name: "collection.json".to_owned(),
        files: "catalog/collections/*.toml",
        schema: whole("collection", collection(), catalog),
    });
    all.push(Schema {
        name: "measurements.json".to_owned(),
        files: "measurements/*/*.toml",
        schema: whole("measurements", measurements(), catalog),
    });
    all
}

/// How the value of a top-level key of an entity's file is written, for programs that write such a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    /// A text, in quotes.
    Text,
    /// A list of texts.
    Texts,
    /// A number, `true` or `false`, without quotes.
    Bare,
    /// A date: without quotes if the day is known, else in quotes.
    Date,
    /// A table.
    Table,
}

/// The top-level keys of a kind of entity in canonical order, with the form of each value and whether it is required.
pub fn top_keys(kind: EntityKind) -> Vec<(&'static str, ValueForm, bool)> {
    let record = record_of(&kind_of(format!("catalog/{}/a.toml", kind.plural()).as_ref()));
    let form = |kind: &ValueKind| match kind {
        ValueKind::Text | ValueKind::Word(_) | ValueKind::Id(_) => ValueForm::Text,
        ValueKind::Texts | ValueKind::Words(_) | ValueKind::Ids(_) => ValueForm::Texts,
        ValueKind::Count | ValueKind::Number | ValueKind::Flag => ValueForm::Bare,
        ValueKind::Date => ValueForm::Date,
        _ => ValueForm::Table,
    };
    record.keys.iter().map(|(key, kind)| (*key, form(kind), record.required.contains(key))).collect()
}

/// Completes a schema with its title and the definitions of the ids that it refers to.
fn whole(name: &str, mut schema: Value, catalog: Option<&Catalog>) -> Value {
    let mut definitions = Map::new();
    let text = schema.to_string();
    // Hardware classes are a closed vocabulary.
    for kind in EntityKind::VARIANTS.iter().filter(|kind| **kind != EntityKind::HardwareClass) {
        if text.contains(&format!("\"{}\"", reference(*kind))) {
            let ids = catalog.map(|catalog| catalog.ids(*kind).collect::<Vec<&str>>());
            let definition = match ids {
                Some(ids) => json!({ "type": "string", "enum": ids }),
                None => json!({ "type": "string", "pattern": ID }),
            };
            definitions.insert(kind.to_string(), definition);
        }
    }
    schema["$schema"] = json!(DRAFT);
    schema["title"] = json!(format!("dlbench {name}"));
    if !definitions.is_empty() {
        schema["definitions"] = Value::Object(definitions);
    }
    schema
}

fn object(record: &TableKeys) -> Value {
    let mut properties = Map::new();
    for (key, kind) in &record.keys {
        properties.insert((*key).to_owned(), value(kind));
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !record.required.is_empty() {
        schema["required"] = json!(record.required);
    }
    schema
}

fn value(kind: &ValueKind) -> Value {
    let list = |items: Value| json!({ "type": "array", "items": items });
    match kind {
        ValueKind::Text => text(),
        ValueKind::Texts => list(text()),
        ValueKind::Word(words) => json!({ "enum": words }),
        ValueKind::Words(words) => list(json!({ "enum": words })),
        ValueKind::Id(kind) => id(*kind),
        ValueKind::Ids(kind) => list(id(*kind)),
        ValueKind::Count => count(),
        ValueKind::Number => json!({ "type": "number", "minimum": 0 }),
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::Date => date(),
        ValueKind::One(record) => object(record),
        ValueKind::Each(record) => list(object(record)),
        ValueKind::ById(record) | ValueKind::ByKey(record) => {
            json!({ "type": "object", "additionalProperties": object(record) })
        }
        ValueKind::Numbers(names) => {
            let number = json!({ "type": "number", "exclusiveMinimum": 0 });
            let properties: Map<String, Value> =
                names.iter().map(|name| ((*name).to_owned(), number.clone())).collect();
            json!({ "type": "object", "properties": properties, "additionalProperties": false })
        }
        ValueKind::NumberList => list(json!({ "type": "number", "minimum": 0 })),
        ValueKind::CountList(least) => list(json!({ "type": "integer", "minimum": least })),
        ValueKind::Fields => {
            // Listing all ids in every schema is not worth it for exceptions.
            let keys = Field::of_files().map(|field| (field.key().to_owned(), json!({})));
            json!({ "type": "object", "properties": keys.collect::<Map<_, _>>(), "additionalProperties": false })
        }
        ValueKind::Free => json!({ "type": "object" }),
    }
}

fn text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 1 })
}

/// A TOML date if the day is known; editors pass it on as text.
fn date() -> Value {
    json!({ "type": "string", "pattern": "^\\d{4}(-\\d{2}(-\\d{2})?)?$" })
}

fn id(kind: EntityKind) -> Value {
    match kind {
        EntityKind::HardwareClass => text(),
        kind => json!({ "$ref": reference(kind) }),
    }
}

fn fields() -> Map<String, Value> {
    let of = |field: Field| match field.kind() {
        FieldType::Entity(kind) => id(kind),
        FieldType::Text => text(),
        FieldType::Count => count(),
        FieldType::Number => json!({ "type": "number" }),
        FieldType::Date => date(),
        FieldType::Shape => json!({ "type": "string", "pattern": "^[1-9]\\d*(x[1-9]\\d*)*$" }),
        FieldType::Word(words) => json!({ "enum": words }),
    };
    Field::of_files().map(|field| (field.key().to_owned(), of(field))).collect()
}

fn metrics() -> Map<String, Value> {
    let of = |metric: &Metric| json!({ "type": "number", "minimum": 0, "description": metric.definition() });
    Metric::VARIANTS.iter().map(|metric| (metric.key().to_owned(), of(metric))).collect()
}

fn measurements() -> Value {
    let mut schema = object(&record_of(&kind_of("measurements/a/b.toml".as_ref())));
    let fields = fields();
    let mut row = fields.clone();
    row.extend(metrics());
    let columns: Vec<String> = row.keys().cloned().collect();
    row.insert(run_records::KEY.to_owned(), object(&run_records::asked()));
    let mut table = fields.clone();
    table.insert("columns".to_owned(), json!({ "type": "array", "uniqueItems": true, "items": { "enum": columns } }));
    table.insert("rows".to_owned(), json!({ "type": "array", "items": { "type": "array" } }));
    let closed = |properties: Map<String, Value>| json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let mut table = closed(table);
    table["required"] = json!(["columns", "rows"]);
    schema["properties"]["defaults"] = closed(fields);
    schema["properties"]["run"] = json!({ "type": "array", "items": closed(row) });
    schema["properties"]["table"] = json!({ "type": "array", "items": table });
    schema
}

fn collection() -> Value {
    let mut schema = object(&record_of(&FileKind::Collection));
    let of = |kind: EntityKind| record_of(&kind_of(format!("catalog/{}/a.toml", kind.plural()).as_ref()));
    let mut keys = Map::new();
    for (key, kind) in [EntityKind::Network, EntityKind::Device].into_iter().flat_map(|kind| of(kind).keys) {
        keys.insert(key.to_owned(), value(&kind));
    }
    for key in ["sources", "exceptions", "reported", "cloud"] {
        keys.remove(key);
    }
    let mut columns: Vec<String> = vec!["id".to_owned()];
    columns.extend(keys.keys().cloned());
    // For cloud instances, the values that the rows of a table share are written beside its columns.
    let offers = offer_keys();
    columns.extend(offers.keys().filter(|key| !keys.contains_key(*key)).cloned());
    let mut table = offers;
    table.insert("columns".to_owned(), json!({ "type": "array", "uniqueItems": true, "items": { "enum": columns } }));
    table.insert("rows".to_owned(), json!({ "type": "array", "items": { "type": "array" } }));
    schema["properties"]["kind"] = json!({ "enum": CollectionKind::all() });
    schema["properties"]["defaults"] = json!({ "type": "object", "properties": keys, "additionalProperties": false });
    schema["properties"]["table"] = json!({ "type": "array", "items": {
        "type": "object",
        "required": ["columns", "rows"],
        "properties": table,
        "additionalProperties": false,
    }});
    schema
}

/// The keys of a cloud instance in a collection: those of a device's `[[cloud]]`, and `device`.
fn offer_keys() -> Map<String, Value> {
    let device = record_of(&kind_of("catalog/devices/a.toml".as_ref()));
    let mut keys = Map::from_iter([("device".to_owned(), id(EntityKind::Device))]);
    for (_, cloud) in device.keys.iter().filter(|(key, _)| *key == "cloud") {
        if let ValueKind::Each(record) = cloud {
            keys.extend(record.keys.iter().map(|(key, kind)| ((*key).to_owned(), value(kind))));
        }
    }
    keys
}

/// The pattern of an id: lower-case kebab, with dots inside.
const ID: &str = "^[a-z0-9]+([-.][a-z0-9]+)*$";

fn reference(kind: EntityKind) -> String {
    format!("#/definitions/{kind}")
}

/// Where the schemas are, relative to the knowledge base, and the taplo settings that refer to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaPlace {
    /// The folder of the schemas.
    pub folder: &'static str,
    /// The settings of taplo (in editors: Even Better TOML).
    pub settings: &'static str,
}

/// The schemas without ids, which are committed: additions to the catalog do not change them, so they cannot conflict.
pub const SHARED_SCHEMAS: SchemaPlace = SchemaPlace { folder: ".schemas", settings: "taplo.toml" };

/// The schemas with the ids of one working tree, which git ignores. taplo prefers the settings file that begins with a dot.
pub const OWN_SCHEMAS: SchemaPlace = SchemaPlace { folder: ".schemas/ids", settings: ".taplo.toml" };

/// Writes the schemas, and the taplo settings that assign them to files. A file whose content would not change is not
/// written.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write_schemas(root: &Path, place: SchemaPlace, schemas: &[Schema]) -> Result<(), WriteError> {
    let folder = root.join(place.folder);
    let write = |path: &Path, text: &str| {
        reached_without_links(root, path)?;
        write_changed(path, text)
    };
    reached_without_links(root, &folder)?;
    create_folder(&folder)?;
    for schema in schemas {
        write(&folder.join(&schema.name), &format!("{:#}\n", schema.schema))?;
    }
    write(&root.join(place.settings), &taplo(place, schemas))
}

fn write_changed(path: &Path, text: &str) -> Result<(), WriteError> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write_atomically(path, text)
}

/// The taplo settings, which assign a schema to each pattern of files.
fn taplo(place: SchemaPlace, schemas: &[Schema]) -> String {
    let mut text =
        "# Written by `dlbench schema --write`.\n# `dlbench fmt` formats; taplo leaves the files as they are.\n\
                    [formatting]\nreorder_keys = false\narray_auto_collapse = false\narray_auto_expand = false\n"
            .to_owned();
    for schema in schemas {
        text.push_str(&format!(
            "\n[[rule]]\ninclude = [\"{}\"]\n\n[rule.schema]\npath = \"{}/{}\"\nenabled = true\n",
            schema.files, place.folder, schema.name
        ));
    }
    text
}

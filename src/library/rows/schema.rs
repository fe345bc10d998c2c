//! The schema of rows and of their values, for the test that writes the published schema.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use strum::VariantArray as _;

use super::{JoinedRow, Note};
use crate::model::{Field, FieldType, Metric};
use crate::values::{Date, Decimal, EntityId, Shape};

macro_rules! schema_of {
    ($($kind:ty => $name:literal $schema:tt;)+) => {
        $(impl JsonSchema for $kind {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        })+
    };
}

schema_of! {
    EntityId => "Id" { "type": "string", "description": "Id of a catalog entity.", "pattern": "^[a-z0-9][a-z0-9.-]*$" };
    Date => "Date" {
        "type": "string",
        "description": "A date to the year, month or day.",
        "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"
    };
    Shape => "Shape" {
        "type": "string",
        "description": "Extents of one sample, channels first.",
        "pattern": "^[0-9]+(x[0-9]+)*$"
    };
    Decimal => "Decimal" { "type": "number" };
}

impl JsonSchema for JoinedRow {
    fn schema_name() -> Cow<'static, str> {
        "Measurement".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let id = generator.subschema_for::<EntityId>();
        let mut properties = Map::new();
        let mut required = vec!["id".to_owned(), "source".to_owned(), "status".to_owned()];
        properties.insert(
            "id".to_owned(),
            json!({ "type": "string", "description": "The source id and a code derived from the row's identity." }),
        );
        properties.insert("source".to_owned(), id.clone().to_value());
        for &field in Field::VARIANTS {
            let promised = field.is_promised();
            let mut schema = match field.kind() {
                FieldType::Entity(_) => id.clone().to_value(),
                FieldType::Date => generator.subschema_for::<Date>().to_value(),
                FieldType::Shape => generator.subschema_for::<Shape>().to_value(),
                FieldType::Text => json!({ "type": "string" }),
                FieldType::Count => json!({ "type": "integer", "minimum": 1 }),
                FieldType::Number => json!({ "type": "number" }),
                FieldType::Word(words) => json!({ "enum": words }),
            };
            if promised {
                required.push(field.json_key());
                schema = json!({ "anyOf": [schema, { "type": "null" }] });
            }
            properties.insert(field.json_key(), schema);
        }
        let metrics: Map<String, Value> = Metric::VARIANTS
            .iter()
            .map(|metric| (metric.json_key(), json!({ "type": "number", "description": metric.definition() })))
            .collect();
        let names: Vec<String> = Metric::VARIANTS.iter().map(|metric| metric.json_key()).collect();
        properties.insert(
            "metrics".to_owned(),
            json!({
                "type": "object",
                "description": "The values; the unit is part of the key.",
                "properties": metrics,
                "additionalProperties": false
            }),
        );
        properties.insert(
            "derived".to_owned(),
            json!({
                "type": "array",
                "description": "The metrics that were derived from others, not recorded.",
                "items": { "enum": names }
            }),
        );
        properties.insert(
            "best".to_owned(),
            json!({
                "type": "array",
                "description": "Metrics in which this row is the best among those of the answer that differ only in device and framework; at most one row for each network, data set, stage, scenario and counted item. Missing outside an answer.",
                "items": { "enum": names }
            }),
        );
        required.extend(["metrics".to_owned(), "derived".to_owned()]);
        json_schema!({
            "type": "object",
            "description": "A measurement; in NDJSON, a line. An unknown field is null or missing.",
            "properties": properties,
            "required": required,
            "additionalProperties": false
        })
    }
}

impl JsonSchema for Note {
    fn schema_name() -> Cow<'static, str> {
        "Note".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Something a reader must know.",
            "type": "object",
            "properties": {
                "code": { "description": "A stable word for programs.", "type": "string" },
                "text": { "description": "The sentence for people.", "type": "string" }
            },
            "required": ["code", "text"]
        })
    }
}

//! The API's documents other than answers: the types from which they are written and described.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};
use strum::VariantArray as _;

use crate::refusal::{Refusal, RefusalKind};
use crate::requests::CitedReference;
use dlbench::values::EntityKind;

/// The paths, each with its purpose.
#[derive(Serialize, JsonSchema)]
pub(super) struct Index {
    pub paths: BTreeMap<&'static str, &'static str>,
    /// The path of the OpenAPI document.
    pub openapi: &'static str,
}

/// The kinds of entities, each with its number of entities.
#[derive(Serialize, JsonSchema)]
pub(super) struct Kinds {
    pub kinds: BTreeMap<&'static str, usize>,
    /// Number of measurements.
    pub measurements: u64,
}

/// A page of the entities of a kind.
#[derive(Serialize, JsonSchema)]
pub(super) struct Entities {
    #[schemars(with = "String")]
    pub kind: EntityKind,
    /// Total number; `entities` contains one page of them.
    pub total: usize,
    pub offset: usize,
    /// All recorded facts of each entity, as in `catalog` of the export.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub entities: Vec<Value>,
}

/// All recorded facts of an entity or a measurement.
#[derive(Serialize, JsonSchema)]
pub(super) struct Shown {
    pub title: String,
    /// As in the export.
    #[schemars(with = "Map<String, Value>")]
    pub facts: Value,
    /// The sources of the facts.
    pub references: Vec<CitedReference>,
}

/// Names of the catalog.
#[derive(Serialize, JsonSchema)]
pub(super) struct Names {
    /// At most 50 names.
    pub names: Vec<String>,
}

/// The schema of how a spelling is read.
pub(super) fn resolved(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "required": ["input", "reading", "ids", "why"],
        "properties": {
            "input": { "type": "string", "description": "The spelling" },
            "reading": {
                "enum": ["sku", "family", "slice", "list", "ambiguous", "unknown"],
                "description": "How sure the reading is",
            },
            "ids": {
                "type": "array", "items": { "type": "string" },
                "description": "The entity, the family, the device of a slice, the devices of a list, or the candidates",
            },
            "count": { "type": ["integer", "null"], "description": "How many devices it states" },
            "why": { "type": "string", "description": "Why it was resolved so, or what would decide" },
        },
    })
}

/// The kinds of problems, each with its `type` and status code.
#[derive(Serialize, JsonSchema)]
pub(super) struct Problems {
    pub problems: Vec<ProblemKind>,
}

/// A kind of problem.
#[derive(Serialize, JsonSchema)]
pub(super) struct ProblemKind {
    pub r#type: String,
    pub title: &'static str,
    /// The usual status code.
    pub status: u16,
}

/// Why there is no answer: problem details as in RFC 9457.
#[derive(Serialize, JsonSchema)]
pub(super) struct Problem {
    /// The kind of problem; `/api/problems` lists them.
    pub r#type: String,
    /// The kind in words.
    pub title: &'static str,
    /// The status code of the response.
    pub status: u16,
    /// What is wrong.
    pub detail: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Ids or names similar to the one not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

impl Problems {
    /// All kinds of problems.
    pub fn all() -> Self {
        let kind = |kind: &RefusalKind| ProblemKind {
            r#type: type_of(*kind),
            title: title_of(*kind),
            status: status_of(*kind).as_u16(),
        };
        Self { problems: RefusalKind::VARIANTS.iter().map(kind).collect() }
    }
}

impl Problem {
    /// The problem document of a refusal, with a status code.
    pub fn of(refusal: &Refusal, status: StatusCode) -> Self {
        Self {
            r#type: type_of(refusal.kind),
            title: title_of(refusal.kind),
            status: status.as_u16(),
            detail: refusal.message.clone(),
            help: refusal.help.clone(),
            near: refusal.near.clone(),
        }
    }
}

/// The usual status code for a kind of refusal.
pub(super) fn status_of(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::Mistake | RefusalKind::TooMuch => StatusCode::BAD_REQUEST,
        RefusalKind::NotFound => StatusCode::NOT_FOUND,
        RefusalKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        RefusalKind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn type_of(kind: RefusalKind) -> String {
    format!("/api/problems#{}", <&str>::from(kind))
}

fn title_of(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Mistake => "The request has a mistake",
        RefusalKind::TooMuch => "The request asks for too much",
        RefusalKind::NotFound => "Not found",
        RefusalKind::Busy => "Too many requests, or one that takes too long",
        RefusalKind::Failed => "The knowledge base failed",
    }
}

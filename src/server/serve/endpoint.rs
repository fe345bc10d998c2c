//! An endpoint of the API: what it is for, what it takes, what it gives, and what answers. The router and the OpenAPI document
//! are both made of these.

use std::sync::Arc;

use axum::handler::Handler;
use axum::routing::{MethodRouter, get};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::shared::Shared;

/// One row of the table of endpoints.
pub(super) struct Endpoint {
    /// Its path, with `{name}` for what varies.
    pub path: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// The JSON Schema of what is behind `?` in its address.
    pub arguments: Option<Value>,
    /// Where the schema of its answer stands, beside the document; else the type of what it gives.
    pub gives: Gives,
    /// What answers.
    pub handler: MethodRouter<Arc<Shared>>,
}

/// What an endpoint gives.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gives {
    /// JSON of a published schema.
    Published(&'static str),
    /// JSON of a type, whose schema is in the document.
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// JSON that is described in a line: a schema of another document.
    Described(&'static str),
}

impl Gives {
    /// JSON of this type.
    pub fn of<T: JsonSchema>() -> Self {
        Self::Json(SchemaGenerator::subschema_for::<T>)
    }
}

impl Endpoint {
    /// An endpoint without arguments.
    pub fn new<H, T>(path: &'static str, summary: &'static str, gives: Gives, handler: H) -> Self
    where
        H: Handler<T, Arc<Shared>>,
        T: 'static,
    {
        Self { path, summary, arguments: None, gives, handler: get(handler) }
    }

    /// The same with arguments.
    pub fn taking<A: JsonSchema>(self) -> Self {
        Self { arguments: Some(schemars::schema_for!(A).to_value()), ..self }
    }
}

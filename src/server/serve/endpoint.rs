//! An endpoint of the API: description, arguments, result and handler. Both the router and the OpenAPI document are
//! generated from these.

use std::sync::Arc;

use axum::handler::Handler;
use axum::routing::{MethodRouter, get};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::shared::Shared;

/// One row of the table of endpoints.
pub(super) struct Endpoint {
    /// Its path, with `{name}` for parameters.
    pub path: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The JSON Schema of the query arguments.
    pub arguments: Option<Value>,
    /// The schema of the result.
    pub gives: Gives,
    /// The handler.
    pub handler: MethodRouter<Arc<Shared>>,
}

/// The result of an endpoint.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gives {
    /// JSON with a published schema, at this path beside the document.
    Published(&'static str),
    /// JSON of a type whose schema is included in the document.
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// JSON with a one-line description: the schema of another document.
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

    /// Adds arguments of this type.
    pub fn taking<A: JsonSchema>(self) -> Self {
        Self { arguments: Some(schemars::schema_for!(A).to_value()), ..self }
    }
}

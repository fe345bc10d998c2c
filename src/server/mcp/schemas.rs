//! Short JSON Schemas of the tools' replies, because an assistant reads them in each conversation. The schemas of the
//! complete documents are published with the program.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// An object with these members and those of every reply.
fn reply(members: Value) -> Arc<JsonObject> {
    let Value::Object(mut members) = members else { return Arc::default() };
    members.insert("knowledge_base".to_owned(), json!({ "type": "string", "description": "Hash of its content" }));
    let left_out = json!({
        "type": "object", "additionalProperties": { "type": "integer" },
        "description": "How many items of which lists were left out to keep the reply short",
    });
    members.insert("left_out".to_owned(), left_out);
    let schema = json!({ "type": "object", "required": ["knowledge_base"], "properties": members });
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn objects(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "object" }, "description": description })
}

/// The schema of an answer.
pub(super) fn answer() -> Arc<JsonObject> {
    reply(json!({
        "question": text("The question in the explicit language; asked again, it gives the same answer"),
        "unread": texts("Words that were not read"),
        "total": { "type": "integer", "description": "How many measurements match" },
        "conclusion": {
            "type": "object",
            "properties": {
                "text": text("What the answer comes to"),
                "entries": objects("The values of it: subjects, value, unit, interval, n, conditions, ids of measurements, sources"),
            },
        },
        "remarks": objects("What must be known to use the answer: code, text"),
        "measurements": objects("A page of them: id, source, conditions, metrics with the unit in the key"),
        "catalog": { "type": "object", "description": "The sources (id, citation, url); with `facts` the entities as well" },
        "suggestions": objects("Near questions that have an answer: query, total"),
        "facets": objects("How often each value occurs, with `facets`"),
    }))
}

/// The schema of a comparison: of a table or of ids.
pub(super) fn comparison() -> Arc<JsonObject> {
    reply(json!({
        "rows_by": texts("The fields that make the rows"),
        "columns_by": texts("The fields that make the columns"),
        "cells": objects("The values, with the ids of their measurements"),
        "ids": texts("The measurements that a verdict is on"),
        "verdict": text("Whether they can be compared"),
    }))
}

/// The schema of claims.
pub(super) fn claims() -> Arc<JsonObject> {
    reply(
        json!({ "claims": objects("The claims: text, said_by, claimed, verdict, and the comparisons behind it"), "method": text("How") }),
    )
}

/// The schema of an entity or measurement.
pub(super) fn shown() -> Arc<JsonObject> {
    reply(json!({
        "title": text("Its name"),
        "facts": { "type": "object", "description": "All that is recorded" },
        "references": objects("What the facts cite: key, text, url"),
    }))
}

/// The schema of a resolved spelling.
pub(super) fn reading() -> Arc<JsonObject> {
    reply(json!({
        "reading": { "enum": ["sku", "family", "slice", "list", "ambiguous", "unknown"] },
        "ids": texts("What it means, or the candidates"),
        "why": text("What decided, or what would"),
    }))
}

/// The schema of citations.
pub(super) fn cited() -> Arc<JsonObject> {
    reply(json!({ "references": objects("key, text, url"), "bibtex": text("All as a BibTeX file") }))
}

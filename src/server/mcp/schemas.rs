//! Short JSON Schemas of the tools' replies, because an assistant reads them in each conversation. The schemas of the
//! complete documents are published with the program.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// An object with these members and those of every reply.
fn reply(members: Value) -> Arc<JsonObject> {
    let Value::Object(mut members) = members else { return Arc::default() };
    members.insert(
        "knowledge_base".to_owned(),
        json!({ "type": "string", "description": "Hash of the knowledge base's content" }),
    );
    let left_out = json!({
        "type": "object", "additionalProperties": { "type": "integer" },
        "description": "Number of items left out of each list to keep the reply short",
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
        "question": text("The question in the explicit language; asking it gives the same answer"),
        "unread": texts("Words that were not read"),
        "total": { "type": "integer", "description": "Number of matching measurements" },
        "conclusion": {
            "type": "object",
            "properties": {
                "text": text("The answer in a sentence"),
                "entries": objects("Its values: subjects, value, unit, interval, n, conditions, ids of measurements, sources"),
            },
        },
        "remarks": objects("What a reader must know to use the answer: code, text"),
        "measurements": objects("One page of measurements: id, source, conditions, metrics with the unit in the key"),
        "catalog": { "type": "object", "description": "The sources (id, citation, url); with `facts` the entities as well" },
        "suggestions": objects("Similar questions that have an answer: query, total"),
        "facets": objects("Frequency of each value, with `facets`"),
    }))
}

/// The schema of a comparison: of a table or of ids.
pub(super) fn comparison() -> Arc<JsonObject> {
    reply(json!({
        "rows_by": texts("Fields of the rows"),
        "columns_by": texts("Fields of the columns"),
        "cells": objects("Values with the ids of their measurements"),
        "ids": texts("The compared measurements"),
        "verdict": text("Whether they are comparable"),
    }))
}

/// The schema of claims.
pub(super) fn claims() -> Arc<JsonObject> {
    reply(
        json!({ "claims": objects("The claims: text, said_by, claimed, verdict, and the comparisons behind it"), "method": text("The method") }),
    )
}

/// The schema of an entity or measurement.
pub(super) fn shown() -> Arc<JsonObject> {
    reply(json!({
        "title": text("Name of the entity"),
        "facts": { "type": "object", "description": "All recorded facts" },
        "references": objects("References of the facts: key, text, url"),
    }))
}

/// The schema of a resolved spelling.
pub(super) fn reading() -> Arc<JsonObject> {
    reply(json!({
        "reading": { "enum": ["sku", "family", "slice", "list", "ambiguous", "unknown"] },
        "ids": texts("The ids it means, or the candidates"),
        "why": text("Why it was resolved so, or what would decide"),
    }))
}

/// The schema of citations.
pub(super) fn cited() -> Arc<JsonObject> {
    reply(json!({ "references": objects("key, text, url"), "bibtex": text("All references as a BibTeX file") }))
}

//! The OpenAPI document of the API, generated from the table of endpoints. It refers to the published schemas and
//! contains those of the other documents.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::documents::Problem;
use super::endpoint::{Endpoint, Gives};
use super::respond::PROBLEM;

/// The document.
pub(super) fn document(endpoints: &[Endpoint], version: &str) -> Value {
    let place = |settings: &mut SchemaSettings| settings.definitions_path = "/components/schemas".into();
    let mut generator = SchemaSettings::draft2020_12().with(place).into_generator();
    let mut paths = Map::new();
    for endpoint in endpoints {
        paths.insert(endpoint.path.to_owned(), json!({ "get": operation(endpoint, &mut generator) }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "dlbench",
            "version": version,
            "description": "Measured numbers and curated facts of deep learning, each with its source. All requests are GET; \
                            pages of another origin may read them if the server was started with `--allow-origin`. Answers have an ETag of the knowledge base's content: with If-None-Match an unchanged answer costs \
                            nothing; gzip is supported. Without an answer, the body is problem details (RFC 9457). A null or missing value is unknown.",
            "license": { "name": "MIT OR Apache-2.0; the data CC0-1.0" },
        },
        "paths": paths,
        "components": { "schemas": generator.take_definitions(true) },
    })
}

fn operation(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let schema = match endpoint.gives {
        Gives::Published(file) => json!({ "$ref": file }),
        Gives::Json(schema) => schema(generator).to_value(),
        Gives::Described(description) => json!({ "type": "object", "description": description }),
    };
    let problem = generator.subschema_for::<Problem>().to_value();
    let refused = |why: &str| json!({ "description": why, "content": { PROBLEM: { "schema": problem } } });
    json!({
        "summary": endpoint.summary,
        "operationId": endpoint.path.trim_start_matches("/api/").replace(['/', '{', '}', '.'], "_"),
        "parameters": parameters(endpoint),
        "responses": {
            "200": { "description": endpoint.summary, "content": { "application/json": { "schema": schema } } },
            "304": { "description": "The answer is unchanged since the ETag in If-None-Match" },
            "400": refused("The request has a mistake, or exceeds a limit"),
            "404": refused("Not found"),
            "413": refused("The request has a body"),
            "429": refused("Too many requests from this address"),
            "503": refused("The answer took too long, or too many requests are running"),
        },
    })
}

/// The parameters in the path and in the query. Lists are comma-separated.
fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let in_path = endpoint.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = in_path
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    let Some(schema) = &endpoint.arguments else { return parameters };
    let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let mut schema = schema.clone();
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let mut parameter = json!({ "name": name, "in": "query", "required": required(name), "schema": schema });
        if let Some(description) = description {
            parameter["description"] = description;
        }
        if schema["type"] == "array" {
            parameter["style"] = "form".into();
            parameter["explode"] = false.into();
        }
        parameters.push(parameter);
    }
    parameters
}

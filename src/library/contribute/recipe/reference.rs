//! The reference of a recipe's keys, as `dlbench explain recipe` prints it. A test writes it from the types that read recipes.

/// Every key of a recipe, in Markdown.
pub const RECIPE_REFERENCE: &str = include_str!("RECIPE.md");

/// The JSON Schema of recipes, for editors; the same test writes it.
pub const RECIPE_SCHEMA: &str = include_str!("recipe.schema.json");

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::fmt::Write as _;

    use serde_json::{Map, Value};

    use super::super::raw::Recipe;
    use super::*;

    const HEAD: &str = "# The keys of a recipe

A recipe turns the result files of a source into measurements: `catalog/recipes/<source>.toml`. A *pattern* is a regular
expression. A *template* is a text in which `{name}` stands for a value of the record: a column, or a named group of a pattern. Every
record has `{file}`, `{stem}` (the file's name without its ending) and `{source}` (the id of the source it is imported for).
";

    /// A type of the schema, and the key that leads to it.
    type OpenType<'s> = (String, &'s Value);

    /// The page, written from the doc comments of the types.
    fn page(schema: &Value) -> String {
        let mut text = HEAD.to_owned();
        let mut open: VecDeque<OpenType<'_>> = [(String::new(), schema)].into();
        let mut seen: Vec<&Value> = Vec::new();
        while let Some((key, of)) = open.pop_front() {
            if seen.contains(&of) {
                continue;
            }
            seen.push(of);
            let title = match key.as_str() {
                "" => "The recipe".to_owned(),
                key if text.contains(&format!("\n## `{key}`\n")) => format!("`{key}`, as a table"),
                key => format!("`{key}`"),
            };
            let _ = write!(text, "\n## {title}\n\n{}\n\n", description(of));
            let mut inner = Vec::new();
            for (name, property) in of["properties"].as_object().into_iter().flatten() {
                let required = of["required"].as_array().is_some_and(|all| all.iter().any(|key| key == name));
                let required = if required { ", required" } else { "" };
                let _ = writeln!(text, "- `{name}` ({}{required}): {}", kind(schema, property), description(property));
                let path = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                references(schema, property, &mut |found| inner.push((path.clone(), found)));
            }
            for choice in ["oneOf", "anyOf"].iter().filter_map(|how| of[*how].as_array()).flatten() {
                let name = choice["const"].as_str().map_or_else(|| kind(schema, choice), |word| format!("`{word}`"));
                let _ = writeln!(text, "- {name}: {}", description(choice));
                references(schema, choice, &mut |found| inner.push((key.clone(), found)));
            }
            for word in of["enum"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let _ = writeln!(text, "- `{word}`");
            }
            open.extend(inner);
        }
        text
    }

    /// The doc comment, on one line.
    fn description(of: &Value) -> String {
        of["description"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What a value is.
    fn kind(schema: &Value, of: &Value) -> String {
        if let Some(name) = of["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            let is_table = schema["$defs"][name]["properties"].is_object();
            return if is_table {
                "table"
            } else if name == "Rule" {
                "rule"
            } else {
                "word"
            }
            .to_owned();
        }
        if let Some(choices) = of["anyOf"].as_array() {
            return kind(schema, &choices[0]);
        }
        let name = match &of["type"] {
            Value::Array(names) => names[0].as_str(),
            name => name.as_str(),
        };
        match name {
            Some("array") => format!("list of {}s", kind(schema, &of["items"])),
            Some("object") => format!("table of {}s", kind(schema, &of["additionalProperties"])),
            Some("string") => "text".to_owned(),
            Some("boolean") => "true or false".to_owned(),
            Some(other) => other.to_owned(),
            None => "word".to_owned(),
        }
    }

    /// Each type that a value refers to.
    fn references<'s>(schema: &'s Value, of: &Value, each: &mut impl FnMut(&'s Value)) {
        match of {
            Value::Object(map) => {
                if let Some(name) = map.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next()) {
                    each(&schema["$defs"][name]);
                }
                map.values().for_each(|inner| references(schema, inner, each));
            }
            Value::Array(all) => all.iter().for_each(|inner| references(schema, inner, each)),
            _ => {}
        }
    }

    #[test]
    fn the_reference_has_every_key_and_is_current() {
        let schema = schemars::schema_for!(Recipe).to_value();
        let text = page(&schema);
        let tables = std::iter::once(&schema).chain(schema["$defs"].as_object().into_iter().flat_map(Map::values));
        for table in tables {
            for (key, property) in table["properties"].as_object().into_iter().flatten() {
                assert!(text.contains(&format!("- `{key}` (")), "{key}");
                assert!(!description(property).is_empty(), "{key} has no doc comment");
            }
        }
        let schema = format!("{schema:#}\n");
        if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/contribute/recipe/RECIPE.md");
            std::fs::write(path, &text).expect("the reference can be written");
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/contribute/recipe/recipe.schema.json");
            std::fs::write(path, &schema).expect("the schema can be written");
        } else {
            assert!(schema == RECIPE_SCHEMA, "the schema of recipes is stale: `make docs` writes it");
            assert!(text == RECIPE_REFERENCE, "the reference of recipes is stale: `make docs` writes it\n{text}");
        }
    }
}

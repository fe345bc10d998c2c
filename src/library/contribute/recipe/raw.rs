//! The recipe format: maps columns, headings, parts of file names and constants to fields of a measurement; and its reference.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::Deserialize;

use crate::values::{EntityId, HardwareClass};

/// A mistake in a recipe.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    /// The text is not TOML, or not a recipe.
    #[error("the recipe cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    /// A pattern is not a valid regular expression.
    #[error("the recipe's pattern `{pattern}` cannot be read: {}", reason(error))]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        error: regex::Error,
    },
    /// `into` refers to groups of a `pick` that is missing.
    #[error("the recipe's `into = \"{0}\"` names groups of a `pick` that is not there")]
    IntoWithoutPick(String),
    /// A key that measurements do not have.
    #[error("the recipe sets `{0}`, which no measurement has")]
    UnknownKey(String),
}

/// The last line of the error, without the drawing of the pattern over several lines.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// How to read the files of a source.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// The id of the source of the measurements.
    #[serde(default)]
    pub source: Option<String>,
    /// Remarks for the next reader of the recipe.
    #[serde(default)]
    pub notes: Option<String>,
    /// Records to leave out in all parts, with reasons.
    #[serde(default)]
    pub skip: Vec<Skip>,
    /// Values of a record for use in templates, computed first; for all parts that do not define their own.
    #[serde(default)]
    pub values: BTreeMap<String, Rule>,
    /// The rule for each field, in all parts that do not set it themselves; a part sets `""` to leave it absent.
    #[serde(default)]
    pub set: BTreeMap<String, Rule>,
    /// The parts, one per kind of file.
    pub table: Vec<Part>,
    /// The text of the recipe.
    #[serde(skip)]
    pub(super) text: String,
}

impl Recipe {
    /// Parses a recipe.
    ///
    /// # Errors
    ///
    /// When the text is not a valid recipe; the error gives the place.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        let mut recipe: Self = toml::from_str(text)?;
        text.clone_into(&mut recipe.text);
        for part in &mut recipe.table {
            part.skip.extend(recipe.skip.iter().cloned());
            for (own, shared) in [(&mut part.set, &recipe.set), (&mut part.values, &recipe.values)] {
                for (key, rule) in shared {
                    own.entry(key.clone()).or_insert_with(|| rule.clone());
                }
            }
        }
        Ok(recipe)
    }

    /// The source that the recipe states.
    pub fn source(&self) -> Option<EntityId> {
        self.source.as_ref()?.parse().ok()
    }
}

/// How to read the files of one kind.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Part {
    /// The files, relative to the folder: `results/*.csv`, `**/perf.md`. `*` matches any text within a folder, `**` any text,
    /// `?` one character, `{a,b}` one of several texts.
    pub files: String,
    /// Files not to read although `files` matches them: `["**/summary-*.csv", "old/**"]`.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Their format.
    pub format: TableFormat,
    /// CSV: the character between cells, such as `";"`. By default a comma; for a header without commas `;`, a tab or `|`.
    #[serde(default)]
    pub delimiter: Option<char>,
    /// The decimal mark of numbers: `","` reads `1.024,5` as 1024.5, `"."` reads `1,163` as 1163. Without it, an ambiguous
    /// column is an error.
    #[serde(default)]
    pub decimal: Option<DecimalMark>,
    /// Columns in which an empty cell repeats the cell above, as in merged cells: `["GPU"]`. Ditto marks and `-` count as
    /// empty. A new value in a column resets the columns after it in this list; a new table resets all.
    #[serde(default)]
    pub fill: Vec<String>,
    /// What rows of these files may lack: `["device"]` for a hosted service, `["network"]` for results of a machine.
    /// Other rows without a device or a network are left out and counted.
    #[serde(default)]
    pub without: Vec<Subject>,
    /// A pattern for the file's path; its named groups can be used as `{name}`.
    #[serde(default)]
    pub file_name: Option<String>,
    /// The names that every record must have; a file without them does not have this format.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Alternative names of a column: `submitter = ["Organization"]`. The first one in the file is used; if there is none,
    /// the value is empty.
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
    /// Files beside this one with more values for its records.
    #[serde(default)]
    pub join: Vec<Join>,
    /// Pages: a pattern; only tables below a matching heading (of any level) are read. Its named groups can be used.
    #[serde(default)]
    pub heading: Option<String>,
    /// Pages: a pattern for the text between the last heading or table and the table; its named groups can be used.
    #[serde(default)]
    pub text: Option<String>,
    /// Pages: number of heading rows of a table (1). The headings of a column are joined by ` / `, each once:
    /// `{Accuracy / INT8}`. In Markdown and reStructuredText, an empty heading above others repeats the one to its left.
    #[serde(default)]
    pub header_rows: Option<NonZeroUsize>,
    /// Markdown: a row may have more cells than the header; the extra cells are remarks and are not read.
    #[serde(default)]
    pub ragged: bool,
    /// XLSX: a pattern; only sheets with a matching name are read. Its named groups can be used.
    #[serde(default)]
    pub sheet: Option<String>,
    /// XLSX: a pattern; sheets with a matching name have a name and a value in each row, such as the specifications of the
    /// machine. These are `{facts.name}` in every record of the workbook. The sheets contain no records.
    #[serde(default)]
    pub facts: Option<String>,
    /// XLSX: a pattern for a row's cells, joined by `|`; a matching row begins a table and names its columns. Without it, the
    /// first row does. Its named groups can be used.
    #[serde(default)]
    pub header: Option<String>,
    /// Lines: a pattern; each matching line is a record of its named groups.
    #[serde(default)]
    pub line: Option<String>,
    /// Lines: patterns for lines that apply to the lines below; their named groups can be used. If one of the groups is called
    /// `key`, the others have its text as suffix: `{gpu.0}`, `{gpu.1}`.
    #[serde(default)]
    pub state: Vec<String>,
    /// Lines: a pattern for a line that clears the values of `state`. XLSX: a pattern for a row that ends a table, its cells
    /// joined by `|`.
    #[serde(default)]
    pub reset: Option<String>,
    /// JSON: the path to the objects that are the records, such as `models.frameworks`.
    #[serde(default)]
    pub rows: Option<String>,
    /// CSV and TSV: the columns contain repeated measurements; the file becomes one record of their statistics
    /// (`{column.median}`, `.mean`, `.min`, `.max`, `.n`).
    #[serde(default)]
    pub repeats: bool,
    /// A pattern for columns: the row becomes one record per matching column, with its name as `{column}`, its value as
    /// `{value}`, and the pattern's named groups.
    #[serde(default)]
    pub melt: Option<String>,
    /// Records to leave out, with reasons.
    #[serde(default)]
    pub skip: Vec<Skip>,
    /// Records that are failed attempts.
    #[serde(default)]
    pub outcome: Vec<OutcomeRule>,
    /// A template: the name of the output file, without `.toml`.
    pub batch: String,
    /// Values of a record for use in templates, computed first, from the record's own values only.
    #[serde(default)]
    pub values: BTreeMap<String, Rule>,
    /// The rule for each field and metric, by its key in a measurement.
    pub set: BTreeMap<String, Rule>,
}

impl Part {
    /// Number of heading rows of a table.
    pub(in crate::contribute) fn header_rows(&self) -> usize {
        self.header_rows.map_or(1, NonZeroUsize::get)
    }
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TableFormat {
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// The tables of a Markdown page.
    Markdown,
    /// A list of objects, an object of objects, or one object per line; a file with the ending `.toml` is read as TOML.
    Json,
    /// One object per line (JSON Lines, NDJSON).
    #[serde(alias = "jsonl", alias = "ndjson")]
    JsonLines,
    /// The tables of an HTML page, or of HTML in a Markdown page.
    Html,
    /// The sheets of an Excel workbook. Every cell also has a name with the letters of its column: `{col.B}`.
    Xlsx,
    /// The list-tables of a reStructuredText page. The substitutions in a row (`|star|`) are `{marks}`.
    Rst,
    /// The lines of a log: `line` matches the records, `state` what applies to the lines below.
    Lines,
}

/// The decimal mark of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum DecimalMark {
    /// `1,163` is 1163.
    #[serde(rename = ".")]
    Point,
    /// `1,163` is 1.163.
    #[serde(rename = ",")]
    Comma,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    Device,
    Network,
}

/// A file with more values for the records of another file; they are `{as.name}` in templates.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Join {
    /// The file, relative to the folder of the other file; a template with the named groups of `file-name`.
    pub file: String,
    /// Its format: csv, tsv, json or lines.
    pub format: TableFormat,
    /// Whether the file may be absent.
    #[serde(default)]
    pub optional: bool,
    /// Lines: patterns; their named groups are the values, each from the first matching line.
    #[serde(default)]
    pub lines: Vec<String>,
    /// The prefix of its values' names.
    #[serde(rename = "as")]
    pub prefix: String,
    /// The columns that are equal in both files. Without any, the values apply to all records.
    #[serde(default)]
    pub on: Vec<String>,
    /// Replaces parts of the texts in these columns that the joined file spells differently.
    #[serde(default)]
    pub respell: BTreeMap<String, String>,
    /// Reads only the first row whose value reaches a threshold. Of several thresholds, the first one whose column the file has
    /// is used.
    #[serde(default)]
    pub reaches: Vec<Reaches>,
}

/// A threshold.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reaches {
    /// The column.
    pub column: String,
    /// The minimum value.
    pub at_least: f64,
}

/// Records to leave out; they are counted by reason.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Skip {
    /// A template.
    pub when: String,
    /// A pattern for its text.
    pub matches: String,
    /// The reason.
    pub reason: String,
}

/// Records that are failed attempts.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OutcomeRule {
    /// A template.
    pub when: String,
    /// A pattern for its text.
    pub matches: String,
    /// `oom`, `unsupported`, `crashed` or `timeout`.
    pub outcome: String,
}

/// The rule for a field.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Rule {
    /// A template or a constant: `"{column}"`, `"eval"`, `"{a} {b}"`.
    Template(String),
    /// A constant number.
    Integer(i64),
    /// A template and the steps to process its text.
    ProcessedTemplate(Box<ProcessedTemplate>),
    /// The first of these rules whose condition (`when`) holds.
    First(Vec<Rule>),
}

impl Rule {
    /// The alternatives of the rule, in order.
    pub(in crate::contribute) fn choices(&self) -> &[Rule] {
        match self {
            Self::First(rules) => rules,
            one => std::slice::from_ref(one),
        }
    }
}

/// A template, and the steps to process its text, in this order (but `scale` last).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProcessedTemplate {
    /// The template.
    pub from: String,
    /// A template: the rule applies only if its text matches `matches`.
    #[serde(default)]
    pub when: Option<String>,
    /// A pattern for the text of `when`.
    #[serde(default)]
    pub matches: Option<String>,
    /// A pattern: keeps only its first group; without a match the field is absent.
    #[serde(default)]
    pub pick: Option<String>,
    /// A template for the groups of `pick`, to keep instead: `3x{1}x{2}`.
    #[serde(default)]
    pub into: Option<String>,
    /// Replaces whole texts, ignoring case if the map is unambiguous without it; the key `""` matches an empty text, which otherwise leaves the field absent.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// Whether a text that is not in `map` stays unchanged (otherwise the record is left out).
    #[serde(default)]
    pub others: bool,
    /// Converts a time such as `3:19:59` (hours, minutes, seconds), `62:03` (minutes, seconds) or `1h02min` to seconds.
    #[serde(default)]
    pub clock: bool,
    /// Multiplies a number.
    #[serde(default)]
    pub scale: Option<f64>,
    /// A template: multiplies a count by this whole number, such as the devices of a node by the nodes. If it is not a number,
    /// the count is absent.
    #[serde(default)]
    pub times: Option<String>,
    /// A template: divides a whole number by this one; if there is a remainder, the field is absent.
    #[serde(default)]
    pub divide: Option<String>,
    /// Interprets a name as an entity, giving its id, or as a precision.
    #[serde(default)]
    pub resolve: Option<Resolving>,
    /// The hardware class of the device as stated by the source; it decides if a name means both a chip and its GPU.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub class: Option<HardwareClass>,
    /// Whether a text that is not in `map`, or a name that is not in the catalog, leaves the field absent (otherwise the
    /// record is left out). The import reports such texts.
    #[serde(default)]
    pub optional: bool,
}

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Resolving {
    Device,
    Network,
    Framework,
    Dataset,
    Precision,
}

/// Reference of all recipe keys, in Markdown.
pub const RECIPE_REFERENCE: &str = include_str!("RECIPE.md");

/// JSON Schema of recipes, for editors; generated by the same test as the reference.
pub const RECIPE_SCHEMA: &str = include_str!("recipe.schema.json");

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::fmt::Write as _;

    use serde_json::{Map, Value};

    use super::{Recipe, *};

    const HEAD: &str = "# The keys of a recipe

A recipe turns the result files of a source into measurements: `catalog/recipes/<source>.toml`. A *pattern* is a regular
expression. A *template* is a text in which `{name}` stands for a value of the record: a column, or a named group of a pattern. Every
record has `{file}`, `{stem}` (the file's name without its ending) and `{source}` (the id of the source it is imported for).
";

    /// A type in the schema, and the key that leads to it.
    type OpenType<'s> = (String, &'s Value);

    /// The reference page, generated from the doc comments of the types.
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

    /// The doc comment as one line.
    fn description(of: &Value) -> String {
        of["description"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Describes the type of a value.
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

    /// Calls `each` for every type that a value refers to.
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

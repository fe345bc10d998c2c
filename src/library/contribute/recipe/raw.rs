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

/// How the files of a source are read.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// The id of the source whose measurements they are.
    #[serde(default)]
    pub source: Option<String>,
    /// Remarks for the next reader of the recipe.
    #[serde(default)]
    pub notes: Option<String>,
    /// Records that are left out, in every part, and why.
    #[serde(default)]
    pub skip: Vec<Skip>,
    /// Values of a record that templates can name, worked out first, in every part that does not have its own.
    #[serde(default)]
    pub values: BTreeMap<String, Rule>,
    /// What gives each field, in every part that does not set it itself; a part sets `""` to leave it absent.
    #[serde(default)]
    pub set: BTreeMap<String, Rule>,
    /// The parts, one for each kind of file.
    pub table: Vec<Part>,
    /// The recipe as it was written.
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

/// How the files of one kind are read.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Part {
    /// Which files, relative to the folder: `results/*.csv`, `**/perf.md`. `*` is any text within a folder, `**` any text,
    /// `?` one character, `{a,b}` one of several texts.
    pub files: String,
    /// Files that `files` matches and that are not read: `["**/summary-*.csv", "old/**"]`.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Their format.
    pub format: TableFormat,
    /// CSV: the character between cells, such as `";"`. Without it a header without commas is split at `;`, a tab or `|`.
    #[serde(default)]
    pub delimiter: Option<char>,
    /// The decimal mark of numbers: `","` reads `1.024,5` as 1024.5, `"."` reads `1,163` as 1163. Without it a column of
    /// which both could be meant is refused.
    #[serde(default)]
    pub decimal: Option<DecimalMark>,
    /// Columns whose empty cells mean the cell above, as merged cells are written: `["GPU"]`. Ditto marks and `-` count
    /// as empty. A new value of one column ends what the columns behind it in this list carry; so does a new table.
    #[serde(default)]
    pub fill: Vec<String>,
    /// What rows of these files may lack: `["device"]` for a hosted service, `["network"]` for results of a machine.
    /// A row that lacks a device or a network is left out and counted otherwise.
    #[serde(default)]
    pub without: Vec<Subject>,
    /// A pattern on the file's path whose named groups can be used as `{name}`.
    #[serde(default)]
    pub file_name: Option<String>,
    /// The names that every record must have; a file without them is not of this format.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What a column may be called instead: `submitter = ["Organization"]`. The first that a file has counts; where it has
    /// none, the value is empty.
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
    /// Files beside this one with further values of its records.
    #[serde(default)]
    pub join: Vec<Join>,
    /// Pages: only tables below a heading (any level) that matches; its named groups can be used.
    #[serde(default)]
    pub heading: Option<String>,
    /// Pages: a pattern on the text between the last heading or table and the table; its named groups can be used.
    #[serde(default)]
    pub text: Option<String>,
    /// Pages: how many rows of a table are its headings (1). Those of a column are joined by ` / `, each once:
    /// `{Accuracy / INT8}`. In Markdown and reStructuredText an empty one above others stands for the one to its left.
    #[serde(default)]
    pub header_rows: Option<NonZeroUsize>,
    /// Markdown: a row may have more cells than the header; what is in them is a remark and is not read.
    #[serde(default)]
    pub ragged: bool,
    /// XLSX: only sheets whose name matches; its named groups can be used.
    #[serde(default)]
    pub sheet: Option<String>,
    /// XLSX: sheets whose name matches hold a name and a value in each row, such as the specifications of the machine.
    /// They are `{facts.name}` in every record of the workbook and hold no records.
    #[serde(default)]
    pub facts: Option<String>,
    /// XLSX: a row whose cells, joined by `|`, match begins a table and names its columns; else the first row does. Its
    /// named groups can be used.
    #[serde(default)]
    pub header: Option<String>,
    /// Lines: a pattern; a line that matches is a record of its named groups.
    #[serde(default)]
    pub line: Option<String>,
    /// Lines: patterns on lines that hold for those below; their named groups can be used. Where one of them is called
    /// `key`, the others are kept for each of its texts: `{gpu.0}`, `{gpu.1}`.
    #[serde(default)]
    pub state: Vec<String>,
    /// Lines: a pattern on a line that ends what `state` said before. XLSX: a pattern on a row, its cells joined by `|`, that
    /// ends a table.
    #[serde(default)]
    pub reset: Option<String>,
    /// JSON: the path to the objects that are records, such as `models.frameworks`.
    #[serde(default)]
    pub rows: Option<String>,
    /// CSV and TSV: the columns hold repeats; the file becomes one record of their statistics (`{column.median}`,
    /// `.mean`, `.min`, `.max`, `.n`).
    #[serde(default)]
    pub repeats: bool,
    /// Columns that match hold a value each: the row becomes a record for each of them, with `{column}` and `{value}`
    /// and the pattern's named groups.
    #[serde(default)]
    pub melt: Option<String>,
    /// Records that are left out, and why.
    #[serde(default)]
    pub skip: Vec<Skip>,
    /// Records that are failed attempts.
    #[serde(default)]
    pub outcome: Vec<OutcomeRule>,
    /// The name of the file that is written, without `.toml`; a template.
    pub batch: String,
    /// Values of a record that templates can name, worked out first, from its own values alone.
    #[serde(default)]
    pub values: BTreeMap<String, Rule>,
    /// What gives each field and metric, by its key in a measurement.
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
    /// A list of objects, an object of objects, or an object in each line; a file that ends in `.toml` is read as TOML.
    Json,
    /// An object in each line (JSON Lines, NDJSON).
    #[serde(alias = "jsonl", alias = "ndjson")]
    JsonLines,
    /// The tables of an HTML page, or of HTML in a Markdown page.
    Html,
    /// The sheets of an Excel workbook. Every cell is also named by the letters of its column: `{col.B}`.
    Xlsx,
    /// The list-tables of a reStructuredText page. The substitutions in a row (`|star|`) are `{marks}`.
    Rst,
    /// Lines of a log: the recipe's `line` takes the records, `state` what holds for the lines below.
    Lines,
}

/// The mark before the decimals of a number.
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

/// A file with further values of the records of another one; they are `{as.name}` in templates.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Join {
    /// The file, relative to the folder of the other one; a template of the named groups of `file-name`.
    pub file: String,
    /// Its format: csv, tsv, json or lines.
    pub format: TableFormat,
    /// Whether the file may be absent.
    #[serde(default)]
    pub optional: bool,
    /// Lines: patterns; their named groups are the values, each as the first line that matches says it.
    #[serde(default)]
    pub lines: Vec<String>,
    /// The prefix of the names of its values.
    #[serde(rename = "as")]
    pub prefix: String,
    /// The columns that are equal in both. Without any the values hold for each record.
    #[serde(default)]
    pub on: Vec<String>,
    /// Replaces parts of those columns' texts that the joined file spells otherwise.
    #[serde(default)]
    pub respell: BTreeMap<String, String>,
    /// Takes only the first row whose value reaches a threshold. Of several thresholds the first counts whose column the file
    /// has.
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
    /// The least value.
    pub at_least: f64,
}

/// Which records are left out. They are counted under the reason.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Skip {
    /// A template.
    pub when: String,
    /// A pattern on its text.
    pub matches: String,
    /// The reason.
    pub reason: String,
}

/// Which records are failed attempts.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OutcomeRule {
    /// A template.
    pub when: String,
    /// A pattern on its text.
    pub matches: String,
    /// `oom`, `unsupported`, `crashed` or `timeout`.
    pub outcome: String,
}

/// What gives a field.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Rule {
    /// A template or a constant: `"{column}"`, `"eval"`, `"{a} {b}"`.
    Template(String),
    /// A number as it is.
    Integer(i64),
    /// A template and the steps that its text goes through.
    ProcessedTemplate(Box<ProcessedTemplate>),
    /// The first of these whose condition (`when`) holds.
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

/// A template, and the steps that its text goes through, in this order.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProcessedTemplate {
    /// The template.
    pub from: String,
    /// A template: the rule applies only where its text matches.
    #[serde(default)]
    pub when: Option<String>,
    /// A pattern on the text of `when`.
    #[serde(default)]
    pub matches: Option<String>,
    /// Keeps the first group of this pattern; what does not match is absent.
    #[serde(default)]
    pub pick: Option<String>,
    /// What the groups of `pick` become instead: `3x{1}x{2}`.
    #[serde(default)]
    pub into: Option<String>,
    /// Replaces whole texts, in any case of their letters where the map does not distinguishes them; the key `""` stands for an empty one, which without it leaves the field absent.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// Whether a text that `map` does not have is left as it is (else the record is left out).
    #[serde(default)]
    pub others: bool,
    /// Reads a time such as `3:19:59` (hours, minutes, seconds), `62:03` (minutes, seconds) or `1h02min` as its seconds.
    #[serde(default)]
    pub clock: bool,
    /// Multiplies a number.
    #[serde(default)]
    pub scale: Option<f64>,
    /// A template of a whole number that multiplies a count: the devices of a node times the nodes. Where it is no number,
    /// the count is absent.
    #[serde(default)]
    pub times: Option<String>,
    /// A template: divides a whole number by this one; absent where a rest is left.
    #[serde(default)]
    pub divide: Option<String>,
    /// Reads a name as the id of an entity, or as a precision.
    #[serde(default)]
    pub resolve: Option<Resolving>,
    /// The hardware class that the source states of a device: it decides where a name names a chip and its GPU.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub class: Option<HardwareClass>,
    /// Whether a text that `map` does not have, or a name that the catalog does not have, leaves the field absent (else
    /// the record is left out). The import tells such texts.
    #[serde(default)]
    pub optional: bool,
}

/// What a name stands for.
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

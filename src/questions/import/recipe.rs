//! A recipe: which column, heading, part of a file name or constant gives which field of a measurement.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use crate::model::{Field, Metric};
use crate::values::{EntityId, EntityKind, HardwareClass};

/// A mistake in a recipe.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    /// Not TOML, or not a recipe.
    #[error("the recipe cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
    /// A pattern that is none.
    #[error("the recipe's pattern `{pattern}` cannot be read: {error}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        error: regex::Error,
    },
    /// A key that no measurement has.
    #[error("the recipe sets `{0}`, which no measurement has")]
    UnknownKey(String),
}

/// How the files of a source are read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// The source whose measurements they are.
    #[serde(default)]
    pub source: Option<String>,
    /// Remarks for the next reader of the recipe.
    #[serde(default)]
    pub notes: Option<String>,
    /// One part for each kind of file.
    pub table: Vec<Part>,
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with its place.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        Ok(toml::from_str(text)?)
    }

    /// The source that the recipe names.
    pub fn source(&self) -> Option<EntityId> {
        self.source.as_ref()?.parse().ok()
    }
}

/// Files of one shape.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Part {
    /// Which files, relative to the folder: `results/*.csv`, `**/perf.md`.
    pub files: String,
    /// Their format.
    pub format: TableFormat,
    /// A pattern on the file's path whose named groups can be used as `{name}`.
    #[serde(default)]
    pub file_name: Option<String>,
    /// Markdown: only tables below a heading (any level) that matches; its named groups can be used.
    #[serde(default)]
    pub heading: Option<String>,
    /// Markdown: a pattern on the text between the last heading or table and the table; its named groups can be used.
    #[serde(default)]
    pub text: Option<String>,
    /// Lines: a line that matches is a record of its named groups.
    #[serde(default)]
    pub line: Option<String>,
    /// Lines: what a line says of those below it; its named groups can be used.
    #[serde(default)]
    pub state: Vec<String>,
    /// Lines: a line that ends all that was said before.
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
    /// The file of the batch, without `.toml`.
    pub batch: String,
    /// What gives each field and metric.
    pub set: BTreeMap<String, Rule>,
}

/// The shape of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableFormat {
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// The tables of a Markdown page.
    Markdown,
    /// A list of objects, or an object of objects.
    Json,
    /// The list-tables of a reStructuredText page.
    Rst,
    /// Lines of a log: the recipe's `line` takes the records, `state` what holds for the lines below.
    Lines,
}

/// Leaves records out.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Skip {
    /// A template.
    pub when: String,
    /// What its text matches.
    pub matches: String,
    /// The reason, as it is counted.
    pub reason: String,
}

/// Makes records failed attempts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OutcomeRule {
    /// A template.
    pub when: String,
    /// What its text matches.
    pub matches: String,
    /// `oom`, `unsupported`, `crashed` or `timeout`.
    pub outcome: String,
}

/// What gives a field: a template, or one that is worked on.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Rule {
    /// `"{column}"`, `"constant"`, `"{a} {b}"`.
    Template(String),
    /// A number as it is.
    Integer(i64),
    /// A template and what is done with its text.
    Worked(Box<Worked>),
    /// The first of these whose condition holds.
    First(Vec<Rule>),
}

impl Rule {
    /// Each rule that may apply, in their order.
    pub(super) fn choices(&self) -> &[Rule] {
        match self {
            Self::First(rules) => rules,
            one => std::slice::from_ref(one),
        }
    }
}

/// A template and what is done with its text, in this order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Worked {
    /// The template.
    pub from: String,
    /// A template: the rule applies only where its text matches.
    #[serde(default)]
    pub when: Option<String>,
    /// What the text of `when` matches.
    #[serde(default)]
    pub matches: Option<String>,
    /// Keeps the first group of this pattern; what does not match is absent.
    #[serde(default)]
    pub pick: Option<String>,
    /// Replaces whole texts.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// Whether a text that `map` does not have is left as it is (else the record is left out).
    #[serde(default)]
    pub others: bool,
    /// Multiplies a number.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Reads a name through the resolver.
    #[serde(default)]
    pub resolve: Option<Resolving>,
    /// The hardware class that the source states of a device: it decides where a name names a chip and its GPU.
    #[serde(default)]
    pub class: Option<HardwareClass>,
}

/// What a name is a name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolving {
    Device,
    Network,
    Framework,
    Dataset,
    Precision,
}

/// A part with its patterns compiled.
#[derive(Debug)]
pub(super) struct Compiled<'p> {
    pub part: &'p Part,
    pub file_name: Option<Regex>,
    pub heading: Option<Regex>,
    pub text: Option<Regex>,
    pub line: Option<Regex>,
    pub state: Vec<Regex>,
    pub reset: Option<Regex>,
    pub melt: Option<Regex>,
    pub skip: Vec<(&'p Skip, Regex)>,
    pub outcome: Vec<(&'p OutcomeRule, Regex)>,
    pub set: Vec<(Key, Vec<Choice<'p>>)>,
}

/// A rule with its patterns compiled.
#[derive(Debug)]
pub(super) struct Choice<'p> {
    pub rule: &'p Rule,
    pub pick: Option<Regex>,
    pub condition: Option<(&'p str, Regex)>,
}

/// A key of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Field(Field),
    Metric(Metric),
}

impl Key {
    pub fn named(name: &str) -> Option<Self> {
        let field = name.parse().ok().map(Self::Field);
        field.or_else(|| name.parse().ok().map(Self::Metric))
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Field(field) => field.key(),
            Self::Metric(metric) => metric.key(),
        }
    }

    /// The field that keeps the source's spelling of this one.
    pub fn raw(self) -> Option<Self> {
        let Self::Field(field) = self else { return None };
        Some(Self::Field(match field {
            Field::Framework => Field::FrameworkRaw,
            Field::Device => Field::DeviceRaw,
            Field::Network => Field::NetworkRaw,
            Field::Dataset => Field::DatasetRaw,
            _ => return None,
        }))
    }

    /// The kind of entity whose id this is.
    pub fn entity(self) -> Option<EntityKind> {
        match self {
            Self::Field(field) => match field.kind() {
                crate::model::FieldType::Entity(kind) => Some(kind),
                _ => None,
            },
            Self::Metric(_) => None,
        }
    }
}

impl Part {
    /// Compiles the patterns and finds the keys.
    pub(super) fn compiled(&self) -> Result<Compiled<'_>, RecipeError> {
        let optional = |text: &Option<String>| text.as_deref().map(pattern).transpose();
        let mut set = Vec::new();
        for (name, rule) in &self.set {
            let key = Key::named(name).ok_or_else(|| RecipeError::UnknownKey(name.clone()))?;
            let mut choices = Vec::new();
            for rule in rule.choices() {
                let mut choice = Choice { rule, pick: None, condition: None };
                if let Rule::Worked(worked) = rule {
                    choice.pick = optional(&worked.pick)?;
                    choice.condition = match (&worked.when, optional(&worked.matches)?) {
                        (Some(when), Some(matches)) => Some((when, matches)),
                        _ => None,
                    };
                }
                choices.push(choice);
            }
            set.push((key, choices));
        }
        set.sort_by_key(|(key, _)| *key);
        Ok(Compiled {
            part: self,
            file_name: optional(&self.file_name)?,
            heading: optional(&self.heading)?,
            text: optional(&self.text)?,
            line: optional(&self.line)?,
            state: self.state.iter().map(|text| pattern(text)).collect::<Result<_, _>>()?,
            reset: optional(&self.reset)?,
            melt: optional(&self.melt)?,
            skip: self
                .skip
                .iter()
                .map(|skip| Ok((skip, pattern(&skip.matches)?)))
                .collect::<Result<_, RecipeError>>()?,
            outcome: self
                .outcome
                .iter()
                .map(|rule| Ok((rule, pattern(&rule.matches)?)))
                .collect::<Result<_, RecipeError>>()?,
            set,
        })
    }
}

/// A file pattern: `*` is any text without `/`, `**` any text.
pub(super) fn wildcard(files: &str) -> Result<Regex, RecipeError> {
    let escaped = regex::escape(files).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*");
    pattern(&format!("^{escaped}$"))
}

fn pattern(text: &str) -> Result<Regex, RecipeError> {
    Regex::new(text).map_err(|error| RecipeError::Pattern { pattern: text.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_stays_within_its_folder_unless_doubled() {
        let one = wildcard("results/*.csv").unwrap();
        assert!(one.is_match("results/a.csv") && !one.is_match("results/b/a.csv"));
        let any = wildcard("**/perf.md").unwrap();
        assert!(any.is_match("docs/x/perf.md") && any.is_match("perf.md"));
    }

    #[test]
    fn a_recipe_that_sets_what_no_measurement_has_is_refused() {
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\nlatencyms = \"1\"")
                .unwrap();
        assert!(matches!(recipe.table[0].compiled(), Err(RecipeError::UnknownKey(key)) if key == "latencyms"));
    }
}

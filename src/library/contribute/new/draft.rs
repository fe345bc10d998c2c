//! The facts and file text of a new entry, validation of its keys, and the error type of `new`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::contribute::check::run_rules;
use crate::contribute::rule_interface::LintOptions;
use crate::model::{Diagnostic, Field, FieldType, Metric, Severity};
use crate::reading::schema::{ValueForm, top_keys};
use crate::reading::{
    FileKind, KbFile, Loaded, ReadError, WrittenRow, canonical, kind_of, load_texts, toml_literal, toml_text,
};
use crate::stores::database::DatabaseError;
use crate::values::text::{nearest, or_list};
use crate::values::{EntityId, EntityKind};

/// The content of a new file: keys and values as a person types them, `peak-tflops.fp32` for a key in a table.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// Keys and values; list items are separated by commas.
    pub values: BTreeMap<String, String>,
    /// The citation for the facts.
    pub citation: Option<Cited>,
}

/// A citation of a new entity.
#[derive(Debug, Clone)]
pub enum Cited {
    /// A source in the catalog.
    Source(EntityId),
    /// A web page, with its title and the date it was read.
    Page {
        /// URL of the page.
        url: String,
        /// Title of the page.
        title: Option<String>,
        /// The date it was read.
        accessed: String,
    },
}

/// A key that the kind does not have, with a suggestion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {kind} has no key `{key}`: {help}")]
pub struct NoSuchKey {
    kind: &'static str,
    key: String,
    help: String,
}

impl Draft {
    /// Sets a key to a value.
    ///
    /// # Errors
    ///
    /// When entities of the kind (measurements for `None`) have no such key.
    pub fn state(&mut self, kind: Option<EntityKind>, key: &str, value: &str) -> Result<(), NoSuchKey> {
        let known = keys(kind);
        // Only entities have tables.
        let top = if kind.is_some() { key.split('.').next().unwrap_or(key) } else { key };
        if !known.contains(&top) {
            let near = nearest(top, known.iter().copied(), 3);
            let near: Vec<String> = near.iter().map(|key| format!("`{key}`")).collect();
            let help = match near.is_empty() {
                true => format!("its keys are {}", known.join(", ")),
                false => format!("did you mean {}?", or_list(&near)),
            };
            let kind = kind.map_or("measurement", EntityKind::noun);
            return Err(NoSuchKey { kind, key: key.to_owned(), help });
        }
        self.values.insert(key.to_owned(), value.trim().to_owned());
        Ok(())
    }

    /// Adds the facts that apply to the whole family of the entity.
    pub fn inherit(&mut self, kind: EntityKind, loaded: &Loaded) {
        let catalog = &loaded.catalog;
        let of = |key: &str| self.values.get(key).map(String::as_str);
        let shared: Vec<(&str, Option<String>)> = match kind {
            EntityKind::Device => {
                of("variant-of").and_then(|id| catalog.devices.get(id)).map_or(Vec::new(), |family| {
                    vec![
                        ("class", Some(family.class.to_string())),
                        ("vendor", family.vendor.clone()),
                        ("architecture", family.architecture.clone()),
                    ]
                })
            }
            EntityKind::Network => of("family")
                .and_then(|id| catalog.networks.get(id))
                .map_or(Vec::new(), |family| vec![("task", family.task.clone())]),
            _ => Vec::new(),
        };
        for (key, value) in shared {
            if let Some(value) = value {
                self.values.entry(key.to_owned()).or_insert(value);
            }
        }
    }

    /// The file of a new entity, in canonical form.
    pub fn entity(&self, kind: EntityKind, path: &Path) -> String {
        let mut text = String::new();
        let mut tables: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        let forms = top_keys(kind);
        for (key, value) in &self.values {
            match key.split_once('.') {
                Some((table, key)) => tables.entry(table).or_default().push((key, value)),
                None if key == "authors" => {
                    // Authors are separated by `;`, because a comma separates family and given names.
                    let authors: toml_edit::Array = value.split(';').map(str::trim).collect();
                    let _ = writeln!(text, "authors = {authors}");
                }
                None => {
                    let form =
                        forms.iter().find(|(known, ..)| known == key).map_or(ValueForm::Text, |(_, form, _)| *form);
                    let _ = writeln!(text, "{key} = {}", toml_value(value, form));
                }
            }
        }
        for (table, values) in tables {
            let _ = writeln!(text, "[{table}]");
            for (key, value) in values {
                let bare = value.parse::<f64>().is_ok() || ["true", "false"].contains(&value);
                let _ = writeln!(
                    text,
                    "{key} = {}",
                    toml_value(value, if bare { ValueForm::Bare } else { ValueForm::Text })
                );
            }
        }
        match &self.citation {
            Some(Cited::Source(id)) => text.push_str(&format!("[[sources]]\nsource = {}\n", toml_text(id.as_str()))),
            Some(Cited::Page { url, title, accessed }) => {
                text.push_str(&format!("[[sources]]\nurl = {}\n", toml_text(url)));
                if let Some(title) = title {
                    text.push_str(&format!("title = {}\n", toml_text(title)));
                }
                text.push_str(&format!("accessed = {accessed}\n"));
            }
            None => {}
        }
        canonical(&text, &kind_of(path)).unwrap_or(text)
    }

    /// The draft as the row of a measurement.
    pub fn row(&self) -> WrittenRow {
        let mut row = WrittenRow::default();
        for (key, value) in &self.values {
            if let Ok(field) = key.parse::<Field>() {
                let form = match field.kind() {
                    FieldType::Count | FieldType::Number => ValueForm::Bare,
                    FieldType::Date => ValueForm::Date,
                    _ => ValueForm::Text,
                };
                row.set(field, toml_value(value, form));
            } else if let Ok(metric) = key.parse::<Metric>() {
                row.set_metric(metric, toml_literal(value));
            }
        }
        row
    }
}

/// The keys that a person may set.
fn keys(kind: Option<EntityKind>) -> Vec<&'static str> {
    use strum::VariantArray as _;
    match kind {
        Some(kind) => top_keys(kind).into_iter().map(|(key, ..)| key).filter(|key| *key != "sources").collect(),
        None => {
            let fields = Field::of_files().map(Field::key);
            fields.chain(Metric::VARIANTS.iter().map(|metric| metric.key())).collect()
        }
    }
}

/// A value in the form its key needs. Anything but a valid date, number or list becomes text, which `check` reports.
fn toml_value(value: &str, form: ValueForm) -> toml_edit::Value {
    match form {
        ValueForm::Date if value.parse::<toml::value::Datetime>().is_ok_and(|date| date.date.is_some()) => {
            toml_literal(value)
        }
        ValueForm::Bare => toml_literal(value),
        ValueForm::Texts => value.split(',').map(str::trim).collect::<toml_edit::Array>().into(),
        _ => toml_text(value),
    }
}

/// Why nothing was created.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// The request is invalid.
    #[error("{message}")]
    Request {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// The kind has no such key.
    #[error(transparent)]
    NoSuchKey(#[from] NoSuchKey),
    /// The input ended before all questions were answered.
    #[error("the answers end here; nothing was written")]
    AnswersEnd,
    /// An answer cannot be read.
    #[error("cannot read the answer: {0}")]
    Answer(#[from] io::Error),
    /// The folders of the catalog cannot be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The names of the catalog cannot be looked up.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl NewError {
    pub(super) fn request(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Request { message: message.into(), help: help.into() }
    }

    /// A suggestion for what to do, if there is one.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Request { help, .. } => Some(help),
            Self::AnswersEnd => Some("an empty line leaves a fact out"),
            _ => None,
        }
    }
}

/// An error about the value of a key in the text of a new file, as one sentence; `None` while the value may be valid.
pub fn complaint(catalog: &Loaded, path: &Path, text: &str, key: &str) -> Option<String> {
    let key = key.rsplit('.').next().unwrap_or(key);
    let found = check_file(catalog, path, text);
    found.into_iter().filter(|finding| finding.severity == Severity::Error).find_map(|finding| {
        let start = finding.primary.span.as_ref()?.start;
        let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let of_key = text[line..].strip_prefix(key)?.starts_with(" = ");
        of_key.then(|| {
            let parts = [Some(&finding.message), Some(&finding.primary.label), finding.help.as_ref()];
            let parts: Vec<&str> =
                parts.into_iter().flatten().map(String::as_str).filter(|part| !part.is_empty()).collect();
            parts.join("; ")
        })
    })
}

/// All findings about one new file, checked together with the catalog.
fn check_file(catalog: &Loaded, path: &Path, text: &str) -> Vec<Diagnostic> {
    let own = KbFile { path: path.to_owned(), kind: kind_of(path), len: text.len() as u64, stamp: [0; 3] };
    let others = catalog.files.iter().map(|(file, _)| file).filter(|file| file.path != path);
    let files: Vec<KbFile> = others.cloned().chain([own]).collect();
    let texts: BTreeMap<&Path, &str> = catalog.files.iter().map(|(file, own)| (&*file.path, &*own.text)).collect();
    let loaded = load_texts(&files, |file| match &file.kind {
        FileKind::Misplaced(fault) => Err(fault.clone()),
        _ if file.path == path => Ok(text.to_owned()),
        _ => Ok(texts.get(&*file.path).map_or_else(String::new, |text| (*text).to_owned())),
    });
    let mut found = run_rules(&loaded, &LintOptions::default());
    found.retain(|finding| finding.primary.file.path == path);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_their_keys_need_them() {
        let mut draft = Draft::default();
        for (key, value) in [
            ("name", "A \"B\""),
            ("class", "gpu"),
            ("memory-gib", "16"),
            ("aliases", "b, c"),
            ("release-date", "2019-03-27"),
            ("peak-tflops.fp32", "14.0"),
        ] {
            draft.state(Some(EntityKind::Device), key, value).unwrap();
        }
        assert!(draft.state(Some(EntityKind::Device), "memory-gb", "1").is_err());
        insta::assert_snapshot!(draft.entity(EntityKind::Device, Path::new("catalog/devices/a.toml")), @r#"
        name = 'A "B"'
        aliases = ["b", "c"]
        class = "gpu"
        memory-gib = 16
        release-date = 2019-03-27

        [peak-tflops]
        fp32 = 14.0
        "#);
    }
}

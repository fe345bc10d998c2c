//! The specification of a paper: tables and figures, each with the command that makes it.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::values::{DocumentClass, TableLayout};

/// A specification, as written in its file.
///
/// ```toml
/// title = "What a Titan V gains from fp16"
/// class = "ieee"
///
/// [[item]]
/// name = "speed-up"
/// caption = "Time of a batch by framework"
/// command = 'compare "u39kun titan v resnet152 eval" --rows framework --cols precision'
/// layout = "page"
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Spec {
    /// The title of the preview document.
    pub title: Option<String>,
    /// The document class, for which tables and figures are set.
    #[serde(default)]
    pub class: DocumentClass,
    /// Default placement of tables and figures; if unset, tables go where they fit, figures into a column.
    pub layout: Option<TableLayout>,
    /// The tables and figures, in order.
    #[serde(rename = "item", default)]
    pub items: Vec<PaperItem>,
}

/// A table or figure.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperItem {
    /// File stem and end of the label, in lower-case kebab.
    pub name: String,
    /// The command that makes it, as typed after `dlbench`.
    pub command: String,
    /// The caption; `None` uses the command's own.
    pub caption: Option<String>,
    /// Placement, if it differs from the default.
    pub layout: Option<TableLayout>,
}

/// Why a specification is invalid.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// It is not TOML, or has unknown keys.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// It has no items.
    #[error("the specification has no [[item]]")]
    Empty,
    /// A name cannot be used as a file name.
    #[error("`{0}` cannot name an item: lower-case letters, digits and - between them can")]
    Name(String),
    /// Two items would write the same files.
    #[error("two items are called `{0}`")]
    Twice(String),
}

impl Spec {
    /// Parses a specification.
    ///
    /// # Errors
    ///
    /// Fails if the text is not TOML, has unknown keys, no items, or names that cannot be used for files.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Self = toml::from_str(text)?;
        spec.check()?;
        Ok(spec)
    }

    fn check(&self) -> Result<(), SpecError> {
        if self.items.is_empty() {
            return Err(SpecError::Empty);
        }
        let mut names = BTreeSet::new();
        for item in &self.items {
            if !is_kebab(&item.name) {
                return Err(SpecError::Name(item.name.clone()));
            }
            if !names.insert(&item.name) {
                return Err(SpecError::Twice(item.name.clone()));
            }
        }
        Ok(())
    }
}

pub(super) fn is_kebab(name: &str) -> bool {
    let of_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !name.is_empty() && name.split('-').all(|word| !word.is_empty() && word.bytes().all(of_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_files() {
        let spec = |name: &str| Spec::parse(&format!("[[item]]\nname = \"{name}\"\ncommand = \"query x\"\n"));
        assert!(spec("speed-up-2").is_ok());
        for name in ["", "../x", "A", "a--b", "a b"] {
            assert!(matches!(spec(name), Err(SpecError::Name(_))), "{name}");
        }
        let twice = "[[item]]\nname = \"a\"\ncommand = \"x\"\n".repeat(2);
        assert!(matches!(Spec::parse(&twice), Err(SpecError::Twice(_))));
        assert!(matches!(Spec::parse("title = \"x\""), Err(SpecError::Empty)));
        assert!(Spec::parse("layout = \"sideways\"\n[[item]]\nname = \"a\"\ncommand = \"x\"\n").is_err());
        assert!(matches!(Spec::parse("titel = \"x\""), Err(SpecError::Toml(_))));
    }
}

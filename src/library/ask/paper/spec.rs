//! What a paper is made of: tables and figures, each by the command that makes it.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::values::{DocumentClass, TableLayout};

/// A specification, as its file states it.
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
    /// The title of the document to look at.
    pub title: Option<String>,
    /// The class of the document: its tables and figures are set for it.
    #[serde(default)]
    pub class: DocumentClass,
    /// Where on a page its tables and figures stand; a table stands where it fits unless this is said, a figure in a column.
    pub layout: Option<TableLayout>,
    /// The tables and figures, in their order.
    #[serde(rename = "item", default)]
    pub items: Vec<PaperItem>,
}

/// A table or figure.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperItem {
    /// The stem of its files and the end of its label, in lower-case kebab.
    pub name: String,
    /// The command that makes it, as it would be typed behind `dlbench`.
    pub command: String,
    /// Its caption; else what the command says.
    pub caption: Option<String>,
    /// Where on a page it stands, if not where the others do.
    pub layout: Option<TableLayout>,
}

/// What is wrong with a specification.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// It is no TOML, or has unknown keys.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// It asks for nothing.
    #[error("the specification has no [[item]]")]
    Empty,
    /// A name cannot be that of a file.
    #[error("`{0}` cannot name an item: lower-case letters, digits and - between them can")]
    Name(String),
    /// Two items would write the same files.
    #[error("two items are called `{0}`")]
    Twice(String),
}

impl Spec {
    /// Reads a specification.
    ///
    /// # Errors
    ///
    /// When it is no TOML, has unknown keys, no items, or names that cannot stand for files.
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

//! What a contributor states of something new.

use std::path::PathBuf;

use super::draft::Draft;
use super::error::NewError;
use super::kind::NewKind;
use crate::reading::{WrittenRow, kind_of, with_run};
use crate::values::{Date, EntityId};

/// What a contributor states of something new; an [`Interview`](super::Interview) asks for the rest.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// What it is.
    pub kind: NewKind,
    /// Its name; of a measurement the batch.
    pub name: String,
    /// Its id; made from the name unless stated.
    pub id: Option<EntityId>,
    /// Facts as `key=value`.
    pub facts: Vec<String>,
    /// The source of the catalog that the facts or numbers are from.
    pub source: Option<EntityId>,
    /// The page that the facts are from.
    pub url: Option<String>,
    /// What that page is.
    pub title: Option<String>,
    /// The day on which a page counts as read.
    pub today: Option<Date>,
}

/// A file that is to be written.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// Where it goes, relative to the knowledge base.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The row of a measurement, which goes to the end of what the file holds when it is written.
    pub(super) row: Option<WrittenRow>,
}

impl NewFile {
    /// The text to write where the file holds `now`; `None` where it is there already and takes no further row.
    pub fn text_after(&self, now: Option<&str>) -> Option<String> {
        match (&self.row, now) {
            (Some(row), now) => Some(with_run(now.unwrap_or_default(), row, &kind_of(&self.path))),
            (None, None) => Some(self.text.clone()),
            (None, Some(_)) => None,
        }
    }
}

impl NewRequest {
    /// The facts, divided into key and value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Result<(&str, &str), NewError>> {
        self.facts.iter().map(|pair| match pair.split_once('=') {
            Some((key, value)) if !value.trim().is_empty() => Ok((key, value)),
            _ => Err(NewError::request(format!("--set {pair} states nothing"), "write --set key=value")),
        })
    }

    /// What the facts state of an entity or a measurement.
    pub(super) fn draft(&self) -> Result<Draft, NewError> {
        let mut draft = Draft::default();
        for pair in self.pairs() {
            let (key, value) = pair?;
            draft.state(self.kind.entity(), key, value)?;
        }
        Ok(draft)
    }
}

//! The file of measurements that rows of a job are added to: the newest one of their machine that has none of them, or a new one.

use std::io;
use std::path::{Path, PathBuf};

use super::job_folder::JobRow;
use crate::measure::environment::Environment;
use crate::measure::results::{ResultsError, RunFiles};
use crate::model::Field;
use crate::reading::{
    FileKind, ReadError, WriteError, WrittenRow, check_measurements, create_folder, rewrite, toml_one_line,
    with_run_taken,
};
use crate::values::EntityId;

/// The folder of the files that rows are added to.
#[derive(Debug)]
pub struct TargetFolder<'g> {
    /// The plan's name, which files and rows bear.
    pub name: &'g str,
    /// The source that the rows belong to.
    pub source: &'g EntityId,
    /// The folder.
    pub folder: &'g Path,
    /// Today.
    pub date: &'g str,
    /// The only files that may be continued, where everything is measured again; all where absent.
    pub own: Option<&'g [PathBuf]>,
}

/// Rows of one machine on their way into a file, each with what it states instead.
pub(super) struct TargetFile<'t> {
    pub folder: &'t TargetFolder<'t>,
    /// At least one.
    pub rows: &'t [(&'t JobRow, WrittenRow)],
}

/// So many new files are tried.
const MOST_FILES: usize = 100;

/// What becomes of an attempt to add the rows to a file.
enum Attempted {
    /// They stand in it.
    Stands,
    /// The file is of another machine, or has other rows of these configurations.
    IsOfAnother,
}

impl TargetFile<'_> {
    /// Adds the rows that are not there yet, and tells where all of them stand.
    pub fn add(&self) -> Result<PathBuf, ResultsError> {
        let TargetFolder { folder, name, date, own, .. } = *self.folder;
        create_folder(folder)?;
        let device = self.rows.first().map_or_else(String::new, |(row, _)| row.device.clone());
        let files = RunFiles { folder: folder.to_owned(), name: name.to_owned(), device };
        // Another process may take the place of a new file first; then there is another one to look at.
        for _ in 0..MOST_FILES {
            let taken = files.taken()?;
            for (_, path) in taken.iter().rev().filter(|(_, path)| own.is_none_or(|own| own.contains(path))) {
                if let Attempted::Stands = self.add_to(path, None)? {
                    return Ok(path.clone());
                }
            }
            let (path, label) = files.next(date, &taken);
            if let Attempted::Stands = self.add_to(&path, Some(&label))? {
                return Ok(path);
            }
        }
        Err(WriteError::at(folder)(io::Error::other("other processes take every new file")).into())
    }

    /// Adds the rows to a file that is there, or with a `label` to one that is not.
    fn add_to(&self, path: &Path, label: Option<&str>) -> Result<Attempted, ResultsError> {
        let mut rejected: Option<ReadError> = None;
        let mut attempted = Attempted::IsOfAnother;
        rewrite(path, |now| {
            let before = match (now.filter(|now| !now.is_empty()), label) {
                (Some(now), None) => now.to_owned(),
                (None, Some(_)) => self.environment().header(),
                _ => return None,
            };
            let known: toml::Table = before.parse().ok()?;
            let told = known.get("environment").and_then(toml::Value::as_table).cloned().unwrap_or_default();
            if label.is_none() && !self.environment().is_that_of(&told) {
                return None;
            }
            let text = self.added(before, &known, label.unwrap_or(self.folder.name))?;
            attempted = Attempted::Stands;
            match check_measurements(path, &text, self.folder.source) {
                Ok(_) => Some(text),
                Err(error) => {
                    rejected = Some(error);
                    None
                }
            }
        })?;
        match rejected {
            Some(error) => Err(ResultsError::Rejected(error)),
            None => Ok(attempted),
        }
    }

    /// The text of a file with the rows; `None` where another row of one of the configurations stands in it.
    fn added(&self, before: String, known: &toml::Table, label: &str) -> Option<String> {
        let kind = FileKind::Measurements(self.folder.source.clone());
        let runs = known.get("run").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        let label = runs.first().and_then(|run| run.get("label")?.as_str()).unwrap_or(label);
        let mut text = before;
        for (row, changes) in self.rows {
            let mut changes = changes.clone();
            changes.set(Field::Label, toml_one_line(label));
            let from = (row.file.text.as_str(), row.place);
            let standing = runs.iter().find(|run| title_of(run) == Some(row.title.as_str()));
            match standing {
                None => text = with_run_taken(&text, from, &changes, &kind)?,
                Some(standing) => {
                    let alone: toml::Table = with_run_taken("", from, &changes, &kind)?.parse().ok()?;
                    if alone.get("run")?.as_array()?.first() != Some(standing) {
                        return None;
                    }
                }
            }
        }
        Some(text)
    }

    fn environment(&self) -> &Environment {
        &self.rows[0].0.file.environment
    }
}

fn title_of(run: &toml::Value) -> Option<&str> {
    run.get("record")?.get("point")?.as_str()
}

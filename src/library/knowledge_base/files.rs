//! The files of a knowledge base, which may contain mistakes: contributors check, fix, format and add them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::default_cache;
use crate::ask::diff::{self, Changes, ChangesError};
use crate::contribute::check::{self, CheckReport, FixError, FormatReport};
use crate::contribute::new::{Interview, NewError, NewFile, NewRequest, new_file};
use crate::contribute::online::{self, LinkCheck, LinkCheckError};
use crate::contribute::quality::{Quality, quality};
use crate::contribute::recipe::RECIPE_SCHEMA;
use crate::contribute::rule_interface::{LinkStatuses, LintOptions};
use crate::model::Diagnostic;
use crate::reading::schema::{Schema, schemas};
use crate::reading::{
    self, FileKind, KbFile, Loaded, LocateError, OWN_SCHEMAS, ReadError, SHARED_SCHEMAS, WriteError, create_folder,
    reached_without_links, rewrite, write_schemas,
};
use crate::values::text::printable_path;

/// The files of a knowledge base. No stores are built from them, so they may contain mistakes.
#[derive(Debug, Clone)]
pub struct KnowledgeFiles {
    root: PathBuf,
}

/// Why a path is not a file or folder of the knowledge base.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// The working directory was removed or is not readable.
    #[error(transparent)]
    WorkingDirectory(#[from] LocateError),
    /// The path is outside the knowledge base.
    #[error("{} is not in the knowledge base {}", printable_path(path), printable_path(root))]
    Outside {
        /// The path.
        path: PathBuf,
        /// The knowledge base.
        root: PathBuf,
    },
    /// The path does not exist.
    #[error("{} does not exist", printable_path(path))]
    Missing {
        /// The path.
        path: PathBuf,
    },
}

impl KnowledgeFiles {
    /// The files of the knowledge base at `root`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder of the files.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Converts paths relative to the working directory to paths relative to the knowledge base.
    ///
    /// # Errors
    ///
    /// When a path is outside the knowledge base or does not exist.
    pub fn relative(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, PathError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let start = std::env::current_dir().map_err(LocateError::WorkingDirectory)?;
        let top = std::fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let mut found = Vec::new();
        for path in paths {
            // The last component may be a link to any place: the link itself is in the knowledge base.
            let whole = plain(&start.join(path));
            let parent = whole.parent().and_then(|parent| std::fs::canonicalize(parent).ok());
            let real = match (parent, whole.file_name()) {
                (Some(parent), Some(name)) => parent.join(name),
                _ => whole.clone(),
            };
            let Ok(relative) = real.strip_prefix(&top).or_else(|_| whole.strip_prefix(&self.root)) else {
                return Err(PathError::Outside { path: path.clone(), root: self.root.clone() });
            };
            if real.symlink_metadata().is_err() {
                return Err(PathError::Missing { path: path.clone() });
            }
            found.push(relative.to_owned());
        }
        Ok(found)
    }

    /// Lints all files, or those among `paths` (relative to the knowledge base).
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed.
    pub fn check(&self, paths: &[PathBuf], options: &LintOptions) -> Result<CheckReport, ReadError> {
        check::check(&self.root, paths, options)
    }

    /// Lints a new file without writing it.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed.
    pub fn check_new(&self, new: &NewFile, options: &LintOptions) -> Result<Vec<Diagnostic>, ReadError> {
        check::check_with(&self.root, &new.path, &new.text, options)
    }

    /// Applies all automatic fixes; returns the changed files.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed, or a file cannot be written.
    pub fn fix(&self, paths: &[PathBuf], options: &LintOptions) -> Result<BTreeSet<PathBuf>, FixError> {
        check::fix(&self.root, paths, options)
    }

    /// Checks whether the URLs cited in these files still work; `progress` receives the number of requests made and the
    /// total. Each request times out after `timeout`. Only public hosts are contacted, and those in `ask_local`.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed, or there is no network.
    pub fn link_statuses(
        &self,
        paths: &[PathBuf],
        timeout: Duration,
        ask_local: &[String],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<LinkStatuses, LinkCheckError> {
        let check = LinkCheck { root: &self.root, paths, cache: &default_cache(), timeout, ask_local };
        online::link_statuses(&check, progress)
    }

    /// Rewrites files in canonical form; with `dry_run`, writes nothing.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed, or a file cannot be written.
    pub fn format(&self, paths: &[PathBuf], dry_run: bool) -> Result<FormatReport, FixError> {
        check::format(&self.root, paths, dry_run)
    }

    /// Reads everything but measurements and recipes, with its findings.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed.
    pub fn catalog(&self) -> Result<Loaded, ReadError> {
        let is_catalog = |file: &KbFile| !matches!(file.kind, FileKind::Measurements(_) | FileKind::Recipe);
        let files: Vec<KbFile> = reading::list(&self.root)?.into_iter().filter(is_catalog).collect();
        Ok(reading::load(&self.root, &files))
    }

    /// The JSON Schemas of the files, with the ids of this catalog.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed.
    pub fn schemas(&self) -> Result<Vec<Schema>, ReadError> {
        Ok(with_recipes(schemas(Some(&self.catalog()?.catalog))))
    }

    /// The folder of the schemas that are committed to the repository.
    pub fn schema_folder(&self) -> PathBuf {
        self.root.join(SHARED_SCHEMAS.folder)
    }

    /// Writes the schemas and the settings of taplo, which let editors complete keys and ids: without ids for the
    /// repository, so that additions to the catalog cause no merge conflicts in them, and with ids for this working
    /// tree. Returns the number of schemas.
    ///
    /// # Errors
    ///
    /// When the folders cannot be listed, or a file cannot be written.
    pub fn write_schemas(&self) -> Result<usize, FixError> {
        let shared = with_recipes(schemas(None));
        write_schemas(&self.root, SHARED_SCHEMAS, &shared)?;
        write_schemas(&self.root, OWN_SCHEMAS, &self.schemas()?)?;
        Ok(shared.len())
    }

    /// Rewrites the schemas with ids if they exist: their id lists grow with the catalog. Returns whether they exist.
    ///
    /// # Errors
    ///
    /// As [`write_schemas`](Self::write_schemas).
    pub fn renew_schemas(&self) -> Result<bool, FixError> {
        let there = self.root.join(OWN_SCHEMAS.folder).is_dir();
        if there {
            write_schemas(&self.root, OWN_SCHEMAS, &self.schemas()?)?;
        }
        Ok(there)
    }

    /// Drafts the file of a new record from the request and the interview's answers. Nothing is written.
    ///
    /// # Errors
    ///
    /// When the record exists already, a key or a name is unknown, or the answers end.
    pub fn draft(&self, request: &NewRequest, interview: &mut dyn Interview) -> Result<NewFile, NewError> {
        new_file(request, &self.catalog()?, &self.root, interview)
    }

    /// Writes the file of a new record, and for an entity rewrites the schemas with ids if they exist. Returns whether
    /// schemas were written.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the folders cannot be listed.
    pub fn add(&self, new: &NewFile) -> Result<bool, FixError> {
        let place = self.root.join(&new.path);
        reached_without_links(&self.root, &place)?;
        if let Some(folder) = place.parent() {
            create_folder(folder)?;
        }
        let mut is_taken = false;
        rewrite(&place, |now| {
            let text = new.text_after(now);
            is_taken = text.is_none();
            text
        })?;
        if is_taken {
            let error = io::Error::new(io::ErrorKind::AlreadyExists, "somebody else wrote it in the meantime");
            return Err(FixError::Write(WriteError::at(place)(error)));
        }
        let is_entity = matches!(reading::kind_of(&new.path), FileKind::Entity(..));
        if is_entity { self.renew_schemas() } else { Ok(false) }
    }

    /// The changes between two git revisions; `None` means the working tree.
    ///
    /// # Errors
    ///
    /// When git does not know a revision, or its files cannot be listed.
    pub fn changes(&self, from: &str, to: Option<&str>) -> Result<Changes, ChangesError> {
        diff::between(&self.root, from, to)
    }

    /// How many of the facts are cited, and how complete each source's measurements are.
    ///
    /// # Errors
    ///
    /// When the files cannot be read; the error lists every mistake in them.
    pub fn quality(&self) -> Result<Quality, ReadError> {
        Ok(quality(&reading::read(&self.root)?))
    }
}

/// Adds the schema of recipes, which is generated from the types that read them and contains no ids.
fn with_recipes(mut all: Vec<Schema>) -> Vec<Schema> {
    let schema = serde_json::from_str(RECIPE_SCHEMA).expect("the schema of recipes is tested");
    all.push(Schema { name: "recipe.json".to_owned(), files: "catalog/recipes/*.toml", schema });
    all
}

/// Resolves `.` and `..` in a path.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

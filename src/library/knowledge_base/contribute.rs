//! What is added to a knowledge base: imports, boards of a machine, runs, and what this machine can measure of what is wanted.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::KnowledgeBase;
use crate::ask::contradictions::{Contradiction, ContradictionSide, contradictions_of_rows};
use crate::ask::evidence::{Wanted, WantedCell, WantedRequest, wanted};
use crate::ask::parse::QueryError;
use crate::ask::surprising_rows;
use crate::contribute::import;
use crate::contribute::import::new_devices::{IdentifiedBoard, identify};
use crate::contribute::import::{ExistingRows, ImportChanges, ImportError, Imported};
use crate::contribute::rule_interface::RowContradiction;
use crate::measure::protocol::Hello;
use crate::measure::{
    FinishedRun, Gathering, JobFolder, LostJob, Machine, ResultsError, RunHere, RunObserver, Session, SessionError,
    WantedRun, WorkerLacks, network_of_worker,
};
use crate::reading::reached_without_links;
use crate::stores::Stores;
use crate::stores::database::DatabaseError;
use crate::values::EntityId;
use crate::values::text::counted;

impl KnowledgeBase {
    /// Turns other people's result files into measurements; nothing is written.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or what it would give does not pass the strict reader.
    pub fn import(&self, request: &import::ImportRequest<'_>) -> Result<Imported, ImportError> {
        import::import(request, &self.stores().database)
    }

    /// Which rows other sources contradict, of those that a question finds, each pair from both sides.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn row_contradictions(&self, question: &str) -> Result<Vec<RowContradiction>, QueryError> {
        let found = self.asked(|stores| contradictions_of_rows(stores, question))?;
        let of = |told: &Contradiction, own: &ContradictionSide, other: &ContradictionSide| RowContradiction {
            row: own.measurement.clone(),
            other: Some(other.measurement.clone()),
            metric: told.metric.clone(),
            value: own.value,
            other_value: other.value,
            factor: told.factor,
            usual: told.usual,
            differs: told.differing(),
        };
        let pairs = found.iter();
        Ok(pairs.flat_map(|told| [of(told, &told.higher, &told.lower), of(told, &told.lower, &told.higher)]).collect())
    }

    /// Which rows of these sources are far from what their settings and devices predict.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn surprising_rows(&self, sources: &[String]) -> Result<Vec<RowContradiction>, QueryError> {
        let found = self.asked(|stores| surprising_rows(stores, sources))?;
        let told = found.into_iter().map(|row| RowContradiction {
            differs: format!("predicted from {} in its setting", counted(row.devices, "other device", "other devices")),
            row: row.row,
            other: None,
            metric: row.metric,
            value: row.value,
            other_value: row.predicted,
            factor: row.factor,
            usual: row.usual,
        });
        Ok(told.collect())
    }

    /// The folder of a source's measurements.
    pub fn measurements_of(&self, source: &EntityId) -> PathBuf {
        self.root.join("measurements").join(source.as_str())
    }

    /// Writes what was imported into `folder`, each file whole or not at all, and says which measurements changed there. What
    /// people added to the files stays, unless it is to be dropped.
    ///
    /// # Errors
    ///
    /// When something that was added cannot stay: then nothing is written. When a file cannot be written; files before it are
    /// complete.
    pub fn install(
        &self,
        imported: &Imported,
        source: &EntityId,
        folder: &Path,
        existing: ExistingRows,
    ) -> Result<ImportChanges, ImportError> {
        for name in imported.files.keys() {
            reached_without_links(&self.root, &folder.join(name))?;
        }
        import::install(imported, source, folder, existing)
    }

    /// Which devices of the catalog the boards in a file of nvidia-smi are, with drafts of those it has not.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or the database fails.
    pub fn identify_boards(&self, file: &Path) -> Result<Vec<IdentifiedBoard>, ImportError> {
        identify(file, &self.stores().database)
    }

    /// Measures the points of a session on this machine; each result is written as it comes.
    ///
    /// # Errors
    ///
    /// When the worker cannot be started, a result cannot be written, or the database fails.
    pub fn run(
        &self,
        session: &Session<'_>,
        observer: &mut dyn RunObserver,
        stop: &AtomicBool,
    ) -> Result<FinishedRun, SessionError> {
        for folder in [session.folder, session.drafts] {
            reached_without_links(&self.root, folder).map_err(ResultsError::from)?;
        }
        session.run(&self.stores().database, observer, stop)
    }

    /// Writes into a folder, in the place of all that lies there, what the rows of a session are if nothing comes of it.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the database fails.
    pub fn write_rows_if_lost(&self, session: &Session<'_>, folder: &Path) -> Result<(), SessionError> {
        reached_without_links(&self.root, folder).map_err(ResultsError::from)?;
        session.write_rows_if_lost(&self.stores().database, folder)
    }

    /// Takes in what a job measured, as [`Gathering::take`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn gather(
        &self,
        gathering: &Gathering<'_>,
        job: &JobFolder,
        lost: Option<&LostJob>,
    ) -> Result<Vec<PathBuf>, ResultsError> {
        for folder in [gathering.target.folder, gathering.drafts] {
            reached_without_links(&self.root, folder)?;
        }
        gathering.take(job, lost)
    }
}

impl KnowledgeBase {
    /// The machine whose worker greeted so; `cache` remembers which devices of the catalog it has.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn machine(&self, hello: &Hello, cache: &Path) -> Result<Machine, DatabaseError> {
        self.asked(|stores| Machine::of(hello.clone(), &stores.database, cache))
    }

    /// Measurements that nobody has made, each with the device of a machine that would make it, or why none can.
    ///
    /// # Errors
    ///
    /// When a store fails, or a filter of a definition or claim is no question.
    pub fn wanted_here(&self, question: &str, machine: &Machine) -> Result<Wanted, QueryError> {
        let request = WantedRequest { question: question.to_owned(), here: machine.known_devices() };
        self.asked(|stores| {
            let mut found = wanted(stores, &stores.content, &request)?;
            for cell in &mut found.wanted {
                match run_of(cell, machine, stores, None)? {
                    Ok((device, _)) => cell.here = Some(device),
                    Err(why) => cell.not_here = Some(why),
                }
            }
            Ok(found)
        })
    }

    /// What would make a wanted measurement on a machine, on one of these devices where some are named.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn run_of(
        &self,
        cell: &WantedCell,
        machine: &Machine,
        on: Option<&[String]>,
    ) -> Result<RunHere, DatabaseError> {
        self.asked(|stores| run_of(cell, machine, stores, on))
    }

    /// The network of that id or, of a family, the one member that a worker has.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn network_of_worker(
        &self,
        asked: &EntityId,
        networks: &[String],
    ) -> Result<Result<EntityId, WorkerLacks>, DatabaseError> {
        self.asked(|stores| network_of_worker(asked, networks, &stores.database))
    }
}

fn run_of(
    cell: &WantedCell,
    machine: &Machine,
    stores: &Stores,
    on: Option<&[String]>,
) -> Result<RunHere, DatabaseError> {
    let wanted = WantedRun { on: &cell.on, measure: &cell.measure, like: &cell.like };
    machine.run_of(&wanted, &stores.database, on)
}

//! Contributions to a knowledge base: imports, boards of a machine, runs, and which wanted measurements this machine can make.

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
    /// Converts other people's result files to measurements; nothing is written.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or its measurements do not pass the strict reader.
    pub fn import(&self, request: &import::ImportRequest<'_>) -> Result<Imported, ImportError> {
        import::import(request, &self.stores().database)
    }

    /// The rows matched by a question that other sources contradict; each pair is listed from both sides.
    ///
    /// # Errors
    ///
    /// When the question has a mistake in its grammar, or a store fails.
    pub fn row_contradictions(&self, question: &str) -> Result<Vec<RowContradiction>, QueryError> {
        let found = self.with_stores(|stores| contradictions_of_rows(stores, question))?;
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

    /// The rows of these sources that are far from the values predicted from their settings and devices.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn surprising_rows(&self, sources: &[String]) -> Result<Vec<RowContradiction>, QueryError> {
        let found = self.with_stores(|stores| surprising_rows(stores, sources))?;
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

    /// Writes imported measurements into `folder`, each file completely or not at all, and returns which measurements
    /// changed. Manual additions to the files are preserved unless `existing` drops them.
    ///
    /// # Errors
    ///
    /// When a manual addition cannot be preserved: then nothing is written. When a file cannot be written; files before
    /// it are complete.
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

    /// Identifies the boards in an nvidia-smi file as devices of the catalog, with drafts for unknown ones.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or the database fails.
    pub fn identify_boards(&self, file: &Path) -> Result<Vec<IdentifiedBoard>, ImportError> {
        identify(file, &self.stores().database)
    }

    /// Measures the points of a session on this machine; each result is written as soon as it is available.
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

    /// Replaces the content of a folder by the rows that the session has if its job is lost.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the database fails.
    pub fn write_rows_if_lost(&self, session: &Session<'_>, folder: &Path) -> Result<(), SessionError> {
        reached_without_links(&self.root, folder).map_err(ResultsError::from)?;
        session.write_rows_if_lost(&self.stores().database, folder)
    }

    /// Imports the results of a job, as [`Gathering::take`] does.
    ///
    /// # Errors
    ///
    /// As for [`Gathering::take`].
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
    /// The machine whose worker sent `hello`; the matching of its devices with the catalog is cached in `cache`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn machine(&self, hello: &Hello, cache: &Path) -> Result<Machine, DatabaseError> {
        self.with_stores(|stores| Machine::of(hello.clone(), &stores.database, cache))
    }

    /// Measurements that are missing, each with the device of a machine that can make it, or why none can.
    ///
    /// # Errors
    ///
    /// When a store fails, or a filter of a definition or claim is not a valid question.
    pub fn wanted_here(&self, question: &str, machine: &Machine) -> Result<Wanted, QueryError> {
        let request = WantedRequest { question: question.to_owned(), here: machine.known_devices() };
        self.with_stores(|stores| {
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

    /// The run that would make a wanted measurement on a machine, limited to the devices `on` if given.
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
        self.with_stores(|stores| run_of(cell, machine, stores, on))
    }

    /// The network with this id or, for a family, its only member that a worker implements.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn network_of_worker(
        &self,
        asked: &EntityId,
        networks: &[String],
    ) -> Result<Result<EntityId, WorkerLacks>, DatabaseError> {
        self.with_stores(|stores| network_of_worker(asked, networks, &stores.database))
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

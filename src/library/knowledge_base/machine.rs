//! What the machine at hand can measure of what is wanted.

use std::path::Path;

use super::KnowledgeBase;
use crate::ask::evidence::{Wanted, WantedCell, WantedRequest, wanted};
use crate::ask::parse::QueryError;
use crate::measure::protocol::Hello;
use crate::measure::{Machine, RunHere, WantedRun, WorkerLacks, network_of_worker};
use crate::stores::Stores;
use crate::stores::database::DatabaseError;
use crate::values::EntityId;

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

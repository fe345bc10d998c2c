//! What the rows of a run are if nothing comes of it: written by the machine that measures, since whoever misses the run later knows
//! neither its device nor its software.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::measure::plan_point::PlanPoint;
use crate::measure::process_run::Attempt;
use crate::measure::results::{Results, ResultsError};
use crate::measure::rows::{RunContext, row_of};
use crate::measure::session::{Session, SessionError};
use crate::reading::WriteError;
use crate::stores::database::Database;
use crate::values::Outcome;

/// What stands in the place of a message until more is known.
const MESSAGE: &str = "the job ended without a word";

impl Session<'_> {
    /// Writes a row with the outcome `crashed` for each point whose batch is known into a folder of its own, in the place of all that lay there.
    pub(crate) fn write_rows_if_lost(&self, store: &Database, folder: &Path) -> Result<(), SessionError> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(ResultsError::from(WriteError::at(folder)(error)).into());
            }
            _ => {}
        }
        let (devices, environment) = self.devices(store)?;
        let first = self.points.first().map_or("", |point| devices[&point.device].id.as_str());
        let place = (self.name, first, self.date);
        let wanted: BTreeSet<String> = self.points.iter().map(PlanPoint::title).collect();
        let mut results = Results::open(folder, self.source, place, &wanted, &environment, true)?;
        // Of the largest batch that fits nobody knows yet what it is.
        for (point, batch) in self.points.iter().filter_map(|point| Some((point, point.batch?))) {
            let message = MESSAGE.to_owned();
            let attempted = Attempt::Failed { outcome: Outcome::Crashed, message, batch };
            let found = &devices[&point.device];
            let worker = self.workers.of(point);
            let shared = RunContext { worker, date: self.date, environment: &environment, limits: self.limits };
            let row = row_of(point, &attempted, (&found.id, &found.raw), &shared);
            results.set(&point.title(), row, self.date)?;
        }
        Ok(())
    }
}

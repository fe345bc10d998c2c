//! The workers of a run: one, or several with names, of which each point names its own.

use super::plan_point::PlanPoint;
use super::worker::WorkerCommand;
use dlbench_protocol::Hello;

/// A worker of a run.
#[derive(Debug, Clone)]
pub struct RunWorker {
    /// Its name, where a run has several.
    pub name: Option<String>,
    /// How it is started.
    pub launch: WorkerCommand,
    /// What it said of itself.
    pub hello: Hello,
}

/// One or more workers.
#[derive(Debug, Clone)]
pub struct RunWorkers {
    first: RunWorker,
    others: Vec<RunWorker>,
}

impl RunWorkers {
    /// These workers; points that name none of them are the first one's.
    pub fn new(first: RunWorker, others: Vec<RunWorker>) -> Self {
        Self { first, others }
    }

    /// The worker that measures a point.
    pub fn of(&self, point: &PlanPoint) -> &RunWorker {
        self.others.iter().find(|worker| worker.name == point.worker).unwrap_or(&self.first)
    }

    /// Their names and greetings.
    pub fn greetings(&self) -> Vec<(Option<&str>, &Hello)> {
        self.iter().map(|worker| (worker.name.as_deref(), &worker.hello)).collect()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &RunWorker> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

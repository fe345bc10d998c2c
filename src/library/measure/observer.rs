//! Who is told of a run while it goes on.

use super::process_run::Attempt;
use crate::model::Measurement;

/// A process that begins.
#[derive(Debug, Clone, Copy)]
pub struct BeginningProcess<'r> {
    /// The title of its configuration.
    pub title: &'r str,
    /// Which process of the configuration it is, counted from 1, and of how many, as far as is known.
    pub number: (usize, usize),
    /// How many processes of the run have ended.
    pub done: usize,
    /// How many there will be, as far as is known.
    pub total: usize,
}

/// Nobody.
#[derive(Debug)]
pub(super) struct NoObserver;

impl RunObserver for NoObserver {
    fn begins(&mut self, _process: BeginningProcess<'_>) {}
    fn epoch(&mut self, _number: usize, _of: Option<usize>, _seconds: f64) {}
    fn stands_already(&mut self, _title: &str) {}
    fn done(&mut self, _title: &str, _attempted: &Attempt, _row: &Measurement) {}
    fn note(&mut self, _text: &str) {}
}

/// Who is told what happens.
pub trait RunObserver {
    /// A process of a configuration begins.
    fn begins(&mut self, process: BeginningProcess<'_>);
    /// An epoch has ended: which one, counted from 1, of how many where that is fixed, and how long it took, s.
    fn epoch(&mut self, number: usize, of: Option<usize>, seconds: f64);
    /// A configuration stood in the file already.
    fn stands_already(&mut self, title: &str);
    /// All processes of a configuration are in the file now.
    fn done(&mut self, title: &str, attempted: &Attempt, row: &Measurement);
    /// Something worth knowing.
    fn note(&mut self, text: &str);
}

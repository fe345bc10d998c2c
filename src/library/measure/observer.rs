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

/// Who is told what happens.
pub trait RunObserver {
    /// A process of a configuration begins.
    fn begins(&mut self, process: BeginningProcess<'_>);
    /// A configuration stood in the file already.
    fn stands_already(&mut self, title: &str);
    /// All processes of a configuration are in the file now.
    fn done(&mut self, title: &str, attempted: &Attempt, row: &Measurement);
    /// Something worth knowing.
    fn note(&mut self, text: &str);
}

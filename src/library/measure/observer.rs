//! Who is told of a run while it goes on.

use super::attempt::Attempt;
use crate::model::Measurement;

/// Who is told what happens.
pub trait RunObserver {
    /// A configuration begins: its place in the plan, how many there are, and its title.
    fn begins(&mut self, at: usize, of: usize, title: &str);
    /// It stood in the file already.
    fn stands_already(&mut self, title: &str);
    /// It is in the file now.
    fn done(&mut self, title: &str, attempted: &Attempt, row: &Measurement);
    /// Something worth knowing.
    fn note(&mut self, text: &str);
}

//! Which cells of a table are set against each other.

use super::request::Along;

/// Which cells are set against each other, and the row or column that others are set against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    pub along: Along,
    pub baseline: Option<Baseline>,
}

/// A row or a column that others are set against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Baseline {
    Row(usize),
    Column(usize),
}

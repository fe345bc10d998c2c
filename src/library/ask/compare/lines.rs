//! Which cells of a table are compared with each other.

use super::request::Along;

/// The direction in which cells are compared, and the baseline row or column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    pub along: Along,
    pub baseline: Option<Baseline>,
}

/// The row or column that others are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Baseline {
    Row(usize),
    Column(usize),
}

//! How a comparison is drawn: what is shown of its cells, and what its author wants.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::render::table::AuthorStyle;

/// What is shown of a cell.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum CellPart {
    /// The value
    Value,
    /// The ratio to the baseline
    VsBaseline,
    /// The ratio to the best that it can be compared with
    VsBest,
    /// The rank among those that it can be compared with
    Rank,
    /// How far its samples lie apart: their standard deviation, else the smallest and the largest
    Spread,
}

/// How a comparison is drawn.
#[derive(Debug, Clone, Default)]
pub struct PivotStyle {
    /// What is shown of each cell.
    pub shown: Vec<CellPart>,
    /// Digits, order, names and shades that are wanted.
    pub author: AuthorStyle,
    /// The caption that was asked for.
    pub caption: Option<String>,
    /// Whether numbers stand with all their digits and nothing beside them, for a program.
    pub exact: bool,
    /// Whether sources are cited by their keys, as LaTeX does, and not by numbers.
    pub cites: bool,
}

//! The parameters of a comparison.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::comparability::Criterion;
use crate::model::{Aspect, Field, Measure};

/// An axis of rows or columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PivotAxis {
    /// A field, or a fact of the catalog.
    Aspect(Aspect),
    /// The metrics themselves.
    Metric,
}

impl PivotAxis {
    /// The key of the axis.
    pub fn key(self) -> &'static str {
        match self {
            Self::Aspect(aspect) => aspect.key(),
            Self::Metric => "metric",
        }
    }

    /// The field that varies along the axis.
    pub(super) fn field(self) -> Option<Field> {
        match self {
            Self::Aspect(Aspect::Field(field)) => Some(field),
            Self::Aspect(Aspect::Fact(fact)) => fact.naming_fields().next(),
            _ => None,
        }
    }
}

/// Which of several candidates a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum ComparePick {
    /// The latest by date of measurement or publication
    ///
    /// A measurement without a date has the date of its source; among equal dates the best value is taken.
    Latest,
    /// The best value
    #[default]
    Best,
    /// The median; of two middle values the worse one
    Median,
    /// All values
    All,
}

/// How two values are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Ratio {
    /// How many times as good
    ///
    /// For a time the other value divided by this one, for a rate this one divided by the other.
    #[default]
    SpeedUp,
    /// The value divided by the other
    Quotient,
}

/// Which cells are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Along {
    /// The cells of a column
    Column,
    /// The cells of a row
    Row,
}

/// Which ratios a geometric mean covers if rows do not have values in the same columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum MeanPolicy {
    /// The cells that all have
    Common,
    /// The cells that each has
    Each,
}

/// The parameters of a comparison.
#[derive(Debug, Clone, Default)]
pub struct CompareRequest {
    /// The axes of rows.
    pub rows: Vec<PivotAxis>,
    /// The axes that group rows; they precede the row axes.
    pub groups: Vec<PivotAxis>,
    /// The axes of columns; if empty, there is one column per measure.
    pub columns: Vec<PivotAxis>,
    /// The measures to compare; if empty, the most frequent metric.
    pub measures: Vec<Measure>,
    /// The baseline row or column, given by its values.
    pub baseline: Option<String>,
    /// The kind of ratios to show; `None` for no ratios.
    pub relative: Option<Ratio>,
    /// Which of several candidates a cell shows.
    pub pick: ComparePick,
    /// Which cells are compared with each other; `None` chooses automatically.
    pub along: Option<Along>,
    /// What geometric means of unequal sets cover; `None` leaves such means out.
    pub mean: Option<MeanPolicy>,
    /// Criteria in which compared values may differ.
    pub relaxed: Vec<Criterion>,
    /// The dataset that an epoch refers to; `None` uses each measurement's own.
    pub dataset: Option<String>,
}

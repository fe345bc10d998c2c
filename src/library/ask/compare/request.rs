//! What a comparison is asked for.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::comparability::Criterion;
use crate::model::{Aspect, Field, Measure};

/// What rows or columns are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PivotAxis {
    /// A field, or a fact of the catalog.
    Aspect(Aspect),
    /// The metrics themselves.
    Metric,
}

impl PivotAxis {
    /// Its key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Aspect(aspect) => aspect.key(),
            Self::Metric => "metric",
        }
    }

    /// The field that is varied along it.
    pub(super) fn field(self) -> Option<Field> {
        match self {
            Self::Aspect(Aspect::Field(field)) => Some(field),
            Self::Aspect(Aspect::Fact(fact)) => fact.naming_fields().next(),
            _ => None,
        }
    }
}

/// Which of several candidates is in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum ComparePick {
    /// The one measured or published last
    ///
    /// The date of its source counts where it has none of its own; of equal ones the best is taken.
    Latest,
    /// The best value
    #[default]
    Best,
    /// The one in the middle; of an even number the worse of the two
    Median,
    /// All of them
    All,
}

/// How one value is set against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Ratio {
    /// How many times as good
    ///
    /// Of a time the other over the own, of a rate the own over the other.
    #[default]
    SpeedUp,
    /// The value divided by the other
    Quotient,
}

/// Which cells are set against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Along {
    /// Those of one column
    Column,
    /// Those of one row
    Row,
}

/// What a geometric mean is taken over where rows do not have values in the same columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum MeanPolicy {
    /// What all of them have
    Common,
    /// What each of them has
    Each,
}

/// A comparison that is wanted.
#[derive(Debug, Clone, Default)]
pub struct CompareRequest {
    /// What rows are made by.
    pub rows: Vec<PivotAxis>,
    /// What rows are grouped by: it comes before what they are made by.
    pub groups: Vec<PivotAxis>,
    /// What columns are made by; nothing is one column for each measure.
    pub columns: Vec<PivotAxis>,
    /// What is compared; nothing is what the measurements have most of.
    pub measures: Vec<Measure>,
    /// The row or column that others are set against, by its values.
    pub baseline: Option<String>,
    /// Whether ratios are wanted, and of which kind.
    pub relative: Option<Ratio>,
    /// Which of several candidates is in a cell.
    pub pick: ComparePick,
    /// Which cells are set against each other; nothing is found out.
    pub along: Option<Along>,
    /// What geometric means of unequal sets are taken over; nothing is none of them.
    pub mean: Option<MeanPolicy>,
    /// Differences that are allowed.
    pub relaxed: Vec<Criterion>,
    /// The data set of epochs; nothing is each measurement's own.
    pub dataset: Option<String>,
}

//! What a person wants to see drawn.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::model::{Aspect, Fact, FactType, Field, FieldType, Metric};

/// The shape of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum FigureKind {
    /// Bars in groups.
    Bars,
    /// Lines over a number, such as the batch size.
    Lines,
    /// A point for each measurement, by two numbers.
    Scatter,
    /// A point for each measurement, by its date.
    Timeline,
    /// Measured performance below what the devices can do.
    Roofline,
    /// How many measurements there are of each pair.
    Heatmap,
}

/// Which of several measurements at one place is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum PlotPick {
    /// The best value.
    Best,
    /// The one measured last
    ///
    /// By its own date or its source's year.
    Latest,
    /// The middle one
    ///
    /// Of an even number the worse of the two in the middle.
    Median,
}

/// The order of categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum CategoryOrder {
    /// By name
    ///
    /// Numbers in names stand by size.
    #[default]
    Name,
    /// By value, the largest first
    ///
    /// The best value of each counts.
    Value,
}

/// A figure that is asked for.
#[derive(Debug, Clone, Default)]
pub struct PlotRequest {
    /// Its shape; else what fits the axes.
    pub kind: Option<FigureKind>,
    /// What stands along the horizontal axis.
    pub x: Option<Aspect>,
    /// What stands along the vertical axis.
    pub y: Option<Aspect>,
    /// What colours tell apart; a second one is told by shade.
    pub group: Vec<Aspect>,
    /// What each panel has in common.
    pub facet: Vec<Aspect>,
    /// What single points are named by.
    pub label: Vec<Aspect>,
    /// Whether the points that no other one beats in both numbers are joined.
    pub pareto: bool,
    /// Which of several measurements at one place is drawn.
    pub pick: Option<PlotPick>,
    /// The order of categories.
    pub order: CategoryOrder,
    /// Whether of what cannot be compared only the most common is drawn, and the rest counted in a note, instead of refusing
    /// the figure: for axes that nobody named.
    pub narrowed: bool,
}

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// The question found nothing that can be drawn.
    #[error("there is nothing to draw: {0}")]
    Nothing(String),
    /// What was asked for makes no sense, or would mislead.
    #[error("{message}")]
    Refused {
        /// What is wrong.
        message: String,
        /// What would be right.
        help: String,
    },
}

impl PlotError {
    pub(super) fn refused(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), help: help.into() }
    }
}

impl PlotRequest {
    /// The shape of the figure: the one that was asked for, else what fits the axes.
    ///
    /// # Errors
    ///
    /// When an axis is missing.
    pub fn kind(&self) -> Result<FigureKind, PlotError> {
        if let Some(kind) = self.kind {
            return Ok(kind);
        }
        let (x, y) = self.axes()?;
        Ok(match x {
            _ if !y.is_numeric() => FigureKind::Heatmap,
            x if is_date(x) => FigureKind::Timeline,
            Aspect::Metric(_) => FigureKind::Scatter,
            Aspect::Field(field) if x.is_numeric() && field.kind() == FieldType::Count => FigureKind::Lines,
            x if x.is_numeric() => FigureKind::Scatter,
            _ => FigureKind::Bars,
        })
    }

    /// Both axes.
    pub(super) fn axes(&self) -> Result<(Aspect, Aspect), PlotError> {
        match (self.x, self.y) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(PlotError::refused(
                "a figure needs two axes",
                "--x FIELD and --y METRIC, for instance --x framework --y throughput --group device,precision",
            )),
        }
    }

    /// Everything besides the values by which drawn things are told apart.
    pub fn told_apart_by(&self) -> Vec<Aspect> {
        let axes = self.x.into_iter().chain(self.y).filter(|axis| !matches!(axis, Aspect::Metric(_)));
        axes.chain(self.group.iter().chain(&self.facet).chain(&self.label).copied()).collect()
    }

    /// Everything that a row must say for itself.
    pub fn aspects(&self) -> Vec<Aspect> {
        let axes = self.x.into_iter().chain(self.y);
        axes.chain(self.group.iter().chain(&self.facet).chain(&self.label).copied()).collect()
    }
}

/// Whether the values are dates.
pub(super) fn is_date(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Fact(fact) => fact == Fact::Year || fact.value_type() == FactType::Date,
        _ => aspect == Aspect::Field(Field::Date),
    }
}

/// The metric of an aspect.
pub(super) fn metric_of(aspect: Aspect) -> Option<Metric> {
    match aspect {
        Aspect::Metric(metric) => Some(metric),
        _ => None,
    }
}

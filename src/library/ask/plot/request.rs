//! What a person wants to see drawn.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::comparability::Criterion;
use crate::model::{Aspect, Direction, Fact, FactType, Field, FieldType, Measure, Metric};

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

/// How the numbers along an axis are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum AxisScale {
    /// In even steps
    Linear,
    /// In even ratios
    Log,
}

/// How an axis is wanted; what is not said follows from the values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AxisOptions {
    /// How numbers are laid out.
    pub scale: Option<AxisScale>,
    /// Where it begins and ends.
    pub limits: Option<(f64, f64)>,
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
    /// How the horizontal axis is laid out.
    pub x_axis: AxisOptions,
    /// How the vertical axis is laid out.
    pub y_axis: AxisOptions,
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
        /// What would be right, the best first.
        remedies: Vec<Remedy>,
        /// In what numbers differ that would stand together.
        apart: Vec<Criterion>,
    },
}

/// What helps where a figure is refused.
#[derive(Debug, Clone, PartialEq, Eq, strum::Display)]
pub enum Remedy {
    /// What can only be said.
    #[strum(to_string = "{0}")]
    Advice(String),
    /// A panel for each value of these.
    #[strum(to_string = "give each a panel of its own with --facet {0}")]
    Facet(AspectList),
    /// A colour for each value of these.
    #[strum(to_string = "tell them apart with --group {0}")]
    Group(AspectList),
    /// One value of several at a place.
    #[strum(to_string = "name a rule with --pick best, latest or median")]
    Pick,
    /// Fewer rows by these filters.
    #[strum(to_string = "narrow the question, for instance {0}")]
    Narrow(String),
    /// Fewer rows by these filters, and one of several at a place.
    #[strum(to_string = "narrow the question, for instance {0} with --pick best")]
    NarrowAndPick(String),
}

impl Remedy {
    /// The question and the request after it; nothing where it can only be said.
    pub fn applied(&self, question: &str, request: &PlotRequest) -> Option<(String, PlotRequest)> {
        let mut request = request.clone();
        let mut question = question.to_owned();
        match self {
            Self::Advice(_) => return None,
            Self::Facet(facet) => request.facet.clone_from(&facet.0),
            Self::Group(group) => request.group.clone_from(&group.0),
            Self::Pick => request.pick = Some(PlotPick::Best),
            Self::Narrow(filters) => question = format!("({question}) {filters}"),
            Self::NarrowAndPick(filters) => {
                request.pick = request.pick.or(Some(PlotPick::Best));
                question = format!("({question}) {filters}");
            }
        }
        Some((question, request))
    }
}

/// Aspects, written as an option takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AspectList(pub Vec<Aspect>);

impl std::fmt::Display for AspectList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keys: Vec<&str> = self.0.iter().map(|aspect| aspect.key()).collect();
        f.write_str(&keys.join(","))
    }
}

impl PlotError {
    pub(super) fn refused(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), remedies: vec![Remedy::Advice(help.into())], apart: Vec::new() }
    }

    /// What would be right, in words.
    pub fn help(&self) -> String {
        let Self::Refused { remedies, .. } = self else { return String::new() };
        remedies.iter().map(ToString::to_string).collect::<Vec<_>>().join(", or ")
    }

    /// Numbers differ in this that would stand together; what to do about it is found by trying.
    pub(super) fn apart(message: impl Into<String>, apart: Vec<Criterion>) -> Self {
        Self::Refused { message: message.into(), remedies: Vec::new(), apart }
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
            x if measure_of(x).is_some() => FigureKind::Scatter,
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

    /// The metrics by whose rules the numbers along the axes are compared.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        self.x.into_iter().chain(self.y).filter_map(measure_of).map(Measure::basis).collect()
    }

    /// Everything besides the values by which drawn things are distinguished.
    pub fn told_apart_by(&self) -> Vec<Aspect> {
        let axes = self.x.into_iter().chain(self.y).filter(|axis| measure_of(*axis).is_none());
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

/// The measure that an aspect is.
pub(super) fn measure_of(aspect: Aspect) -> Option<Measure> {
    match aspect {
        Aspect::Metric(metric) => Some(Measure::Metric(metric)),
        Aspect::Derived(derived) => Some(Measure::Derived(derived)),
        _ => None,
    }
}

/// Which way is better along an aspect; of what is no measure none is.
pub(super) fn direction_of(aspect: Aspect) -> Direction {
    measure_of(aspect).map_or(Direction::Neutral, Measure::direction)
}

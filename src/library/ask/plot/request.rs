//! The parameters of a figure.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

use crate::comparability::Criterion;
use crate::model::{Aspect, Direction, Fact, FactType, Field, FieldType, Measure, Metric};

/// The kind of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum FigureKind {
    /// Grouped bars.
    Bars,
    /// Lines over a number, such as the batch size.
    Lines,
    /// One point per measurement, by two numbers.
    Scatter,
    /// One point per measurement, by its date.
    Timeline,
    /// Measured performance below the limits of the devices.
    Roofline,
    /// Number of measurements of each pair.
    Heatmap,
}

/// Which of several measurements at one place is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum PlotPick {
    /// The best value.
    Best,
    /// The latest one
    ///
    /// By its own date or its source's year.
    Latest,
    /// The median
    ///
    /// Of two middle values the worse one.
    Median,
}

/// The order of categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum CategoryOrder {
    /// By name
    ///
    /// Numbers in names are sorted by value.
    #[default]
    Name,
    /// By value, largest first
    ///
    /// The best value of each counts.
    Value,
}

/// The scale of a numeric axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum AxisScale {
    /// In equal steps
    Linear,
    /// In equal ratios
    Log,
}

/// Requested options of an axis; unset ones follow from the values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AxisOptions {
    /// The scale.
    pub scale: Option<AxisScale>,
    /// The limits.
    pub limits: Option<(f64, f64)>,
}

/// The parameters of a figure.
#[derive(Debug, Clone, Default)]
pub struct PlotRequest {
    /// The kind of figure; `None` chooses one that fits the axes.
    pub kind: Option<FigureKind>,
    /// The aspect on the horizontal axis.
    pub x: Option<Aspect>,
    /// The aspect on the vertical axis.
    pub y: Option<Aspect>,
    /// Options of the horizontal axis.
    pub x_axis: AxisOptions,
    /// Options of the vertical axis.
    pub y_axis: AxisOptions,
    /// The aspects that set colour (first) and shade (others).
    pub group: Vec<Aspect>,
    /// The aspects that divide the figure into panels.
    pub facet: Vec<Aspect>,
    /// The aspects that label points.
    pub label: Vec<Aspect>,
    /// Whether to draw the Pareto front: the points that no other point beats in both values.
    pub pareto: bool,
    /// Which of several measurements at one place is drawn; `None` refuses such figures.
    pub pick: Option<PlotPick>,
    /// The order of categories.
    pub order: CategoryOrder,
    /// Whether to draw only the most common setting of incomparable rows, with a note on the rest, instead of refusing the
    /// figure; used for inferred axes.
    pub narrowed: bool,
}

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// The question found nothing that can be drawn.
    #[error("there is nothing to draw: {0}")]
    Nothing(String),
    /// The request makes no sense, or its figure would mislead.
    #[error("{message}")]
    Refused {
        /// The problem.
        message: String,
        /// What to do instead, the best first.
        remedies: Vec<Remedy>,
        /// The criteria in which values that would be drawn together differ.
        differing: Vec<Criterion>,
    },
}

/// A remedy for a refused figure.
#[derive(Debug, Clone, PartialEq, Eq, strum::Display)]
pub enum Remedy {
    /// Advice that cannot be applied automatically.
    #[strum(to_string = "{0}")]
    Advice(String),
    /// One panel per value of these aspects.
    #[strum(to_string = "give each a panel of its own with --facet {0}")]
    Facet(AspectList),
    /// One colour per value of these aspects.
    #[strum(to_string = "tell them apart with --group {0}")]
    Group(AspectList),
    /// A rule that picks one of several values at a place.
    #[strum(to_string = "name a rule with --pick best, latest or median")]
    Pick,
    /// Fewer rows, by these filters.
    #[strum(to_string = "narrow the question, for instance {0}")]
    Narrow(String),
    /// Fewer rows, by these filters, and a rule that picks one of several values.
    #[strum(to_string = "narrow the question, for instance {0} with --pick best")]
    NarrowAndPick(String),
}

impl Remedy {
    /// The question and request with the remedy applied; `None` for mere advice.
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

/// Aspects, formatted as a command-line option takes them.
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
        Self::Refused { message: message.into(), remedies: vec![Remedy::Advice(help.into())], differing: Vec::new() }
    }

    /// The remedies, in words.
    pub fn help(&self) -> String {
        let Self::Refused { remedies, .. } = self else { return String::new() };
        remedies.iter().map(ToString::to_string).collect::<Vec<_>>().join(", or ")
    }

    /// A refusal because of differences in these criteria; remedies are found later by trying.
    pub(super) fn not_comparable(message: impl Into<String>, differing: Vec<Criterion>) -> Self {
        Self::Refused { message: message.into(), remedies: Vec::new(), differing }
    }
}

impl PlotRequest {
    /// The kind of figure: as requested, else chosen to fit the axes.
    ///
    /// # Errors
    ///
    /// Fails if an axis is missing.
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

    /// Both axes; fails if one is missing.
    pub(super) fn axes(&self) -> Result<(Aspect, Aspect), PlotError> {
        match (self.x, self.y) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(PlotError::refused(
                "a figure needs two axes",
                "--x FIELD and --y METRIC, for instance --x framework --y throughput --group device,precision",
            )),
        }
    }

    /// The metrics whose comparability rules apply to the axes.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        self.x.into_iter().chain(self.y).filter_map(measure_of).map(Measure::basis).collect()
    }

    /// The aspects, other than measures, that distinguish what is drawn.
    pub fn distinguishing_aspects(&self) -> Vec<Aspect> {
        let axes = self.x.into_iter().chain(self.y).filter(|axis| measure_of(*axis).is_none());
        axes.chain(self.group.iter().chain(&self.facet).chain(&self.label).copied()).collect()
    }

    /// All aspects that a row needs to be drawn.
    pub fn aspects(&self) -> Vec<Aspect> {
        let axes = self.x.into_iter().chain(self.y);
        axes.chain(self.group.iter().chain(&self.facet).chain(&self.label).copied()).collect()
    }
}

/// Whether the values of an aspect are dates.
pub(super) fn is_date(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Fact(fact) => fact == Fact::Year || fact.value_type() == FactType::Date,
        _ => aspect == Aspect::Field(Field::Date),
    }
}

/// The measure of an aspect, if it is one.
pub(super) fn measure_of(aspect: Aspect) -> Option<Measure> {
    match aspect {
        Aspect::Metric(metric) => Some(Measure::Metric(metric)),
        Aspect::Derived(derived) => Some(Measure::Derived(derived)),
        _ => None,
    }
}

/// The better direction of an aspect; neutral if it is not a measure.
pub(super) fn direction_of(aspect: Aspect) -> Direction {
    measure_of(aspect).map_or(Direction::Neutral, Measure::direction)
}

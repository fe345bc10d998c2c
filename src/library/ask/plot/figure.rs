//! A figure as data: panels of marks on two axes, with their notes.

use super::request::FigureKind;
use crate::values::text::capital;

/// A figure, independent of the output format.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The kind of figure.
    pub kind: FigureKind,
    /// What the whole figure shares.
    pub title: String,
    /// The horizontal axis.
    pub x: FigureAxis,
    /// The vertical axis.
    pub y: FigureAxis,
    /// The groups that colours and shades distinguish.
    pub groups: Vec<Group>,
    /// The panels, in order.
    pub panels: Vec<Panel>,
    /// Whether all panels share one vertical scale.
    pub shared: bool,
    /// Notes needed to judge the figure.
    pub notes: Vec<String>,
    /// Ids of the sources of the data, sorted.
    pub sources: Vec<String>,
    /// Where the figure comes from.
    pub origin: Origin,
}

/// The origin of a figure, besides its rows.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The question as typed.
    pub query: String,
    /// The question as explicit filters.
    pub equivalent: String,
    /// Hash of the knowledge base's content.
    pub content: String,
}

/// An axis of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureAxis {
    /// The title of the axis, with the unit in brackets.
    pub label: String,
    /// The snake_case key in the data.
    pub key: String,
    /// The scale of the axis.
    pub scale: Scale,
    /// Limits of the axis; `None` fits the values.
    pub limits: Option<(f64, f64)>,
}

/// The scale of an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Names; a point's coordinate is the index of its name.
    Names(Vec<String>),
    /// Linear.
    Linear,
    /// Logarithmic.
    Log,
    /// Dates as fractional years.
    Years,
}

/// The meaning of a colour and shade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name in the legend.
    pub name: String,
    /// Index of the colour, from 0.
    pub hue: usize,
    /// Index of the shade, from 0, the fullest.
    pub shade: usize,
}

/// One set of axes.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// The title; empty in a figure with one panel.
    pub title: String,
    /// The marks.
    pub series: Vec<Series>,
}

/// The marks of one group.
#[derive(Debug, Clone)]
pub struct Series {
    /// Index of the group; `None` has no entry in the legend.
    pub group: Option<usize>,
    /// How the points are joined.
    pub link: Link,
    /// The points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// How points are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Not joined: marks only.
    Marks,
    /// Marks joined by a line.
    Line,
    /// A line without marks: a Pareto front, a roof.
    Bare,
    /// A step line without marks: the best so far.
    Steps,
}

/// A data point.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// Horizontal coordinate: a number, or the index of a name.
    pub x: f64,
    /// Vertical coordinate.
    pub y: f64,
    /// Both coordinates exactly as recorded.
    pub texts: [String; 2],
    /// Ends of the error bar.
    pub spread: Option<(f64, f64)>,
    /// The label of the point.
    pub label: String,
    /// Whether the label is replaced by a number in drawings, because other points take precedence.
    pub numbered: bool,
    /// Id of the measurement; empty for values computed for the figure.
    pub id: String,
    /// The measurement's source.
    pub source: String,
    /// Whether the value is derived from other values of its row.
    pub derived: bool,
    /// Number of measurements it stands for; in a heat map this may exceed 1.
    pub count: u64,
}

impl Figure {
    /// A caption that needs no other context: what is drawn against what, then what the whole figure shares.
    pub fn caption(&self) -> String {
        let named = |axis: &FigureAxis| axis.label.split([',', '[']).next().unwrap_or_default().trim().to_owned();
        let (x, y) = (named(&self.x), named(&self.y));
        let shown = match self.kind {
            FigureKind::Heatmap => format!("measurements by {y} and {x}"),
            FigureKind::Bars => format!("{y} by {}", if x.is_empty() { "setup" } else { &x }),
            FigureKind::Roofline => format!("roofline of {y} over {x}"),
            _ => format!("{y} over {x}"),
        };
        let shown = capital(&shown);
        if self.title.is_empty() { shown } else { format!("{shown}: {}", self.title) }
    }

    /// All points with their panels and series.
    pub fn points(&self) -> impl Iterator<Item = (&Panel, &Series, &Point)> {
        let series = self.panels.iter().flat_map(|panel| panel.series.iter().map(move |series| (panel, series)));
        series.flat_map(|(panel, series)| series.points.iter().map(move |point| (panel, series, point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_says_what_is_drawn_before_what_it_is_of() {
        let axis = |label: &str| FigureAxis {
            label: label.to_owned(),
            key: String::new(),
            scale: Scale::Linear,
            limits: None,
        };
        let figure = Figure {
            kind: FigureKind::Lines,
            title: "eval · Tesla V100".to_owned(),
            x: axis("batch size"),
            y: axis("throughput [images/s]"),
            groups: Vec::new(),
            panels: Vec::new(),
            shared: false,
            notes: Vec::new(),
            sources: Vec::new(),
            origin: Origin::default(),
        };
        assert_eq!(figure.caption(), "Throughput over batch size: eval · Tesla V100");
        let roofs = Figure { kind: FigureKind::Roofline, x: axis("intensity, at most [FLOP/byte]"), ..figure };
        assert_eq!(roofs.caption(), "Roofline of throughput over intensity: eval · Tesla V100");
    }
}

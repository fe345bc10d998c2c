//! A figure: panels of marks along two axes, with everything that must be said about them.

use super::request::FigureKind;
use crate::values::text::capital;

/// A figure, ready to be drawn by anybody.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Its shape.
    pub kind: FigureKind,
    /// What all of it has in common.
    pub title: String,
    /// What stands along the horizontal axis.
    pub x: FigureAxis,
    /// What stands along the vertical axis.
    pub y: FigureAxis,
    /// What colours and shades tell apart.
    pub groups: Vec<Group>,
    /// The panels, in their order.
    pub panels: Vec<Panel>,
    /// Whether the panels have one vertical scale.
    pub shared: bool,
    /// What must be known to judge it.
    pub notes: Vec<String>,
    /// The sources of what is drawn, sorted.
    pub sources: Vec<String>,
    /// Where it is from.
    pub origin: Origin,
}

/// What a figure is drawn from besides its rows.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The question as it was asked.
    pub query: String,
    /// The same in explicit filters.
    pub equivalent: String,
    /// Hash of the knowledge base's content.
    pub content: String,
}

/// What stands along an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureAxis {
    /// Its name with the unit in brackets.
    pub label: String,
    /// The snake_case key of the data.
    pub key: String,
    /// How values are laid out.
    pub scale: Scale,
    /// Where the axis begins and ends; nothing is where the values do.
    pub limits: Option<(f64, f64)>,
}

/// How values are laid out.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Names; a point's number is the place of its name.
    Names(Vec<String>),
    /// Numbers in even steps.
    Linear,
    /// Numbers in even ratios.
    Log,
    /// Years with their fractions.
    Years,
}

/// What one colour or shade stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Which colour it has, from 0.
    pub hue: usize,
    /// Which shade of it, from 0, the fullest.
    pub shade: usize,
}

/// One set of axes.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// What it is about; empty in a figure of one panel.
    pub title: String,
    /// The marks.
    pub series: Vec<Series>,
}

/// Marks of one group.
#[derive(Debug, Clone)]
pub struct Series {
    /// The place of its group; `None` has no entry in the legend.
    pub group: Option<usize>,
    /// What joins its points.
    pub link: Link,
    /// The points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// What joins points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Nothing: each is a mark by itself.
    Marks,
    /// A line through marks.
    Line,
    /// A line alone: a front, a roof.
    Bare,
    /// Steps: the best so far.
    Steps,
}

/// Something drawn at a place.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// Along the horizontal axis: a number, or the place of a name.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// Both as they are recorded, digit for digit.
    pub texts: [String; 2],
    /// The ends of what is known about the spread.
    pub spread: Option<(f64, f64)>,
    /// What the point is called.
    pub label: String,
    /// Whether other points are named before it, so that a number stands for its name in a drawing.
    pub numbered: bool,
    /// The measurement's id and source; empty for what was computed for the figure.
    pub id: String,
    /// The measurement's source.
    pub source: String,
    /// Whether the value follows from others of its row.
    pub derived: bool,
    /// How many measurements are behind it, in a heat map.
    pub count: u64,
}

impl Figure {
    /// What it shows, for a reader who has only the caption: what is drawn against what, then what all of it has in common.
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

    /// All points of measurements.
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

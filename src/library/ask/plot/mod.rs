//! Figures as data: what is drawn, why it is comparable, and where it comes from. Rendering is elsewhere.

mod advice;
mod axis_options;
mod bars;
mod build;
mod coverage;
mod draw;
mod fairness;
mod figure;
mod groups;
mod ideal_lines;
mod layout;
mod panels;
mod pareto;
mod points;
mod request;
mod roofline;
mod row;
mod same_source;
mod scaling;
mod spread;

pub use build::figure;
pub use figure::{Figure, FigureAxis, Group, Link, Origin, Panel, Point, Scale, Series};
pub use request::{
    AspectList, AxisOptions, AxisScale, CategoryOrder, FigureKind, PlotError, PlotPick, PlotRequest, Remedy,
};

//! Figures as values: what stands where, why it may stand together, and where it is from. Nothing here draws.

mod bars;
mod build;
mod coverage;
mod figure;
mod groups;
mod layout;
mod panels;
mod pareto;
mod points;
mod request;
mod roofline;
mod row;
mod spread;

pub use build::figure;
pub use figure::{Figure, FigureAxis, Group, Link, Origin, Panel, Point, Scale, Series};
pub use request::{CategoryOrder, FigureKind, PlotError, PlotPick, PlotRequest};

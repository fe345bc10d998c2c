//! Figures as values: what stands where, why it may stand together, and where it is from. Nothing here draws.

mod bars;
mod coverage;
mod fair;
mod figure;
mod order;
mod pareto;
mod points;
mod request;
mod roofline;
mod row;
mod spread;

pub use figure::{Axis, Figure, Group, Link, Panel, Point, Scale, Series};
pub use request::{Kind, Order, Pick, PlotError, Request};
pub use row::{Row, Shown};

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

/// The figure that a request makes of rows.
///
/// # Errors
///
/// When there is nothing to draw, or when what would stand together cannot be compared, with advice.
pub fn figure(rows: &[Row], request: &Request, origin: Origin) -> Result<Figure, PlotError> {
    if rows.is_empty() {
        return Err(PlotError::Nothing("no measurement matches".to_owned()));
    }
    let kind = request.kind()?;
    let mut figure = match kind {
        Kind::Bars | Kind::Lines => bars::figure(rows, request, kind)?,
        Kind::Scatter | Kind::Timeline => points::figure(rows, request, kind)?,
        Kind::Roofline => roofline::figure(rows, request)?,
        Kind::Heatmap => coverage::figure(rows, request)?,
    };
    figure.origin = origin;
    Ok(figure)
}

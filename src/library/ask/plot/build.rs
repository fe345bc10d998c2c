//! From rows to a figure of the shape that a request asks for.

use super::figure::{Figure, Origin};
use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::plotted;
use super::{bars, coverage, points, roofline};
use crate::rows::{JoinedCatalog, JoinedRow};

/// The figure that a request makes of rows, with the catalog that came with them.
///
/// # Errors
///
/// When there is nothing to draw, or when what would stand together cannot be compared, with advice.
pub fn figure(
    rows: &[JoinedRow],
    catalog: &JoinedCatalog,
    request: &PlotRequest,
    origin: Origin,
) -> Result<Figure, PlotError> {
    if rows.is_empty() {
        return Err(PlotError::Nothing("no measurement matches".to_owned()));
    }
    let kind = request.kind()?;
    let rows = &plotted(rows, catalog, request);
    let mut figure = match kind {
        FigureKind::Bars | FigureKind::Lines => bars::figure(rows, request, kind)?,
        FigureKind::Scatter | FigureKind::Timeline => points::figure(rows, request, kind)?,
        FigureKind::Roofline => roofline::figure(rows, request)?,
        FigureKind::Heatmap => coverage::figure(rows, request)?,
    };
    figure.origin = origin;
    Ok(figure)
}

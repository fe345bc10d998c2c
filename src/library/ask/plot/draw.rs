//! Dispatches to the module that draws the requested kind of figure.

use super::figure::Figure;
use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::PlottedRow;
use super::{bars, coverage, points, roofline};

/// The figure of rows, without its origin.
pub(super) fn draw(rows: &[PlottedRow<'_>], request: &PlotRequest) -> Result<Figure, PlotError> {
    match request.kind()? {
        kind @ (FigureKind::Bars | FigureKind::Lines) => bars::figure(rows, request, kind),
        kind @ (FigureKind::Scatter | FigureKind::Timeline) => points::figure(rows, request, kind),
        FigureKind::Roofline => roofline::figure(rows, request),
        FigureKind::Heatmap => coverage::figure(rows, request),
    }
}

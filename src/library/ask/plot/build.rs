//! Builds the figure that a request asks for from rows.

use super::advice::advised;
use super::axis_options::with_axes;
use super::draw::draw;
use super::figure::{Figure, Origin};
use super::request::{PlotError, PlotRequest};
use super::row::plotted;
use crate::rows::{JoinedCatalog, JoinedRow};

/// Builds a figure from rows and the catalog joined to them. For a heat map, `counts` says how many measurements each row stands
/// for; without an entry it is one.
///
/// # Errors
///
/// Fails if there is nothing to draw, or, with advice, if values drawn together are not comparable.
pub fn figure(
    rows: &[JoinedRow],
    counts: &[u64],
    catalog: &JoinedCatalog,
    request: &PlotRequest,
    origin: Origin,
) -> Result<Figure, PlotError> {
    if rows.is_empty() {
        return Err(PlotError::Nothing("no measurement matches".to_owned()));
    }
    let drawn = draw(&plotted(rows, counts, catalog, request), request);
    let figure = drawn.map_err(|error| advised(error, rows, catalog, request))?;
    Ok(Figure { origin, ..with_axes(figure, request)? })
}

//! From rows to a figure of the shape that a request asks for.

use super::advice::advised;
use super::axis_options::with_axes;
use super::draw::draw;
use super::figure::{Figure, Origin};
use super::request::{PlotError, PlotRequest};
use super::row::plotted;
use crate::rows::{JoinedCatalog, JoinedRow};

/// The figure that a request makes of rows, with the catalog that came with them. Of a heat map `counts` says for how many each row
/// stands; where it says nothing, for itself.
///
/// # Errors
///
/// When there is nothing to draw, or when what would stand together cannot be compared, with advice.
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

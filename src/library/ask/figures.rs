//! From a question to a figure: the answer's rows with what the catalog knows of them.

use super::plot::{self, Figure, Origin, PlotError, PlotRequest};
use super::query::{Page, ask};
use super::question::QueryError;
use crate::stores::Stores;

/// Why a question has no figure.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The question could not be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The answer cannot be drawn so.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// The figure that a request makes of everything that a question finds.
///
/// # Errors
///
/// When the question has a mistake, when nothing is found, or when what would stand together cannot be compared.
pub fn figure(stores: &Stores, question: &str, request: &PlotRequest) -> Result<Figure, FigureError> {
    let answer = ask(stores, question, &Page::of(0, usize::MAX))?;
    let origin =
        Origin { query: answer.query.clone(), equivalent: answer.equivalent.clone(), content: stores.content.clone() };
    Ok(plot::figure(&answer.measurements, &answer.catalog, request, origin)?)
}

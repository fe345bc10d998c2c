//! From a question to a figure: finds the rows and joins them with the catalog.

mod coverage_rows;

use self::coverage_rows::coverage_rows;
use super::axes::InferredAxes;
use super::found::{Interpreted, RowsWithCatalog, interpret, joined_rows, rows_in_order};
use super::parse::{QueryError, print};
use super::plot::{self, Figure, FigureKind, Origin, PlotError, PlotPick, PlotRequest};
use crate::model::{Aspect, Field};
use crate::stores::Stores;

/// Why a question has no figure.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The question could not be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The rows cannot be drawn as requested.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// The figure of everything that a question finds; missing axes are inferred.
///
/// # Errors
///
/// Fails if the question has a syntax error, nothing is found, or values drawn together are not comparable.
pub fn figure(stores: &Stores, question: &str, request: &PlotRequest) -> Result<Figure, FigureError> {
    let asked = interpret(stores, question)?;
    let completed = completed(stores, &asked, request)?;
    let equivalent = print(&asked.question);
    let origin = Origin { query: question.to_owned(), equivalent, content: stores.content.clone() };
    let alike = match completed.kind() {
        Ok(FigureKind::Heatmap) => coverage_rows(stores, &asked, &completed)?,
        _ => None,
    };
    let (found, counts) = match alike {
        Some((rows, counts)) => (joined_rows(stores, &rows)?, counts),
        None => (rows_in_order(stores, &asked)?, Vec::new()),
    };
    let RowsWithCatalog { measurements, catalog } = found;
    let drawn = |request| plot::figure(&measurements, &counts, &catalog, request, origin.clone());
    match drawn(&completed) {
        // Inferred colours may be too many to distinguish.
        Err(PlotError::Refused { .. }) if completed.narrowed && request.group.is_empty() => {
            Ok(drawn(&PlotRequest { group: Vec::new(), ..completed.clone() })?)
        }
        figure => Ok(figure?),
    }
}

/// The request with missing axes inferred from the question and its results.
fn completed(stores: &Stores, asked: &Interpreted, request: &PlotRequest) -> Result<PlotRequest, QueryError> {
    let mut request = request.clone();
    if request.kind == Some(FigureKind::Timeline) && request.x.is_none() {
        request.x = Some(Aspect::Field(Field::Date));
    }
    let is_roofline = request.kind == Some(FigureKind::Roofline);
    if is_roofline || (request.x.is_some() && request.y.is_some()) {
        return Ok(request);
    }
    let axes = InferredAxes::of(stores, asked)?;
    if request.x.is_none() {
        request.x = axes.along();
        if request.group.is_empty() {
            request.group.extend(axes.colours());
        }
        request.narrowed = request.facet.is_empty();
        request.pick = request.pick.or(Some(PlotPick::Median));
    }
    request.y = request.y.or(axes.metric.map(Aspect::Metric));
    Ok(request)
}

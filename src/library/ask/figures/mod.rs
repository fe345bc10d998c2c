//! From a question to a figure: the rows that it finds with what the catalog knows of them.

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
    /// The answer cannot be drawn so.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// The figure that a request makes of everything that a question finds; axes that it does not name are made out.
///
/// # Errors
///
/// When the question has a mistake, when nothing is found, or when what would stand together cannot be compared.
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
        // Colours that were made out may be too many.
        Err(PlotError::Refused { .. }) if completed.narrowed && request.group.is_empty() => {
            Ok(drawn(&PlotRequest { group: Vec::new(), ..completed.clone() })?)
        }
        figure => Ok(figure?),
    }
}

/// The request with axes made out from the question and what it finds, where it names none.
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

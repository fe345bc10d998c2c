//! How a number changes along an axis: devices, batch, precision, version.

use super::conclusion::Conclusion;
use super::found::Found;
use crate::ask::question::{QueryError, Question};
use crate::stores::Stores;

/// Tells how the numbers change along the axis.
pub fn conclude(_stores: &Stores, _question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    Ok(Conclusion::default())
}

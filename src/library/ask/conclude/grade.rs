//! A grade of a class of hardware: what a high grade means, its reason, who disagrees, and what the measurements say.

use super::conclusion::Conclusion;
use super::found::Found;
use crate::ask::question::{QueryError, Question};
use crate::stores::Stores;

/// Tells the grades that were asked for.
pub fn conclude(_stores: &Stores, _question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    Ok(Conclusion::default())
}

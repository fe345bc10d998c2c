//! Candidates in their order, under one frame in which they can be compared.

use super::conclusion::Conclusion;
use super::found::Found;
use crate::ask::question::{QueryError, Question};
use crate::stores::Stores;

/// Ranks the candidates.
pub fn conclude(_stores: &Stores, _question: &Question, _found: &Found<'_>) -> Result<Conclusion, QueryError> {
    Ok(Conclusion::default())
}

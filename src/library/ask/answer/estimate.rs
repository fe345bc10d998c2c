//! Estimates, with the names of their entities.

use super::names::names_of_estimates;
use crate::ask::execute::{self, Estimates};
use crate::ask::parse::Result;
use crate::stores::Stores;

/// Estimates what a device would do in settings where only others were measured.
///
/// # Errors
///
/// When the question has a mistake, or a store fails.
pub fn estimate(stores: &Stores, content: &str, text: &str) -> Result<Estimates> {
    let found = execute::estimate(stores, content, text)?;
    Ok(Estimates { names: names_of_estimates(stores, &found)?, ..found })
}

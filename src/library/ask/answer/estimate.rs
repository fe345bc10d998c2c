//! Estimates with the names of what they are about.

use super::names::names_of_estimates;
use crate::ask::execute::{self, Estimates};
use crate::ask::parse::Result;
use crate::stores::Stores;

/// Estimates what one device would do where others were measured.
///
/// # Errors
///
/// When the question has a mistake, or a store fails.
pub fn estimate(stores: &Stores, content: &str, text: &str) -> Result<Estimates> {
    let found = execute::estimate(stores, content, text)?;
    Ok(Estimates { names: names_of_estimates(stores, &found)?, ..found })
}

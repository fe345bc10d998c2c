//! Compares each value of a paper with the current knowledge base.

use std::collections::BTreeMap;

use super::changes::{PaperChange, changes};
use super::lock::{Lock, LockedItem, UsedValue};

/// A table or figure that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedItem {
    /// The name of the item.
    pub name: String,
    /// The command that made it.
    pub command: String,
    /// The changes, at least one.
    pub changes: Vec<PaperChange>,
}

/// The items of a paper that changed. `known` is as for [`changes`]; `now` returns the values that an item's command finds
/// today, or the reason why it can no longer be run.
///
/// # Errors
///
/// Fails with the first error of `now`.
pub fn verify<E>(
    lock: &Lock,
    known: &BTreeMap<String, Option<String>>,
    mut now: impl FnMut(&LockedItem) -> Result<Result<Vec<UsedValue>, String>, E>,
) -> Result<Vec<ChangedItem>, E> {
    let mut changed = Vec::new();
    for item in &lock.items {
        let changes = match now(item)? {
            Ok(values) => changes(&item.values, &values, known),
            Err(why) => vec![PaperChange::CommandFails(why)],
        };
        if !changes.is_empty() {
            changed.push(ChangedItem { name: item.name.clone(), command: item.command.clone(), changes });
        }
    }
    Ok(changed)
}

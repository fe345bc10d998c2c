//! What became of a paper: each value set against the knowledge base of today.

use std::collections::BTreeMap;

use super::changes::{PaperChange, changes};
use super::lock::{Lock, LockedItem, UsedValue};

/// A table or figure that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedItem {
    /// Its name.
    pub name: String,
    /// The command that made it.
    pub command: String,
    /// What changed, one at least.
    pub changes: Vec<PaperChange>,
}

/// The items of a paper that changed. `known` is as for [`changes`]; `now` gives the values that an item's command finds
/// today, or why it cannot be run any more.
///
/// # Errors
///
/// The first that `now` returns.
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

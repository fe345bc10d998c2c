//! What became of a number or a source after it was published.

use serde::{Deserialize, Serialize};

use crate::values::Standing as Word;

/// A measurement or source that should not be relied on, why, and what replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standing {
    /// What became of it.
    pub standing: Word,
    /// Why.
    pub reason: String,
    /// The source that replaces it.
    pub replaced_by: Option<crate::values::EntityId>,
}

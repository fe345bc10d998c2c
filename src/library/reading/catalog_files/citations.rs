//! What every entity's file may end with: its citations, and the findings that it allows.

use crate::model::Citation;
use crate::reading::strict::StrictTable;

/// The citations of an entity with files of its own, and the findings it allows.
pub(super) fn entity_citations(t: &mut StrictTable<'_, '_>) -> Vec<Citation> {
    t.exceptions();
    t.citations()
}

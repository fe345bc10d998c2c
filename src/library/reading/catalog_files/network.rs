//! The keys of a network's file, and of a collection's network.

use super::citations::entity_citations;
use crate::model::Network;
use crate::reading::strict::StrictTable;
use crate::values::{EntityId, EntityKind};

/// Reads a network.
pub(in crate::reading) fn network(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Network> {
    let entry = Network {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        family: t.id("family", EntityKind::Network),
        variant_of: t.id("variant-of", EntityKind::Network),
        differs_in: t.text("differs-in"),
        task: t.text("task"),
        input_shape: t.parsed("input-shape"),
        parameters_m: t.decimal("parameters-m"),
        active_parameters_m: t.decimal("active-parameters-m"),
        multiply_adds_g: t.decimal("multiply-adds-g"),
        paper: t.text("paper"),
        year: t.year("year"),
        notes: t.text("notes"),
        sources: entity_citations(&mut t),
    };
    t.finish();
    Some(entry)
}

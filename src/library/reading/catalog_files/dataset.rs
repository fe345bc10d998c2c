//! The keys of a data set's file.

use super::citations::entity_citations;
use crate::model::Dataset;
use crate::reading::strict::StrictTable;
use crate::values::EntityId;

pub(super) fn dataset(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Dataset> {
    let entry = Dataset {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        task: t.text("task"),
        classes: t.count("classes"),
        train_size: t.count("train-size"),
        test_size: t.count("test-size"),
        input_shape: t.parsed("input-shape"),
        license: t.text("license"),
        homepage: t.text("homepage"),
        notes: t.text("notes"),
        sources: entity_citations(&mut t),
    };
    t.finish();
    Some(entry)
}

//! The files under `catalog/suites/`: what `dlbench run --suite` measures.

use super::strict::{Strict, integer};
use crate::model::{Suite, SuitePart};
use crate::values::{EntityId, EntityKind};
use toml::de::DeValue;

/// Reads a suite; `None` when it is too broken to be one.
pub(super) fn read(id: &EntityId, mut t: Strict<'_, '_>) -> Option<Suite> {
    let name = t.required_text("name");
    t.require("part");
    let suite = Suite {
        id: id.clone(),
        name: name.unwrap_or_default(),
        description: t.text("description"),
        protocol: t.text("protocol"),
        time_limit_s: t.decimal("time-limit-s").map(|limit| limit.value()),
        precision_goal: t.decimal("precision-goal").map(|goal| goal.value()),
        parts: t.each("part", |part| Some(self::part(part))),
    };
    t.finish();
    Some(suite)
}

fn part(mut t: Strict<'_, '_>) -> SuitePart {
    for key in ["networks", "stages", "precisions", "batch-sizes"] {
        t.require(key);
    }
    let part = SuitePart {
        networks: t.ids("networks", EntityKind::Network),
        stages: t.words("stages"),
        precisions: t.words("precisions"),
        batch_sizes: batch_sizes(&mut t),
        input_shape: t.parsed("input-shape"),
        dataset: t.id("dataset", EntityKind::Dataset),
    };
    t.finish();
    part
}

fn batch_sizes(t: &mut Strict<'_, '_>) -> Vec<u32> {
    let Some(value) = t.value("batch-sizes") else { return Vec::new() };
    let DeValue::Array(items) = value.get_ref() else {
        t.expected::<()>("batch-sizes", value, "a list of whole numbers");
        return Vec::new();
    };
    let mut sizes = Vec::new();
    for item in items.iter() {
        match integer(item.get_ref()).and_then(|size| u32::try_from(size).ok()).filter(|&size| size > 0) {
            Some(size) => sizes.push(size),
            None => drop(t.expected::<()>("batch-sizes", item, "a whole number of 1 or more")),
        }
    }
    sizes
}

//! The files under `catalog/suites/`: what `dlbench run --suite` measures.

use super::strict::StrictTable;
use crate::model::{Suite, SuitePart};
use crate::values::{EntityId, EntityKind};

/// Reads a suite; `None` when it is too broken to be one.
pub(super) fn read(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Suite> {
    let name = t.required_text("name");
    let description = t.text("description");
    let protocol = t.word("protocol");
    let time_limit_s = t.decimal("time-limit-s").map(|limit| limit.value());
    let precision_goal = t.decimal("precision-goal").map(|goal| goal.value());
    let processes = t.count("processes").and_then(|count| u32::try_from(count).ok());
    let workers = t.texts("workers");
    t.require("part");
    if let Some(value) = t.value("part")
        && value.get_ref().as_array().is_some_and(|parts| parts.is_empty())
    {
        t.expected::<()>("part", value, "at least one [[part]]");
    }
    let parts = t.each("part", |part| Some(self::part(part)));
    t.finish();
    let (id, name) = (id.clone(), name?);
    Some(Suite { id, name, description, protocol, time_limit_s, precision_goal, processes, workers, parts })
}

fn part(mut t: StrictTable<'_, '_>) -> SuitePart {
    for key in ["networks", "stages", "precisions", "batch-sizes"] {
        t.require(key);
        if let Some(value) = t.value(key)
            && value.get_ref().as_array().is_some_and(|items| items.is_empty())
        {
            t.expected::<()>(key, value, "at least one");
        }
    }
    let part = SuitePart {
        networks: t.ids("networks", EntityKind::Network),
        stages: t.words("stages"),
        precisions: t.words("precisions"),
        batch_sizes: t.counts("batch-sizes", 1).into_iter().filter_map(|size| u32::try_from(size).ok()).collect(),
        input_shape: t.parsed("input-shape"),
        dataset: t.id("dataset", EntityKind::Dataset),
    };
    t.finish();
    part
}

//! The keys of the files that define metrics and principles.

use super::citations::entity_citations;
use crate::model::MetricDefinition;
use crate::reading::strict::StrictTable;

/// An ordered list of definitions: `[[metric]]` or `[[principle]]`.
pub(super) fn definitions(mut t: StrictTable<'_, '_>, key: &'static str) -> Vec<MetricDefinition> {
    let read = t.each(key, |mut item| {
        item.require("id");
        let id = item.parsed("id");
        let name = item.required_text("name");
        let definition = item.required_text("definition");
        let (better, notes) = (item.word("better"), item.text("notes"));
        item.finish();
        Some(MetricDefinition { better, notes, id: id?, name: name?, definition: definition? })
    });
    entity_citations(&mut t);
    t.text("notes");
    t.finish();
    read
}

//! The keys of a hardware class's file.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::citations::entity_citations;
use crate::model::{GradeRecord, HardwareClassRecord};
use crate::reading::codes;
use crate::reading::strict::StrictTable;
use crate::values::{EntityId, EntityKind, Grade, HardwareClass};

pub(super) fn hardware_class(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<HardwareClassRecord> {
    let class: Option<HardwareClass> = id.as_str().parse().ok();
    if class.is_none() {
        t.report(
            codes::MISPLACED,
            0..0,
            format!("there is no hardware class `{id}`"),
            "the classes are gpu, fpga, asic and cpu",
        );
    }
    let name = t.required_text("name");
    let (aliases, description, notes) = (t.texts("aliases"), t.text("description"), t.text("notes"));
    let sources = entity_citations(&mut t);
    let grades = t.each_key("grades", |mut grade| {
        grade.require("grade");
        grade.require("source");
        let (word, rationale) = (grade.word("grade").unwrap_or(Grade::Moderate), grade.text("rationale"));
        let (source, notes) = (grade.id("source", EntityKind::Source), grade.text("notes"));
        grade.finish();
        Some(GradeRecord { grade: word, rationale, source: source?, notes })
    });
    let reported = t
        .each_by_id("reported", EntityKind::Source, |mut survey| {
            let mut printed = BTreeMap::new();
            for (metric, span, value) in survey.entries("grades") {
                match (metric.parse(), value.get_ref()) {
                    (Ok(metric), DeValue::String(grade)) => drop(printed.insert(metric, grade.to_string())),
                    (Err(_), _) => {
                        let label = "expected an id of hardware-metrics.toml";
                        survey.report(codes::WRONG_VALUE, span, "no metric id", label);
                    }
                    (Ok(_), _) => drop(survey.expected::<()>(metric, value, "the grade as printed, in quotes")),
                }
            }
            survey.finish();
            printed
        })
        .into_iter()
        .collect();
    let entry = HardwareClassRecord {
        id: class?,
        name: name.unwrap_or_default(),
        aliases,
        description,
        notes,
        sources,
        grades,
        reported,
    };
    t.finish();
    Some(entry)
}

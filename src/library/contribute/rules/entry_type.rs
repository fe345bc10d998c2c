//! A kind of source that no bibliography knows.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::EntityKind;
use crate::values::text::nearest;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(223),
    title: "a type that no bibliography knows",
    severity: Severity::Error,
    page: "`type` is the entry type under which BibTeX sets the source (`article`, `inproceedings`, `techreport`, `misc`), or one that biblatex adds (`online`, `report`, `software`, `dataset`). With another word the entry is dropped or set without its fields. What fits nowhere is `misc`.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", r#"type = "misc""#, r#"type = "webpage""#),
    check: Check::Catalog(find),
};

/// The entry types of BibTeX (btxdoc, 3.1) and biblatex (its manual, 2.1).
const TYPES: &[&str] = &[
    "article",
    "artwork",
    "audio",
    "book",
    "bookinbook",
    "booklet",
    "collection",
    "conference",
    "dataset",
    "electronic",
    "image",
    "inbook",
    "incollection",
    "inproceedings",
    "inreference",
    "legal",
    "letter",
    "manual",
    "mastersthesis",
    "misc",
    "movie",
    "mvbook",
    "mvcollection",
    "mvproceedings",
    "mvreference",
    "online",
    "patent",
    "performance",
    "periodical",
    "phdthesis",
    "proceedings",
    "reference",
    "report",
    "review",
    "software",
    "standard",
    "suppbook",
    "suppcollection",
    "suppperiodical",
    "techreport",
    "thesis",
    "unpublished",
    "video",
    "www",
];

fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (id, source) in &context.loaded.catalog.sources {
        if TYPES.contains(&source.entry_type.to_ascii_lowercase().as_str()) {
            continue;
        }
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        let label = match nearest(&source.entry_type, TYPES.iter().copied(), 1).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`misc` fits what nothing else does".to_owned(),
        };
        found.at(place, ["type".into()], format!("{:?} is no entry type", source.entry_type), label).of(id);
    }
}

//! A replacement that is not there.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::contribute::lint::findings::Found;
use crate::contribute::lint::rule::{Check, Rule};
use crate::contribute::lint::subject::Row;
use crate::contribute::lint::subject::Subject;
use crate::model::{Code, Field, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(112),
    title: "a replacement that is not there",
    severity: Severity::Error,
    page: "What `replaced-by` names must be in the knowledge base: the id of a measurement in a row, the id of a source in the entry of a source. Nothing replaces itself.",
    fails: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"
standing = "superseded"
standing-reason = "measured again with a newer driver"
replaced-by = "imagined-2018:0000000000"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    passes: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
network = "deepnet-50"
stage = "train"
counts = "image"
standing = "superseded"
standing-reason = "measured again with a newer driver"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    check: Check::Whole(find),
};
fn find(subject: &Subject<'_>, found: &mut Found) {
    let ids: OnceCell<HashSet<&str>> = OnceCell::new();
    for (at, row) in subject.loaded.rows.iter().enumerate() {
        let Some(other) = row.get().text(Field::ReplacedBy) else { continue };
        let ids = ids.get_or_init(|| subject.loaded.rows.iter().map(|row| row.get().id()).collect());
        let row = Row { at, row };
        if row.get().id() == other {
            found.in_row(&row, "replaced-by", "the measurement replaces itself", "another one");
        } else if !ids.contains(other) {
            found.in_row(&row, "replaced-by", format!("there is no measurement `{other}`"), "no such measurement");
        }
    }
    for (id, source) in &subject.loaded.catalog.sources {
        let replaced = source.standing.as_ref().and_then(|standing| standing.replaced_by.as_ref());
        if let (Some(place), true) = (subject.place(EntityKind::Source, id.as_str()), replaced == Some(id)) {
            found.at(place, ["replaced-by".into()], "the source replaces itself", "another one").of(id);
        }
    }
}

//! A replacement that is not there.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(112),
    title: "a replacement that is not there",
    severity: Severity::Error,
    page: "What `replaced-by` names must be in the knowledge base: the id of a measurement in a row, the id of a source in the entry of a source. Nothing replaces itself.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"precision = "fp32""#,
        "precision = \"fp32\"\nstanding = \"superseded\"\nstanding-reason = \"measured again with a newer driver\"\nreplaced-by = \"imagined-2018:0000000000\"",
    ),
    check: Check::Whole(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let ids: OnceCell<HashSet<&str>> = OnceCell::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let Some(other) = row.get().text(Field::ReplacedBy) else { continue };
        let ids = ids.get_or_init(|| context.loaded.rows.iter().map(|row| row.get().id()).collect());
        let row = IndexedRow { at, row };
        if row.get().id() == other {
            found.in_row(&row, "replaced-by", "the measurement replaces itself", "another one");
        } else if !ids.contains(other) {
            found.in_row(&row, "replaced-by", format!("there is no measurement `{other}`"), "no such measurement");
        }
    }
    for (id, source) in &context.loaded.catalog.sources {
        let replaced = source.standing.as_ref().and_then(|standing| standing.replaced_by.as_ref());
        if let (Some(place), true) = (context.place(EntityKind::Source, id.as_str()), replaced == Some(id)) {
            found.at(place, ["replaced-by".into()], "the source replaces itself", "another one").of(id);
        }
    }
}

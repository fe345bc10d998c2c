//! Findings that are right as they are: which exception covers which finding, and which covers none.

use std::path::Path;

use crate::contribute::rule_interface::{Finding, Findings, LintContext, Rule};
use crate::contribute::rules::{rule, unneeded_exception};
use crate::model::Exception;
use crate::reading::{FileKind, Located, kind_of};
use crate::values::EntityKind;

/// The findings that no exception covers, and one for each exception that covers nothing.
pub(super) fn apply(context: &LintContext<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let exceptions = &context.loaded.exceptions;
    let mut needed = vec![false; exceptions.len()];
    let mut kept = Vec::new();
    for finding in findings {
        let mut covered = false;
        for (at, exception) in exceptions.iter().enumerate() {
            if covers(exception, &finding, context) {
                needed[at] = true;
                covered = true;
            }
        }
        if !covered {
            kept.push(finding);
        }
    }
    let mut found = Findings::new(unneeded_exception::RULE.code, unneeded_exception::RULE.severity);
    for (exception, needed) in exceptions.iter().zip(needed) {
        unneeded_exception::judge(exception, rule(exception.get().rule), needed, context, &mut found);
    }
    kept.extend(found.into_findings());
    kept
}

fn covers(exception: &Located<Exception>, finding: &Finding, context: &LintContext<'_>) -> bool {
    let allowed = exception.get();
    allowed.rule == finding.code
        && rule(finding.code).is_some_and(Rule::can_be_excepted)
        && in_reach(exception.file().path.as_path(), allowed, &finding.place.file().path)
        && (allowed.ids.is_empty()
            || finding.entity.as_ref().is_some_and(|id| allowed.ids.iter().any(|own| own.as_str() == id)))
        && allowed.fields.iter().all(|(field, value)| {
            let row = finding.row.map(|row| context.loaded.rows[row].get());
            row.and_then(|row| row.get(*field)).is_some_and(|stated| stated.to_string() == *value)
        })
}

/// The file itself; for the entry of a source also the measurements of that source.
fn in_reach(own: &Path, exception: &Exception, found: &Path) -> bool {
    let of_source = || match (kind_of(own), kind_of(found)) {
        (FileKind::Entity(EntityKind::Source, id), FileKind::Measurements(source)) => id == source,
        _ => false,
    };
    match &exception.batch {
        Some(batch) => of_source() && found.file_stem().is_some_and(|stem| stem.to_string_lossy() == *batch),
        None => own == found || of_source(),
    }
}

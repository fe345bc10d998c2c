//! Findings that are right as they are: which exception covers which finding, and which covers none.

use std::path::Path;

use super::findings::{Finding, Found};
use super::subject::Subject;
use crate::contribute::rules::unneeded_exception;
use crate::model::Exception;
use crate::reading::{FileKind, Placed, kind_of};
use crate::values::EntityKind;

/// The findings that no exception covers, and one for each exception that covers nothing.
pub(in crate::contribute) fn apply(subject: &Subject<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let exceptions = &subject.loaded.exceptions;
    let mut needed = vec![false; exceptions.len()];
    let mut kept = Vec::new();
    for finding in findings {
        let mut covered = false;
        for (at, exception) in exceptions.iter().enumerate() {
            if covers(exception, &finding, subject) {
                needed[at] = true;
                covered = true;
            }
        }
        if !covered {
            kept.push(finding);
        }
    }
    let mut found = Found::of(&unneeded_exception::RULE);
    for (exception, needed) in exceptions.iter().zip(needed) {
        unneeded_exception::judge(exception, needed, subject, &mut found);
    }
    kept.extend(found.into_findings());
    kept
}

fn covers(exception: &Placed<Exception>, finding: &Finding, subject: &Subject<'_>) -> bool {
    let allowed = exception.get();
    allowed.rule == finding.rule.code
        && finding.rule.can_be_excepted()
        && in_reach(exception.file().path.as_path(), allowed, &finding.place.file().path)
        && (allowed.ids.is_empty() || finding.entity.as_ref().is_some_and(|id| allowed.ids.contains(id)))
        && allowed.fields.iter().all(|(field, value)| {
            let row = finding.row.map(|row| subject.loaded.rows[row].get());
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

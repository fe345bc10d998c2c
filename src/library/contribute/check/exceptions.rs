//! Applies exceptions to findings, and reports exceptions that do not match their findings.

use std::path::Path;

use crate::contribute::rule_interface::{Finding, Findings, LintContext, Rule};
use crate::contribute::rules::{own_findings, rule};
use crate::model::{Exception, Severity};
use crate::reading::{FileKind, Located, kind_of};
use crate::values::EntityKind;

/// Returns the findings that no exception covers, plus one for each exception that covers none or fewer or more than its count.
pub(super) fn apply(context: &LintContext<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let mut excepted = vec![false; findings.len()];
    let mut found = Findings::new(own_findings::UNNEEDED_EXCEPTION.code, own_findings::UNNEEDED_EXCEPTION.severity);
    let mut counts: Vec<(Vec<Located<()>>, usize)> = Vec::new();
    for exception in &context.loaded.exceptions {
        let of_rule: Vec<usize> = (0..findings.len()).filter(|at| is_near(exception, &findings[*at])).collect();
        let covered: Vec<usize> =
            of_rule.iter().copied().filter(|at| covers(exception.get(), &findings[*at], context)).collect();
        let mut accepted = covered.clone();
        // If an exception covers more findings than it allows, those in the files with the fewest of them are most likely new.
        let of_file =
            |at: usize| covered.iter().filter(|other| path(&findings[**other]) == path(&findings[at])).count();
        accepted.sort_by_key(|at| (std::cmp::Reverse(of_file(*at)), *at));
        accepted.truncate(exception.get().allowed().unwrap_or(usize::MAX));
        accepted.iter().for_each(|at| excepted[*at] = true);
        counts.push((covered.iter().map(|at| findings[*at].place.clone()).collect(), of_rule.len()));
    }
    let left = || {
        findings.iter().zip(&excepted).filter(|(finding, excepted)| !**excepted && finding.severity() != Severity::Info)
    };
    let unread = context.loaded.findings.iter().any(|found| found.severity == Severity::Error);
    for (exception, (covered, of_rule)) in context.loaded.exceptions.iter().zip(&counts) {
        // A finding in the exception's reach may explain a missing one; a file that could not be read may explain any.
        let reach = exception.file().path.as_path();
        // A finding of the exception's own rule explains nothing: the exception should have covered it.
        let may_be_explained = || {
            let mut in_reach = left().filter(|(finding, _)| in_reach(reach, path(finding)));
            let is_other = |(finding, _): (&Finding, _)| finding.code != exception.get().rule;
            unread || in_reach.next().is_some_and(|first| is_other(first) && in_reach.all(is_other))
        };
        own_findings::judge_exception(
            exception,
            rule(exception.get().rule),
            (covered, *of_rule),
            context,
            may_be_explained,
            &mut found,
        );
    }
    let mut excepted = excepted.iter();
    let mut kept = findings;
    kept.retain(|_| !excepted.next().is_some_and(|excepted| *excepted));
    kept.extend(found.into_findings());
    kept
}

fn path(finding: &Finding) -> &Path {
    &finding.place.file().path
}

/// Whether a finding has the exception's rule and lies in its reach, regardless of the rows and entries that the exception lists.
fn is_near(exception: &Located<Exception>, finding: &Finding) -> bool {
    let allowed = exception.get();
    allowed.rule == finding.code
        && rule(finding.code).is_some_and(Rule::can_be_excepted)
        && in_reach(exception.file().path.as_path(), &finding.place.file().path)
}

/// Whether a finding in the exception's reach is in its batch and matches its entity ids and row fields.
fn covers(allowed: &Exception, finding: &Finding, context: &LintContext<'_>) -> bool {
    let stem = finding.place.file().path.file_stem().map(|stem| stem.to_string_lossy());
    allowed.batch.as_deref().is_none_or(|batch| stem.is_some_and(|stem| stem == batch))
        && (allowed.ids.is_empty()
            || finding.entity.as_ref().is_some_and(|id| allowed.ids.iter().any(|own| own.as_str() == id)))
        && allowed.fields.iter().all(|(field, value)| {
            let row = finding.row.map(|row| context.loaded.rows[row].get());
            row.and_then(|row| row.get(*field)).is_some_and(|stated| stated.to_string() == *value)
        })
}

/// An exception reaches its own file; in the entry of a source it also reaches that source's measurements.
fn in_reach(own: &Path, found: &Path) -> bool {
    own == found
        || match (kind_of(own), kind_of(found)) {
            (FileKind::Entity(EntityKind::Source, id), FileKind::Measurements(source)) => id == source,
            _ => false,
        }
}

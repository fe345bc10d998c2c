//! Exceptions: which findings they cover, and which exceptions do not match their findings.

use std::path::Path;

use crate::contribute::rule_interface::{Finding, Findings, LintContext, Rule};
use crate::contribute::rules::{own_findings, rule};
use crate::model::{Exception, Severity};
use crate::reading::{FileKind, Located, kind_of};
use crate::values::EntityKind;

/// The findings that no exception covers, and one for each exception that covers none, or not as many as it says.
pub(super) fn apply(context: &LintContext<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let mut excepted = vec![false; findings.len()];
    let mut found = Findings::new(own_findings::UNNEEDED_EXCEPTION.code, own_findings::UNNEEDED_EXCEPTION.severity);
    let mut counts: Vec<(Vec<Located<()>>, usize)> = Vec::new();
    for exception in &context.loaded.exceptions {
        let of_rule: Vec<usize> = (0..findings.len()).filter(|at| is_near(exception, &findings[*at])).collect();
        let covered: Vec<usize> =
            of_rule.iter().copied().filter(|at| covers(exception.get(), &findings[*at], context)).collect();
        let mut accepted = covered.clone();
        // Of more findings than it is for, those in the files with fewest of them are most likely new.
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
        // What is missing may follow from a finding in its reach, and anything from what could not be read.
        let reach = exception.file().path.as_path();
        // One of its own rule is what it should have named.
        let is_told = || {
            let mut in_reach = left().filter(|(finding, _)| in_reach(reach, path(finding)));
            let is_other = |(finding, _): (&Finding, _)| finding.code != exception.get().rule;
            unread || in_reach.next().is_some_and(|first| is_other(first) && in_reach.all(is_other))
        };
        own_findings::judge(exception, rule(exception.get().rule), (covered, *of_rule), context, is_told, &mut found);
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

/// Whether a finding is of the rule of an exception and in its reach, whatever rows and entries it names.
fn is_near(exception: &Located<Exception>, finding: &Finding) -> bool {
    let allowed = exception.get();
    allowed.rule == finding.code
        && rule(finding.code).is_some_and(Rule::can_be_excepted)
        && in_reach(exception.file().path.as_path(), &finding.place.file().path)
}

/// Whether a finding in the reach of an exception is in the batch, of the entries and in the rows that it names.
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

/// The file itself; for the entry of a source also the measurements of that source.
fn in_reach(own: &Path, found: &Path) -> bool {
    own == found
        || match (kind_of(own), kind_of(found)) {
            (FileKind::Entity(EntityKind::Source, id), FileKind::Measurements(source)) => id == source,
            _ => false,
        }
}

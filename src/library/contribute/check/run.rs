//! Runs every rule over a loaded knowledge base.

use std::path::Path;

use rayon::prelude::*;

use super::{column_heads, exceptions, root_cause};
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, LintOptions, Rule, diagnostics};
use crate::contribute::rules::RULES;
use crate::model::{Diagnostic, Measurement};
use crate::reading::{FileKind, Loaded, Located};

/// Rows that one task looks at.
const CHUNK: usize = 1024;

/// Everything that is wrong, in the order of path and place: what reading found, and what the rules find beyond it.
/// Findings that an exception covers are left out; an exception that covers none is a finding.
pub fn run_rules(loaded: &Loaded, options: &LintOptions) -> Vec<Diagnostic> {
    let context = LintContext::new(loaded, options);
    // All rules run, whatever `only` says: exceptions are judged by what all of them find.
    let found: Vec<Findings> = RULES.par_iter().map(|rule| run(rule, &context)).collect();
    let found = found.into_iter().flat_map(Findings::into_findings).collect();
    let kept = root_cause::at_the_facts(&context, exceptions::apply(&context, found));
    let mut all: Vec<Diagnostic> = loaded.findings.clone();
    all.extend(diagnostics(kept));
    all.retain(|diagnostic| options.includes(diagnostic.code));
    let mut all = column_heads::at_the_heads(all);
    // Sorting is stable: findings of one place stay in the order of the rules.
    all.sort_by(|a, b| place(a).cmp(&place(b)));
    all
}

fn run(rule: &Rule, context: &LintContext<'_>) -> Findings {
    let mut found = Findings::new(rule.code, rule.severity);
    match rule.check {
        Check::Reading | Check::Exceptions => {}
        Check::File(check) => {
            let files = context.loaded.files.par_iter().filter(|(listed, _)| context.options.looks_at(&listed.path));
            found.extend(files.map(|(listed, file)| one(rule, |found| check(listed, file, found))).collect());
        }
        Check::Recipe(check) => {
            let recipes = context.loaded.files.iter().filter(|(listed, _)| matches!(listed.kind, FileKind::Recipe));
            let asked = recipes.filter(|(listed, _)| context.options.looks_at(&listed.path));
            asked.for_each(|(_, file)| check(file, &mut found));
        }
        Check::Whole(_) if !context.options.whole => {}
        Check::Catalog(check)
        | Check::Online(check)
        | Check::Evidence(check)
        | Check::Rows(check)
        | Check::Whole(check) => {
            check(context, &mut found);
        }
        Check::Row(check) => found.extend(each_row(rule, context, |_| true, check)),
        Check::Claim(check) => {
            let claimed = |measurement: &Measurement| context.is_claimed(measurement);
            found.extend(each_row(rule, context, claimed, check));
        }
    }
    found
}

/// What a rule finds in each row for which `wanted` holds.
fn each_row(
    rule: &Rule,
    context: &LintContext<'_>,
    wanted: impl Fn(&Measurement) -> bool + Sync,
    check: fn(&LintContext<'_>, &IndexedRow<'_>, &mut Findings),
) -> Vec<Findings> {
    let chunks = context.loaded.rows.par_chunks(CHUNK).enumerate();
    let chunk = |(chunk, rows): (usize, &[Located<Measurement>])| {
        one(rule, |found| {
            for (at, row) in rows.iter().enumerate().filter(|(_, row)| wanted(row.get())) {
                check(context, &IndexedRow { at: chunk * CHUNK + at, row }, found);
            }
        })
    };
    chunks.map(chunk).collect()
}

fn one(rule: &Rule, check: impl FnOnce(&mut Findings)) -> Findings {
    let mut found = Findings::new(rule.code, rule.severity);
    check(&mut found);
    found
}

fn place(diagnostic: &Diagnostic) -> (&Path, usize) {
    (&diagnostic.primary.file.path, diagnostic.primary.span.as_ref().map_or(0, |span| span.start))
}

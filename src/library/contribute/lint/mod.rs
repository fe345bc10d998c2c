//! What is wrong with a knowledge base although it can be read, and why: one rule, one file.

pub(in crate::contribute) mod addresses;
pub(in crate::contribute) mod exceptions;
pub(in crate::contribute) mod findings;
pub(in crate::contribute) mod physics;
pub(in crate::contribute) mod replies;
pub(in crate::contribute) mod rule;
pub(in crate::contribute) mod samples;
pub(in crate::contribute) mod subject;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

pub use super::rules::RULES;
use crate::model::{Code, Diagnostic};
use crate::reading::{Loaded, Placed};
use crate::values::Date;
pub use addresses::{Address, addresses};
use findings::Found;
pub use replies::{Replies, Reply, asked};
use rule::Check;
pub use rule::{Rule, SampleFile};
use subject::Subject;

/// What is checked.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Only these rules; empty means all.
    pub only: Vec<Code>,
    /// Not these.
    pub skip: Vec<Code>,
    /// Whether the whole knowledge base is loaded: what nobody mentions is known only then.
    pub whole: bool,
    /// Only these files are looked at by the rules on single files and measurements; empty means all.
    pub files: BTreeSet<PathBuf>,
    /// Today, for rules that depend on it; `None` leaves them out.
    pub today: Option<Date>,
    /// What the cited addresses answered; `None` when nobody asked.
    pub replies: Option<Replies>,
}

impl Scope {
    /// Whether a file is asked about.
    pub fn asks_about(&self, path: &Path) -> bool {
        self.files.is_empty() || self.files.contains(path)
    }

    /// Whether a rule is asked for.
    pub fn includes(&self, code: Code) -> bool {
        (self.only.is_empty() || self.only.contains(&code)) && !self.skip.contains(&code)
    }
}

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

/// Everything that is wrong, in the order of path and place: what reading found, and what the rules find beyond it.
/// Findings that an exception covers are left out; an exception that covers none is a finding.
pub fn check(loaded: &Loaded, scope: &Scope) -> Vec<Diagnostic> {
    let subject = Subject::new(loaded, scope);
    let found: Vec<Found> = RULES
        .par_iter()
        // Exceptions are judged by what all rules find, so that --only does not make them look unneeded.
        .map(|rule| {
            let mut found = Found::of(rule);
            run(rule, &subject, &mut found);
            found
        })
        .collect();
    let found = found.into_iter().flat_map(Found::into_findings).collect();
    let kept = exceptions::apply(&subject, found);
    let mut diagnostics: Vec<Diagnostic> = loaded.findings.clone();
    diagnostics.extend(findings::placed(kept));
    diagnostics.retain(|diagnostic| scope.includes(diagnostic.code));
    // Sorting is stable: findings of one place stay in the order of the rules.
    diagnostics.sort_by(|a, b| place(a).cmp(&place(b)));
    diagnostics
}

fn run(rule: &'static Rule, subject: &Subject<'_>, found: &mut Found) {
    match rule.check {
        Check::Reading | Check::Exceptions | Check::Elsewhere => {}
        Check::File(check) => {
            let parts: Vec<Found> = subject
                .loaded
                .files
                .par_iter()
                .filter(|(listed, _)| subject.scope.asks_about(&listed.path))
                .map(|(listed, file)| {
                    let mut found = Found::of(rule);
                    check(listed, file, &mut found);
                    found
                })
                .collect();
            found.extend(parts);
        }
        Check::Catalog(check) | Check::Online(check) => check(subject, found),
        Check::Whole(check) if subject.scope.whole => check(subject, found),
        Check::Whole(_) => {}
        Check::Row(check) | Check::Claim(check) => {
            let claims = matches!(rule.check, Check::Claim(_));
            let parts: Vec<Found> = subject
                .loaded
                .rows
                .par_chunks(1024)
                .enumerate()
                .map(|(chunk, rows)| {
                    let mut found = Found::of(rule);
                    let asked = |row: &Placed<_>| {
                        subject.scope.asks_about(&row.file().path) && (!claims || subject.is_claimed(row.get()))
                    };
                    for (at, row) in rows.iter().enumerate().filter(|(_, row)| asked(row)) {
                        check(subject, &subject::Row { at: chunk * 1024 + at, row }, &mut found);
                    }
                    found
                })
                .collect();
            found.extend(parts);
        }
        Check::Rows(check) => check(subject, found),
    }
}

fn place(diagnostic: &Diagnostic) -> (&Path, usize) {
    (&diagnostic.primary.file.path, diagnostic.primary.span.as_ref().map_or(0, |span| span.start))
}

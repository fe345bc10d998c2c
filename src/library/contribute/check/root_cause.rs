//! A fault in a fact is told at the fact, not at every measurement that is judged by it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use crate::contribute::rule_interface::{Fact, Finding, Findings, LintContext};
use crate::contribute::rules::contradicted_fact;
use crate::model::{Diagnostic, Severity};
use crate::reading::{Located, Step, key_spans};
use crate::values::EntityKind;

use strum::VariantArray as _;

/// The findings without those that rest on a fact that is itself found wrong; and where a large share of what is known of an
/// entity contradicts one of its facts, one finding at the fact in the place of all of them. Facts in files that nobody asked
/// about explain nothing: their findings are not shown.
pub(super) fn at_the_facts(context: &LintContext<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let is_asked = |(kind, id, _): &Fact| {
        context.place(*kind, id).is_some_and(|place| context.options.looks_at(&place.file().path))
    };
    let mut wrong = wrong_facts(context, &findings);
    wrong.retain(is_asked);
    let is_wrong = |fact: &Fact| wrong.contains(fact);
    let mut findings: Vec<Finding> =
        findings.into_iter().filter(|finding| !finding.rests_on.iter().any(is_wrong)).collect();
    let mut suspects = suspects(context, &findings);
    suspects.retain(|(fact, _)| is_asked(fact));
    if suspects.is_empty() {
        return findings;
    }
    let rests = |finding: &Finding| suspects.iter().position(|(fact, _)| finding.rests_on.contains(fact));
    findings.retain(|finding| rests(finding).is_none());
    let mut found = Findings::new(contradicted_fact::RULE.code, contradicted_fact::RULE.severity);
    for ((kind, id, key), rows) in &suspects {
        let Some(place) = context.place(*kind, id) else { continue };
        let message = format!("{rows} measurements contradict `{key}` of `{id}`");
        let steps: Vec<Step> = key.split('.').map(Step::from).collect();
        if is_told_by_the_reader(context, place, &steps) {
            continue;
        }
        found.at(place, steps, message, "by this they would be impossible").of(id);
    }
    findings.extend(found.into_findings());
    findings
}

/// Whether reading found a mistake in a value of an entity: a reference that leads nowhere.
fn is_told_by_the_reader(context: &LintContext<'_>, place: &Located<()>, steps: &[Step]) -> bool {
    let here = |told: &&Diagnostic| told.primary.file.path == place.file().path;
    let told: Vec<&Diagnostic> = context.loaded.findings.iter().filter(here).collect();
    if told.is_empty() {
        return false;
    }
    let spans = key_spans(place.file(), &[(place.span(), steps)]);
    told.iter().any(|told| spans.contains(&told.primary.span))
}

/// The facts that findings at entities tell of.
fn wrong_facts(context: &LintContext<'_>, findings: &[Finding]) -> BTreeSet<Fact> {
    let mut all = BTreeSet::new();
    for finding in findings.iter().filter(|finding| finding.row.is_none() && finding.severity() != Severity::Info) {
        let (Some(id), Some(key)) = (&finding.entity, dotted(&finding.steps)) else { continue };
        let is_here = |kind: &EntityKind| {
            context.place(*kind, id).is_some_and(|place| {
                place.span() == finding.place.span() && place.file().path == finding.place.file().path
            })
        };
        let kinds = EntityKind::VARIANTS.iter().copied().filter(is_here);
        all.extend(kinds.map(|kind| (kind, id.clone(), key.clone())));
    }
    all
}

/// The keys of steps with dots between them.
fn dotted(steps: &[Step]) -> Option<String> {
    let keys: Option<Vec<&str>> = steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Item(_) => None,
        })
        .collect();
    keys.filter(|keys| !keys.is_empty()).map(|keys| keys.join("."))
}

/// Of one entity's measurements at least this share, in percent, contradicts the fact.
const SHARE: usize = 30;
/// And at least so many, in so many files: one file may have a fault of its own.
const FEWEST_ROWS: usize = 4;
const FEWEST_FILES: usize = 2;

/// The facts that many measurements contradict, with their number, those with most first.
fn suspects(context: &LintContext<'_>, findings: &[Finding]) -> Vec<(Fact, usize)> {
    let mut by_fact: BTreeMap<&Fact, (usize, BTreeSet<PathBuf>)> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.row.is_some()) {
        for fact in &finding.rests_on {
            let (rows, files) = by_fact.entry(fact).or_default();
            *rows += 1;
            files.insert(finding.place.file().path.clone());
        }
    }
    // No slip of a number in a file makes its framework run on other hardware.
    let in_words = |fact: &Fact| fact.2 == "hardware";
    by_fact.retain(|fact, (rows, files)| in_words(fact) || *rows >= FEWEST_ROWS && files.len() >= FEWEST_FILES);
    if by_fact.is_empty() {
        return Vec::new();
    }
    let all = rows_of_entities(context);
    let share =
        |(kind, id, _): &Fact, rows: usize| rows * 100 / all.get(&(*kind, id.as_str())).copied().unwrap_or(rows).max(1);
    let mut suspects: Vec<(Fact, usize)> = by_fact
        .into_iter()
        .filter(|(fact, (rows, _))| share(fact, *rows) >= SHARE)
        .map(|(fact, (rows, _))| (fact.clone(), rows))
        .collect();
    suspects.sort_by(|a, b| (share(&b.0, b.1), b.1).cmp(&(share(&a.0, a.1), a.1)).then_with(|| a.0.cmp(&b.0)));
    // The first explains most; what it explains speaks against no other fact.
    let mut kept: Vec<(Fact, usize)> = Vec::new();
    for (fact, rows) in suspects {
        let rest = findings.iter().filter(|finding| {
            finding.rests_on.contains(&fact) && !kept.iter().any(|(kept, _)| finding.rests_on.contains(kept))
        });
        if rest.count() >= if in_words(&fact) { 1 } else { FEWEST_ROWS } {
            kept.push((fact, rows));
        }
    }
    kept
}

/// How many measurements with a value name each entity.
fn rows_of_entities<'l>(context: &LintContext<'l>) -> HashMap<(EntityKind, &'l str), usize> {
    let mut all = HashMap::new();
    for row in context.loaded.rows.iter().filter(|row| !row.get().metrics().is_empty()) {
        for (field, kind) in crate::model::Field::of_entities() {
            if let Some(id) = row.get().text(field) {
                *all.entry((kind, id)).or_default() += 1;
            }
        }
    }
    all
}

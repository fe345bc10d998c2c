//! Checks a knowledge base or some of its files, reports each fault at its place, applies exceptions; also fixes and formats files.

mod exceptions;
#[cfg(test)]
mod samples;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use strum::VariantArray as _;

use crate::contribute::rule_interface::{
    Check, Fact, Finding, Findings, IndexedRow, LintContext, LintOptions, Rule, diagnostics,
};
use crate::contribute::rules::{RULES, own_findings};
use crate::model::{Code, Diagnostic, Fix, Measurement, Severity};
use crate::reading;
use crate::reading::{
    ColumnPlaces, FileKind, KbFile, Loaded, Located, ReadError, Step, WriteError, canonical, column_places, key_spans,
    kind_of, load_with, rewrite,
};
use crate::values::EntityKind;
use crate::values::text::counted;

/// Code of "file is not in canonical form". Its fix is applied last because the other fixes change the text.
const FORM: Code = Code::new(501);

/// The codes of a row without a metric, a row without a device or network, and a text that counts the rows of a source.
const NO_METRIC: Code = Code::new(301);
const NO_SUBJECT: Code = Code::new(317);
const COUNTED_ROWS: Code = Code::new(228);

/// A fix can uncover further findings; after this many rounds the fixes are assumed to cycle.
const MOST_ROUNDS: usize = 8;

/// The result of a check.
#[derive(Debug)]
pub struct CheckReport {
    /// The findings, ordered by path and position.
    pub findings: Vec<Diagnostic>,
    /// Number of files that the caller asked to check.
    pub files: usize,
    /// Number of measurements in those files.
    pub measurements: usize,
    /// The whole knowledge base as it was read.
    pub loaded: Loaded,
}

impl CheckReport {
    /// Number of findings with a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Checks the knowledge base at `root`, or only its files that are among `paths` (relative to `root`; a folder means the
/// files in it). Everything is read and compared either way, so a file has the same findings as in a check of the whole.
///
/// # Errors
///
/// When the folders cannot be listed.
pub fn check(root: &Path, paths: &[PathBuf], options: &LintOptions) -> Result<CheckReport, ReadError> {
    let files = reading::list(root)?;
    if paths.is_empty() {
        let loaded = reading::load(root, &files);
        return Ok(report(loaded, &LintOptions { whole: true, ..options.clone() }, |_| true));
    }
    let asked: BTreeSet<PathBuf> = files
        .iter()
        .map(|file| file.path.clone())
        .filter(|file| paths.iter().any(|path| file.starts_with(path)))
        .collect();
    let loaded = reading::load(root, &files);
    let options = LintOptions { whole: true, texts: Some(asked.clone()), ..options.clone() };
    Ok(report(loaded, &options, |path| asked.contains(path)))
}

/// Checks the knowledge base at `root` as if the file at `path` held `text`, and returns the findings of that file. Writes nothing.
///
/// # Errors
///
/// When the folders cannot be listed.
pub fn check_with(root: &Path, path: &Path, text: &str, options: &LintOptions) -> Result<Vec<Diagnostic>, ReadError> {
    let mut files: Vec<KbFile> = reading::list(root)?.into_iter().filter(|file| file.path != path).collect();
    files.push(KbFile { path: path.to_owned(), kind: kind_of(path), len: text.len() as u64, stamp: [0; 3] });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let loaded = load_with(root, &files, path, text);
    let options = LintOptions { whole: true, texts: Some([path.to_owned()].into()), ..options.clone() };
    Ok(report(loaded, &options, |asked| asked == path).findings)
}

/// Checks what was loaded and reports on the files for which `asked` returns true.
pub fn report(loaded: Loaded, options: &LintOptions, asked: impl Fn(&Path) -> bool) -> CheckReport {
    let mut findings = run_rules(&loaded, options);
    // A finding that concerns two files is reported if either was asked about.
    findings.retain(|finding| {
        asked(&finding.primary.file.path) || finding.related.iter().any(|place| asked(&place.file.path))
    });
    let files = loaded.files.iter().filter(|(file, _)| asked(&file.path)).count();
    let measurements = loaded.rows.iter().filter(|row| asked(&row.file().path)).count();
    CheckReport { findings, files, measurements, loaded }
}

/// Applies every automatic fix, repeatedly until none is left. Each file is written whole or not at all. Returns the
/// changed paths.
///
/// # Errors
///
/// When the folders cannot be listed or a file cannot be written; files before it are complete.
pub fn fix(root: &Path, paths: &[PathBuf], options: &LintOptions) -> Result<BTreeSet<PathBuf>, FixError> {
    let mut changed = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let found = check(root, paths, options)?;
        let mut by_file: BTreeMap<&Path, Vec<&Diagnostic>> = BTreeMap::new();
        for finding in found.findings.iter().filter(|finding| finding.fix.is_some()) {
            by_file.entry(&finding.primary.file.path).or_default().push(finding);
        }
        if by_file.is_empty() {
            break;
        }
        for (path, findings) in by_file {
            let other = findings.iter().any(|finding| finding.code != FORM);
            let fixes: Vec<&Fix> = findings
                .iter()
                .filter(|finding| (finding.code != FORM) == other)
                .filter_map(|finding| finding.fix.as_ref())
                .collect();
            let checked = &findings[0].primary.file.text;
            // If somebody changed the file since the check, the next round checks it again.
            let mended = |now: Option<&str>| (now == Some(checked)).then(|| merge_fixes(&fixes).applied_to(checked));
            if rewrite(&root.join(path), mended)? {
                changed.insert(path.to_owned());
            }
        }
    }
    Ok(changed)
}

/// Merges the fixes into one; of edits that overlap, only the first is kept.
fn merge_fixes(fixes: &[&Fix]) -> Fix {
    let mut edits: Vec<_> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut end = 0;
    edits.retain(|(span, _)| {
        let free = span.start >= end;
        end = if free { span.end } else { end };
        free
    });
    Fix { title: String::new(), edits }
}

/// Why fixing stopped.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    /// The folders could not be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The result of formatting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormatReport {
    /// Files that changed (or would change in a dry run), ordered by path.
    pub changed: Vec<PathBuf>,
    /// Files skipped because they are not valid TOML or are not in a folder of the knowledge base.
    pub left: Vec<PathBuf>,
    /// Number of files examined.
    pub files: usize,
}

/// Formats files canonically: all files, or those among `paths` (relative to `root`). With `dry_run`, writes nothing.
///
/// # Errors
///
/// When the folders cannot be listed, or a file cannot be written.
pub fn format(root: &Path, paths: &[PathBuf], dry_run: bool) -> Result<FormatReport, FixError> {
    let mut files = reading::list(root)?;
    files.retain(|file| paths.is_empty() || paths.iter().any(|path| file.path.starts_with(path)));
    let loaded = reading::load(root, &files);
    let mut report = FormatReport { files: files.len(), ..FormatReport::default() };
    for (listed, file) in &loaded.files {
        // A file that is not valid TOML cannot be formatted; `check` reports what is wrong with it.
        let broken = matches!(listed.kind, FileKind::Misplaced(_)) || file.text.is_empty();
        let Some(formed) = canonical(&file.text, &listed.kind).filter(|_| !broken) else {
            report.left.push(listed.path.clone());
            continue;
        };
        if formed == file.text {
            continue;
        }
        report.changed.push(listed.path.clone());
        if !dry_run {
            // Formats the current text of the file, so concurrent additions are preserved.
            rewrite(&root.join(&listed.path), |now| canonical(now?, &listed.kind))?;
        }
    }
    Ok(report)
}

/// Number of rows per parallel task.
const CHUNK: usize = 1024;

/// Returns everything that is wrong, causes first, then by path and position: the reader's findings and those of the
/// rules. Leaves out findings that an exception covers; an exception that covers none is itself a finding.
pub fn run_rules(loaded: &Loaded, options: &LintOptions) -> Vec<Diagnostic> {
    let context = LintContext::new(loaded, options);
    // All rules run, whatever `only` selects, because exceptions are judged by the findings of all rules.
    let found: Vec<Findings> = RULES.par_iter().map(|rule| run(rule, &context)).collect();
    let found = found.into_iter().flat_map(Findings::into_findings).collect();
    let kept = blame_wrong_facts(&context, exceptions::apply(&context, found));
    let mut all: Vec<Diagnostic> = loaded.findings.clone();
    all.extend(diagnostics(kept));
    without_consequences(&mut all);
    all.retain(|diagnostic| options.includes(diagnostic.code));
    let mut all = merge_repeated(all);
    // The sort is stable: findings at one position stay in the order of the rules.
    all.sort_by(|a, b| a.rank().cmp(&b.rank()));
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
            let claimed = |measurement: &Measurement| context.is_undisputed(measurement);
            found.extend(each_row(rule, context, claimed, check));
        }
    }
    found
}

/// Runs a row rule on each row for which `wanted` holds.
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

/// Removes consequences of a malformed line: rows without a metric, further format findings in the same line, and texts
/// that count rows.
fn without_consequences(all: &mut Vec<Diagnostic>) {
    let broken: BTreeSet<(PathBuf, usize)> = all
        .iter()
        .filter(|found| found.is_of_form())
        .map(|found| (place(found).0.to_owned(), place(found).1))
        .collect();
    let is_broken = |path: &Path, within: Range<usize>| {
        broken.range((path.to_owned(), within.start)..(path.to_owned(), within.end)).next().is_some()
    };
    let folders: BTreeSet<_> = broken.iter().filter_map(|(path, _)| path.parent()?.file_name()).collect();
    all.retain(|found| {
        let path = place(found).0;
        !match found.code {
            NO_METRIC | NO_SUBJECT => is_broken(path, 0..usize::MAX),
            FORM => found.primary.span.clone().is_some_and(|line| is_broken(path, line)),
            COUNTED_ROWS => path.file_stem().is_some_and(|source| folders.contains(source)),
            _ => false,
        }
    });
}

fn place(diagnostic: &Diagnostic) -> (&Path, usize) {
    (&diagnostic.primary.file.path, diagnostic.primary.span.as_ref().map_or(0, |span| span.start))
}

/// With at least this many wrong values in a column, the column's head is more likely wrong than each value by itself.
const FEWEST: usize = 12;

/// This many findings with one code at one place come from rows that share a default; they are reported once.
const FEWEST_AT_ONE_PLACE: usize = 3;

/// This many findings with the same message in a file are reported once.
const FEWEST_IN_SAME_WORDS: usize = 4;

/// Minimum percentage of wrong values in a column, and of rows of an entity that contradict one of its facts.
const SHARE: usize = 30;

/// A column with fewer wrong values (at least this many) is reported at its head only if nearly all of its values are wrong.
const FEWEST_OF_ALL: usize = 6;
const SHARE_OF_ALL: usize = 75;

/// Replaces findings at many values of a column by one at the column's head, and many findings with one code at one
/// place by one finding.
fn merge_repeated(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut of_files: BTreeMap<&Path, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.severity != Severity::Info) {
        *of_files.entry(&finding.primary.file.path).or_default() += 1;
    }
    let crowded: BTreeSet<PathBuf> =
        of_files.into_iter().filter(|(_, count)| *count >= FEWEST_OF_ALL).map(|(path, _)| path.to_owned()).collect();
    let (many, mut kept): (Vec<Diagnostic>, Vec<Diagnostic>) =
        findings.into_iter().partition(|finding| finding.severity != Severity::Info);
    let mut by_file: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in many {
        by_file.entry(finding.primary.file.path.clone()).or_default().push(finding);
    }
    for (path, findings) in by_file {
        kept.extend(merge_by_place(if crowded.contains(&path) { merge_by_column(findings) } else { findings }));
    }
    kept
}

/// Merges the findings of one file: a column with many wrong values is reported once, at its head.
fn merge_by_column(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let columns = column_places(&findings[0].primary.file);
    let column_of = |finding: &Diagnostic| {
        let span = finding.primary.span.as_ref()?;
        columns.iter().position(|column| column.has(span))
    };
    let mut of_columns: BTreeMap<(usize, Code), Vec<Diagnostic>> = BTreeMap::new();
    let mut kept = Vec::new();
    for finding in findings {
        match column_of(&finding) {
            Some(column) => of_columns.entry((column, finding.code)).or_default().push(finding),
            None => kept.push(finding),
        }
    }
    for ((column, _), findings) in of_columns {
        let column = &columns[column];
        let wrong = findings.iter().filter_map(|finding| finding.primary.span.as_ref().map(|span| span.start));
        let wrong = wrong.collect::<BTreeSet<usize>>().len();
        let is_share = |fewest: usize, share: usize| wrong >= fewest && wrong * 100 >= share * column.cells.len();
        match is_share(FEWEST, SHARE) || is_share(FEWEST_OF_ALL, SHARE_OF_ALL) {
            true => kept.extend(move_to_column_head(findings, column, wrong)),
            false => kept.extend(findings),
        }
    }
    kept
}

/// Moves the first of the most severe findings to the column's head.
fn move_to_column_head(findings: Vec<Diagnostic>, column: &ColumnPlaces, wrong: usize) -> Option<Diagnostic> {
    let mut first = findings.into_iter().min_by_key(|finding| finding.severity)?;
    first.message =
        format!("{wrong} of {} values of `{}` are told of, as {}", column.cells.len(), column.key, first.message);
    first.related.insert(0, crate::model::Annotation { label: "such a value".to_owned(), ..first.primary.clone() });
    first.primary.span = Some(column.head.clone());
    first.primary.label = "is this what the column holds?".to_owned();
    first.fix = None;
    Some(first)
}

/// Merges findings: many with one code at one place (a default that all rows share), any number with the same message
/// at one place, and many with the same message anywhere in the file.
fn merge_by_place(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |finding: &Diagnostic| -> (Option<(usize, usize)>, crate::model::Code) {
        let span = |span: &Range<usize>| (span.start, span.end);
        (finding.primary.span.as_ref().map(span), finding.code)
    };
    let mut counts = BTreeMap::new();
    for finding in &findings {
        *counts.entry(place(finding)).or_insert(0usize) += 1;
    }
    let mut alike: BTreeMap<(Code, String), usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.fix.is_none()) {
        *alike.entry((finding.code, finding.message.clone())).or_default() += 1;
    }
    let is_alike = |finding: &Diagnostic| {
        let own = alike.get(&(finding.code, finding.message.clone()));
        finding.fix.is_none() && own.is_some_and(|own| *own >= FEWEST_IN_SAME_WORDS)
    };
    let mut told: BTreeMap<_, usize> = BTreeMap::new();
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut others: Vec<usize> = Vec::new();
    for finding in findings {
        let (at, words) = match place(&finding) {
            (_, code) if is_alike(&finding) => ((None, code), finding.message.clone()),
            at if counts[&at] < FEWEST_AT_ONE_PLACE => (at, finding.message.clone()),
            at => (at, String::new()),
        };
        match told.get(&(at, words.clone())) {
            Some(first) => others[*first] += 1,
            None => {
                told.insert((at, words), kept.len());
                kept.push(finding);
                others.push(0);
            }
        }
    }
    for (finding, others) in kept.iter_mut().zip(others).filter(|(_, others)| *others > 0) {
        finding.message = format!("{}; and so for {}", finding.message, counted(others, "other row", "other rows"));
    }
    kept
}

/// Drops findings that depend on a fact which is itself found wrong. Where a large share of an entity's rows contradict
/// one of its facts, replaces their findings by one at the fact. Facts in files that were not asked about are ignored,
/// because their own findings are not shown.
fn blame_wrong_facts(context: &LintContext<'_>, findings: Vec<Finding>) -> Vec<Finding> {
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
    let mut found = Findings::new(own_findings::CONTRADICTED_FACT.code, own_findings::CONTRADICTED_FACT.severity);
    for ((kind, id, key), rows) in &suspects {
        let Some(place) = context.place(*kind, id) else { continue };
        let message = format!("{rows} measurements contradict `{key}` of `{id}`");
        let steps: Vec<Step> = key.split('.').map(Step::from).collect();
        if is_reported_by_reader(context, place, &steps) {
            continue;
        }
        found.at(place, steps, message, "by this they would be impossible").of(id);
    }
    findings.extend(found.into_findings());
    findings
}

/// Whether the reader already reported this value of an entity, for example as a reference to an unknown entity.
fn is_reported_by_reader(context: &LintContext<'_>, place: &Located<()>, steps: &[Step]) -> bool {
    let here = |told: &&Diagnostic| told.primary.file.path == place.file().path;
    let told: Vec<&Diagnostic> = context.loaded.findings.iter().filter(here).collect();
    if told.is_empty() {
        return false;
    }
    let spans = key_spans(place.file(), &[(place.span(), steps)]);
    told.iter().any(|told| spans.contains(&told.primary.span))
}

/// The facts at which the findings about entities point.
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

/// Joins the keys of a path with dots; `None` if the path is empty or has a list index.
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

/// Minimum contradicting rows, and minimum files that hold them, before a fact is suspect: a single file may itself be wrong.
const FEWEST_ROWS: usize = 4;

const FEWEST_FILES: usize = 2;

/// If rows of at least this many sources contradict a fact, no minimum share of the entity's rows is required.
const FEWEST_SOURCES: usize = 3;

/// The facts that many measurements contradict, each with the number of those measurements, most contradicted first.
fn suspects(context: &LintContext<'_>, findings: &[Finding]) -> Vec<(Fact, usize)> {
    let mut by_fact: BTreeMap<&Fact, (usize, BTreeSet<PathBuf>)> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.row.is_some()) {
        for fact in &finding.rests_on {
            let (rows, files) = by_fact.entry(fact).or_default();
            *rows += 1;
            files.insert(finding.place.file().path.clone());
        }
    }
    // Hardware support needs no minimum: no wrong number in a measurement file makes a framework run on other hardware.
    let in_words = |fact: &Fact| fact.2 == "hardware";
    by_fact.retain(|fact, (rows, files)| in_words(fact) || *rows >= FEWEST_ROWS && files.len() >= FEWEST_FILES);
    if by_fact.is_empty() {
        return Vec::new();
    }
    let all = rows_of_entities(context);
    let share =
        |(kind, id, _): &Fact, rows: usize| rows * 100 / all.get(&(*kind, id.as_str())).copied().unwrap_or(rows).max(1);
    // Independent sources do not make the same mistake.
    let in_sources =
        |files: &BTreeSet<PathBuf>| files.iter().filter_map(|file| file.parent()).collect::<BTreeSet<_>>().len();
    let mut suspects: Vec<(Fact, usize)> = by_fact
        .into_iter()
        .filter(|(fact, (rows, files))| share(fact, *rows) >= SHARE || in_sources(files) >= FEWEST_SOURCES)
        .map(|(fact, (rows, _))| (fact.clone(), rows))
        .collect();
    // Among facts that measure work, prefer multiply-adds: their unit is the one most often confused.
    let rank = |fact: &Fact| (fact.2 != "multiply-adds-g", fact.clone());
    suspects.sort_by(|a, b| {
        (share(&b.0, b.1), b.1).cmp(&(share(&a.0, a.1), a.1)).then_with(|| rank(&a.0).cmp(&rank(&b.0)))
    });
    // The first fact explains most findings; findings that it explains do not count against another fact.
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

/// Number of measurements with a value for each entity.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Code, SourceFile};

    #[test]
    fn a_wrong_head_is_told_once_and_wrong_values_each() {
        let rows: String = (0..40).map(|at| format!("  [{at}, 1.5],\n")).collect();
        let text = format!("[[table]]\ncolumns = [\"batch-size\", \"latency-ms\"]\nrows = [\n{rows}]\n");
        let file = Arc::new(SourceFile::new("a.toml", &text));
        let finding = |at: usize| {
            let cell = format!("[{at}, ");
            let start = text.find(&cell).unwrap() + 1;
            let span = start..start + at.to_string().len();
            Diagnostic::error(Code::new(401), &file, Some(span), format!("{at} is wrong"), "here")
        };
        let of = |count: usize| merge_repeated((0..count).map(finding).collect());
        assert_eq!(of(5).len(), 5);
        let told = of(30);
        assert_eq!(told.len(), 1);
        assert_eq!(&text[told[0].primary.span.clone().unwrap()], "\"batch-size\"");
        assert!(told[0].message.starts_with("30 of 40 values of `batch-size`"), "{}", told[0].message);
        let alike = merge_repeated((0..20).map(|_| finding(3)).collect());
        assert_eq!(alike.len(), 1, "one value cannot be wrong twenty times");
    }
}

//! The fault set: kinds of faults that contributors make, each inserted at random places in real files of this knowledge base. The
//! check must report each in the right file and line, and report nothing in valid files.

mod edit;
mod facts;
mod fault;
mod files;
mod form;
mod newcomers;
mod numbers;
mod record;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dlbench::contribute::check::report;
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::model::{Diagnostic, Severity};
use dlbench::reading::{FileKind, KbFile, Loaded, ReadFile, list};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::REPOSITORY;
use edit::{Changes, Literals, applied};
use fault::{ANYWHERE, Damage, Fault};
use form::lines_outside_texts;
use numbers::Numbers;
use record::{Record, records};

/// Number of places per kind of fault, each in a different file.
const EACH: usize = 6;

/// Sources whose measurements are read: they cover every file layout and metric, and are small enough to be read many times.
const SOURCES: &[&str] = &[
    "dai-berleant-2019",
    "dawnbench-2020",
    "deepbench-2020",
    "dlbench-runs",
    "efficientvit-2025",
    "esp-dl-2026",
    "jcjohnson-2017",
    "keras-io-2020",
    "lambdal-2025",
    "mlc-llm-perf-2023",
    "mlperf-inference-v4.1",
    "mlperf-training-v0.6",
    "mlperf-training-v0.7",
    "mlperf-training-v1.1",
    "mlperf-training-v2.1",
    "mlperf-training-v3.1",
    "mrdbourke-2023",
    "mxnet-2023",
    "nvidia-dle-2024",
    "ryujaehun-2021",
    "soumith-2017",
    "szilard-2017",
    "timm-2026",
    "u39kun-2018",
    "undertherain-2021",
    "xiongjiedai-2024",
    "minimaxir-2017",
    "guolinke-2017",
    "stm32ai-model-zoo-2024",
    "tf-trt-models-2018",
    "torchtitan-2026",
    "tpu-recipes-2026",
];

/// Sources used when facts are checked: small, and with many devices and years.
const LIGHT: &[&str] = &[
    "dawnbench-2020",
    "jcjohnson-2017",
    "mxnet-2023",
    "soumith-2017",
    "szilard-2017",
    "u39kun-2018",
    "mlc-llm-perf-2023",
    "mlperf-training-v0.6",
    "mlperf-training-v0.7",
    "mlperf-training-v1.1",
    "mlperf-training-v2.1",
    "mlperf-training-v3.1",
];

/// Large sources, of which only every nth file is read, so that the test stays fast.
const LARGE: &[(&str, usize)] =
    &[("timm-2026", 5), ("nvidia-dle-2024", 5), ("lambdal-2025", 3), ("mlperf-inference-v4.1", 4)];

/// Minimum percentage of faults found; every kind has the same weight. Raise it when the share has risen.
const LEAST: f64 = 94.0;

/// The knowledge base in memory.
struct Texts {
    files: Vec<KbFile>,
    texts: BTreeMap<PathBuf, String>,
    /// The parsed files: only changed files are parsed again.
    read: BTreeMap<PathBuf, ReadFile>,
    records: BTreeMap<PathBuf, Vec<Record>>,
    /// Literals, by kind of file and by key.
    literals: BTreeMap<String, Literals>,
}

impl Texts {
    fn read() -> Self {
        let root = Path::new(REPOSITORY);
        let mut files = list(root).expect("the knowledge base can be listed");
        let mut of_source: BTreeMap<String, usize> = BTreeMap::new();
        files.retain(|file| match &file.kind {
            FileKind::Measurements(source) => {
                let nth = of_source.entry(source.to_string()).or_default();
                *nth += 1;
                let large = LARGE.iter().find(|(large, _)| *large == source.as_str()).map_or(1, |(_, each)| *each);
                SOURCES.contains(&source.as_str()) && nth.is_multiple_of(large)
            }
            _ => true,
        });
        let text = |file: &KbFile| std::fs::read_to_string(root.join(&file.path)).expect("the file is text");
        let texts: BTreeMap<PathBuf, String> = files.iter().map(|file| (file.path.clone(), text(file))).collect();
        let read = |file: &KbFile| (file.path.clone(), ReadFile::of(file, Ok(texts[&file.path].clone())));
        let read: BTreeMap<PathBuf, ReadFile> = files.par_iter().map(read).collect();
        let records: BTreeMap<PathBuf, Vec<Record>> =
            texts.par_iter().map(|(path, text)| (path.clone(), records(text))).collect();
        let mut literals: BTreeMap<String, Literals> = BTreeMap::new();
        for (path, records) in &records {
            let kind = literals.entry(kind_of(path)).or_default();
            for record in records {
                for key in record.keys() {
                    let values = kind.entry(key.to_owned()).or_default();
                    let literal = record.literal(key).unwrap_or_default();
                    if values.last().is_none_or(|last| last != literal) {
                        values.push(literal.to_owned());
                    }
                }
            }
        }
        Self { files, texts, read, records, literals }
    }

    /// The same files with fewer measurements: enough to check facts.
    fn light(&self) -> Vec<KbFile> {
        let is_light = |file: &&KbFile| match &file.kind {
            FileKind::Measurements(source) => LIGHT.contains(&source.as_str()),
            _ => true,
        };
        self.files.iter().filter(is_light).cloned().collect()
    }

    /// The findings with some files changed; excludes those of severity info.
    fn findings(&self, files: &[KbFile], changed: &BTreeMap<PathBuf, String>, of_form: bool) -> Vec<Diagnostic> {
        let read = |file: &KbFile| match changed.get(&file.path) {
            Some(text) => ReadFile::of(file, Ok(text.clone())),
            None => self.read[&file.path].clone(),
        };
        let loaded = Loaded::of(files.iter().map(read).collect());
        // Rules of form do not detect wrong values, and rules for the whole base do not detect errors in rows.
        let texts = if of_form { changed.keys().cloned().collect() } else { BTreeSet::new() };
        let today = "2026-12-31".parse().ok();
        let scope = LintOptions { whole: of_form, texts: Some(texts), today, ..LintOptions::default() };
        let mut findings = report(loaded, &scope, |_| true).findings;
        findings.retain(|finding| finding.severity != Severity::Info);
        findings
    }
}

/// The entity folder of a path; all measurements count as one kind.
fn kind_of(path: &Path) -> String {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    match parts.first().map(String::as_str) {
        Some("catalog") => parts[1].clone(),
        _ => "measurements".to_owned(),
    }
}

/// An inserted fault, and the lines in which a finding counts as finding it.
struct Put<'f> {
    fault: &'f Fault,
    path: PathBuf,
    lines: BTreeSet<usize>,
    /// Description of the change, for messages.
    what: String,
}

/// Faults that are inserted together, into different files.
struct Group<'f> {
    faults: Vec<&'f Fault>,
    changed: BTreeMap<PathBuf, String>,
    put: Vec<Put<'f>>,
}

/// Inserts up to `together` of the waiting kinds into different files; those for which no file is left stay in `waiting`.
fn put_together<'f>(
    kb: &Texts,
    waiting: &mut Vec<&'f Fault>,
    (together, places): (usize, usize),
    round: usize,
) -> Group<'f> {
    let mut group = Group { faults: Vec::new(), changed: BTreeMap::new(), put: Vec::new() };
    let mut later = Vec::new();
    while group.faults.len() < together
        && let Some(fault) = waiting.pop()
    {
        // The places of a kind do not depend on which other kinds exist.
        let mut numbers = Numbers(xxh3_64(fault.name.as_bytes()).wrapping_add(round as u64));
        let put = put_in(kb, fault, places, &mut numbers, &mut group);
        match put {
            0 if group.faults.is_empty() => println!("{}: no file can have it", fault.name),
            0 => later.push(fault),
            _ => group.faults.push(fault),
        }
    }
    waiting.extend(later);
    group
}

/// Inserts a fault at a random place in each of several files that have no fault yet.
fn put_in<'f>(kb: &Texts, fault: &'f Fault, places: usize, numbers: &mut Numbers, group: &mut Group<'f>) -> usize {
    let free = |path: &&PathBuf| fault.is_for(&path.to_string_lossy()) && !group.changed.contains_key(*path);
    let mut possible: Vec<&PathBuf> = kb.texts.keys().filter(free).collect();
    let mut put = 0;
    while put < places && !possible.is_empty() {
        let path = possible.swap_remove(numbers.below(possible.len()));
        let text = &kb.texts[path];
        let Some((changed, lines, what)) = damaged(kb, fault, path, text, numbers) else { continue };
        group.changed.insert(path.clone(), changed);
        group.put.push(Put { fault, path: path.clone(), lines, what });
        put += 1;
    }
    put
}

type Damaged = (String, BTreeSet<usize>, String);

fn damaged(kb: &Texts, fault: &Fault, path: &Path, text: &str, numbers: &mut Numbers) -> Option<Damaged> {
    let others = &kb.literals[&kind_of(path)];
    let able = || kb.records[path].iter().filter(|record| (fault.when)(record));
    match fault.damage {
        Damage::Line { mutate, offset, .. } => damaged_line(mutate, offset, path, text, numbers),
        Damage::Record(slip) => {
            let mut able: Vec<&Record> = able().collect();
            for _ in 0..able.len().min(200) {
                let record = able.swap_remove(numbers.below(able.len()));
                if let Some(changes) = slip.changes(record, others, numbers) {
                    return Some(changed_by(text, changes));
                }
            }
            None
        }
        Damage::File(slip) => {
            let changes: Changes =
                able().filter_map(|record| slip.changes(record, others, numbers)).flatten().collect();
            (!changes.is_empty()).then(|| changed_by(text, changes))
        }
    }
}

fn changed_by(text: &str, mut changes: Changes) -> Damaged {
    changes.sort_by_key(|(span, _)| span.start);
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    let lines = changes.iter().flat_map(|(span, _)| line(span.start)..=line(span.end)).collect();
    let mut what = String::new();
    for (span, literal) in changes.iter().take(2) {
        let _ = write!(what, "{} to {literal}; ", &text[Range::clone(span)]);
    }
    (applied(text, &changes), lines, what)
}

fn damaged_line(
    mutate: fn(&str) -> Option<String>,
    offset: usize,
    path: &Path,
    text: &str,
    numbers: &mut Numbers,
) -> Option<Damaged> {
    let places: Vec<(usize, String)> =
        lines_outside_texts(text).filter_map(|(at, line)| Some((at, mutate(line)?))).collect();
    let (at, line) = places.get(numbers.below(places.len().max(1)))?;
    let stem = path.file_stem().expect("a file has a name").to_string_lossy();
    let line = line.replace("<id>", &stem);
    let whole: Vec<&str> = text.lines().enumerate().map(|(n, old)| if n == *at { &*line } else { old }).collect();
    let lines = if offset == ANYWHERE { (0..=whole.len() + 1).collect() } else { [at + 1 + offset].into() };
    Some((whole.join("\n") + "\n", lines, line.chars().take(80).collect()))
}

/// Counts for one kind of fault.
#[derive(Default)]
struct Tally {
    put: usize,
    found: usize,
    missed: String,
}

#[test]
fn faults_are_found_in_their_file_and_line() {
    let kb = Texts::read();
    // Another test asserts that the whole base is clean; with only some of the sources, some rules report findings.
    let clean =
        |files: &[KbFile]| kb.findings(files, &BTreeMap::new(), true).iter().map(finding_line).collect::<BTreeSet<_>>();
    let light = kb.light();
    let (clean_light, clean_all) = (clean(&light), clean(&kb.files));

    let mut kinds: BTreeMap<&str, Tally> = BTreeMap::new();
    // For work on a rule: only the kinds whose name contains a word, at more places.
    let word = std::env::var("DLBENCH_FAULTS").unwrap_or_default();
    let each = std::env::var("DLBENCH_FAULTS_EACH").ok().and_then(|each| each.parse().ok()).unwrap_or(EACH);
    // Catalog errors would hide errors in measurements, and files are compared with each other, so they are tested separately.
    let (catalog, measurements): (Vec<&Fault>, Vec<&Fault>) =
        form::FAULTS.iter().partition(|fault| fault.files.starts_with("catalog"));
    let facts: Vec<&Fault> = facts::FAULTS.iter().chain(newcomers::FACTS).collect();
    let rows: Vec<&Fault> = rows::FAULTS.iter().chain(newcomers::ROWS_FAULTS).collect();
    let files: Vec<&Fault> = files::FAULTS.iter().chain(newcomers::FILES).collect();
    let (all, light) = ((&kb.files, &clean_all), (&light, &clean_light));
    // Per group: how many kinds are inserted together, and at how many places each. Entities are compared with each other, so the
    // same fault in several of them would look correct.
    let groups = [
        (catalog, 10, EACH, light),
        (facts, 32, 1, light),
        (measurements, 24, 1, all),
        (rows, 60, 1, all),
        (files, 14, 1, all),
    ];
    for (kinds_of_file, together, places, (read, clean)) in groups {
        for round in 0..each.div_ceil(places) {
            let mut waiting: Vec<&Fault> =
                kinds_of_file.iter().copied().filter(|fault| fault.name.contains(&word)).rev().collect();
            while !waiting.is_empty() {
                let group = put_together(&kb, &mut waiting, (together, places), round);
                let of_form = group.faults.iter().any(|fault| matches!(fault.damage, Damage::Line { .. }));
                let mut findings = kb.findings(read, &group.changed, of_form);
                findings.retain(|finding| !clean.contains(&finding_line(finding)));
                judge(&group, &findings, &mut kinds);
            }
        }
    }
    // Every kind counts by its share of places found, so the result hardly depends on which places were drawn.
    let share = kinds.values().map(|tally| tally.found as f64 / tally.put as f64).sum::<f64>() / kinds.len() as f64;
    let (put, found) = kinds.values().fold((0, 0), |(put, found), tally| (put + tally.put, found + tally.found));
    let missed: String = kinds
        .iter()
        .filter(|(_, tally)| tally.found < tally.put)
        .map(|(name, tally)| format!("{name}: {} of {}\n{}", tally.found, tally.put, tally.missed))
        .collect();
    let percent = share * 100.0;
    println!("{missed}{percent:.1} % of the faults of {} kinds are found ({found} of {put} places)", kinds.len());
    if !word.is_empty() {
        return;
    }
    assert!(kinds.len() >= 150, "only {} kinds of faults", kinds.len());
    assert!(percent >= LEAST, "{percent:.1} % of the faults are found");
}

/// Counts which faults of a group are found, and how.
fn judge(group: &Group<'_>, findings: &[Diagnostic], kinds: &mut BTreeMap<&str, Tally>) {
    let mut at: BTreeMap<&Path, Vec<(String, usize)>> = BTreeMap::new();
    for finding in findings {
        let start = finding.primary.span.clone().map_or(0, |span| span.start);
        let line = finding.primary.file.position(start).0;
        at.entry(&finding.primary.file.path).or_default().push((finding.code.to_string(), line));
        // Two contradictory values are reported in one finding, with both places marked.
        for beside in finding.related.iter().filter(|beside| beside.file.path == finding.primary.file.path) {
            let line = beside.file.position(beside.span.clone().map_or(0, |span| span.start)).0;
            at.entry(&beside.file.path).or_default().push((finding.code.to_string(), line));
        }
    }
    let damaged: BTreeSet<&Path> = group.put.iter().map(|put| put.path.as_path()).collect();
    let innocent = at.iter().filter(|(path, _)| !damaged.contains(*path)).map(|(_, told)| told.len()).sum::<usize>();
    let names: Vec<&str> = group.faults.iter().map(|fault| fault.name).collect();
    if innocent > MOST_INNOCENT * group.put.len() {
        println!("{innocent} findings in files without a fault, of {names:?}");
    }
    for Put { fault, path, lines, what } in &group.put {
        let told = at.get(path.as_path()).map(Vec::as_slice).unwrap_or_default();
        let right = |(code, line): &(String, usize)| match fault.damage {
            Damage::Line { code: expected, .. } if !expected.is_empty() => code == expected && lines.contains(line),
            _ => !code.starts_with("DL05") && lines.contains(line),
        };
        let tally = kinds.entry(fault.name).or_default();
        tally.put += 1;
        match told.iter().any(right) {
            true => tally.found += 1,
            false => {
                let lines: Vec<&usize> = lines.iter().take(3).collect();
                let told: Vec<_> = told.iter().take(4).collect();
                let _ = writeln!(tally.missed, "    {}:{lines:?} {what} {told:?}", path.display());
            }
        }
    }
}

/// Maximum findings per inserted fault in files without a fault: a fault must be reported where it is.
const MOST_INNOCENT: usize = 2;

fn finding_line(finding: &Diagnostic) -> String {
    let start = finding.primary.span.clone().map_or(0, |span| span.start);
    let (line, _) = finding.primary.file.position(start);
    format!("{} {}:{line} {}", finding.code, finding.primary.file.path.display(), finding.message)
}

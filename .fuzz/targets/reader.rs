//! Any text as a file of the miniature knowledge base: it is read and checked beside the others, with findings that lie
//! inside it and fixes that fit it, never a panic.

#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dlbench::contribute::check::run_rules;
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::model::Diagnostic;
use dlbench::reading::{FileKind, KbFile, canonical, kind_of, list, load_texts};
use libfuzzer_sys::{Corpus, fuzz_target};

/// A place for each kind of file; the first letter of the input chooses, `a` the first one.
const PLACES: &[&str] = &[
    "catalog/devices/fuzzed.toml",
    "catalog/frameworks/fuzzed.toml",
    "catalog/networks/fuzzed.toml",
    "catalog/datasets/fuzzed.toml",
    "catalog/sources/fuzzed.toml",
    "catalog/hardware-classes/asic.toml",
    "catalog/hardware-metrics.toml",
    "catalog/kb.toml",
    "catalog/collections/fuzzed.toml",
    "catalog/recipes/invented-2020.toml",
    "measurements/invented-2020/fuzzed.toml",
];

/// The files of the miniature knowledge base with their texts.
static MINIATURE: LazyLock<Vec<(KbFile, String)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/acceptance/kb");
    let files = list(&root).expect("the miniature knowledge base");
    let text = |file: &KbFile| std::fs::read_to_string(root.join(&file.path)).expect("a file of it");
    files.into_iter().map(|file| (file.clone(), text(&file))).collect()
});

fuzz_target!(|input: &str| -> Corpus {
    let Some(place) = input.chars().next() else { return Corpus::Reject };
    let text = &input[place.len_utf8()..];
    let path = PathBuf::from(PLACES[(place as usize).wrapping_sub('a' as usize) % PLACES.len()]);
    let fuzzed = KbFile { kind: kind_of(&path), path, len: text.len() as u64, stamp: [0; 3] };
    let alone = load_texts(&[fuzzed.clone()], |_| Ok(text.to_owned()));
    alone.findings.iter().for_each(lies_in_its_file);
    // What the strict reader refuses is left out of what the rules look at.
    let is_read = alone.info.is_some() || !(alone.places.is_empty() && alone.rows.is_empty() && alone.suites.is_empty());
    if is_read || matches!(fuzzed.kind, FileKind::Recipe) {
        let others = MINIATURE.iter().filter(|(file, _)| file.path != fuzzed.path);
        let mut files: Vec<KbFile> = others.map(|(file, _)| file.clone()).chain([fuzzed.clone()]).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let text_of = |file: &KbFile| match MINIATURE.iter().find(|(other, _)| other.path == file.path) {
            Some((_, text)) if file.path != fuzzed.path => text.clone(),
            _ => text.to_owned(),
        };
        let loaded = load_texts(&files, |file| Ok(text_of(file)));
        let today = "2026-11-21".parse().ok();
        let options = LintOptions { whole: true, today, ..LintOptions::default() };
        run_rules(&loaded, &options).iter().for_each(lies_in_its_file);
    }
    if let Some(once) = canonical(text, &fuzzed.kind) {
        assert_eq!(canonical(&once, &fuzzed.kind).as_deref(), Some(once.as_str()), "twice is once");
    }
    Corpus::Keep
});

/// A finding has words, its places lie in their files, and the edits of its fix lie one behind the other.
fn lies_in_its_file(finding: &Diagnostic) {
    assert!(!finding.message.is_empty(), "{finding:?}");
    for place in finding.related.iter().chain([&finding.primary]) {
        let span = place.span.clone().unwrap_or_default();
        assert!(place.file.text.get(span).is_some(), "no such place: {finding:?}");
    }
    let mut end = 0;
    for (span, _) in finding.fix.iter().flat_map(|fix| &fix.edits) {
        assert!(span.start >= end && finding.primary.file.text.get(span.clone()).is_some(), "no fit: {finding:?}");
        end = span.end;
    }
}

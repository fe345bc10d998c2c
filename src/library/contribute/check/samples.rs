//! The samples of the rules: a small knowledge base without a mistake, to which a sample adds its files.

use std::path::PathBuf;

use super::run_rules;
use crate::contribute::lint::{LinkStatus, LintOptions, SampleFile};
use crate::contribute::rules::RULES;
use crate::model::{Diagnostic, Severity};
use crate::reading::{FileFault, KbFile, kind_of, load_texts};

/// What every sample stands on.
const BASE: &[SampleFile] = &[
    ("catalog/kb.toml", include_str!("../lint/sample_base/kb.toml")),
    ("catalog/sources/imagined-2018.toml", include_str!("../lint/sample_base/source.toml")),
    ("catalog/frameworks/firelight.toml", include_str!("../lint/sample_base/framework.toml")),
    ("catalog/devices/nova-100.toml", include_str!("../lint/sample_base/family.toml")),
    ("catalog/devices/nova-100-16gb.toml", include_str!("../lint/sample_base/device.toml")),
    ("catalog/networks/deepnet.toml", include_str!("../lint/sample_base/networks.toml")),
    ("catalog/networks/deepnet-50.toml", include_str!("../lint/sample_base/network.toml")),
    ("catalog/datasets/tiny-pictures.toml", include_str!("../lint/sample_base/dataset.toml")),
    ("measurements/imagined-2018/base.toml", include_str!("../lint/sample_base/measurements.toml")),
];

/// The one page that is not there, wherever a sample cites it.
const GONE: &str = "https://gone.example.org/invented";

/// A sign that no file holds in earnest: where a sample has it, its file has a byte that is no UTF-8.
const WRONG_BYTE: char = '\u{fffd}';

/// What the check finds in a knowledge base with these files of a sample.
fn findings_in(files: &[SampleFile]) -> Vec<Diagnostic> {
    let replaced = |path: &str| files.iter().any(|(other, _)| *other == path);
    let all: Vec<&SampleFile> = BASE.iter().filter(|(path, _)| !replaced(path)).chain(files).collect();
    let mut listed: Vec<KbFile> = all
        .iter()
        .map(|(path, text)| {
            let path = PathBuf::from(path);
            KbFile { kind: kind_of(&path), path, len: text.len() as u64, stamp: [0; 3] }
        })
        .collect();
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    let loaded = load_texts(&listed, |file| {
        if let crate::reading::FileKind::Misplaced(fault) = &file.kind {
            return Err(fault.clone());
        }
        let text = all.iter().find(|(path, _)| file.path == PathBuf::from(path)).map_or("", |(_, text)| text);
        match text.contains(WRONG_BYTE) {
            true => Err(FileFault { message: "the file is not UTF-8".to_owned(), help: "save it as UTF-8".to_owned() }),
            false => Ok(text.to_owned()),
        }
    });
    let today = "2026-11-21".parse().ok();
    let link_statuses = [(GONE.to_owned(), LinkStatus::HttpError(404))].into();
    run_rules(
        &loaded,
        &LintOptions { whole: true, today, link_statuses: Some(link_statuses), ..LintOptions::default() },
    )
}
fn told(findings: &[&Diagnostic]) -> String {
    let line = |found: &&Diagnostic| {
        let place = &found.primary;
        let text = place.span.clone().and_then(|span| place.file.text.get(span)).unwrap_or_default();
        format!("{} {} {text:?}: {} ({})\n", found.code, place.file.path.display(), found.message, place.label)
    };
    findings.iter().map(line).collect()
}

/// What a person must act on: everything but information.
fn matters(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity != Severity::Info
}

#[test]
fn the_base_of_the_samples_is_clean() {
    let found = findings_in(&[]);
    assert_eq!(told(&found.iter().filter(|found| matters(found)).collect::<Vec<_>>()), "");
}

#[test]
fn every_failing_sample_fails_by_its_rule_and_no_other() {
    let mut wrong = String::new();
    for rule in RULES {
        let found = findings_in(rule.fails);
        let all: Vec<&Diagnostic> = found.iter().collect();
        if !found.iter().any(|found| found.code == rule.code) {
            wrong.push_str(&format!("{} finds nothing:\n{}", rule.code, told(&all)));
        }
        let others: Vec<_> = found.iter().filter(|found| found.code != rule.code && matters(found)).collect();
        if !others.is_empty() {
            wrong.push_str(&format!("{} is not alone:\n{}", rule.code, told(&others)));
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn every_passing_sample_passes() {
    let mut wrong = String::new();
    for rule in RULES {
        let found = findings_in(rule.passes);
        let found: Vec<_> = found.iter().filter(|found| matters(found) || found.code == rule.code).collect();
        if !found.is_empty() {
            wrong.push_str(&format!("{}:\n{}", rule.code, told(&found)));
        }
        assert!(!rule.passes.is_empty() && !rule.fails.is_empty(), "{} has samples", rule.code);
    }
    assert_eq!(wrong, "");
}

#[test]
fn codes_are_in_order_and_each_is_used_once() {
    let codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
}

#[test]
fn a_fix_leaves_nothing_to_find() {
    for rule in RULES {
        for finding in findings_in(rule.fails) {
            let Some(fix) = &finding.fix else { continue };
            let path = finding.primary.file.path.to_string_lossy().into_owned();
            let fixed = fix.applied_to(&finding.primary.file.text);
            let (path, fixed): (&'static str, &'static str) = (path.leak(), fixed.leak());
            let others = rule.fails.iter().filter(|(other, _)| *other != path).copied();
            let files: Vec<SampleFile> = others.chain([(path, fixed)]).collect();
            let left: Vec<_> = findings_in(&files).into_iter().filter(|left| left.code == finding.code).collect();
            assert!(left.is_empty(), "{}: {fixed}\n{left:#?}", rule.code);
        }
    }
}

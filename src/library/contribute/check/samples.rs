//! Tests that the sample base has no findings, and that each rule's sample edit triggers that rule and no other.

use std::path::{Path, PathBuf};

use super::run_rules;
use crate::contribute::rule_interface::{LinkStatus, LintOptions, RowContradiction, SAMPLE_BASE};
use crate::contribute::rules::RULES;
use crate::model::{Diagnostic, Severity};
use crate::reading::{FileFault, KbFile, kind_of, load_texts};

/// A URL whose page does not exist.
const GONE: &str = "https://gone.example.org/imagined";

/// The row that another source contradicts; only the sample of that rule contains it.
const CONTRADICTED: &str = "imagined-2018:95zv0ngb8j";

/// Where a sample has this character, the file gets a byte that is not UTF-8.
const WRONG_BYTE: char = '\u{fffd}';

/// Checks the sample base with one file replaced by another, which may have another path.
fn findings_with(file: &str, path: &str, text: &str) -> Vec<Diagnostic> {
    let others = SAMPLE_BASE.iter().copied().filter(|(other, _)| *other != file);
    let files: Vec<(&str, &str)> = others.chain([(path, text)]).collect();
    let listed = files.iter().map(|(path, text)| {
        let path = PathBuf::from(path);
        KbFile { kind: kind_of(&path), path, len: text.len() as u64, stamp: [0; 3] }
    });
    let mut listed: Vec<KbFile> = listed.collect();
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    let loaded = load_texts(&listed, |file| {
        if let crate::reading::FileKind::Misplaced(fault) = &file.kind {
            return Err(fault.clone());
        }
        let text = files.iter().find(|(path, _)| file.path == Path::new(path)).map_or("", |(_, text)| text);
        match text.contains(WRONG_BYTE) {
            true => Err(FileFault::new("the file is not UTF-8", "save it as UTF-8")),
            false => Ok(text.to_owned()),
        }
    });
    let today = "2026-11-21".parse().ok();
    let link_statuses = Some([(GONE.to_owned(), LinkStatus::HttpError(404))].into());
    let contradiction = RowContradiction {
        row: CONTRADICTED.to_owned(),
        other: Some("elsewhere-2019:0000000000".to_owned()),
        metric: "latency-ms".to_owned(),
        value: 34.0,
        other_value: 3.4,
        factor: 10.0,
        usual: 1.2,
        differs: String::new(),
    };
    let contradictions = Some(vec![contradiction]);
    run_rules(&loaded, &LintOptions { whole: true, today, link_statuses, contradictions, ..LintOptions::default() })
}

fn format_findings<'f>(findings: impl IntoIterator<Item = &'f Diagnostic>) -> String {
    let line = |found: &Diagnostic| {
        let place = &found.primary;
        let text = place.span.clone().and_then(|span| place.file.text.get(span)).unwrap_or_default();
        format!("{} {} {text:?}: {} ({})\n", found.code, place.file.path.display(), found.message, place.label)
    };
    findings.into_iter().map(line).collect()
}

#[test]
fn every_rule_passes_the_sample_base() {
    let (path, text) = SAMPLE_BASE[0];
    let findings = findings_with(path, path, text);
    assert_eq!(format_findings(findings.iter().filter(|found| found.severity != Severity::Info)), "");
}

#[test]
fn every_sample_is_a_file_of_the_sample_base_with_one_edit() {
    for rule in RULES {
        let (passing, failing) = (rule.sample.passing(), rule.sample.failing());
        assert!(SAMPLE_BASE.contains(&(passing.0, &passing.1)), "{}: {} is not there", rule.code, passing.0);
        assert_ne!(passing, failing, "{}: the text to replace is not there", rule.code);
    }
}

#[test]
fn every_sample_fails_by_its_rule_and_no_other() {
    let mut wrong = String::new();
    for rule in RULES {
        let (path, text) = rule.sample.failing();
        let found = findings_with(rule.sample.passing().0, path, &text);
        if !found.iter().any(|found| found.code == rule.code) {
            wrong.push_str(&format!("{} finds nothing:\n{}", rule.code, format_findings(&found)));
        }
        let others = || found.iter().filter(|found| found.code != rule.code && found.severity != Severity::Info);
        if others().count() > 0 {
            wrong.push_str(&format!("{} is not alone:\n{}", rule.code, format_findings(others())));
        }
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
        let (path, text) = rule.sample.failing();
        for finding in findings_with(rule.sample.passing().0, path, &text) {
            let Some(fix) = &finding.fix else { continue };
            assert_eq!(finding.primary.file.path, Path::new(path), "{}: the fix is for the edited file", rule.code);
            let fixed = fix.applied_to(&finding.primary.file.text);
            let left = findings_with(rule.sample.passing().0, path, &fixed);
            let left: Vec<_> = left.into_iter().filter(|left| left.code == finding.code).collect();
            assert!(left.is_empty(), "{}: {fixed}\n{left:#?}", rule.code);
        }
    }
}

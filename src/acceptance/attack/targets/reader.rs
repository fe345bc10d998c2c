//! Arbitrary text as a file of the miniature knowledge base: it is read, checked and formatted with the other files; findings must
//! lie inside it and fixes must apply to it.

use std::path::PathBuf;

use dlbench::contribute::check::run_rules;
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::reading::{KbFile, canonical, kind_of, list, load_texts};

use super::{Target, Verdict};
use crate::miniature_kb;

/// A path for each kind of file; the first byte of an input chooses one, `a` the first.
const PLACES: &[(&str, &str)] = &[
    ("catalog/devices/made-up.toml", "catalog/devices/nova-100-16gb.toml"),
    ("catalog/frameworks/made-up.toml", "catalog/frameworks/firelight.toml"),
    ("catalog/networks/made-up.toml", "catalog/networks/deepnet-50.toml"),
    ("catalog/datasets/made-up.toml", "catalog/datasets/tiny-pictures.toml"),
    ("catalog/sources/made-up.toml", "catalog/sources/invented-2020.toml"),
    ("catalog/hardware-classes/fpga.toml", "catalog/hardware-classes/fpga.toml"),
    ("catalog/hardware-metrics.toml", "catalog/hardware-metrics.toml"),
    ("catalog/kb.toml", "catalog/kb.toml"),
    ("measurements/invented-2020/made-up.toml", "measurements/invented-2020/nova.toml"),
    ("measurements/imagined-2018/made-up.toml", "measurements/imagined-2018/weave.toml"),
];

pub fn target() -> Target {
    let seed = |(at, (_, like)): (usize, &(&str, &str))| {
        let mut seed = vec![b'a' + at as u8];
        seed.extend(std::fs::read(miniature_kb().join(like)).unwrap_or_else(|error| panic!("{like}: {error}")));
        seed
    };
    Target::new("file of a knowledge base", PLACES.iter().enumerate().map(seed).collect(), || {
        let files = list(&miniature_kb()).expect("the miniature");
        let text = |file: &KbFile| std::fs::read_to_string(miniature_kb().join(&file.path)).expect("a file of it");
        let miniature: Vec<(KbFile, String)> = files.into_iter().map(|file| (file.clone(), text(&file))).collect();
        move |input| read(&miniature, input)
    })
}

fn read(miniature: &[(KbFile, String)], input: &[u8]) -> Verdict {
    let Some((&first, text)) = input.split_first() else { return Ok(false) };
    let text = String::from_utf8_lossy(text).into_owned();
    let path = PathBuf::from(PLACES[usize::from(first.wrapping_sub(b'a')) % PLACES.len()].0);
    let made_up = KbFile { kind: kind_of(&path), path, len: text.len() as u64, stamp: [0; 3] };
    let others = miniature.iter().filter(|(file, _)| file.path != made_up.path);
    let mut files: Vec<KbFile> = others.map(|(file, _)| file.clone()).chain([made_up.clone()]).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let text_of = |file: &KbFile| match miniature.iter().find(|(other, _)| other.path == file.path) {
        Some((_, text)) if file.path != made_up.path => text.clone(),
        _ => text.clone(),
    };
    let loaded = load_texts(&files, |file| Ok(text_of(file)));
    let is_sound = loaded.findings.is_empty();
    let today = "2026-11-21".parse().ok();
    for finding in run_rules(&loaded, &LintOptions { whole: true, today, ..LintOptions::default() }) {
        if finding.message.is_empty() {
            return Err(format!("{finding:?}"));
        }
        for place in finding.related.iter().chain([&finding.primary]) {
            let span = place.span.clone().unwrap_or_default();
            if place.file.text.get(span).is_none() {
                return Err(format!("no such place: {finding:?}"));
            }
        }
        let mut end = 0;
        for (span, _) in finding.fix.iter().flat_map(|fix| &fix.edits) {
            if span.start < end || finding.primary.file.text.get(span.clone()).is_none() {
                return Err(format!("no fit: {finding:?}"));
            }
            end = span.end;
        }
    }
    if let Some(once) = canonical(&text, &made_up.kind)
        && canonical(&once, &made_up.kind).as_deref() != Some(once.as_str())
    {
        return Err(format!("twice is not once: {once:?}"));
    }
    Ok(is_sound)
}

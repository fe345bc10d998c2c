//! The strict reader and the rules on any text, at any place of a knowledge base: findings, never a panic.

#![no_main]

use std::path::PathBuf;

use dlbench::derived::lint::{Scope, check};
use dlbench::reading::{FileKind, KbFile, canonical, kind_of, load_texts};
use libfuzzer_sys::fuzz_target;

/// Places of each kind; the first byte chooses.
const PLACES: &[&str] = &[
    "catalog/devices/a.toml",
    "catalog/frameworks/a.toml",
    "catalog/networks/a.toml",
    "catalog/datasets/a.toml",
    "catalog/sources/a.toml",
    "catalog/hardware-classes/gpu.toml",
    "catalog/hardware-metrics.toml",
    "catalog/kb.toml",
    "catalog/collections/a.toml",
    "catalog/recipes/a.toml",
    "measurements/a/a.toml",
];

fuzz_target!(|data: &[u8]| {
    let Some((place, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let path = PathBuf::from(PLACES[usize::from(*place) % PLACES.len()]);
    let file = KbFile { kind: kind_of(&path), path, len: text.len() as u64, stamp: [0; 3] };
    let loaded = load_texts(std::slice::from_ref(&file), |_| Ok(text.to_owned()));
    let _ = check(&loaded, &Scope { whole: true, ..Scope::default() });
    if let (Some(once), false) = (canonical(text, &file.kind), matches!(file.kind, FileKind::Misplaced(_))) {
        assert_eq!(canonical(&once, &file.kind).as_deref(), Some(once.as_str()), "twice is once");
    }
});

//! Where code is not checked by the compiler: each place, with its reason. Only the workers that call foreign libraries have any.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::REPOSITORY;

/// The files that may hold such blocks, and how many: what calls foreign libraries, or the system before other threads run. The
/// Python module has none of its own, only what PyO3 writes for it.
const PLACES: &[(&str, usize)] = &[
    ("runner/libtorch.rs", 16),
    ("runner/parent_death.rs", 1),
    ("runner/precision.rs", 1),
    ("workers/candle/serve.rs", 1),
    ("workers/candle/workload.rs", 1),
];

/// Crates in which the compiler refuses it.
const FORBIDDEN: &[&str] =
    &["effects/lib.rs", "library/lib.rs", "main.rs", "protocol/lib.rs", "server/lib.rs", "snapshot/lib.rs"];

/// So many lines above it the reason begins.
const REASON: usize = 4;

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => rust_files(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Whether the code of a line opens what the compiler does not check.
fn is_unchecked(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "unsafe trait", "unsafe(", "static mut"]
        .iter()
        .any(|word| code.contains(word) && !code.contains(&format!("\"{word}")))
}

#[test]
fn unsafe_code_is_where_it_is_listed_and_says_why() {
    let src = Path::new(REPOSITORY).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in files {
        let path = file.strip_prefix(&src).expect("below src").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).filter(|at| is_unchecked(lines[*at]) && path != "acceptance/unsafe_code.rs") {
            *counts.entry(path.clone()).or_default() += 1;
            let above = &lines[at.saturating_sub(REASON)..at];
            match above.iter().find_map(|line| line.trim().strip_prefix("// SAFETY: ")) {
                Some(reason) => println!("{path}:{}: {reason}", at + 1),
                None => wrong.push(format!("{path}:{}: no `// SAFETY:` above it", at + 1)),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let listed: BTreeMap<String, usize> = PLACES.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    assert_eq!(counts, listed);
}

#[test]
fn the_compiler_refuses_unsafe_code_in_every_crate_that_needs_none() {
    for root in FORBIDDEN {
        let text = fs::read_to_string(Path::new(REPOSITORY).join("src").join(root)).expect(root);
        assert!(text.lines().any(|line| line == "#![forbid(unsafe_code)]"), "{root}");
    }
}

#[test]
fn a_block_is_told_from_a_word_in_a_text() {
    assert!(is_unchecked("    let x = unsafe { f() };") && is_unchecked("unsafe impl Send for X {}"));
    for line in ["// unsafe { f() }", "assert!(!policy.contains(\"unsafe\"));", "#![forbid(unsafe_code)]"] {
        assert!(!is_unchecked(line), "{line}");
    }
}

//! Promises of the repository: licences of all crates, contents of packages, pinned dependencies, and where code is unsafe.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use serde::Deserialize;
use tempfile::TempDir;

use crate::REPOSITORY;

/// The crates of the lock file, as reported by `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolved,
}

#[derive(Deserialize)]
struct Resolved {
    nodes: Vec<Node>,
}

/// A crate and its dependencies.
#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

/// What a crate is needed for: `dev` means only for tests.
#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

impl Metadata {
    /// The external crates that the programs contain or are built with.
    fn built_from(&self) -> Vec<&Package> {
        let nodes: BTreeMap<&str, &Node> = self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = self.workspace_members.iter().map(String::as_str).collect();
        while let Some(id) = open.pop() {
            let Some(node) = nodes.get(id).filter(|_| reached.insert(id)) else { continue };
            let needed =
                node.deps.iter().filter(|dep| dep.dep_kinds.iter().any(|of| of.kind.as_deref() != Some("dev")));
            open.extend(needed.map(|dep| dep.pkg.as_str()));
        }
        let is_built = |package: &&Package| package.source.is_some() && reached.contains(package.id.as_str());
        self.packages.iter().filter(is_built).collect()
    }
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

/// The licences allowed by `.ci/deny.toml`.
#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: BTreeSet<String>,
}

fn metadata() -> Option<Metadata> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["metadata", "--format-version=1", "--locked", "--offline"]);
    // Crates for other systems may be missing; those for this system are present, because they were built.
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let output = cargo.output().expect("Cargo runs");
    if !output.status.success() {
        eprintln!("NOT TESTED: licences, since Cargo says: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).expect("Cargo's JSON"))
}

/// Whether an SPDX expression can be satisfied with the allowed licences: `OR` is a choice, `AND` is not, and brackets are
/// evaluated from the inside out.
fn is_met(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    if let Some(open) = expression.rfind('(') {
        let Some(close) = expression[open..].find(')') else { return false };
        let met = is_met(&expression[open + 1..open + close], allowed);
        let inner = if met { "@met" } else { "@unmet" };
        return is_met(&format!("{}{inner}{}", &expression[..open], &expression[open + close + 1..]), allowed);
    }
    let one = |name: &str| name == "@met" || allowed(name);
    // Before SPDX had expressions, crates separated alternatives by a slash.
    expression.replace('/', " OR ").split(" OR ").any(|choice| choice.split(" AND ").all(|name| one(name.trim())))
}

#[test]
fn every_crate_may_be_passed_on() {
    let Some(metadata) = metadata() else { return };
    let built_from = metadata.built_from();
    assert!(built_from.len() > 200, "{} crates", built_from.len());
    let deny = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/deny.toml");
    let Deny { licenses } = toml::from_str(&std::fs::read_to_string(deny).expect("it is there")).expect("its form");
    let mut wrong = Vec::new();
    for package in &built_from {
        let excepted =
            |name: &str| licenses.exceptions.iter().any(|one| one.name == package.name && one.allow.contains(name));
        let allowed = |name: &str| licenses.allow.contains(name) || excepted(name);
        let license = package.license.as_deref().unwrap_or("none stated");
        if !is_met(license, &allowed) {
            wrong.push(format!("{} {}: {license}", package.name, package.version));
        }
    }
    assert!(wrong.is_empty(), "not among the licences of .ci/deny.toml:\n{}", wrong.join("\n"));
    let foreign: Vec<&str> = built_from
        .iter()
        .filter(|package| package.source.as_deref().is_some_and(|source| !source.contains("crates.io-index")))
        .map(|package| package.name.as_str())
        .collect();
    assert!(foreign.is_empty(), "not from crates.io: {foreign:?}");
}

#[test]
fn crates_in_several_versions_do_not_grow() {
    /// Maximum number of crates built in several versions, most of them required by other crates. Only lower it.
    const MOST: usize = 21;
    let Some(metadata) = metadata() else { return };
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    let several: Vec<&str> = versions.iter().filter(|(_, all)| all.len() > 1).map(|(name, _)| *name).collect();
    assert!(several.len() <= MOST, "{}: {several:?}", several.len());
}

#[test]
fn a_choice_is_met_by_one_and_a_sum_by_all() {
    let allowed = |name: &str| matches!(name, "MIT" | "ISC");
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0 OR MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND ISC", true),
        ("(GPL-2.0 OR GPL-3.0) AND ISC", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

/// The files in a package.
fn listed(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(["package", "--list", "--allow-dirty", "--offline", "--locked", "--package", package]);
    // The wrapper is only for lints during compilation.
    let out = command.current_dir(REPOSITORY).env_remove("RUSTC_WORKSPACE_WRAPPER").output().expect("cargo");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("UTF-8");
    text.lines().map(|line| line.replace('\\', "/")).collect()
}

/// The files below a folder of the repository that are in no other package, relative to the package at `top`.
fn files(top: &str, folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let here = Path::new(REPOSITORY).join(top).join(folder);
    for entry in fs::read_dir(&here).unwrap_or_else(|error| panic!("{}: {error}", here.display())) {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if name.starts_with('.') || name.ends_with(".new") {
            continue;
        } else if entry.path().is_dir() {
            found.extend(files(top, &path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_program_is_packaged_with_its_data_and_without_the_tools_of_the_repository() {
    let listed = listed("dlbench");
    for folder in ["src/cli", "catalog", "measurements"] {
        let missing: Vec<String> = files("", folder).into_iter().filter(|file| !listed.contains(file)).collect();
        assert!(missing.is_empty(), "not in the package: {missing:?}");
    }
    for file in [
        "Cargo.lock",
        "CITATION.cff",
        "LICENSE-APACHE",
        "LICENSE-CC0-1.0",
        "LICENSE-MIT",
        "README.md",
        "src/build.rs",
        "src/main.rs",
    ] {
        assert!(listed.contains(file), "{file} is not in the package");
    }
    let foreign = |file: &&String| {
        (file.starts_with('.') && *file != ".cargo_vcs_info.json")
            || ["src/acceptance/", "src/benches/", "src/effects/", "src/library/", "src/server/", "target/"]
                .iter()
                .any(|top| file.starts_with(top))
    };
    assert_eq!(listed.iter().filter(foreign).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_crate_is_packaged_with_all_that_it_is_compiled_from() {
    for (package, folder) in [
        ("dlbench-effects", "src/effects"),
        ("dlbench-library", "src/library"),
        ("dlbench-protocol", "src/protocol"),
        ("dlbench-runner", "src/runner"),
        ("dlbench-server", "src/server"),
        ("dlbench-snapshot", "src/snapshot"),
    ] {
        let listed = listed(package);
        let missing: Vec<String> = files(folder, "").into_iter().filter(|file| !listed.contains(file)).collect();
        assert!(missing.is_empty(), "{package} lacks {missing:?}");
    }
}

#[test]
fn every_crate_can_be_packed() {
    let folder = TempDir::new().expect("a temporary folder");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    // The Python module is a wheel, and the second readers are tests. A lock file would name crates that no registry has yet.
    command.args(["package", "--workspace", "--exclude", "dlbench-python", "--exclude", "dlbench-second-reader"]);
    command.args(["--exclude-lockfile", "--no-verify"]);
    command.args(["--allow-dirty", "--offline", "--locked", "--target-dir"]).arg(folder.path());
    let out = command.current_dir(REPOSITORY).env_remove("RUSTC_WORKSPACE_WRAPPER").output().expect("cargo");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let packed = fs::read_dir(folder.path().join("package")).expect("packages").filter_map(Result::ok);
    let packed = packed.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "crate"));
    let sizes: Vec<u64> = packed.map(|entry| entry.metadata().expect("a size").len()).collect();
    assert_eq!(sizes.len(), 7);
    // The size limit of crates.io.
    assert!(sizes.iter().all(|size| *size < 10 << 20), "{sizes:?}");
}

#[test]
fn a_release_of_each_version_has_a_text() {
    let text = |path: &str| fs::read_to_string(Path::new(REPOSITORY).join(path)).expect(path);
    let changes = text(".github/CHANGELOG.md");
    let headings: Vec<&str> = changes.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let dated = Regex::new(r"^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$").expect("a pattern");
    assert_eq!(headings.first(), Some(&"Unreleased"), "what comes next stands first");
    for heading in &headings[1..] {
        assert!(dated.is_match(heading), "`{heading}` is not as `0.1.0 (2026-11-22)`");
    }
    // The workflow must use only commands and options that exist.
    let workflow = text(".github/workflows/release.yml");
    let program = crate::Dlbench::on_miniature();
    let used = Regex::new(r#"(?m)"\$dlbench" (\w+)((?: [^|\n$]*)?)"#).expect("a pattern");
    let mut commands = BTreeSet::new();
    for step in used.captures_iter(&workflow) {
        let help = program.ok(&[&step[1], "--help"]);
        commands.insert(step[1].to_owned());
        let long = step[2].split(' ').filter(|word| word.starts_with("--") && word.len() > 2);
        for option in long {
            assert!(help.contains(option), "dlbench {} has no {option}", &step[1]);
        }
    }
    assert_eq!(commands.into_iter().collect::<Vec<_>>(), ["check", "export", "index", "pull", "snapshot"]);
}

fn lines_of(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn every_action_of_a_workflow_is_named_by_its_commit() {
    let pinned = Regex::new(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d").unwrap();
    let folder = Path::new(REPOSITORY).join(".github/workflows");
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let uses = |path: &PathBuf| lines_of(path).into_iter().filter(|line| line.contains("uses:")).collect::<Vec<_>>();
    let actions: Vec<String> = files.iter().flat_map(uses).collect();
    assert!(actions.len() >= files.len(), "{actions:?}");
    for action in actions {
        assert!(pinned.is_match(&action), "{action}");
    }
}

#[test]
fn every_crate_comes_from_the_registry_with_its_checksum() {
    let lock: toml::Table = fs::read_to_string(Path::new(REPOSITORY).join("Cargo.lock")).unwrap().parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let own: Vec<&str> = packages
        .iter()
        .filter(|package| package.get("source").is_none())
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    assert!(own.iter().all(|name| name.starts_with("dlbench")), "{own:?}");
    for package in packages.iter().filter(|package| package.get("source").is_some()) {
        assert_eq!(
            package["source"].as_str(),
            Some("registry+https://github.com/rust-lang/crates.io-index"),
            "{package}"
        );
        assert_eq!(package["checksum"].as_str().map(str::len), Some(64), "{package}");
    }
}

#[test]
fn every_python_package_has_its_digests() {
    for path in [
        ".ci/maturin.txt",
        ".ci/reader.txt",
        "src/acceptance/python/requirements.txt",
        "src/benches/load/requirements.txt",
        "src/benches/rivals/requirements.txt",
    ] {
        let lines = lines_of(&Path::new(REPOSITORY).join(path));
        let packages = lines.iter().filter(|line| line.contains("==")).count();
        assert!(packages > 0, "{path}");
        for (line, next) in lines.iter().zip(lines.iter().skip(1)).filter(|(line, _)| line.contains("==")) {
            assert!(line.ends_with('\\') && next.trim_start().starts_with("--hash=sha256:"), "{path}: {line}");
        }
    }
    let makefiles = crate::makefiles();
    let workflow = lines_of(&Path::new(REPOSITORY).join(".github/workflows/release.yml"));
    let lines = makefiles.lines().chain(workflow.iter().map(String::as_str));
    for line in lines.filter(|line| line.contains("pip install")) {
        // Packages built here are not downloaded from an index.
        assert!(line.contains("--require-hashes") || line.contains("--no-index"), "{line}");
    }
}

/// Files that may have unsafe blocks, and how many: calls of foreign libraries, and of the system before other threads run. The
/// Python module has none of its own, only those that PyO3 generates.
const PLACES: &[(&str, usize)] = &[("runner/libtorch.rs", 16), ("runner/precision.rs", 1), ("runner/serve.rs", 1)];

/// Root files of crates that forbid unsafe code.
const FORBIDDEN: &[&str] = &[
    "acceptance/second_reader/lib.rs",
    "effects/lib.rs",
    "library/lib.rs",
    "main.rs",
    "protocol/lib.rs",
    "server/lib.rs",
    "snapshot/lib.rs",
];

/// The comment with the reason starts at most this many lines above the block.
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

/// Whether the code of a line uses `unsafe` or `static mut`.
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
        for at in (0..lines.len()).filter(|at| is_unchecked(lines[*at]) && path != "acceptance/repository.rs") {
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

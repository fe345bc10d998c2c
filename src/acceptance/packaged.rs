//! What `cargo package` would take along, and what a release is made of.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use tempfile::TempDir;

use crate::REPOSITORY;

/// The files of a package.
fn listed(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(["package", "--list", "--allow-dirty", "--offline", "--locked", "--package", package]);
    // The wrapper of the lints is for what is compiled.
    let out = command.current_dir(REPOSITORY).env_remove("RUSTC_WORKSPACE_WRAPPER").output().expect("cargo");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("UTF-8");
    text.lines().map(|line| line.replace('\\', "/")).collect()
}

/// The files below a folder of the repository that no other package holds, as the package at `top` calls them.
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
    // The Python module is a wheel. A lock file would name crates that no registry has yet.
    command.args(["package", "--workspace", "--exclude", "dlbench-python", "--exclude-lockfile", "--no-verify"]);
    command.args(["--allow-dirty", "--offline", "--locked", "--target-dir"]).arg(folder.path());
    let out = command.current_dir(REPOSITORY).env_remove("RUSTC_WORKSPACE_WRAPPER").output().expect("cargo");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let packed = fs::read_dir(folder.path().join("package")).expect("packages").filter_map(Result::ok);
    let packed = packed.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "crate"));
    let sizes: Vec<u64> = packed.map(|entry| entry.metadata().expect("a size").len()).collect();
    assert_eq!(sizes.len(), 7);
    // What crates.io takes at most.
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
    // The steps of the workflow are those that the commands offer.
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

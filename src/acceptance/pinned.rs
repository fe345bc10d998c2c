//! What is fetched from elsewhere is what was looked at: actions by their commit, Python packages by their digests.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::REPOSITORY;

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
        // What was built here comes from no index.
        assert!(line.contains("--require-hashes") || line.contains("--no-index"), "{line}");
    }
}

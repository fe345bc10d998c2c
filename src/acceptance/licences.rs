//! The licences of all crates that the program is built from, by the same list as `make deny`, without a network.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// What Cargo says of the crates of the lock file.
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

/// A crate and what it needs.
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

/// What a crate is needed for: `dev` is for its tests alone.
#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

impl Metadata {
    /// The crates from elsewhere that are built into the programs, or build them.
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

/// What `.ci/deny.toml` allows.
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
    // Crates for other systems may not be here; those of this one are, since they were built.
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let output = cargo.output().expect("Cargo runs");
    if !output.status.success() {
        eprintln!("NOT TESTED: licences, since Cargo says: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).expect("Cargo's JSON"))
}

/// Whether an SPDX expression can be met with the allowed licences: `OR` is a choice, `AND` is not, and brackets are read from
/// the inside out.
fn is_met(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    if let Some(open) = expression.rfind('(') {
        let Some(close) = expression[open..].find(')') else { return false };
        let met = is_met(&expression[open + 1..open + close], allowed);
        let inner = if met { "@met" } else { "@unmet" };
        return is_met(&format!("{}{inner}{}", &expression[..open], &expression[open + close + 1..]), allowed);
    }
    let one = |name: &str| name == "@met" || allowed(name);
    // Before SPDX had expressions, crates divided a choice by a stroke.
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
    /// Crates of which two or more versions are built, most for what other crates bring. It may only fall.
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

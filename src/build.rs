//! Packs the knowledge base into the program, so that it answers outside a clone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use dlbench_snapshot::{FOLDERS, Origin, pack};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // The knowledge base is this package's folder, or a parent folder for the Python module.
    let is_knowledge_base = |folder: &&Path| FOLDERS.iter().all(|name| folder.join(name).is_dir());
    let root = package.ancestors().find(is_knowledge_base).ok_or("there is no knowledge base here or above")?;
    println!("cargo::rerun-if-changed={}", root.join("src/build.rs").display());
    rerun_with_each_commit(root);
    println!("cargo::rustc-env=DLBENCH_PROFILE={}", env::var("PROFILE")?);
    // The Python module has no binary target, and Cargo rejects linker flags for binaries then.
    if package.join("src/main.rs").is_file() {
        link_at_fixed_place();
    }
    if env::var_os("CARGO_FEATURE_BUILT_IN").is_none() {
        return Ok(());
    }
    let origin = Origin::of(root);
    println!("cargo::rustc-env=DLBENCH_BUILT_IN_ORIGIN={origin}");
    println!("cargo::rustc-env=DLBENCH_BUILT_IN_DATE={}", origin.date.as_deref().unwrap_or_default());
    // Debug builds are frequent: they compress fast.
    let level = if env::var("PROFILE")? == "release" { 9 } else { 1 };
    let place = PathBuf::from(env::var("OUT_DIR")?).join("built-in.tar.gz");
    fs::write(place, pack(root, origin, level)?)?;
    Ok(())
}

/// Links the program at a fixed address. A position-independent program would relocate 70,000 addresses in its tables
/// at each start, which takes as long as everything else until it prints its version. Libraries, stack, heap and mapped
/// files keep random addresses.
fn link_at_fixed_place() {
    let of_target = |key: &str| env::var(key).unwrap_or_default();
    if of_target("CARGO_CFG_TARGET_OS") == "linux" && of_target("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Rebuilds for another commit, not for each edit of the data: in a clone the program reads the files themselves.
fn rerun_with_each_commit(root: &Path) {
    let paths = ["HEAD", "logs/HEAD"].map(|name| {
        let out = Command::new("git").arg("-C").arg(root).args(["rev-parse", "--git-path", name]).output().ok()?;
        let path = String::from_utf8(out.stdout).ok().filter(|_| out.status.success())?;
        Some(root.join(path.trim_end())).filter(|path| path.exists())
    });
    match paths {
        [Some(head), Some(log)] => {
            println!("cargo::rerun-if-changed={}", head.display());
            println!("cargo::rerun-if-changed={}", log.display());
        }
        _ => FOLDERS.iter().for_each(|folder| println!("cargo::rerun-if-changed={}", root.join(folder).display())),
    }
}

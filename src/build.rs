//! Packs the knowledge base that the program carries, so that it answers outside of a clone, too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use dlbench_snapshot::{FOLDERS, Origin, pack};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // The package itself is the knowledge base; that of the Python module lies in it.
    let is_knowledge_base = |folder: &&Path| FOLDERS.iter().all(|name| folder.join(name).is_dir());
    let root = package.ancestors().find(is_knowledge_base).ok_or("there is no knowledge base here or above")?;
    println!("cargo::rerun-if-changed={}", root.join("src/build.rs").display());
    rerun_with_each_commit(root);
    println!("cargo::rustc-env=DLBENCH_PROFILE={}", env::var("PROFILE")?);
    // The Python module has no program of its own, and Cargo refuses what is said of programs then.
    if package.join("src/main.rs").is_file() {
        link_at_fixed_place();
    }
    if env::var_os("CARGO_FEATURE_BUILT_IN").is_none() {
        return Ok(());
    }
    let origin = Origin::of(root);
    println!("cargo::rustc-env=DLBENCH_BUILT_IN_ORIGIN={origin}");
    println!("cargo::rustc-env=DLBENCH_BUILT_IN_DATE={}", origin.date.as_deref().unwrap_or_default());
    // What is built to be tested is built often.
    let level = if env::var("PROFILE")? == "release" { 9 } else { 1 };
    let place = PathBuf::from(env::var("OUT_DIR")?).join("built-in.tar.gz");
    fs::write(place, pack(root, origin, level)?)?;
    Ok(())
}

/// Where the program lies in memory is made out when it is linked, and not each time it starts: 70,000 addresses in its tables would
/// be written then, which takes as long as all else until it prints its version. Libraries, stack, heap and mapped files still lie
/// elsewhere each time.
fn link_at_fixed_place() {
    let of_target = |key: &str| env::var(key).unwrap_or_default();
    if of_target("CARGO_CFG_TARGET_OS") == "linux" && of_target("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// A program is linked again for another commit, not for each edit of the data: in a clone it reads the files themselves.
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

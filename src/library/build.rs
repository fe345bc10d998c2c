//! The layout of the stores by name: a hash of the code that what is stored follows from. Who changes it need not remember to
//! raise a number, and no program reads stores that another one meant differently.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The rooms that say what is stored, and how.
const ROOMS: [&str; 5] = ["values", "model", "reading", "comparability", "stores"];

fn main() -> io::Result<()> {
    let mut files = BTreeSet::new();
    for room in ROOMS {
        println!("cargo::rerun-if-changed={room}");
        collect(Path::new(room), &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    for file in files {
        // Git may have written other line ends.
        hasher.write(fs::read_to_string(file)?.replace('\r', "").as_bytes());
    }
    let version = env::var("CARGO_PKG_VERSION").expect("Cargo sets the version");
    println!("cargo::rustc-env=DLBENCH_LAYOUT=v{version}-{:016x}", hasher.finish());
    Ok(())
}

/// The source files of a folder and of those in it.
fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    Ok(())
}

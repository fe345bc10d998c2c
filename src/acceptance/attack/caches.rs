//! Damages the stores in the cache (a bit, a block, the end, a whole file). The answer must always be that of intact stores.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use dlbench::KnowledgeBase;
use fastrand::Rng;
use tempfile::TempDir;

use super::figures::Figures;
use crate::miniature_kb;

const QUESTION: &str = "deepnet eval";

/// Damages the cache `count` times.
pub fn attack(count: usize) -> Figures {
    let mut figures = Figures::of("damaged caches");
    let folder = TempDir::new().expect("a temporary folder");
    let cache = folder.path();
    // Calls `meanwhile` after the stores are opened; damage before that is done by the caller.
    let asked = |meanwhile: &mut dyn FnMut()| -> Result<String, String> {
        let kb = KnowledgeBase::open_with_cache(miniature_kb(), cache).map_err(|error| error.to_string())?;
        meanwhile();
        let answer = kb.query(QUESTION).map_err(|error| error.to_string())?;
        match kb.cache_failure() {
            Some(why) => Err(format!("done without a cache: {why}")),
            None => serde_json::to_string(&answer).map_err(|error| error.to_string()),
        }
    };
    let right = asked(&mut || ()).expect("the miniature answers");
    let mut rng = Rng::with_seed(11);
    for at in 0..count {
        let files = files_below(cache);
        let file = &files[rng.usize(..files.len())];
        let start = Instant::now();
        let mut how = String::new();
        let found = catch_unwind(AssertUnwindSafe(|| match at % 2 {
            0 => {
                how = damage(file, &mut rng, true);
                asked(&mut || ())
            }
            // Truncating a memory-mapped file would end the process.
            _ => asked(&mut || how = format!("{} while it was open", damage(file, &mut rng, false))),
        }));
        let found = found.unwrap_or_else(|_| Err("a panic".to_owned()));
        figures.count(true, start.elapsed());
        if found.as_ref() != Ok(&right) {
            let name = file.strip_prefix(cache).unwrap_or(file).display();
            figures.failures.push(format!("cache {at}: {how} in {name}: {found:?}"));
            let _ = fs::remove_dir_all(cache);
        }
    }
    figures
}

/// Damages a file, which may lose bytes if `may_shrink`; returns a description of the damage.
fn damage(file: &Path, rng: &mut Rng, may_shrink: bool) -> String {
    const BLOCK: usize = 4096;
    let mut bytes = fs::read(file).unwrap_or_default();
    let length = bytes.len();
    match rng.u8(if may_shrink { 0 } else { 2 }..6) {
        0 => {
            fs::remove_file(file).expect("it goes");
            return "gone".to_owned();
        }
        1 => {
            bytes.truncate(rng.usize(..=length));
            fs::write(file, &bytes).expect("it is shorter");
            return format!("cut to {} of {length} bytes", bytes.len());
        }
        2 => {
            let start = rng.usize(..=length) / BLOCK * BLOCK;
            let end = (start + BLOCK).min(length);
            bytes[start.min(end)..end].fill(0);
            fs::write(file, &bytes).expect("zeros");
            return format!("zeros from {start}");
        }
        3 => {
            let noise: Vec<u8> = (0..length).map(|_| rng.u8(..)).collect();
            fs::write(file, noise).expect("noise");
            return "noise".to_owned();
        }
        _ => {}
    }
    if length == 0 {
        fs::write(file, b"x").expect("a byte");
        return "a byte more".to_owned();
    }
    let at = rng.usize(..length);
    bytes[at] ^= 1 << rng.u8(..8);
    fs::write(file, &bytes).expect("a bit");
    format!("a bit of byte {at}")
}

/// Every file below a folder except lock files, which come and go.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if path.extension().is_none_or(|extension| extension != "lock") {
            found.push(path);
        }
    }
    found.sort();
    found
}

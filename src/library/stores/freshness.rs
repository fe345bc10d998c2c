//! Whether the files are still those that the stores were built from.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::reading::{FileKind, KbFile, MAX_FILE_BYTES};

/// File systems stamp a change with a clock of this grain at worst (a kernel tick). A file younger than this may change
/// again without its stamp changing.
const STAMP_GRAIN: Duration = Duration::from_millis(20);

/// A hash of what the file system says about the files, without reading them.
pub(super) fn of_stats(files: &[KbFile]) -> String {
    let mut hash = Xxh3::new();
    for file in files {
        hash.update(file.path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        hash.update(&file.len.to_le_bytes());
        for part in file.stamp {
            hash.update(&part.to_le_bytes());
        }
    }
    format!("{:032x}", hash.digest128())
}

/// A hash of the files' names and contents. An unreadable file counts as empty; reading it reports the reason.
pub(super) fn of_contents(root: &Path, files: &[KbFile]) -> String {
    let each: Vec<u128> = files
        .par_iter()
        .map(|file| match file.kind {
            // Not a regular file perhaps: reading a pipe would wait for ever.
            FileKind::Misplaced(_) => 0,
            // Refused unread wherever it is read.
            _ if file.len > MAX_FILE_BYTES => u128::from(file.len),
            _ => xxh3_128(&std::fs::read(root.join(&file.path)).unwrap_or_default()),
        })
        .collect();
    let mut hash = Xxh3::new();
    for (file, content) in files.iter().zip(each) {
        hash.update(file.path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        hash.update(&content.to_le_bytes());
    }
    format!("{:032x}", hash.digest128())
}

/// Whether every file is old enough for its stamp to tell the next change.
pub(super) fn settled(files: &[KbFile]) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i128);
    let youngest = files.iter().map(|file| file.stamp[0].max(file.stamp[1])).max();
    youngest.is_none_or(|youngest| now - youngest > STAMP_GRAIN.as_nanos() as i128)
}

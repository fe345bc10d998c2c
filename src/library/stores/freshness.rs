//! Whether the files are still those that the stores were built from.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::reading::{FileKind, KbFile, ListedFile, MAX_FILE_BYTES};

/// File systems stamp a change with a clock of this grain at worst (a kernel tick). A file younger than this may change
/// again without its stamp changing.
const STAMP_GRAIN: Duration = Duration::from_millis(20);
/// The grain where stamps are of whole seconds: those of FAT, the coarsest.
const COARSE_GRAIN: Duration = Duration::from_secs(2);

/// A hash of what the file system says about the files, without reading them.
pub(super) fn of_stats(files: &[ListedFile]) -> String {
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
pub(super) fn settled(files: &[ListedFile]) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i128);
    files.iter().all(|file| is_settled(file.stamp, now))
}

/// Whether stamps tell these files from others at the same place. Images that are mounted in turn may hold other contents under
/// the same stamps: all are 0 or one whole second, or were set when the image was made, which nobody can write to.
pub(super) fn are_telling(root: &Path, files: &[ListedFile]) -> bool {
    let stamps: Vec<[i128; 2]> = files.iter().map(|file| [file.stamp[0], file.stamp[1]]).collect();
    are_of_a_living_system(&stamps) && !(is_of_an_image(&stamps) && is_read_only(root))
}

fn are_of_a_living_system(stamps: &[[i128; 2]]) -> bool {
    let is_one_second = |[first, second]: [i128; 2]| first == second && first % SECOND == 0;
    let is_alike =
        stamps.len() > 1 && stamps.iter().all(|stamp| Some(stamp) == stamps.first() && is_one_second(*stamp));
    !is_alike && stamps.iter().all(|[modified, changed]| *modified > 0 && *changed > 0)
}

/// Whether no file has a time of change of its own, as SquashFS and ISO 9660 have none.
fn is_of_an_image(stamps: &[[i128; 2]]) -> bool {
    stamps.iter().all(|[modified, changed]| modified == changed)
}

/// Whether the place lies in a file system that is mounted for reading alone.
#[cfg(unix)]
fn is_read_only(root: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(root).is_ok_and(|told| told.f_flag.contains(StatVfsMountFlags::RDONLY))
}

#[cfg(not(unix))]
fn is_read_only(_: &Path) -> bool {
    false
}

const SECOND: i128 = 1_000_000_000;

/// The same for the stamps of one file, at a time (ns).
fn is_settled([modified, changed, _]: [i128; 3], now: i128) -> bool {
    // A copy may bear a whole second from elsewhere; a file system that tells less says so in both stamps.
    let coarse = modified % SECOND == 0 && changed % SECOND == 0;
    let grain = if coarse { COARSE_GRAIN } else { STAMP_GRAIN };
    now - modified.max(changed) > grain.as_nanos() as i128
}

#[cfg(test)]
mod tests {
    use super::{are_of_a_living_system, is_of_an_image, is_settled};

    #[test]
    fn stamps_that_others_may_bear_tell_nothing() {
        let second = 1_700_000_000_000_000_000;
        assert!(are_of_a_living_system(&[[second, second + 1], [second, second + 2]]));
        assert!(are_of_a_living_system(&[[second, second], [second + 1, second + 1]]));
        assert!(!are_of_a_living_system(&[[second, second], [second, second]]), "one second for all");
        assert!(!are_of_a_living_system(&[[0, second], [second, second + 2]]), "an image without times");
        assert!(is_of_an_image(&[[second, second], [second - 9, second - 9]]));
        assert!(!is_of_an_image(&[[second, second], [second, second + 1]]), "a copy that kept its time");
    }

    #[test]
    fn stamps_of_whole_seconds_are_distrusted_for_longer() {
        const MS: i128 = 1_000_000;
        let now = 1_700_000_000_500 * MS;
        assert!(is_settled([now - 30 * MS, now - 30 * MS, 0], now));
        assert!(!is_settled([now - 10 * MS, now - 10 * MS, 0], now));
        let second = 1_700_000_000_000 * MS;
        assert!(!is_settled([second, second, 0], now), "a second change may bear the same stamp");
        assert!(is_settled([second, second - MS / 2, 0], now), "only the copied stamp is whole");
        assert!(is_settled([second, second, 0], now + 2_000 * MS));
    }
}

//! Which machine a run was made on, told by a number that is nobody's serial number.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::stores::create_private;

/// The file in the user's cache folder.
const FILE: &str = "machine";

/// Hexadecimal digits of the number.
const DIGITS: usize = 16;

/// The machine's number: 16 hexadecimal digits of a hash of what the system calls the machine and of a random number that is kept
/// in this folder. The one tells machines apart that share a home folder, the other those that were copied from one image; from
/// neither could anybody tell the machine's own number, which is to be kept confidential (machine-id(5)). `None` where the folder
/// cannot be written to: then nobody knows whether two runs are of one machine.
pub(super) fn machine_id(cache: &Path) -> Option<String> {
    let random = kept(cache).ok()?;
    let own = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    Some(format!("{:016x}", xxh3_64(format!("{} {random}", own.trim()).as_bytes())))
}

/// The random number of a folder, which is drawn when it is first asked for.
fn kept(cache: &Path) -> io::Result<String> {
    create_private(cache)?;
    let path = cache.join(FILE);
    let drawn = format!("{:0DIGITS$x}", RandomState::new().build_hasher().finish());
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            file.write_all(drawn.as_bytes())?;
            Ok(drawn)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let text = fs::read_to_string(&path)?;
            let is_whole = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            // What a full disk cut short is drawn again by the next run.
            if is_whole { Ok(text) } else { fs::remove_file(&path).and(Err(io::ErrorKind::InvalidData.into())) }
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_stays_the_same_as_long_as_its_cache_does() {
        let (one, other) = (tempfile::TempDir::new().unwrap(), tempfile::TempDir::new().unwrap());
        let of = |folder: &tempfile::TempDir| machine_id(&folder.path().join("dlbench"));
        let first = of(&one).unwrap();
        assert_eq!((first.len(), of(&one)), (DIGITS, Some(first.clone())));
        assert_ne!(of(&other), Some(first.clone()));
        fs::write(one.path().join("dlbench").join(FILE), "cut").unwrap();
        assert_eq!(of(&one), None, "what is not whole says nothing");
        assert!(of(&one).is_some_and(|new| new != first));
    }
}

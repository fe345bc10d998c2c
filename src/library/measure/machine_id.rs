//! Which machine a run was made on, told by a number that is nobody's serial number.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;
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
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return whole(read?, &path),
    }
    // Several may draw it at once, as the jobs of a cluster do that share a home folder: nobody sees a part of it.
    let drawn = format!("{:0DIGITS$x}", RandomState::new().build_hasher().finish());
    let mut file = NamedTempFile::new_in(cache)?;
    file.write_all(drawn.as_bytes())?;
    match file.persist_noclobber(&path).map_err(|error| error.error) {
        Ok(_) => Ok(drawn),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => whole(fs::read_to_string(&path)?, &path),
        Err(error) => Err(error),
    }
}

/// The number, where nothing cut it short; what did is drawn again by the next run.
fn whole(text: String, path: &Path) -> io::Result<String> {
    let is_whole = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_whole { Ok(text) } else { fs::remove_file(path).and(Err(io::ErrorKind::InvalidData.into())) }
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

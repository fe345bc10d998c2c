//! Reads a file that somebody names: a regular one, and no more of it than memory has room for.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// More bytes than any result file, recipe or specification has.
const MOST_BYTES: u64 = 256 << 20;

/// The content of a file.
///
/// # Errors
///
/// When it cannot be read, is a folder, a device or a pipe, which may never end, or has more bytes than a sensible one.
pub fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits for somebody who writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut content = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(content)
}

/// The same as text.
///
/// # Errors
///
/// As for [`read_limited`], and when it is not UTF-8.
pub fn read_text_limited(path: &Path) -> io::Result<String> {
    in_utf8(read_limited(path)?)
}

/// The same of a file that may have come with other people's files, and what stands in it is shown: where it is a link, that may
/// lead to what is none of theirs.
///
/// # Errors
///
/// As for [`read_limited`], and when it is a link.
pub fn read_unlinked(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    read_limited(path)
}

/// The same as text.
///
/// # Errors
///
/// As for [`read_unlinked`], and when it is not UTF-8.
pub fn read_text_unlinked(path: &Path) -> io::Result<String> {
    in_utf8(read_unlinked(path)?)
}

fn in_utf8(content: Vec<u8>) -> io::Result<String> {
    String::from_utf8(content).map_err(|_| io::Error::other("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_never_end_is_not_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("a");
        std::fs::write(&file, "a").unwrap();
        assert_eq!(read_text_limited(&file).unwrap(), "a");
        File::create(&file).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(read_limited(&file).unwrap_err().to_string(), "it has more than 256 MiB");
        assert_eq!(read_limited(folder.path()).unwrap_err().to_string(), "not a regular file");
        if Path::new("/dev/zero").exists() {
            assert_eq!(read_limited(Path::new("/dev/zero")).unwrap_err().to_string(), "not a regular file");
        }
        #[cfg(unix)]
        {
            let (small, link) = (folder.path().join("small"), folder.path().join("link"));
            std::fs::write(&small, "b").unwrap();
            std::os::unix::fs::symlink("small", &link).unwrap();
            assert_eq!(read_text_limited(&link).unwrap(), read_text_unlinked(&small).unwrap());
            assert_eq!(read_text_unlinked(&link).unwrap_err().to_string(), "not a regular file");
        }
    }
}

//! Changes a file that other processes may be changing at the same time.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use super::write_whole::{WriteError, remove_left_behind, write_whole_synced};

/// Reads a file, lets `change` make its new text of what it holds now (`None`: there is no such file), and writes that whole,
/// while no other process that calls this may write to the same folder. `None` from `change`, and the text that is there
/// already, leave the file alone. Whether it was written.
///
/// Returns only when the text is on the disk.
///
/// # Errors
///
/// When the folder does not exist or cannot be written to, the file is a link or no UTF-8, or the disk is full.
pub fn rewrite(path: &Path, change: impl FnOnce(Option<&str>) -> Option<String>) -> Result<bool, WriteError> {
    if is_link(path) {
        return Err(link_error(path));
    }
    let _alone = lock_folder(path.parent().unwrap_or(path), || ()).map_err(WriteError::at(path))?;
    let before = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(WriteError::at(path)(error)),
    };
    match change(before.as_deref()) {
        Some(after) if before.as_ref() != Some(&after) => {
            write_whole_synced(path, after)?;
            remove_left_behind(path.parent().unwrap_or(path));
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Whether a file or folder of a knowledge base, there or to be made, is reached through no link below its `root`: what somebody
/// else has put there must not lead a command of ours to other files. What lies elsewhere may be reached as it will.
///
/// # Errors
///
/// When there is a link.
pub fn reached_without_links(root: &Path, path: &Path) -> Result<(), WriteError> {
    let Ok(below) = path.strip_prefix(root) else { return Ok(()) };
    let mut place = root.to_owned();
    for part in below {
        place.push(part);
        if is_link(&place) {
            return Err(link_error(&place));
        }
    }
    Ok(())
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

fn link_error(path: &Path) -> WriteError {
    WriteError::at(path)(io::Error::other("it is a link, and nothing is written through one"))
}

/// The lock of a folder; it is given back when this is dropped, or the process ends in whatever way.
#[derive(Debug)]
pub struct FolderLock {
    _file: Option<File>,
}

/// Waits until no other process holds the lock of a folder. `waiting` is called where another one does.
///
/// # Errors
///
/// When the folder does not exist.
pub fn lock_folder(folder: &Path, waiting: impl FnOnce()) -> io::Result<FolderLock> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let file = lock_file(folder)?;
    let locked = match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            waiting();
            file.lock()
        }
        Err(TryLockError::Error(error)) => Err(error),
        Ok(()) => Ok(()),
    };
    match locked {
        Ok(()) => Ok(FolderLock { _file: Some(file) }),
        // Some network file systems know no locks; there the last one who writes wins, as without one.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(FolderLock { _file: None }),
        Err(error) => Err(error),
    }
}

/// The folder itself can be locked, which leaves nothing behind.
#[cfg(unix)]
fn lock_file(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// A file that stands for the folder, among the user's temporary files.
#[cfg(not(unix))]
fn lock_file(folder: &Path) -> io::Result<File> {
    let real = fs::canonicalize(folder)?;
    let name = format!("dlbench-{:016x}.lock", xxhash_rust::xxh3::xxh3_64(real.as_os_str().as_encoded_bytes()));
    File::options().create(true).truncate(false).write(true).open(std::env::temp_dir().join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_several_add_at_once_is_lost() {
        const WRITERS: usize = 8;
        const LINES: usize = 10;
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("rows");
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let path = &path;
                scope.spawn(move || {
                    for line in 0..LINES {
                        rewrite(path, |now| Some(format!("{}{writer}.{line}\n", now.unwrap_or_default()))).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        let lines: std::collections::BTreeSet<&str> = text.lines().collect();
        assert_eq!((lines.len(), text.lines().count()), (WRITERS * LINES, WRITERS * LINES));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no lock is left behind");
    }

    #[test]
    fn what_is_not_changed_is_not_written() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a");
        assert!(!rewrite(&path, |now| now.map(str::to_owned)).unwrap() && !path.exists());
        assert!(rewrite(&path, |_| Some("a".to_owned())).unwrap());
        assert!(!rewrite(&path, |now| now.map(str::to_owned)).unwrap());
        assert!(!rewrite(&path, |_| None).unwrap());
        fs::write(&path, b"\xff").unwrap();
        assert!(rewrite(&path, |_| Some("b".to_owned())).is_err(), "what cannot be read is not written over");
    }
}

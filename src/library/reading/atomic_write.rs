//! Writes files atomically, and updates files that other processes may be updating at the same time.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use xxhash_rust::xxh3::xxh3_128;

use crate::values::text::printable_path;

/// A file or folder could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", printable_path(path))]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the system.
    #[source]
    pub error: io::Error,
}

impl WriteError {
    /// Converts a system error for this path.
    pub fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self { path, error }
    }
}

/// Writes a file atomically: readers see either the old or the new content, and on failure the old content remains.
///
/// A symbolic link is preserved and its target is written. An existing file keeps its permissions, a new file gets those
/// of the umask. A device or a pipe is written directly.
///
/// # Errors
///
/// When the folder does not exist, cannot be written to, or the disk is full.
pub fn write_atomically(path: &Path, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
    write(path, |file| file.write_all(content.as_ref()), false).map_err(WriteError::at(path))
}

/// Like [`write_atomically`], but `write_all` streams the content, for files too large for memory. If `write_all` fails, the old
/// content remains.
///
/// # Errors
///
/// As for [`write_atomically`], and any error of `write_all`.
pub fn write_atomically_with<E: From<WriteError>>(
    path: &Path,
    write_all: impl FnOnce(&mut dyn io::Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut failed = None;
    let written = write(
        path,
        |file| {
            let mut file = io::BufWriter::new(file);
            match write_all(&mut file) {
                Ok(()) => file.flush(),
                Err(error) => {
                    failed = Some(error);
                    Err(io::ErrorKind::Other.into())
                }
            }
        },
        false,
    );
    match failed {
        Some(error) => Err(error),
        None => Ok(written.map_err(WriteError::at(path))?),
    }
}

/// Like [`write_atomically`], but returns only when the content is on disk: for content that is expensive to recreate.
///
/// # Errors
///
/// As for [`write_atomically`].
pub fn write_synced(path: &Path, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
    write(path, |file| file.write_all(content.as_ref()), true).map_err(WriteError::at(path))
}

/// Creates a folder and its missing parents.
///
/// # Errors
///
/// The error of the system, with the folder's path.
pub fn create_folder(folder: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(WriteError::at(folder))
}

fn write(path: &Path, content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>, synced: bool) -> io::Result<()> {
    let found = fs::metadata(path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        // A device or a pipe cannot be replaced.
        return content(&mut File::options().write(true).open(path)?);
    }
    let target = target_of(path);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    // Fails here so that the error for a missing folder does not mention the temporary file.
    fs::metadata(folder)?;
    let mut file = new_file_in(folder)?;
    // On file systems without locks, only a file's age shows whether a process is still writing it.
    let _ = file.as_file().try_lock();
    content(&mut BoundedFile { file: file.as_file_mut(), length: 0 })?;
    if let Some(found) = found {
        file.as_file().set_permissions(found.permissions())?;
    }
    if synced {
        // A full disk may be reported only here.
        file.as_file().sync_all()?;
    }
    file.persist(&target).map_err(|error| error.error)?;
    #[cfg(unix)]
    if synced {
        // Otherwise the folder may still refer to the old file after a power failure.
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A file that fails to grow beyond the limit that [`may_grow_to`] checks.
struct BoundedFile<'f> {
    file: &'f mut File,
    length: u64,
}

impl io::Write for BoundedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        may_grow_to(self.length + bytes.len() as u64)?;
        let written = self.file.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The path to write to: the end of a chain of links, or the path to which a dangling link points.
fn target_of(path: &Path) -> PathBuf {
    let pointed_to = || fs::read_link(path).map(|link| path.parent().unwrap_or(Path::new("")).join(link));
    fs::canonicalize(path).or_else(|_| pointed_to()).unwrap_or_else(|_| path.to_owned())
}

/// Checks that the user's file size limit (`ulimit -f`) allows a file of `bytes` bytes. If a write exceeds that limit, the
/// system kills the process, which then cannot report an error.
///
/// # Errors
///
/// When the limit is lower than `bytes`.
#[cfg(unix)]
pub fn may_grow_to(bytes: u64) -> io::Result<()> {
    use rustix::process::{Resource, getrlimit};
    match getrlimit(Resource::Fsize).current {
        Some(limit) if bytes > limit => Err(io::ErrorKind::FileTooLarge.into()),
        _ => Ok(()),
    }
}

/// Other systems have no such limit.
///
/// # Errors
///
/// Never.
#[cfg(not(unix))]
pub fn may_grow_to(_bytes: u64) -> io::Result<()> {
    Ok(())
}

/// Prefix of the names of temporary files.
const TEMPORARY: &str = ".dlbench-";

/// Temporary files older than this were left by a process that died while writing.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

/// Upper bound of the time between creating a temporary file and locking it.
const LOCKED_BY_THEN: Duration = Duration::from_secs(1);

/// A folder for files that are moved into place once all are written. Not removed by others while its process lives.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    /// Locked, so that [`remove_left_behind`] sees that the folder is in use.
    _held: Option<File>,
}

impl TemporaryFolder {
    /// Creates a folder below `parent`, after removing those that dead processes left there.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn below(parent: &Path) -> Result<Self, WriteError> {
        remove_left_behind(parent);
        let folder = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(parent).map_err(WriteError::at(parent))?;
        let held = File::open(folder.path()).and_then(|held| held.lock().map(|()| held)).ok();
        Ok(Self { folder, _held: held })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the temporary files and folders below `folder` that processes left when they died while writing: those of this
/// user that are old, or not locked by another process.
pub fn remove_left_behind(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) && is_left_behind(&path) {
            // If this fails, a later call removes it.
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

/// Like [`remove_left_behind`], for the folder of a file that is about to be written.
pub fn remove_left_behind_beside(file: &Path) {
    remove_left_behind(file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new(".")));
}

/// Swaps the folders `made` and `place`; if `place` does not exist, `made` is moved there. A reader of `place` sees one of the
/// two at any moment; where the system cannot exchange folders, `place` is missing for a moment.
///
/// # Errors
///
/// When the system refuses; `place` is then unchanged.
pub fn exchange_folders(made: &Path, place: &Path) -> io::Result<()> {
    if place.symlink_metadata().is_err() {
        return fs::rename(made, place);
    }
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, made, CWD, place, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return Ok(done?),
        }
    }
    let old = made.with_extension("old");
    fs::rename(place, &old)?;
    if let Err(error) = fs::rename(made, place) {
        // If this fails, the old content stays at the path with the extension `old`.
        let _ = fs::rename(&old, place);
        return Err(error);
    }
    let _ = fs::rename(&old, made);
    Ok(())
}

fn is_left_behind(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let age = found.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    let is_free = || File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    let Some(age) = age.filter(|_| is_own(&found) && !found.is_symlink()) else { return false };
    age > LEFT_BEHIND || age > LOCKED_BY_THEN && is_free()
}

#[cfg(unix)]
fn is_own(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    found.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(_: &fs::Metadata) -> bool {
    true
}

/// Creates a temporary file with the permissions of any other new file; by default `tempfile` restricts them to the owner.
fn new_file_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
    }
    #[cfg(not(unix))]
    builder.tempfile_in(folder)
}

/// Updates a file under a lock on its folder: `change` gets the current text (`None`: no such file) and returns the new one,
/// which is written atomically. The lock excludes other callers in the same folder. If `change` returns `None` or the current
/// text, the file is not written. Returns whether the file was written.
///
/// Returns only when the text is on disk.
///
/// # Errors
///
/// When the folder does not exist or is not writable, the file is a link or is not UTF-8, or the disk is full.
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
            write_synced(path, after)?;
            remove_left_behind(path.parent().unwrap_or(path));
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Checks that no component of `path` below `root` is a link: a link that somebody else put into a knowledge base must not
/// redirect our writes to other files. The path need not exist. Paths outside `root` are not checked.
///
/// # Errors
///
/// When a component is a link.
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

/// A lock on a folder, released when dropped or when the process ends in any way.
#[derive(Debug)]
pub struct FolderLock {
    _file: Option<File>,
}

/// Waits for the lock of a folder. If another process has it, calls `waiting` first.
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
        // Some network file systems have no locks; there the last writer wins, as it would without a lock.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(FolderLock { _file: None }),
        Err(error) => Err(error),
    }
}

/// Opens the folder itself for locking, which leaves no lock file.
#[cfg(unix)]
fn lock_file(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Opens a lock file for the folder, in the user's folder of temporary files.
#[cfg(not(unix))]
fn lock_file(folder: &Path) -> io::Result<File> {
    let real = fs::canonicalize(folder)?;
    let name = format!("dlbench-{:016x}.lock", xxhash_rust::xxh3::xxh3_64(real.as_os_str().as_encoded_bytes()));
    File::options().create(true).truncate(false).write(true).open(std::env::temp_dir().join(name))
}

/// The hash of written content, as it is recorded beside the files.
pub fn written_hash(content: &[u8]) -> String {
    format!("{:032x}", xxh3_128(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_path_and_leaves_nothing() {
        let folder = tempfile::TempDir::new().unwrap();
        let error = write_atomically(&folder.path().join("none/a.csv"), "a").unwrap_err().to_string();
        assert!(error.contains("none/a.csv: ") && !error.contains(".dlbench-"), "{error}");
        let error = write_atomically(folder.path(), "a").unwrap_err().to_string();
        assert!(error.starts_with("cannot write "), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_behind_is_removed_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let old = SystemTime::now() - 2 * LEFT_BEHIND;
        for (name, time) in [(".dlbench-old", old), (".dlbench-new", SystemTime::now()), ("own", old), (".own", old)] {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(time).unwrap();
        }
        remove_left_behind(folder.path());
        let left = |name: &str| folder.path().join(name).exists();
        assert_eq!([".dlbench-old", ".dlbench-new", "own", ".own"].map(left), [false, true, true, true]);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_permissions_that_the_umask_gives() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::TempDir::new().unwrap();
        let [ours, plain] = ["ours", "plain"].map(|name| folder.path().join(name));
        write_atomically(&ours, "a").unwrap();
        fs::write(&plain, "a").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));

        fs::set_permissions(&ours, fs::Permissions::from_mode(0o640)).unwrap();
        write_synced(&ours, "b").unwrap();
        assert_eq!((mode(&ours) & 0o777, fs::read_to_string(&ours).unwrap().as_str()), (0o640, "b"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        let folder = tempfile::TempDir::new().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("file", &link).unwrap();
        for content in ["into nothing", "into a file"] {
            write_atomically(&link, content).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
        }
        write_atomically(Path::new("/dev/null"), "a").unwrap();
    }

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

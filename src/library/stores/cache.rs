//! The cache folder of the derived stores. Each is built in a temporary folder and renamed into place; its manifest reveals missing
//! and damaged files. Stores are rebuilt when the files of the knowledge base change, and can be deleted at any time.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use rayon::prelude::*;
use tempfile::TempDir;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use crate::reading::{FileKind, FileStamp, KbFile, ListedFile, MAX_FILE_BYTES, stamp, write_atomically};

/// How long stores of other contents are kept: for processes that still read them, and for switching back and forth.
const KEEP: Duration = Duration::from_secs(3600);

const STAMPS: &str = "stamps";

const LATEST: &str = "latest";

/// Maximum bytes of the knowledge base's name in the name of its cache.
const LONGEST_NAME: usize = 100;

/// The cache of one knowledge base.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    folder: PathBuf,
    format: String,
}

impl Cache {
    /// The cache below `base` (the user's cache folder) for the knowledge base at `root`; `format` identifies the layout of
    /// the stores, so that different program versions do not read each other's stores.
    pub fn new(base: &Path, root: &Path, format: &str) -> Self {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let name = root.file_name().map_or_else(|| "kb".into(), |name| name.to_string_lossy());
        // The hash distinguishes folders; the name is for people. Most file systems limit names to 255 bytes.
        let name = &name[..name.floor_char_boundary(LONGEST_NAME)];
        let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
        Self { folder: base.join(format!("{name}-{hash:016x}")), format: format.to_owned(), root }
    }

    /// The folder of this knowledge base's stores.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Why the cache folder cannot be trusted; `None` if it can. Another user may have written to it, as in a shared folder for
    /// temporary files, or it is inside the knowledge base, where its files would count as part of that. A folder that does not
    /// exist yet is trusted, because this user will create it.
    pub(super) fn distrusted(&self) -> Option<String> {
        let base = self.folder.parent().unwrap_or(&self.folder);
        if ["catalog", "measurements"].iter().any(|folder| real(base).starts_with(self.root.join(folder))) {
            return Some(format!("{} lies among the files of the knowledge base", base.display()));
        }
        [base, &self.folder].into_iter().find_map(distrusted)
    }

    /// The recorded content hash of files with the metadata hash `stats`.
    pub(super) fn content_of(&self, stats: &str) -> Option<String> {
        let text = fs::read_to_string(self.folder.join(STAMPS).join(stats)).ok()?;
        let (content, _) = text.split_once(' ')?;
        (text == note_of(stats, content)).then(|| content.to_owned())
    }

    /// Records the content hash of files with the metadata hash `stats`.
    pub(super) fn note(&self, stats: &str, content: &str) -> io::Result<()> {
        let stamps = self.folder.join(STAMPS);
        fs::create_dir_all(&stamps)?;
        write_atomically(&stamps.join(stats), note_of(stats, content)).map_err(|failed| failed.error)
    }

    /// The content hash when the files were last examined, which is likely still valid.
    pub(super) fn latest(&self) -> Option<String> {
        let content = fs::read_to_string(self.folder.join(LATEST)).ok()?;
        // It becomes part of a path.
        content.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(content).filter(|content| !content.is_empty())
    }

    /// Records the current content hash. A failure only costs the next process time.
    pub(super) fn note_latest(&self, content: &str) {
        if self.latest().as_deref() != Some(content) {
            let _ = write_atomically(&self.folder.join(LATEST), content);
        }
    }

    /// The folder of the stores for this content, which may not exist.
    pub(super) fn generation(&self, content: &str) -> PathBuf {
        self.folder.join(format!("{content}-{}", self.format))
    }

    /// Creates a temporary folder to build in.
    pub(super) fn build_folder(&self) -> io::Result<TempDir> {
        create_private(&self.folder)?;
        tempfile::Builder::new().prefix("building-").tempdir_in(&self.folder)
    }

    /// Moves a finished build into place. If the place is taken, returns the build.
    pub(super) fn install(&self, build_folder: TempDir, content: &str) -> io::Result<Option<TempDir>> {
        let place = self.generation(content);
        match fs::rename(build_folder.path(), &place) {
            Ok(()) => {
                let _ = build_folder.keep();
                self.sweep(&place);
                Ok(None)
            }
            Err(_) if place.exists() => Ok(Some(build_folder)),
            Err(error) => Err(error),
        }
    }

    /// Removes the stores for this content, by moving them away atomically first.
    pub(super) fn evict(&self, content: &str) -> io::Result<()> {
        let gone = |error: io::Error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) };
        let place = self.generation(content);
        if place.is_file() {
            return fs::remove_file(place).or_else(gone);
        }
        let bin = match tempfile::Builder::new().prefix("building-").tempdir_in(&self.folder) {
            Ok(bin) => bin,
            Err(error) => return gone(error),
        };
        fs::rename(place, bin.path().join("evicted")).or_else(gone)
    }

    /// Removes old entries: stores of other contents, records, and folders left by a crash.
    fn sweep(&self, current: &Path) {
        let old = |path: &Path| {
            let modified = fs::metadata(path).and_then(|meta| meta.modified());
            modified.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > KEEP))
        };
        for folder in [self.folder.clone(), self.folder.join(STAMPS)] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path == current || path.ends_with(STAMPS) || path.ends_with(LATEST) || !old(&path) {
                    continue;
                }
                // If this fails, a later call removes it.
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

/// The record for files with the metadata hash `stats`; its checksum fails for other files, or if the record is damaged.
fn note_of(stats: &str, content: &str) -> String {
    format!("{content} {:016x}", xxh3_64(format!("{stats} {content}").as_bytes()))
}

/// Resolves the links in a path whose last components may not exist yet.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    match there {
        Some((above, real)) => real.join(path.strip_prefix(above).unwrap_or(Path::new(""))),
        None => path,
    }
}

/// Why a folder cannot be trusted; `None` if only this user can write to it, or it does not exist yet.
pub fn distrusted(folder: &Path) -> Option<String> {
    Some(format!("{} {}", folder.display(), foreign(folder)?))
}

/// Why a folder may contain files of another user.
#[cfg(unix)]
fn foreign(folder: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::metadata(folder).ok()?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Some("belongs to another user");
    }
    (found.mode() & 0o002 != 0).then_some("may be written to by every user")
}

/// On other systems, the user's cache folder is private.
#[cfg(not(unix))]
fn foreign(_folder: &Path) -> Option<&'static str> {
    None
}

/// Creates a folder and its missing parents, accessible to this user only.
///
/// # Errors
///
/// The error of the system.
pub fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

const FILE: &str = "manifest";

/// The file with the [`seen_state`] at the time when the checksums were verified.
const VERIFIED: &str = "verified";

/// Writes the manifest of the files in `folder`, which were built from the content with this hash.
pub(super) fn write(folder: &Path, content: &str) -> io::Result<()> {
    let mut text = head(content);
    note(folder, "", &mut text)?;
    fs::write(folder.join(FILE), text)
}

/// The first line of a manifest.
fn head(content: &str) -> String {
    format!("content {content}\n")
}

/// Whether all files match the manifest, and were built from this content.
pub(super) fn matches_manifest(folder: &Path, content: &str) -> bool {
    verified_files(folder, content).is_some()
}

/// The files of a build with their stamps; `None` if they do not match the manifest, or the build is of another
/// content.
pub(super) fn verified_files(folder: &Path, content: &str) -> Option<Vec<(PathBuf, FileStamp)>> {
    let text = fs::read_to_string(folder.join(FILE)).ok()?;
    let text = text.strip_prefix(&head(content))?;
    let files = text.lines().map(ManifestFile::parse).collect::<Option<Vec<_>>>()?;
    let found = |file: &ManifestFile<'_>| {
        let path = folder.join(file.name);
        let meta = fs::metadata(&path).ok().filter(|meta| meta.len() == file.length)?;
        Some((path, stamp(&meta)))
    };
    let found = files.iter().map(found).collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())?;
    let seen = seen_state(found.iter().map(|(_, stamp)| stamp));
    if fs::read_to_string(folder.join(VERIFIED)).is_ok_and(|verified| verified == seen) {
        return Some(found);
    }
    let all_intact = files.iter().all(|file| file.is_intact(folder));
    if all_intact {
        // If this fails, each process verifies the checksums again.
        let _ = write_atomically(&folder.join(VERIFIED), &seen);
    }
    all_intact.then_some(found)
}

/// The stamp of the manifest, which differs for every build.
pub(super) fn stamp_of(folder: &Path) -> Option<String> {
    let [modified, changed, number] = stamp(&fs::metadata(folder.join(FILE)).ok()?);
    Some(format!("{modified} {changed} {number}"))
}

/// Verifies the checksums of all files, even if they were verified before.
pub(super) fn verify_again(folder: &Path, content: &str) -> bool {
    let _ = fs::remove_file(folder.join(VERIFIED));
    matches_manifest(folder, content)
}

/// One file in the manifest.
struct ManifestFile<'m> {
    length: u64,
    checksum: u64,
    name: &'m str,
}

impl<'m> ManifestFile<'m> {
    fn parse(line: &'m str) -> Option<Self> {
        let mut parts = line.splitn(3, ' ');
        let length = parts.next()?.parse().ok()?;
        let checksum = u64::from_str_radix(parts.next()?, 16).ok()?;
        Some(Self { length, checksum, name: parts.next()? })
    }

    fn is_intact(&self, folder: &Path) -> bool {
        fs::read(folder.join(self.name)).is_ok_and(|content| xxh3_64(&content) == self.checksum)
    }
}

/// A text that changes when the files may have changed: the boot of the computer, and the stamps of the files.
fn seen_state<'s>(files: impl Iterator<Item = &'s FileStamp>) -> String {
    let mut seen = running_since();
    for [modified, changed, number] in files {
        let _ = write!(seen, " {modified} {changed} {number}");
    }
    seen
}

/// A value that differs for every boot of the computer.
fn running_since() -> String {
    let linux = fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned());
    linux.unwrap_or_else(|_| sysinfo::System::boot_time().unwrap_or_default().to_string())
}

fn note(folder: &Path, prefix: &str, text: &mut String) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder.join(prefix))?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        // Lock files are temporary.
        if name.ends_with(".lock") {
            continue;
        }
        if entry.metadata()?.is_dir() {
            note(folder, &name, text)?;
        } else {
            let content = fs::read(entry.path())?;
            let _ = writeln!(text, "{} {:016x} {name}", content.len(), xxh3_64(&content));
        }
    }
    Ok(())
}

/// Upper bound of the resolution of file timestamps (a kernel tick). A file that is younger than this may change again
/// without a change of its stamp.
const STAMP_GRAIN: Duration = Duration::from_millis(20);

/// The resolution of timestamps in whole seconds: two seconds on FAT, the coarsest.
const COARSE_GRAIN: Duration = Duration::from_secs(2);

/// A hash of the files' metadata, without reading the files.
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

/// A hash of the files' names and contents. Unreadable files count as empty; reading them later reports the reason.
pub(super) fn of_contents(root: &Path, files: &[KbFile]) -> String {
    let each: Vec<u128> = files
        .par_iter()
        .map(|file| match file.kind {
            // It may not be a regular file: reading a pipe would block for ever.
            FileKind::Misplaced(_) => 0,
            // Oversized files are rejected unread everywhere.
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

/// Whether every file is old enough that the next change will change its stamp.
pub(super) fn settled(files: &[ListedFile]) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i128);
    files.iter().all(|file| is_settled(file.stamp, now))
}

/// Whether stamps distinguish these files from others at the same place. Images mounted in turn may have different contents with
/// equal stamps: all 0, all one whole second, or set when the read-only image was made.
pub(super) fn stamps_distinguish(root: &Path, files: &[ListedFile]) -> bool {
    let stamps: Vec<[i128; 2]> = files.iter().map(|file| [file.stamp[0], file.stamp[1]]).collect();
    are_live_stamps(&stamps) && !(are_image_stamps(&stamps) && is_read_only(root))
}

fn are_live_stamps(stamps: &[[i128; 2]]) -> bool {
    let is_one_second = |[first, second]: [i128; 2]| first == second && first % SECOND == 0;
    let is_alike =
        stamps.len() > 1 && stamps.iter().all(|stamp| Some(stamp) == stamps.first() && is_one_second(*stamp));
    !is_alike && stamps.iter().all(|[modified, changed]| *modified > 0 && *changed > 0)
}

/// Whether no file has a change time of its own, as on SquashFS and ISO 9660.
fn are_image_stamps(stamps: &[[i128; 2]]) -> bool {
    stamps.iter().all(|[modified, changed]| modified == changed)
}

/// Whether the file system at this place is mounted read-only.
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

/// Like [`settled`], for the stamp of one file at a time (ns).
fn is_settled([modified, changed, _]: [i128; 3], now: i128) -> bool {
    // A copied file may keep a whole second as its modification time; on a coarse file system both times are whole seconds.
    let coarse = modified % SECOND == 0 && changed % SECOND == 0;
    let grain = if coarse { COARSE_GRAIN } else { STAMP_GRAIN };
    now - modified.max(changed) > grain.as_nanos() as i128
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::{are_image_stamps, are_live_stamps, is_settled, *};

    #[test]
    fn a_long_name_is_cut_between_its_letters_and_the_hash_tells_it_apart() {
        let base = tempfile::TempDir::new().unwrap();
        let of = |name: String| Cache::new(base.path(), &Path::new("/nowhere").join(name), "v1");
        let (one, other) = (of("é".repeat(120)), of(format!("{}x", "é".repeat(119))));
        assert_ne!(one.folder(), other.folder());
        assert!(one.folder().file_name().unwrap().len() < 130 && one.build_folder().is_ok());
    }

    #[test]
    fn a_note_of_other_files_or_a_damaged_one_counts_for_nothing() {
        let base = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(base.path(), Path::new("kb"), "v1");
        cache.note("0a", "c1").unwrap();
        assert_eq!(cache.content_of("0a").as_deref(), Some("c1"));
        let [noted, other] = ["0a", "0b"].map(|stats| cache.folder().join("stamps").join(stats));
        fs::copy(&noted, other).unwrap();
        assert_eq!(cache.content_of("0b"), None, "of other files");
        for text in ["c1".to_owned(), fs::read_to_string(&noted).unwrap().replace("c1", "c2")] {
            fs::write(&noted, &text).unwrap();
            assert_eq!(cache.content_of("0a"), None, "{text}");
        }
    }

    #[test]
    fn what_the_content_was_last_is_noted_and_a_damaged_note_is_none() {
        let base = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(base.path(), Path::new("kb"), "v1");
        assert_eq!(cache.latest(), None);
        cache.note("0a", "c1").unwrap();
        for content in ["c1", "c2"] {
            cache.note_latest(content);
            assert_eq!(cache.latest().as_deref(), Some(content));
        }
        for damaged in ["", "../c1", "c1\n", "\0"] {
            fs::write(cache.folder().join("latest"), damaged).unwrap();
            assert_eq!(cache.latest(), None, "{damaged:?}");
        }
    }

    #[test]
    fn a_cache_among_the_files_of_the_knowledge_base_is_not_used() {
        let root = tempfile::TempDir::new().unwrap();
        fs::create_dir(root.path().join("catalog")).unwrap();
        let inside = Cache::new(&root.path().join("catalog/cache"), root.path(), "v1");
        assert!(inside.distrusted().is_some_and(|why| why.contains("among the files")));
        assert_eq!(Cache::new(&root.path().join(".cache"), root.path(), "v1").distrusted(), None);
    }

    #[test]
    fn a_folder_that_every_user_may_write_to_is_not_believed() {
        let base = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(base.path(), Path::new("kb"), "v1");
        assert_eq!(cache.distrusted(), None, "nothing is there yet");
        drop(cache.build_folder().unwrap());
        assert_eq!(cache.distrusted(), None);
        for folder in [base.path(), cache.folder()] {
            let own = fs::metadata(folder).unwrap().permissions();
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
            let why = cache.distrusted().unwrap();
            assert!(why.starts_with(&folder.display().to_string()) && why.contains("every user"), "{why}");
            fs::set_permissions(folder, own).unwrap();
        }
    }

    fn build() -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().unwrap();
        fs::create_dir(folder.path().join("index")).unwrap();
        fs::write(folder.path().join("store"), "twelve bytes").unwrap();
        fs::write(folder.path().join("index/terms"), "terms").unwrap();
        write(folder.path(), "0a1b").unwrap();
        folder
    }

    #[test]
    fn a_flipped_bit_and_a_missing_file_are_noticed_after_the_files_held() {
        let folder = build();
        assert!(matches_manifest(folder.path(), "0a1b") && matches_manifest(folder.path(), "0a1b"));
        let store = folder.path().join("store");
        fs::write(&store, "twelve bytfs").unwrap();
        assert!(!matches_manifest(folder.path(), "0a1b"), "a file of the same length");
        fs::write(&store, "twelve bytes").unwrap();
        assert!(matches_manifest(folder.path(), "0a1b"));
        fs::remove_file(folder.path().join("index/terms")).unwrap();
        assert!(!matches_manifest(folder.path(), "0a1b"));
    }

    #[test]
    fn a_computer_that_was_started_anew_is_not_believed() {
        let folder = build();
        assert!(matches_manifest(folder.path(), "0a1b"));
        // With equal stamps, as after a power failure, a record of an earlier boot does not count.
        let verified = folder.path().join(VERIFIED);
        let noted = fs::read_to_string(&verified).unwrap();
        fs::write(&verified, noted.replacen(&running_since(), "another start", 1)).unwrap();
        assert!(matches_manifest(folder.path(), "0a1b"));
        assert_eq!(fs::read_to_string(&verified).unwrap(), noted);
    }

    #[test]
    fn a_manifest_that_is_no_manifest_holds_nothing() {
        let folder = build();
        for text in ["", "12 store\n", "12 zz store\n", "\n"] {
            for text in [text.to_owned(), head("0a1b") + text] {
                fs::write(folder.path().join(FILE), &text).unwrap();
                assert!(!matches_manifest(folder.path(), "0a1b"), "{text:?}");
            }
        }
    }

    #[test]
    fn the_stores_of_another_content_are_none_of_this_one() {
        let folder = build();
        assert!(
            matches_manifest(folder.path(), "0a1b")
                && !matches_manifest(folder.path(), "0a1")
                && !matches_manifest(folder.path(), "ffff")
        );
        assert!(verify_again(folder.path(), "0a1b") && !verify_again(folder.path(), "ffff"));
    }

    #[test]
    fn stamps_that_others_may_bear_tell_nothing() {
        let second = 1_700_000_000_000_000_000;
        assert!(are_live_stamps(&[[second, second + 1], [second, second + 2]]));
        assert!(are_live_stamps(&[[second, second], [second + 1, second + 1]]));
        assert!(!are_live_stamps(&[[second, second], [second, second]]), "one second for all");
        assert!(!are_live_stamps(&[[0, second], [second, second + 2]]), "an image without times");
        assert!(are_image_stamps(&[[second, second], [second - 9, second - 9]]));
        assert!(!are_image_stamps(&[[second, second], [second, second + 1]]), "a copy that kept its time");
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

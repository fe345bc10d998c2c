//! Pulled snapshots in the user's data folder: compared with their own digests and read strictly before they are installed.

use std::path::{Path, PathBuf};
use std::{fs, io};

use dlbench_snapshot::{
    FileDigest, Manifest, Origin, RepositoryArchive, is_snapshot, manifest, pack, unpack, unpack_repository,
};
use serde::{Deserialize, Serialize};

use super::{Address, PullError, Validators};
use crate::reading;
use crate::reading::{FolderLock, WriteError, lock_folder, write_synced};
use crate::stores::{create_private, distrusted};

/// The file that records the active snapshot.
const STATE: &str = "pulled.json";

/// File name of a partial download; [`PARTIAL_HEAD`] is that of its metadata.
pub(super) const PARTIAL: &str = "partial";

pub(super) const PARTIAL_HEAD: &str = "partial.json";

/// The layout of the state.
const FORMAT: u32 = 1;

/// How often the state is read again if its snapshot is gone, because another process has replaced it.
const ATTEMPTS: usize = 5;

/// A pulled snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Number of files of the knowledge base in it.
    pub files: usize,
    /// The origin (date and commit) that it states.
    #[serde(flatten)]
    pub origin: Origin,
    /// How its integrity was checked.
    pub integrity: Integrity,
    /// The address that it was fetched from.
    pub address: Option<String>,
    /// The validators that the server sent.
    #[serde(flatten)]
    pub validators: Validators,
}

impl Installed {
    pub(super) fn of(accepted: &Accepted, address: &Address, validators: Validators) -> Self {
        let FileDigest { bytes, sha256 } = FileDigest::of(&accepted.snapshot);
        Self {
            sha256,
            bytes,
            files: accepted.manifest.files.len(),
            origin: accepted.manifest.origin.clone(),
            integrity: accepted.integrity,
            address: Some(address.to_string()),
            validators,
        }
    }

    fn file_name(&self) -> String {
        format!("{}{EXTENSION}", self.sha256)
    }
}

const EXTENSION: &str = ".tar.gz";

/// The active snapshot and the previous one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PulledState {
    format: u32,
    /// The active one; `None` is the built-in one.
    pub active: Option<Installed>,
    /// The previously active one; `None` is the built-in one.
    pub previous: Option<Installed>,
}

/// The folder of pulled snapshots.
#[derive(Debug, Clone)]
pub struct PulledFolder {
    data: PathBuf,
    folder: PathBuf,
}

impl PulledFolder {
    /// The folder inside the user's data folder.
    pub fn at(data: &Path) -> Self {
        Self { data: data.to_owned(), folder: data.join("pulled") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// The active snapshot and the previous one; empty if nothing was pulled.
    ///
    /// # Errors
    ///
    /// When another user may have written to the folder, or the file is damaged.
    pub fn state(&self) -> Result<PulledState, PullError> {
        if let Some(why) = [&self.data, &self.folder].into_iter().find_map(|folder| distrusted(folder)) {
            return Err(PullError::Distrusted(why));
        }
        let path = self.folder.join(STATE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(PulledState::default()),
            text => text.map_err(|error| PullError::Unread { path: path.clone(), error })?,
        };
        let damaged = |why: String| PullError::Damaged { path: path.clone(), why };
        let state: PulledState = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        match state.format {
            FORMAT => Ok(state),
            other => Err(damaged(format!("its layout is {other}, this dlbench knows {FORMAT}"))),
        }
    }

    /// The active snapshot with its description; `None` if the built-in one is active.
    ///
    /// # Errors
    ///
    /// When it exists but cannot be used.
    pub fn active(&self) -> Result<Option<(Installed, Vec<u8>)>, PullError> {
        let mut left = ATTEMPTS;
        loop {
            left -= 1;
            let Some(active) = self.state()?.active else { return Ok(None) };
            match self.snapshot(&active) {
                Err(_) if left > 0 && self.state()?.active.as_ref() != Some(&active) => {}
                snapshot => return Ok(Some((active, snapshot?))),
            }
        }
    }

    /// Reads the snapshot `installed`, and checks its length only. The digests of its files are checked when they are
    /// unpacked.
    pub(super) fn snapshot(&self, installed: &Installed) -> Result<Vec<u8>, PullError> {
        let path = self.folder.join(installed.file_name());
        let content = fs::read(&path).map_err(|error| PullError::Unread { path: path.clone(), error })?;
        match content.len() as u64 == installed.bytes {
            true => Ok(content),
            false => Err(PullError::Damaged { path, why: "it has another length".to_owned() }),
        }
    }

    /// Like [`Self::snapshot`], but also checks the digest of the whole file.
    pub(super) fn compared(&self, installed: &Installed) -> Result<Vec<u8>, PullError> {
        let snapshot = self.snapshot(installed)?;
        match FileDigest::of(&snapshot).sha256 == installed.sha256 {
            true => Ok(snapshot),
            false => Err(PullError::Damaged {
                path: self.folder.join(installed.file_name()),
                why: "it is not what was pulled".to_owned(),
            }),
        }
    }

    /// Swaps the active snapshot and the previous one: calling it twice changes nothing.
    ///
    /// # Errors
    ///
    /// When nothing was pulled, the previous one is damaged, or the folder is not writable. The active one then stays active.
    pub fn roll_back(&self, waits: &mut dyn FnMut()) -> Result<PulledState, PullError> {
        let _alone = self.lock(waits)?;
        let mut state = self.state()?;
        if state.active.is_none() && state.previous.is_none() {
            return Err(PullError::NothingBefore);
        }
        if let Some(previous) = &state.previous {
            self.compared(previous)?;
        }
        std::mem::swap(&mut state.active, &mut state.previous);
        self.write(&state)?;
        Ok(state)
    }

    /// Creates the folder, and waits for its lock.
    pub(super) fn lock(&self, waits: &mut dyn FnMut()) -> Result<FolderLock, PullError> {
        create_private(&self.folder).map_err(WriteError::at(&self.folder))?;
        if let Some(why) = [&self.data, &self.folder].into_iter().find_map(|folder| distrusted(folder)) {
            return Err(PullError::Distrusted(why));
        }
        Ok(lock_folder(&self.folder, waits).map_err(WriteError::at(&self.folder))?)
    }

    /// Makes a snapshot the active one; the one that was active becomes the previous one.
    pub(super) fn install(&self, now: Installed, snapshot: &[u8], state: PulledState) -> Result<(), PullError> {
        write_synced(&self.folder.join(now.file_name()), snapshot)?;
        // A snapshot that is pulled again must not become its own predecessor.
        let same = state.active.as_ref().is_some_and(|active| active.sha256 == now.sha256);
        let previous = if same { state.previous } else { state.active };
        let state = PulledState { format: FORMAT, active: Some(now), previous };
        self.write(&state)?;
        self.sweep(&state);
        Ok(())
    }

    pub(super) fn write(&self, state: &PulledState) -> Result<(), PullError> {
        let path = self.folder.join(STATE);
        let state = PulledState { format: FORMAT, ..state.clone() };
        let text = serde_json::to_vec_pretty(&state).map_err(io::Error::other).map_err(WriteError::at(&path))?;
        Ok(write_synced(&path, text)?)
    }

    /// Removes files that the state does not list: replaced snapshots, and leftovers of dead processes. Requires the lock.
    pub(super) fn sweep(&self, state: &PulledState) {
        let named = [&state.active, &state.previous].into_iter().flatten().map(Installed::file_name);
        let kept: Vec<String> = named.chain([STATE, PARTIAL, PARTIAL_HEAD].into_iter().map(str::to_owned)).collect();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if !entry.file_name().to_str().is_some_and(|name| kept.iter().any(|kept| kept == name)) {
                // If this fails, a later call removes it.
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
    }
}

/// Compression level for repository archives, which are packed once and read often.
pub(super) const LEVEL: u32 = 6;

/// How it was checked that the files are those that were published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Integrity {
    /// Each file was compared with its SHA-256 in the manifest.
    Manifest,
    /// The file is the archive of a repository, which has no digests of its files, and whose commit proves nothing: it is only
    /// known to be complete.
    Archive,
}

/// A verified knowledge base.
pub(super) struct Accepted {
    /// The snapshot to install.
    pub snapshot: Vec<u8>,
    /// The manifest of the snapshot.
    pub manifest: Manifest,
    /// How its integrity was checked.
    pub integrity: Integrity,
}

/// Verifies a file from elsewhere as a pull does (digests, file names, strict reader, date not in the future), and returns it as
/// a snapshot.
///
/// # Errors
///
/// When it is neither a snapshot nor the archive of a repository, is damaged, or has mistakes.
pub fn accepted_snapshot(archive: Vec<u8>) -> Result<Vec<u8>, PullError> {
    Ok(accept(archive, &std::env::temp_dir())?.snapshot)
}

/// Unpacks a fetched file into a temporary folder in `beside`, verifies it and reads it.
///
/// # Errors
///
/// When it is neither a snapshot nor the archive of a repository, is damaged, or has mistakes.
pub(super) fn accept(archive: Vec<u8>, beside: &Path) -> Result<Accepted, PullError> {
    let folder = tempfile::Builder::new().prefix("accepting-").tempdir_in(beside).map_err(WriteError::at(beside))?;
    let root = folder.path().join("kb");
    if is_snapshot(&archive)? {
        let manifest = unpack(&archive, &root)?;
        has_come(&manifest.origin)?;
        reading::read(&root).map_err(PullError::Refused)?;
        return Ok(Accepted { snapshot: archive, manifest, integrity: Integrity::Manifest });
    }
    let origin = origin(unpack_repository(&archive, &root)?);
    has_come(&origin)?;
    reading::read(&root).map_err(PullError::Refused)?;
    let snapshot = pack(&root, origin, LEVEL)?;
    let manifest = manifest(&snapshot)?;
    Ok(Accepted { snapshot, manifest, integrity: Integrity::Archive })
}

/// Rejects a date more than a day in the future (clocks and time zones differ): every later snapshot would count as older.
fn has_come(origin: &Origin) -> Result<(), PullError> {
    let tomorrow = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24);
    let tomorrow = tomorrow.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    match &origin.date {
        Some(date) if *date > tomorrow => Err(PullError::Future { date: date.clone() }),
        _ => Ok(()),
    }
}

/// The date and commit of an archive, in the form that a snapshot of the same commit has.
fn origin(stated: RepositoryArchive) -> Origin {
    const ABBREVIATED: usize = 10;
    let day = |second: u64| {
        let time = jiff::Timestamp::from_second(i64::try_from(second).ok()?).ok()?;
        let date = time.to_zoned(jiff::tz::TimeZone::UTC).date();
        (date.year() > 0).then(|| date.to_string())
    };
    Origin {
        date: stated.committed_s.filter(|second| *second > 0).and_then(day),
        commit: stated.commit.map(|commit| commit.chars().take(ABBREVIATED).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(content: &str) -> Installed {
        let FileDigest { bytes, sha256 } = FileDigest::of(content.as_bytes());
        Installed {
            sha256,
            bytes,
            files: 1,
            origin: Origin { date: Some("2026-11-22".to_owned()), commit: None },
            integrity: Integrity::Manifest,
            address: None,
            validators: Validators::default(),
        }
    }

    fn install(folder: &PulledFolder, content: &str) {
        let _alone = folder.lock(&mut || ()).unwrap();
        folder.install(installed(content), content.as_bytes(), folder.state().unwrap()).unwrap();
    }

    fn answering(folder: &PulledFolder) -> Option<String> {
        folder.active().unwrap().map(|(_, snapshot)| String::from_utf8(snapshot).unwrap())
    }

    /// The sorted names of the files in a folder of pulled snapshots.
    fn names(folder: &PulledFolder) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_last_one_answers_and_the_one_before_is_kept() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = PulledFolder::at(data.path());
        assert_eq!(answering(&folder), None);
        for content in ["one", "two", "three", "three"] {
            install(&folder, content);
            assert_eq!(answering(&folder).as_deref(), Some(content));
        }
        assert_eq!(folder.state().unwrap().previous, Some(installed("two")), "the one before is not the same");
        for content in ["two", "four"] {
            install(&folder, content);
        }
        assert_eq!(folder.state().unwrap().previous, Some(installed("two")));
        assert_eq!(names(&folder).len(), 3, "two snapshots and what says which: {:?}", names(&folder));
    }

    #[test]
    fn going_back_twice_changes_nothing() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = PulledFolder::at(data.path());
        assert!(matches!(folder.roll_back(&mut || ()), Err(PullError::NothingBefore)));
        install(&folder, "one");
        for answers in [None, Some("one"), None] {
            folder.roll_back(&mut || ()).unwrap();
            assert_eq!(answering(&folder).as_deref(), answers);
        }
        install(&folder, "two");
        install(&folder, "three");
        for answers in ["two", "three", "two"] {
            folder.roll_back(&mut || ()).unwrap();
            assert_eq!(answering(&folder).as_deref(), Some(answers));
        }
        fs::write(folder.path().join(installed("three").file_name()), "thrii").unwrap();
        assert!(matches!(folder.roll_back(&mut || ()), Err(PullError::Damaged { .. })));
        assert_eq!(answering(&folder).as_deref(), Some("two"));
    }

    #[test]
    fn wherever_a_process_ends_the_old_or_the_new_one_answers() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = PulledFolder::at(data.path());
        install(&folder, "old");
        // The leftovers of a process that ends after each step: a folder to unpack in, a partial snapshot under a temporary name,
        // the snapshot under its own name, a partial state under a temporary name.
        let steps: [&dyn Fn(); 4] = [
            &|| fs::create_dir(folder.path().join("accepting-1")).unwrap(),
            &|| fs::write(folder.path().join(".dlbench-1"), "ne").unwrap(),
            &|| fs::write(folder.path().join(installed("new").file_name()), "new").unwrap(),
            &|| fs::write(folder.path().join(".dlbench-2"), "{\"format").unwrap(),
        ];
        for step in steps {
            step();
            assert_eq!(answering(&folder).as_deref(), Some("old"));
        }
        install(&folder, "new");
        assert_eq!(answering(&folder).as_deref(), Some("new"));
        // A process that ended before it removed the replaced snapshot left it there.
        assert_eq!(names(&folder).len(), 3, "what was left is removed: {:?}", names(&folder));
    }

    #[test]
    fn what_is_damaged_is_told_and_replaced() {
        let data = tempfile::TempDir::new().unwrap();
        let folder = PulledFolder::at(data.path());
        install(&folder, "one");
        let state = folder.path().join(STATE);
        for damage in ["", "{", "{\"format\": 2, \"active\": null, \"previous\": null}"] {
            fs::write(&state, damage).unwrap();
            assert!(matches!(folder.active(), Err(PullError::Damaged { .. })), "{damage}");
        }
        fs::remove_file(&state).unwrap();
        install(&folder, "one");
        fs::write(folder.path().join(installed("one").file_name()), "on").unwrap();
        assert!(matches!(folder.active(), Err(PullError::Damaged { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn what_another_user_may_have_put_there_is_not_believed() {
        use std::os::unix::fs::PermissionsExt as _;
        let data = tempfile::TempDir::new().unwrap();
        let folder = PulledFolder::at(data.path());
        install(&folder, "one");
        let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        for path in [data.path(), folder.path()] {
            set(path, 0o777);
            assert!(matches!(folder.active(), Err(PullError::Distrusted(_))));
            assert!(matches!(folder.lock(&mut || ()), Err(PullError::Distrusted(_))));
            set(path, 0o700);
        }
        assert_eq!(answering(&folder).as_deref(), Some("one"));
    }

    #[test]
    fn a_day_that_has_not_come_is_refused() {
        let of = |date: &str| has_come(&Origin { date: Some(date.to_owned()), commit: None });
        assert!(of("2026-11-22").is_ok());
        for date in ["9999-12-31", "2999-01-01"] {
            assert!(matches!(of(date), Err(PullError::Future { .. })), "{date}");
        }
        assert!(has_come(&Origin::default()).is_ok());
    }
}

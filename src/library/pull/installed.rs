//! What was pulled, in the user's data folder: the snapshots, and one small file that says which of them answers.
//!
//! A snapshot is there, on the disk, before that file names it, and goes after it does not any more. The file is replaced by
//! renaming. So whoever reads it finds the old one or the new one, and the snapshot that it names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dlbench_snapshot::{FileDigest, Origin};
use serde::{Deserialize, Serialize};

use super::accept::{Accepted, Integrity};
use super::{Address, PullError, Validators};
use crate::reading::{FolderLock, WriteError, lock_folder, write_whole_synced};
use crate::stores::{create_private, distrusted};

/// The file that says which snapshot answers.
const STATE: &str = "pulled.json";
/// What has come of a download so far, and what that is of.
pub(super) const PARTIAL: &str = "partial";
pub(super) const PARTIAL_HEAD: &str = "partial.json";
/// The layout of the state.
const FORMAT: u32 = 1;

/// How often the state is read again when the snapshot that it names is gone: another process has put another one there.
const ATTEMPTS: usize = 5;

/// A snapshot that was pulled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// How long the file is, in bytes.
    pub bytes: u64,
    /// How many files of a knowledge base it holds.
    pub files: usize,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// By what it could be compared.
    pub integrity: Integrity,
    /// Where it came from.
    pub address: Option<String>,
    /// What its server called it.
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

/// Which snapshot answers, and which one did before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PulledState {
    format: u32,
    /// The one that answers; none is the one that the program carries.
    pub active: Option<Installed>,
    /// The one that answered before; none is the one that the program carries.
    pub previous: Option<Installed>,
}

/// The folder of what was pulled.
#[derive(Debug, Clone)]
pub struct PulledFolder {
    data: PathBuf,
    folder: PathBuf,
}

impl PulledFolder {
    /// The one in the user's data folder.
    pub fn at(data: &Path) -> Self {
        Self { data: data.to_owned(), folder: data.join("pulled") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// Which snapshot answers, and which one did before; nothing where nothing was pulled.
    ///
    /// # Errors
    ///
    /// When another user may have written there, or the file is damaged.
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

    /// The snapshot that answers, and what it is; `None` where that is the one that the program carries.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be used.
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

    /// The snapshot `installed`, which must have the length that it had. What its files are is compared where they are
    /// unpacked.
    pub(super) fn snapshot(&self, installed: &Installed) -> Result<Vec<u8>, PullError> {
        let path = self.folder.join(installed.file_name());
        let content = fs::read(&path).map_err(|error| PullError::Unread { path: path.clone(), error })?;
        match content.len() as u64 == installed.bytes {
            true => Ok(content),
            false => Err(PullError::Damaged { path, why: "it has another length".to_owned() }),
        }
    }

    /// The same, after every byte was compared with the digest.
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

    /// Makes the one before the one that answers, and the other way round: doing it twice changes nothing.
    ///
    /// # Errors
    ///
    /// When nothing was pulled, the one before is damaged, or the folder cannot be written to. The same one answers then.
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

    /// Makes the folder, and waits until no other process writes there.
    pub(super) fn lock(&self, waits: &mut dyn FnMut()) -> Result<FolderLock, PullError> {
        create_private(&self.folder).map_err(WriteError::at(&self.folder))?;
        if let Some(why) = [&self.data, &self.folder].into_iter().find_map(|folder| distrusted(folder)) {
            return Err(PullError::Distrusted(why));
        }
        Ok(lock_folder(&self.folder, waits).map_err(WriteError::at(&self.folder))?)
    }

    /// Makes a snapshot the one that answers; the one that did so until now is kept as the one before.
    pub(super) fn install(&self, now: Installed, snapshot: &[u8], state: PulledState) -> Result<(), PullError> {
        write_whole_synced(&self.folder.join(now.file_name()), snapshot)?;
        // What is pulled once more does not become the one before itself.
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
        Ok(write_whole_synced(&path, text)?)
    }

    /// Removes what the state does not name: what was replaced, and what a process left that was ended. Only under the lock.
    pub(super) fn sweep(&self, state: &PulledState) {
        let named = [&state.active, &state.previous].into_iter().flatten().map(Installed::file_name);
        let kept: Vec<String> = named.chain([STATE, PARTIAL, PARTIAL_HEAD].into_iter().map(str::to_owned)).collect();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if !entry.file_name().to_str().is_some_and(|name| kept.iter().any(|kept| kept == name)) {
                // What cannot be removed now is removed another time.
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
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

    /// A folder of data with what lies in it, sorted.
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
        // What lies there when the process ends behind each step: a folder to unpack in, a part of the snapshot under
        // another name, the snapshot under its own name, a part of the state under another name.
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
        // The one that was replaced before is still there when the process ends before it is removed.
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
}

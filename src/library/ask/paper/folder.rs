//! The folder of a paper. Nothing that an author wrote in it is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::lock::{FOLDERS, Lock, LockError};
use crate::reading::{
    TemporaryFolder, WriteError, create_folder, exchange_folders, reached_without_links, read_text_unlinked,
    read_unlinked, remove_left_behind, write_atomically, write_synced, written_hash as hash,
};
use crate::values::text::{and_list, printable_path};

/// Name of the lock file, which records the origin of all other files.
const LOCK: &str = "dlbench.lock";

/// The lock of a paper while it is being written, whose files may exist already; removed once all of them do.
const UNFINISHED: &str = ".dlbench.lock.unfinished";

/// Why the folder of a paper could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// Files to be replaced were changed since dlbench wrote them.
    #[error("{} in {} would be lost: dlbench did not write it so", and_list(files), printable_path(folder))]
    Edited {
        /// The files, by their paths in the folder.
        files: Vec<String>,
        /// The folder.
        folder: PathBuf,
    },
    /// The lock cannot be parsed.
    #[error("{}: {error}", printable_path(path))]
    Lock {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: LockError,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {error}", printable_path(path))]
    Unread {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// What happened to files that the new paper no longer contains.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Files of an earlier paper that were removed.
    pub removed: Vec<PathBuf>,
    /// Files of an earlier paper that were left in place because they were edited.
    pub edited: Vec<PathBuf>,
    /// Files in the folders of tables and figures that do not belong to any paper here.
    pub unlisted_files: Vec<PathBuf>,
}

/// A folder that may already hold a paper.
#[derive(Debug)]
pub struct PaperFolder {
    path: PathBuf,
    /// The hash of every file written earlier.
    written: BTreeMap<String, String>,
    /// The same for a paper whose writing was interrupted.
    unfinished: BTreeMap<String, String>,
}

impl PaperFolder {
    /// Opens the folder at this path, which need not exist yet.
    ///
    /// # Errors
    ///
    /// Fails if its lock cannot be read.
    pub fn open(path: &Path) -> Result<Self, PaperError> {
        let written = if path.join(LOCK).symlink_metadata().is_ok() { lock_in(path)?.files } else { BTreeMap::new() };
        // A damaged file is ignored: then each file is either as in the lock, or the author's.
        let unfinished = read_text_unlinked(&path.join(UNFINISHED)).ok().and_then(|text| Lock::parse(&text).ok());
        let unfinished = unfinished.map_or_else(BTreeMap::new, |lock| lock.files);
        Ok(Self { path: path.to_owned(), written, unfinished })
    }

    /// Whether dlbench wrote a file with this hash, in an earlier or an interrupted paper.
    fn wrote(&self, name: &str, hash: &str) -> bool {
        [&self.written, &self.unfinished].into_iter().any(|files| files.get(name).is_some_and(|then| then == hash))
    }

    /// Writes the files and the lock. If the folder holds only dlbench's own files, it is exchanged for a new one:
    /// readers see either
    /// the old or the new paper in full. Otherwise each file is written atomically, the lock last. Concurrent runs on a folder
    /// are serialized. Files of an earlier paper that are no longer made are removed, unless they were edited.
    ///
    /// # Errors
    ///
    /// Fails if a file to be replaced was edited (unless `forced`), if a file would be reached through a link below the folder,
    /// or if writing fails.
    pub fn write(&self, files: Vec<(String, Vec<u8>)>, lock: Lock, forced: bool) -> Result<Replaced, PaperError> {
        reached_without_links(&self.path, &self.path.join(LOCK))?;
        create_folder(&self.path)?;
        // Held until the end of this function.
        let turn = turn_at(&self.path);
        let replaced = Self::open(&self.path)?.write_in_turn(files, lock, forced);
        drop(turn);
        replaced
    }

    fn write_in_turn(
        &self,
        files: Vec<(String, Vec<u8>)>,
        mut lock: Lock,
        forced: bool,
    ) -> Result<Replaced, PaperError> {
        let unfinished = self.path.join(UNFINISHED);
        let written = files.iter().map(|(name, _)| self.path.join(name));
        for path in written.chain([unfinished.clone(), self.path.join(LOCK)]) {
            reached_without_links(&self.path, &path)?;
        }
        let mut edited: Vec<String> = Vec::new();
        for (name, content) in &files {
            let as_left = |found: &[u8]| found == content || self.wrote(name, &hash(found));
            if read(&self.path.join(name))?.is_some_and(|found| !as_left(&found)) {
                edited.push(name.clone());
            }
        }
        if !edited.is_empty() && !forced {
            return Err(PaperError::Edited { files: edited, folder: self.path.clone() });
        }
        lock.files.extend(files.iter().map(|(name, content)| (name.clone(), hash(content))));
        for below in FOLDERS.map(|below| self.path.join(below)).iter().chain([&self.path]) {
            remove_left_behind(below);
        }
        let earlier: BTreeSet<&String> = self.written.keys().chain(self.unfinished.keys()).collect();
        let earlier = earlier.into_iter().filter(|name| !lock.files.contains_key(*name));
        let earlier: Vec<PathBuf> = earlier.map(|name| self.path.join(name)).filter(|path| exists(path)).collect();
        if self.is_ours(&lock) && self.replace(&files, &lock).is_ok() {
            return Ok(Replaced { removed: earlier, ..Replaced::default() });
        }
        write_synced(&unfinished, lock.written())?;
        for (name, content) in &files {
            let path = self.path.join(name);
            if let Some(folder) = path.parent() {
                create_folder(folder)?;
            }
            write_atomically(&path, content)?;
        }
        write_synced(&self.path.join(LOCK), lock.written())?;
        let mut replaced = Replaced::default();
        for path in earlier {
            if is_other(&path) {
                replaced.edited.push(path);
                continue;
            }
            match read(&path)? {
                Some(found) if self.wrote(&self.name_of(&path), &hash(&found)) && is_below(&self.path, &path) => {
                    fs::remove_file(&path).map_err(WriteError::at(path.clone()))?;
                    replaced.removed.push(path);
                }
                Some(_) => replaced.edited.push(path),
                None => {}
            }
        }
        fs::remove_file(&unfinished).map_err(WriteError::at(unfinished))?;
        replaced.unlisted_files = unlisted_files(&self.path, &lock);
        Ok(replaced)
    }

    /// The path of a file relative to the folder, as in locks.
    fn name_of(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.path).unwrap_or(path);
        below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    /// Whether replacing the folder loses nothing: it only holds files that the new paper contains as well, or unchanged files of
    /// an earlier one.
    fn is_ours(&self, lock: &Lock) -> bool {
        let is_paper = |path: &Path| {
            let name = self.name_of(path);
            let is_replaced = lock.files.contains_key(&name) || [LOCK, UNFINISHED].contains(&&*name);
            let as_written = || read(path).ok().flatten().is_some_and(|found| self.wrote(&name, &hash(&found)));
            // With the folder lock held, any temporary file is left over from an aborted run.
            let is_temporary = || path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".dlbench-"));
            !is_other(path) && (is_replaced || is_temporary() || as_written())
        };
        let entries = |folder: &Path| fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let all_are = |folder: &Path| entries(folder).is_ok_and(|all| all.iter().all(|entry| is_paper(&entry.path())));
        entries(&self.path).is_ok_and(|all| {
            all.iter().map(fs::DirEntry::path).all(|path| match path.symlink_metadata() {
                Ok(found) if found.is_dir() => FOLDERS.contains(&&*self.name_of(&path)) && all_are(&path),
                _ => is_paper(&path),
            })
        })
    }

    /// Exchanges the folder for a new one with these files.
    fn replace(&self, files: &[(String, Vec<u8>)], lock: &Lock) -> Result<(), WriteError> {
        let place = fs::canonicalize(&self.path).map_err(WriteError::at(&self.path))?;
        let build = TemporaryFolder::below(place.parent().unwrap_or(&place))?;
        let made = build.path().join("paper");
        create_folder(&made)?;
        for (name, content) in files {
            let path = made.join(name);
            if let Some(folder) = path.parent() {
                create_folder(folder)?;
            }
            write_synced(&path, content)?;
        }
        write_synced(&made.join(LOCK), lock.written())?;
        let exchanged = fs::metadata(&place)
            .and_then(|found| fs::set_permissions(&made, found.permissions()))
            .and_then(|()| exchange_folders(&made, &place));
        exchanged.map_err(WriteError::at(&place))
    }
}

/// Waits for the lock on a folder; `None` if the system cannot lock it, in which case runs are not serialized.
fn turn_at(path: &Path) -> Option<fs::File> {
    loop {
        let folder = fs::File::open(path).ok()?;
        folder.lock().ok()?;
        // The previous holder may have exchanged the folder.
        if is_at(&folder, path) {
            return Some(folder);
        }
    }
}

#[cfg(unix)]
fn is_at(folder: &fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let places = folder.metadata().and_then(|held| Ok((held, fs::metadata(path)?)));
    places.is_ok_and(|(held, there)| (held.dev(), held.ino()) == (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &fs::File, _: &Path) -> bool {
    true
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The lock of the paper in a folder.
///
/// # Errors
///
/// Fails if there is no lock or it cannot be read.
pub fn lock_in(folder: &Path) -> Result<Lock, PaperError> {
    let path = folder.join(LOCK);
    let text = read_text_unlinked(&path).map_err(|error| PaperError::Unread { path: path.clone(), error })?;
    Lock::parse(&text).map_err(|error| PaperError::Lock { path, error })
}

/// The files of a paper that changed since dlbench wrote them, each with what happened to it.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub fn edited_files(folder: &Path, lock: &Lock) -> Result<Vec<(String, &'static str)>, PaperError> {
    let mut edited = Vec::new();
    for (name, then) in &lock.files {
        let path = folder.join(name);
        if is_other(&path) {
            edited.push((name.clone(), "is no longer a regular file"));
            continue;
        }
        match read(&path)? {
            None => edited.push((name.clone(), "is gone")),
            Some(found) if hash(&found) != *then => edited.push((name.clone(), "was edited by hand")),
            Some(_) => {}
        }
    }
    Ok(edited)
}

/// Files in the folders of tables and figures that the lock does not list, and the lock of an interrupted run.
pub fn unlisted_files(folder: &Path, lock: &Lock) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for below in FOLDERS {
        for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
            let name = format!("{below}/{}", entry.file_name().to_string_lossy());
            if !lock.files.contains_key(&name) {
                found.push(entry.path());
            }
        }
    }
    let unfinished = folder.join(UNFINISHED);
    found.extend(unfinished.symlink_metadata().is_ok().then_some(unfinished));
    found.sort();
    found
}

/// Whether a file is really inside a folder: a folder on the way may be a link to elsewhere.
fn is_below(folder: &Path, path: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(folder).zip(path.parent().and_then(real)).is_some_and(|(folder, parent)| parent.starts_with(folder))
}

/// Whether the path is a link, a folder, a device or a pipe instead of a regular file.
fn is_other(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| !found.is_file())
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, PaperError> {
    match read_unlinked(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(PaperError::Unread { path: path.to_owned(), error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        Lock::new("A KB".to_owned(), "0a1b".to_owned(), Vec::new())
    }

    fn files(of: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
        of.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn an_interrupted_update_is_taken_up_and_nobody_is_accused() {
        let folder = tempfile::TempDir::new().unwrap();
        let write = |of: &[(&str, &str)]| PaperFolder::open(folder.path())?.write(files(of), lock(), false);
        write(&[("data.csv", "1"), ("refs.bib", "1"), ("tables/gone.tex", "1")]).unwrap();
        // State after the second run was interrupted when it had written one file: everything else is as before.
        let first = fs::read_to_string(folder.path().join(LOCK)).unwrap();
        write(&[("data.csv", "2"), ("refs.bib", "2"), ("tables/new.tex", "2")]).unwrap();
        let second = fs::read_to_string(folder.path().join(LOCK)).unwrap();
        for (name, text) in [(LOCK, first.as_str()), (UNFINISHED, &second), ("refs.bib", "1"), ("tables/gone.tex", "1")]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let replaced = write(&[("data.csv", "3"), ("refs.bib", "3")]).unwrap();
        let [gone, new] = ["tables/gone.tex", "tables/new.tex"].map(|name| folder.path().join(name));
        assert_eq!(replaced, Replaced { removed: vec![gone, new], ..Replaced::default() });
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["data.csv", LOCK, "refs.bib"], "what neither makes any more goes");
        fs::write(folder.path().join("data.csv"), "my own").unwrap();
        assert!(matches!(write(&[("data.csv", "4")]), Err(PaperError::Edited { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_behind_a_link_is_removed() {
        let place = tempfile::TempDir::new().unwrap();
        let [paper, other] = ["paper", "other"].map(|name| place.path().join(name));
        fs::create_dir(&other).unwrap();
        let write = |of: &[(&str, &str)]| PaperFolder::open(&paper).unwrap().write(files(of), lock(), false).unwrap();
        write(&[("data.csv", "1"), ("tables/x.tex", "1")]);
        fs::write(other.join("x.tex"), "1").unwrap();
        fs::remove_dir_all(paper.join("tables")).unwrap();
        std::os::unix::fs::symlink("../other", paper.join("tables")).unwrap();
        let replaced = write(&[("data.csv", "1")]);
        assert_eq!((replaced.removed, replaced.edited), (Vec::new(), vec![paper.join("tables/x.tex")]));
        assert!(other.join("x.tex").exists());
        for name in [UNFINISHED, LOCK] {
            let lock = fs::read(paper.join(LOCK)).unwrap();
            fs::rename(paper.join(LOCK), paper.join("kept")).unwrap();
            std::os::unix::fs::symlink("../other/new", paper.join(name)).unwrap();
            let folder = PaperFolder { path: paper.clone(), written: BTreeMap::new(), unfinished: BTreeMap::new() };
            assert!(folder.write(files(&[("refs.bib", "1")]), self::lock(), true).is_err());
            assert!(!other.join("new").exists(), "{name}");
            fs::remove_file(paper.join(name)).unwrap();
            fs::write(paper.join(LOCK), lock).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_came_with_the_folder_leads_nowhere_else_and_ends() {
        let place = tempfile::TempDir::new().unwrap();
        let [paper, other] = ["paper", "other"].map(|name| place.path().join(name));
        fs::create_dir(&other).unwrap();
        let write = |forced| {
            PaperFolder::open(&paper)?.write(files(&[("main.tex", "1"), ("tables/x.tex", "1")]), lock(), forced)
        };
        write(false).unwrap();
        let link = |to: &str, name: &str| {
            let there = paper.join(name);
            let _ = if there.is_dir() { fs::remove_dir_all(&there) } else { fs::remove_file(&there) };
            std::os::unix::fs::symlink(to, there).unwrap();
        };
        for (to, name) in [("../other/new", "main.tex"), ("../other", "tables"), ("/dev/zero", "main.tex")] {
            link(to, name);
            for forced in [false, true] {
                let refused = write(forced).unwrap_err().to_string();
                assert!(refused.contains("it is a link"), "{to}: {refused}");
            }
            assert_eq!(fs::read_dir(&other).unwrap().count(), 0, "{to}");
            let edited = edited_files(&paper, &lock_in(&paper).unwrap()).unwrap();
            assert!(edited.iter().any(|(at, _)| at.starts_with(name)), "{edited:?}");
            fs::remove_file(paper.join(name)).unwrap();
            write(true).unwrap();
        }
        fs::write(other.join("secret"), "SECRET line").unwrap();
        for to in ["../other/secret", "/dev/zero"] {
            link(to, LOCK);
            for told in [lock_in(&paper).unwrap_err().to_string(), write(true).unwrap_err().to_string()] {
                assert!(told.ends_with("not a regular file"), "{told}");
            }
        }
    }

    #[test]
    fn a_lock_that_names_files_of_others_removes_none() {
        let folder = tempfile::TempDir::new().unwrap();
        for (name, text) in [
            (".git/HEAD", "ref"),
            ("chapter.tex", "mine"),
            ("tables/Own words.tex", "mine"),
            ("figures/a.b.svg", "mine"),
        ] {
            fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            fs::write(folder.path().join(name), text).unwrap();
            let mut planted = lock();
            planted.files.insert(name.to_owned(), hash(text.as_bytes()));
            for at in [LOCK, UNFINISHED] {
                fs::write(folder.path().join(at), planted.written()).unwrap();
                let written = PaperFolder::open(folder.path())
                    .and_then(|folder| folder.write(files(&[("main.tex", "1")]), lock(), true));
                assert!(at == UNFINISHED || written.is_err(), "{name}");
                assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
                let _ = fs::remove_file(folder.path().join(at));
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_ours_is_replaced_whole_and_one_with_files_of_others_keeps_them() {
        use std::os::unix::fs::MetadataExt as _;
        let place = tempfile::TempDir::new().unwrap();
        let paper = place.path().join("paper");
        let write = |of: &[(&str, &str)]| PaperFolder::open(&paper).unwrap().write(files(of), lock(), false).unwrap();
        let number = || fs::metadata(&paper).unwrap().ino();
        write(&[("main.tex", "1"), ("tables/a.tex", "1"), ("tables/b.tex", "1")]);
        let (first, folder) = (number(), fs::File::open(&paper).unwrap());
        fs::write(paper.join("tables/.dlbench-x1y2z3"), "half").unwrap();
        let replaced = write(&[("main.tex", "2"), ("tables/a.tex", "2")]);
        assert_eq!(replaced, Replaced { removed: vec![paper.join("tables/b.tex")], ..Replaced::default() });
        assert!(number() != first && folder.metadata().unwrap().ino() == first, "another folder is there");
        let left: Vec<_> =
            fs::read_dir(paper.join("tables")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["a.tex"]);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing is left beside it");
        for own in ["notes.txt", "tables/own.tex", "sections/one.tex"] {
            fs::create_dir_all(paper.join(own).parent().unwrap()).unwrap();
            fs::write(paper.join(own), "mine").unwrap();
            let second = number();
            write(&[("main.tex", "3"), ("figures/c.svg", "3")]);
            assert_eq!((number(), fs::read_to_string(paper.join(own)).unwrap().as_str()), (second, "mine"), "{own}");
            fs::remove_file(paper.join(own)).unwrap();
            let _ = fs::remove_dir(paper.join("sections"));
        }
    }

    #[test]
    fn runs_into_one_folder_take_turns() {
        let folder = tempfile::TempDir::new().unwrap();
        std::thread::scope(|threads| {
            for run in 0..4 {
                let path = folder.path();
                threads.spawn(move || {
                    for round in 0..5 {
                        let name = format!("tables/table-{run}.tex");
                        let text = format!("{run} {round}");
                        let files = vec![(name, text.clone().into_bytes()), ("main.tex".to_owned(), text.into_bytes())];
                        PaperFolder::open(path).unwrap().write(files, lock(), false).unwrap();
                    }
                });
            }
        });
        let lock = lock_in(folder.path()).unwrap();
        assert_eq!(unlisted_files(folder.path(), &lock), Vec::<PathBuf>::new());
        assert_eq!(edited_files(folder.path(), &lock).unwrap(), []);
        fs::write(folder.path().join("tables/own.tex"), "mine").unwrap();
        assert_eq!(unlisted_files(folder.path(), &lock), [folder.path().join("tables/own.tex")]);
    }
}

//! What has come of a download so far, kept so that it can go on where it broke off.
//!
//! Two files: the bytes, and what they are the beginning of. The second one is written before the first one, and removed
//! after it, so that bytes never lie there without what they are of.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::installed::{PARTIAL, PARTIAL_HEAD};
use super::{PullError, Validators};
use crate::reading::{WriteError, write_whole};

/// The files of a download.
#[derive(Debug)]
pub(super) struct Partial {
    body: PathBuf,
    head: PathBuf,
}

/// What the bytes are the beginning of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartialHead {
    /// The address that was asked.
    pub url: String,
    /// What the server called it.
    pub validators: Validators,
    /// What tells every change of it, if something does: only then can it go on.
    pub strong: Option<String>,
    /// How long the whole is, if that was stated.
    pub total: Option<u64>,
}

impl Partial {
    pub fn in_folder(folder: &Path) -> Self {
        Self { body: folder.join(PARTIAL), head: folder.join(PARTIAL_HEAD) }
    }

    /// What can go on: what the bytes are of, and how many there are.
    pub fn resumable(&self, url: &str) -> Option<(PartialHead, u64)> {
        let head: PartialHead = serde_json::from_slice(&fs::read(&self.head).ok()?).ok()?;
        let have = fs::metadata(&self.body).ok()?.len();
        let is_part = have > 0 && head.total.is_none_or(|total| have < total);
        (head.url == url && head.strong.is_some() && is_part).then_some((head, have))
    }

    /// Begins with no bytes.
    pub fn begin(&self, head: &PartialHead) -> Result<File, PullError> {
        self.discard()?;
        let text = serde_json::to_vec(head).map_err(io::Error::other).map_err(WriteError::at(&self.head))?;
        write_whole(&self.head, text)?;
        Ok(File::create_new(&self.body).map_err(WriteError::at(&self.body))?)
    }

    /// Goes on behind the bytes that are there.
    pub fn go_on(&self) -> Result<File, PullError> {
        Ok(File::options().append(true).open(&self.body).map_err(WriteError::at(&self.body))?)
    }

    /// The file, as far as it could not be written.
    pub fn unwritten(&self, error: io::Error) -> PullError {
        WriteError::at(&self.body)(error).into()
    }

    /// All bytes; nothing is left of them.
    pub fn take(&self) -> Result<Vec<u8>, PullError> {
        let content = fs::read(&self.body).map_err(|error| PullError::Unread { path: self.body.clone(), error })?;
        self.discard()?;
        Ok(content)
    }

    /// Removes the bytes, then what they are of.
    pub fn discard(&self) -> Result<(), PullError> {
        for path in [&self.body, &self.head] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(WriteError::at(path)(error).into()),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn head(total: Option<u64>) -> PartialHead {
        let validators = Validators { etag: Some("\"a\"".to_owned()), last_modified: None };
        PartialHead { url: "https://a.org".to_owned(), strong: validators.strong(None), validators, total }
    }

    #[test]
    fn only_the_beginning_of_the_same_file_goes_on() {
        let folder = tempfile::TempDir::new().unwrap();
        let partial = Partial::in_folder(folder.path());
        assert_eq!(partial.resumable("https://a.org"), None);
        let mut file = partial.begin(&head(Some(5))).unwrap();
        assert_eq!(partial.resumable("https://a.org"), None, "there is nothing yet");
        file.write_all(b"abc").unwrap();
        assert_eq!(partial.resumable("https://a.org"), Some((head(Some(5)), 3)));
        assert_eq!(partial.resumable("https://b.org"), None);
        partial.go_on().unwrap().write_all(b"de").unwrap();
        assert_eq!(partial.resumable("https://a.org"), None, "it is whole");
        assert_eq!(partial.take().unwrap(), b"abcde");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn wherever_it_ends_no_bytes_are_taken_for_those_of_another_file() {
        let folder = tempfile::TempDir::new().unwrap();
        let partial = Partial::in_folder(folder.path());
        partial.begin(&head(Some(5))).unwrap().write_all(b"abc").unwrap();
        // As it is left when the process ends behind each step of a new beginning.
        fs::remove_file(&partial.body).unwrap();
        assert_eq!(partial.resumable("https://a.org"), None);
        fs::remove_file(&partial.head).unwrap();
        assert_eq!(partial.resumable("https://a.org"), None);
        fs::write(&partial.body, "abc").unwrap();
        assert_eq!(partial.resumable("https://a.org"), None, "bytes of nothing");
        fs::write(&partial.head, "{").unwrap();
        assert_eq!(partial.resumable("https://a.org"), None);
        partial.begin(&head(None)).unwrap();
        assert_eq!(fs::read(&partial.body).unwrap(), b"");
    }
}

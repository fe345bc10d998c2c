//! Downloads one file, and resumes after an interruption.

use std::fs::File;
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::client::{Client, Header, Reply};
use super::installed::{PARTIAL, PARTIAL_HEAD};
use super::{Address, PullError, PullLimits, PullObserver, Validators};
use crate::reading::{WriteError, write_atomically};

/// Maximum number of attempts in one download, reconnections included.
const ATTEMPTS: usize = 4;

/// Pause before reconnecting.
const PAUSE: Duration = Duration::from_millis(300);

/// What to download, and to where.
pub(super) struct Download<'d> {
    pub client: &'d dyn Client,
    pub address: &'d Address,
    pub url: &'d str,
    /// The validators of the active knowledge base, which need not be downloaded again.
    pub known: &'d Validators,
    pub limits: &'d PullLimits,
    pub partial: &'d Partial,
}

/// The result of a download.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fetched {
    /// The server still has the version with the known validators.
    Unchanged,
    /// The complete file was downloaded.
    Whole {
        /// The validators that the server sent.
        validators: Validators,
        /// Whether it consists of more than one response.
        pieced_together: bool,
    },
}

impl Download<'_> {
    /// Runs the download, reconnecting as needed.
    ///
    /// # Errors
    ///
    /// When the server returns an error status, is silent or slow or sends too much, or the connection breaks too often. The
    /// received bytes are kept if they have a strong validator to resume with.
    pub fn run(&self, observer: &mut dyn PullObserver) -> Result<Fetched, PullError> {
        let until = Instant::now() + self.limits.time;
        let mut left = ATTEMPTS;
        loop {
            left -= 1;
            match self.attempt(until, observer) {
                Err(PullError::CutOff { have, .. }) if left > 0 && Instant::now() < until => {
                    observer.interrupted(have);
                    std::thread::sleep(PAUSE);
                }
                ended => {
                    if ended.is_err() && self.partial.resumable(self.url).is_none() {
                        self.partial.discard()?;
                    }
                    return ended;
                }
            }
        }
    }

    fn attempt(&self, until: Instant, observer: &mut dyn PullObserver) -> Result<Fetched, PullError> {
        let (mut reply, begun) = self.answer()?;
        match (reply.status, begun) {
            (304, _) if self.known.if_changed().is_some() => {
                self.partial.discard()?;
                Ok(Fetched::Unchanged)
            }
            (206, Some((mut head, have))) => {
                head.total = head.total.or(reply.range.and_then(|range| range.total));
                let file = self.partial.go_on()?;
                self.receive(&mut *reply.body, file, &Progress { have, total: head.total, until }, observer)?;
                Ok(Fetched::Whole { validators: head.validators, pieced_together: true })
            }
            (200, _) => {
                let strong = reply.validators.strong(reply.date.as_deref());
                let Reply { validators, length: total, .. } = reply;
                let head = PartialHead { url: self.url.to_owned(), strong, validators: validators.clone(), total };
                let file = self.partial.begin(&head)?;
                self.receive(&mut *reply.body, file, &Progress { have: 0, total, until }, observer)?;
                Ok(Fetched::Whole { validators, pieced_together: false })
            }
            (status, _) => Err(PullError::Status { url: self.url.to_owned(), status }),
        }
    }

    /// The server's response, and the partial download that it continues, if any.
    fn answer(&self) -> Result<(Reply, Option<(PartialHead, u64)>), PullError> {
        let begun = self.partial.resumable(self.url);
        let reply = self.ask(begun.as_ref())?;
        match begun {
            Some((head, have)) if matches!(reply.status, 206 | 416) && !continues(&reply, &head, have) => {
                // The file has changed, or the server sent another range than requested: start over.
                self.partial.discard()?;
                Ok((self.ask(None)?, None))
            }
            begun => Ok((reply, begun)),
        }
    }

    /// Appends a response body to the file.
    fn receive(
        &self,
        body: &mut dyn Read,
        mut file: File,
        progress: &Progress,
        observer: &mut dyn PullObserver,
    ) -> Result<(), PullError> {
        let Progress { mut have, total, until } = *progress;
        let too_large = || {
            self.partial.discard()?;
            Err(PullError::TooLarge { most: self.limits.bytes })
        };
        if total.is_some_and(|total| total > self.limits.bytes) {
            return too_large();
        }
        observer.begins(self.address, have, total);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    return Err(PullError::Silent { url: self.url.to_owned(), silence: self.limits.silence });
                }
                Err(_) => return Err(PullError::CutOff { have, total }),
            };
            have += read as u64;
            if have > self.limits.bytes {
                return too_large();
            }
            file.write_all(&buffer[..read]).map_err(|error| self.partial.unwritten(error))?;
            observer.received(have);
            if Instant::now() > until {
                return Err(PullError::TooSlow { time: self.limits.time, have });
            }
        }
        if total.is_some_and(|total| have != total) { Err(PullError::CutOff { have, total }) } else { Ok(()) }
    }

    fn ask(&self, begun: Option<&(PartialHead, u64)>) -> Result<Reply, PullError> {
        let mut headers: Vec<Header> = self.known.if_changed().into_iter().collect();
        if let Some((PartialHead { strong: Some(strong), .. }, have)) = begun {
            headers.push(("Range", format!("bytes={have}-")));
            headers.push(("If-Range", strong.clone()));
        }
        self.client.get(self.url, &headers)
    }
}

/// The state of a download, and its deadline.
struct Progress {
    have: u64,
    total: Option<u64>,
    until: Instant,
}

/// Whether a response continues the partial download.
fn continues(reply: &Reply, head: &PartialHead, have: u64) -> bool {
    let same = |stated: &Option<String>, known: &Option<String>| stated.is_none() || stated == known;
    reply.status == 206
        && same(&reply.validators.etag, &head.validators.etag)
        && same(&reply.validators.last_modified, &head.validators.last_modified)
        && reply.range.is_some_and(|range| {
            range.start == have && (range.total.is_none() || head.total.is_none() || range.total == head.total)
        })
}

/// The files of a partial download.
#[derive(Debug)]
pub(super) struct Partial {
    body: PathBuf,
    head: PathBuf,
}

/// Metadata of a partial download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartialHead {
    /// The requested address.
    pub url: String,
    /// The validators that the server sent.
    pub validators: Validators,
    /// The strong validator; without one the download cannot be resumed.
    pub strong: Option<String>,
    /// Length of the whole file in bytes, if stated.
    pub total: Option<u64>,
}

impl Partial {
    pub fn in_folder(folder: &Path) -> Self {
        Self { body: folder.join(PARTIAL), head: folder.join(PARTIAL_HEAD) }
    }

    /// The partial download of `url` if it can be resumed: its metadata and its length in bytes.
    pub fn resumable(&self, url: &str) -> Option<(PartialHead, u64)> {
        let head: PartialHead = serde_json::from_slice(&fs::read(&self.head).ok()?).ok()?;
        let have = fs::metadata(&self.body).ok()?.len();
        let is_part = have > 0 && head.total.is_none_or(|total| have < total);
        (head.url == url && head.strong.is_some() && is_part).then_some((head, have))
    }

    /// Starts a new download.
    pub fn begin(&self, head: &PartialHead) -> Result<File, PullError> {
        self.discard()?;
        let text = serde_json::to_vec(head).map_err(io::Error::other).map_err(WriteError::at(&self.head))?;
        write_atomically(&self.head, text)?;
        Ok(File::create_new(&self.body).map_err(WriteError::at(&self.body))?)
    }

    /// Opens the file to append to it.
    pub fn go_on(&self) -> Result<File, PullError> {
        Ok(File::options().append(true).open(&self.body).map_err(WriteError::at(&self.body))?)
    }

    /// The error for a failed write to the file.
    pub fn unwritten(&self, error: io::Error) -> PullError {
        WriteError::at(&self.body)(error).into()
    }

    /// Reads the complete download, and removes its files.
    pub fn take(&self) -> Result<Vec<u8>, PullError> {
        let content = fs::read(&self.body).map_err(|error| PullError::Unread { path: self.body.clone(), error })?;
        self.discard()?;
        Ok(content)
    }

    /// Removes the data, then its metadata.
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
        // The files after a process ends between the steps of starting a new download.
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

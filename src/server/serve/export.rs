//! The whole knowledge base as one file, written once for each state and read from there by everybody who asks.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};
use tempfile::NamedTempFile;
use tokio::sync::Mutex;

use crate::held::{HeldKnowledgeBase, KbState};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;
use dlbench::ask::export::document;

/// Writing takes some seconds with 10^5 measurements; who waits longer asks again.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// So many bytes are read and sent at a time.
const PIECE: usize = 64 * 1024;

/// The file of the newest state that was asked for.
#[derive(Default)]
pub(super) struct Exports {
    written: Arc<Mutex<Option<Written>>>,
}

struct Written {
    content: String,
    file: NamedTempFile,
    length: u64,
}

impl Exports {
    /// The document of a state, as the body of a response.
    ///
    /// # Errors
    ///
    /// When the files are no longer what that state was built from, or there is no room.
    pub async fn of(&self, state: &Arc<KbState>, held: &Arc<HeldKnowledgeBase>) -> Result<Body, Refusal> {
        let busy = || Refusal::new(RefusalKind::Busy, "the document is not written yet").help("ask again in a moment");
        // Whoever comes second waits for what the first one writes.
        let locked = tokio::time::timeout(LONGEST_WAIT, Arc::clone(&self.written).lock_owned());
        let mut written = locked.await.map_err(|_| busy())?;
        let content = state.content.clone();
        let held = Arc::clone(held);
        let body = tokio::task::spawn_blocking(move || {
            let current = written.take().filter(|written| written.content == content);
            let current = match current {
                Some(current) => current,
                None => write(content, &held)?,
            };
            let body = FileBody::of(&current).map_err(|error| Refusal::failed(&error));
            *written = Some(current);
            body
        });
        let body = body.await.map_err(|error| Refusal::failed(&error))??;
        Ok(Body::new(body))
    }
}

/// Writes the document of the files as they are, if they are still what `content` says.
fn write(content: String, held: &HeldKnowledgeBase) -> Result<Written, Refusal> {
    let changed = || Refusal::new(RefusalKind::Busy, "the files are changing").help("ask again in a moment");
    let opened = || held.opened().map_err(|error| Refusal::new(RefusalKind::Failed, error));
    let same = |kb: &KnowledgeBase| if kb.content() == content { Ok(()) } else { Err(changed()) };
    let kb = opened()?;
    same(&kb)?;
    let knowledge = kb.knowledge().map_err(|error| Refusal::failed(&error))?;
    // What changed while it was read would be of two states.
    same(&opened()?)?;
    let failed = |error: io::Error| Refusal::failed(&error);
    let file = NamedTempFile::new().map_err(failed)?;
    let mut out = BufWriter::new(file);
    serde_json::to_writer(&mut out, &document(&knowledge, &content))?;
    out.write_all(b"\n").map_err(failed)?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    let length = file.as_file().metadata().map_err(failed)?.len();
    Ok(Written { content, file, length })
}

/// A file that is read while it is sent: a piece in memory at a time, however slowly somebody takes them.
struct FileBody {
    file: File,
    left: u64,
}

impl FileBody {
    fn of(written: &Written) -> io::Result<Self> {
        Ok(Self { file: written.file.reopen()?, left: written.length })
    }
}

impl hyper::body::Body for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        // The system has it in memory: it was just written, or just read by somebody else.
        let mut piece = vec![0; PIECE.min(usize::try_from(self.left).unwrap_or(PIECE))];
        match self.file.read_exact(&mut piece) {
            Ok(()) => {
                self.left -= piece.len() as u64;
                Poll::Ready(Some(Ok(Frame::data(piece.into()))))
            }
            Err(error) => {
                self.left = 0;
                Poll::Ready(Some(Err(error)))
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

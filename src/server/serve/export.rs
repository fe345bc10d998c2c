//! The whole knowledge base as one file, written once for each state and then sent to every client.

use std::io::{self, BufWriter, Write as _};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use axum::response::{IntoResponse as _, Response};
use tempfile::NamedTempFile;
use tokio::sync::Mutex;
use tower_http::services::ServeFile;

use crate::live::{KbState, LiveKnowledgeBase};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;
use dlbench::ask::export::document;

/// Timeout of a request. Writing takes a few seconds with 10^5 measurements.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The file of the latest requested state.
#[derive(Default)]
pub(super) struct Exports {
    written: Arc<Mutex<Option<Written>>>,
}

struct Written {
    content: String,
    file: NamedTempFile,
}

impl Exports {
    /// The document of a state, or the requested range of it.
    ///
    /// # Errors
    ///
    /// When the files have changed since that state was built, or the disk is full.
    pub async fn of(
        &self,
        request: Request<Body>,
        state: &Arc<KbState>,
        live: &Arc<LiveKnowledgeBase>,
    ) -> Result<Response, Refusal> {
        let busy = || Refusal::new(RefusalKind::Busy, "the document is not written yet").help("ask again in a moment");
        // Concurrent requests wait for the file that the first one writes.
        let locked = tokio::time::timeout(LONGEST_WAIT, Arc::clone(&self.written).lock_owned());
        let mut written = locked.await.map_err(|_| busy())?;
        let content = state.content.clone();
        let live = Arc::clone(live);
        let written = tokio::task::spawn_blocking(move || {
            if written.as_ref().is_none_or(|written| written.content != content) {
                *written = None;
                *written = Some(write(content, &live)?);
            }
            Ok::<_, Refusal>(written)
        });
        // The lock is held until the file is open: then it may be deleted and can still be read to its end.
        let written = written.await.map_err(|error| Refusal::failed(&error))??;
        let path = written.as_ref().map(|written| written.file.path().to_owned()).ok_or_else(busy)?;
        let sent = ServeFile::new(path).try_call(request).await.map_err(|error| Refusal::failed(&error))?;
        Ok(sent.into_response())
    }
}

/// Writes the document of the current files, if their content is still `content`.
fn write(content: String, live: &LiveKnowledgeBase) -> Result<Written, Refusal> {
    let changed = || Refusal::new(RefusalKind::Busy, "the files are changing").help("ask again in a moment");
    let opened = || live.open_current().map_err(|error| Refusal::new(RefusalKind::Failed, error));
    let same = |kb: &KnowledgeBase| if kb.content() == content { Ok(()) } else { Err(changed()) };
    let kb = opened()?;
    same(&kb)?;
    let knowledge = kb.knowledge().map_err(|error| Refusal::failed(&error))?;
    // Files that changed while they were read would mix two states.
    same(&opened()?)?;
    let failed = |error: io::Error| Refusal::failed(&error);
    // The extension determines the content type.
    let file = tempfile::Builder::new().suffix(".json").tempfile().map_err(failed)?;
    let mut out = BufWriter::new(file);
    serde_json::to_writer(&mut out, &document(&knowledge, &content))?;
    out.write_all(b"\n").map_err(failed)?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    Ok(Written { content, file })
}

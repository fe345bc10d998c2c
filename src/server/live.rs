//! A knowledge base that stays open: shared among threads, and reopened when its files have changed.
//!
//! Each request sees one state of the files only. A thread regularly checks for changes, builds the derived stores
//! while the old state still answers, and only then switches to the new state; running requests finish on the state
//! with which they began.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::{LONGEST_ANSWER, LONGEST_WAIT, LOOK_EVERY};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;

/// Opens the knowledge base in its current state, or returns why it cannot.
pub type Opener = Box<dyn Fn() -> Result<KnowledgeBase, String> + Send + Sync>;
/// Reports that the knowledge base has changed, or can no longer be read.
pub type Reporter = Box<dyn Fn(&str) + Send + Sync>;

/// The knowledge base shared by all requests.
pub struct LiveKnowledgeBase {
    opener: Opener,
    report: Reporter,
    most: usize,
    now: RwLock<Arc<KbState>>,
}

impl LiveKnowledgeBase {
    /// Keeps a knowledge base open for up to `most` requests at a time, and checks it for changes until it is dropped.
    pub fn of(kb: KnowledgeBase, opener: Opener, report: Reporter, most: usize) -> Arc<Self> {
        let now = RwLock::new(Arc::new(KbState::of(kb, most)));
        let live = Arc::new(Self { opener, report, most, now });
        let watched = Arc::downgrade(&live);
        thread::spawn(move || {
            let mut last_failure = None;
            loop {
                thread::sleep(LOOK_EVERY);
                let Some(live) = watched.upgrade() else { break };
                let failure = live.refresh().err();
                // Reports the same failure only once.
                if let Some(failure) = failure.as_ref().filter(|failure| last_failure.as_ref() != Some(*failure)) {
                    (live.report)(&format!(
                        "the files have changed and cannot be read, so what was there still answers: {failure}"
                    ));
                }
                last_failure = failure;
            }
        });
        live
    }

    /// Opens the knowledge base in its current state.
    ///
    /// # Errors
    ///
    /// The error of the opener.
    pub(crate) fn open_current(&self) -> Result<KnowledgeBase, String> {
        (self.opener)()
    }

    /// Switches to the current state if the files have changed.
    fn refresh(&self) -> Result<(), String> {
        let kb = self.open_current()?;
        let now = self.now();
        // Rebuilt stores, after damage in the cache, also count: the old store files must not be read any longer.
        if kb.content() != now.content || kb.stores_stamp() != now.stamp {
            let state = Arc::new(KbState::of(kb, self.most));
            if state.content != now.content {
                (self.report)(&format!("the knowledge base has changed: content {}", state.content));
            }
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = state;
        }
        Ok(())
    }

    /// The current state.
    pub(crate) fn now(&self) -> Arc<KbState> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One state of the files, opened once for each concurrent request.
pub(crate) struct KbState {
    /// Hash of the files' content.
    pub content: String,
    /// Identifies the stores in the cache.
    stamp: Option<String>,
    idle: Mutex<Vec<KnowledgeBase>>,
    turns: Arc<Semaphore>,
}

impl KbState {
    fn of(kb: KnowledgeBase, most: usize) -> Self {
        let mut idle: Vec<KnowledgeBase> = (1..most).map_while(|_| kb.reopen()).collect();
        let (content, stamp) = (kb.content().to_owned(), kb.stores_stamp());
        idle.push(kb);
        let turns = Arc::new(Semaphore::new(idle.len()));
        Self { content, stamp, idle: Mutex::new(idle), turns }
    }

    /// Runs `done` on the knowledge base, in a thread that may block.
    ///
    /// # Errors
    ///
    /// On a timeout, and the refusals of `done`.
    pub async fn ask<R: Send + 'static>(
        self: Arc<Self>,
        done: impl FnOnce(&KnowledgeBase) -> Result<R, Refusal> + Send + 'static,
    ) -> Result<R, Refusal> {
        self.ask_within(LONGEST_ANSWER, done).await
    }

    /// As [`ask`](Self::ask), with another time limit.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub async fn ask_within<R: Send + 'static>(
        self: Arc<Self>,
        longest: Duration,
        done: impl FnOnce(&KnowledgeBase) -> Result<R, Refusal> + Send + 'static,
    ) -> Result<R, Refusal> {
        let waiting = tokio::time::timeout(LONGEST_WAIT, Arc::clone(&self.turns).acquire_owned());
        let Ok(Ok(turn)) = waiting.await else {
            return Err(Refusal::new(RefusalKind::Busy, "too many requests are waiting").help("ask again in a moment"));
        };
        let asked = tokio::task::spawn_blocking(move || {
            let borrowed = Borrowed::from(self, turn)?;
            done(borrowed.kb()?)
        });
        match tokio::time::timeout(longest, asked).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(failed()),
            Err(_) => Err(Refusal::new(RefusalKind::Busy, format!("no answer within {} s", longest.as_secs()))
                .help("narrow the question")),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<KnowledgeBase>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open knowledge base, returned to the pool when this is dropped: before its permit, which is dropped after it.
struct Borrowed {
    kb: Option<KnowledgeBase>,
    state: Arc<KbState>,
    _turn: OwnedSemaphorePermit,
}

impl Borrowed {
    fn from(state: Arc<KbState>, turn: OwnedSemaphorePermit) -> Result<Self, Refusal> {
        // There are as many permits as knowledge bases, so one is free.
        let kb = state.idle().pop();
        Ok(Self { kb: Some(kb.ok_or_else(failed)?), state, _turn: turn })
    }

    fn kb(&self) -> Result<&KnowledgeBase, Refusal> {
        self.kb.as_ref().ok_or_else(failed)
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        self.state.idle().extend(self.kb.take());
    }
}

fn failed() -> Refusal {
    Refusal::new(RefusalKind::Failed, "the answer failed inside of dlbench")
        .help("ask something else, and report the question as a bug")
}

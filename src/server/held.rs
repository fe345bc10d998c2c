//! A knowledge base that is held open: shared among threads, taken up anew when its files have changed.
//!
//! Everything that one request sees is of one state of the files. A thread looks once in a while whether they have changed,
//! builds what is derived from them while the old state still answers, and only then puts the new one in its place; requests
//! that have begun end on the state they began with.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::{LONGEST_ANSWER, LONGEST_WAIT, LOOK_EVERY};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;

/// Opens the knowledge base as it is now, or says why it cannot.
pub type Opener = Box<dyn Fn() -> Result<KnowledgeBase, String> + Send + Sync>;
/// Where it is told that the knowledge base has changed, or cannot be read any more.
pub type Teller = Box<dyn Fn(&str) + Send + Sync>;

/// The knowledge base as all requests see it.
pub struct HeldKnowledgeBase {
    opener: Opener,
    tell: Teller,
    most: usize,
    now: RwLock<Arc<KbState>>,
}

impl HeldKnowledgeBase {
    /// Holds a knowledge base open for `most` requests at a time, and keeps looking whether it has changed for as long as it is
    /// held.
    pub fn of(kb: KnowledgeBase, opener: Opener, tell: Teller, most: usize) -> Arc<Self> {
        let now = RwLock::new(Arc::new(KbState::of(kb, most)));
        let held = Arc::new(Self { opener, tell, most, now });
        let watched = Arc::downgrade(&held);
        thread::spawn(move || {
            let mut told = None;
            loop {
                thread::sleep(LOOK_EVERY);
                let Some(held) = watched.upgrade() else { break };
                let failure = held.look().err();
                // Once is enough, however long it lasts.
                if let Some(failure) = failure.as_ref().filter(|failure| told.as_ref() != Some(*failure)) {
                    (held.tell)(&format!(
                        "the files have changed and cannot be read, so what was there still answers: {failure}"
                    ));
                }
                told = failure;
            }
        });
        held
    }

    /// The knowledge base as its files are now.
    ///
    /// # Errors
    ///
    /// What the opener says.
    pub(crate) fn opened(&self) -> Result<KnowledgeBase, String> {
        (self.opener)()
    }

    /// Takes up what has changed.
    fn look(&self) -> Result<(), String> {
        let kb = self.opened()?;
        let now = self.now();
        // What was damaged in the cache is built again there, and the old files are no longer to be read.
        if kb.content() != now.content || kb.stores_stamp() != now.stamp {
            let state = Arc::new(KbState::of(kb, self.most));
            if state.content != now.content {
                (self.tell)(&format!("the knowledge base has changed: content {}", state.content));
            }
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = state;
        }
        Ok(())
    }

    /// The state that answers now.
    pub(crate) fn now(&self) -> Arc<KbState> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One state of the files, open once for each request that may ask at a time.
pub(crate) struct KbState {
    /// Hash of the files' content.
    pub content: String,
    /// Which stores in the cache they are.
    stamp: Option<String>,
    idle: Mutex<Vec<KnowledgeBase>>,
    turns: Arc<Semaphore>,
}

impl KbState {
    fn of(kb: KnowledgeBase, most: usize) -> Self {
        let mut idle: Vec<KnowledgeBase> = (1..most).map_while(|_| kb.another()).collect();
        let (content, stamp) = (kb.content().to_owned(), kb.stores_stamp());
        idle.push(kb);
        let turns = Arc::new(Semaphore::new(idle.len()));
        Self { content, stamp, idle: Mutex::new(idle), turns }
    }

    /// Does something with the knowledge base, on a thread that may block.
    ///
    /// # Errors
    ///
    /// When it is not done in time, and whatever `done` refuses.
    pub async fn ask<R: Send + 'static>(
        self: Arc<Self>,
        done: impl FnOnce(&KnowledgeBase) -> Result<R, Refusal> + Send + 'static,
    ) -> Result<R, Refusal> {
        self.ask_within(LONGEST_ANSWER, done).await
    }

    /// The same where an answer may take longer or must be there sooner.
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
            Err(_) => {
                Err(Refusal::new(RefusalKind::Busy, format!("there is no answer within {} s", longest.as_secs()))
                    .help("narrow the question"))
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<KnowledgeBase>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of the open knowledge bases, which goes back when this goes: before the turn, which comes behind it.
struct Borrowed {
    kb: Option<KnowledgeBase>,
    state: Arc<KbState>,
    _turn: OwnedSemaphorePermit,
}

impl Borrowed {
    fn from(state: Arc<KbState>, turn: OwnedSemaphorePermit) -> Result<Self, Refusal> {
        // As many turns as knowledge bases: there is one.
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

//! Asking before it is known whether the files have changed: the answer is computed while they are looked at, and counts only
//! where they turn out to be what the stores were built from.

use std::path::Path;
use std::thread;

use super::KnowledgeBase;
use crate::stores::{OpenError, Stores, noted_content};

impl KnowledgeBase {
    /// Opens the knowledge base at `root` and asks it, with the same result as [`open_with_cache`](Self::open_with_cache) and
    /// `ask` one after the other.
    ///
    /// `ask` begins with the stores of the content that the files had last, while another thread looks at the files. Where they
    /// have changed, what came of it is dropped, and it is asked once more: it must do nothing but return.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_and_ask<T>(root: &Path, cache: &Path, ask: impl Fn(&Self) -> T) -> Result<(Self, T), OpenError> {
        let (ahead, content) = thread::scope(|scope| {
            let looking = scope.spawn(|| noted_content(root, cache));
            let ahead = Stores::of_latest(root, cache).map(|stores| {
                let kb = Self::of(stores, root, cache);
                let answer = ask(&kb);
                (kb, answer)
            });
            // A thread that panicked has seen nothing.
            (ahead, looking.join().ok().flatten())
        });
        if let Some((kb, answer)) = ahead
            && content.as_deref() == Some(kb.content())
        {
            return Ok((kb, answer));
        }
        let kb = Self::open_with_cache(root, cache)?;
        let answer = ask(&kb);
        Ok((kb, answer))
    }
}

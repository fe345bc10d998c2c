//! One knowledge base for any number of threads of an interpreter.

use std::sync::{Mutex, MutexGuard, PoisonError};

use dlbench::KnowledgeBase;

/// A knowledge base that several threads may ask at a time. All of them see the state in which it was opened.
pub struct SharedKnowledgeBase {
    first: Mutex<KnowledgeBase>,
    idle: Mutex<Vec<KnowledgeBase>>,
}

impl SharedKnowledgeBase {
    /// Shares a knowledge base.
    pub fn of(kb: KnowledgeBase) -> Self {
        Self { first: Mutex::new(kb), idle: Mutex::new(Vec::new()) }
    }

    /// Does something with it; threads do not wait for each other, unless its stores are kept nowhere.
    pub fn ask<R>(&self, done: impl FnOnce(&KnowledgeBase) -> R) -> R {
        let idle = locked(&self.idle).pop();
        let own = match idle {
            Some(kb) => Some(kb),
            None => locked(&self.first).another(),
        };
        match own {
            Some(kb) => {
                let answer = done(&kb);
                locked(&self.idle).push(kb);
                answer
            }
            None => done(&locked(&self.first)),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that panics leaves a knowledge base half changed: it is only read.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

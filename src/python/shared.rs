//! A knowledge base shared between threads, and the exceptions of the module.

use std::sync::{Mutex, MutexGuard, PoisonError};

use dlbench::{FindError, KnowledgeBase};
use dlbench_server::{Refusal, RefusalKind};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A knowledge base that several threads may query at once. All see the state at which it was opened.
pub struct SharedKnowledgeBase {
    first: Mutex<KnowledgeBase>,
    idle: Mutex<Vec<KnowledgeBase>>,
}

impl SharedKnowledgeBase {
    /// Makes a knowledge base shareable.
    pub fn of(kb: KnowledgeBase) -> Self {
        Self { first: Mutex::new(kb), idle: Mutex::new(Vec::new()) }
    }

    /// Calls `done` with the knowledge base. Threads use separate handles; they wait only if the stores are in memory.
    pub fn ask<R>(&self, done: impl FnOnce(&KnowledgeBase) -> R) -> R {
        let idle = locked(&self.idle).pop();
        let own = match idle {
            Some(kb) => Some(kb),
            None => locked(&self.first).reopen(),
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
    // A poisoned lock is safe to use: the knowledge base is only read, so a panic leaves nothing half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exception for a refused request: the class depends on the reason; it has `message`, `help` and `near`.
pub fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    let class = match refusal.kind {
        RefusalKind::Mistake | RefusalKind::TooMuch => "QuestionError",
        RefusalKind::NotFound => "NotFoundError",
        RefusalKind::Busy | RefusalKind::Failed => "KnowledgeBaseError",
    };
    raised(py, class, refusal.message, refusal.help, refusal.near)
}

/// The exception for a knowledge base that cannot be opened.
pub fn unopened(py: Python<'_>, error: &FindError) -> PyErr {
    let help = match error {
        FindError::Locate(_) => Some("dlbench.open(folder) takes a folder with catalog/ and measurements/".to_owned()),
        FindError::Open(_) | FindError::Snapshot(_) => None,
    };
    raised(py, "KnowledgeBaseError", error.to_string(), help, Vec::new())
}

fn raised(py: Python<'_>, class: &str, message: String, help: Option<String>, near: Vec<String>) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("dlbench.errors")?.getattr(class)?.cast_into::<PyType>()?;
        Ok(PyErr::from_value(class.call1((message, help, near))?))
    };
    made().unwrap_or_else(|error| error)
}

//! Why there is no answer, as an exception of `dlbench.errors`.

use pyo3::prelude::*;
use pyo3::types::PyType;

use dlbench::FindError;
use dlbench_server::{Refusal, RefusalKind};

/// The exception for a request that has no answer: its class by the kind of reason, with `message`, `help` and `near`.
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

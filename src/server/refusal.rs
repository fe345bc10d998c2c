//! Why a request gets no answer, worded so that a person or an assistant can correct it.

use anstream::adapter::strip_str;
use serde::Serialize;

use dlbench::DatabaseError;
use dlbench::OpenError;
use dlbench::ask::compare::CompareError;
use dlbench::ask::parse::QueryError;
use dlbench::render::findings;
use dlbench::values::text::{or_list, printable};

/// The kind of refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum RefusalKind {
    /// The request has a mistake.
    Mistake,
    /// It asks for more than one request may take.
    TooMuch,
    /// The requested thing does not exist.
    NotFound,
    /// It took too long, or there are too many requests.
    Busy,
    /// The knowledge base failed.
    Failed,
}

/// Why a request gets no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind.
    #[serde(rename = "error")]
    pub kind: RefusalKind,
    /// The message.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Ids or names similar to one that was not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

impl Refusal {
    /// A refusal without help.
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self { kind, message: printable_lines(&message.into()), help: None, near: Vec::new() }
    }

    pub(crate) fn mistake(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Mistake, message)
    }

    /// Adds help.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(printable_lines(&help.into())), ..self }
    }

    /// The refusal for an unknown name.
    pub(crate) fn not_found(what: &str, near: Vec<String>) -> Self {
        let refusal = Self::new(RefusalKind::NotFound, format!("nothing is called `{what}`"));
        match near.as_slice() {
            [] => refusal,
            near => Self { near: near.to_vec(), ..refusal.help(format!("did you mean {}?", or_list(near))) },
        }
    }

    /// The refusal for a failed question.
    pub fn of_question(question: &str, error: &QueryError) -> Self {
        match error {
            // The drawn text shows the question with a caret under the place, and includes message and help.
            QueryError::Grammar(mistake) => {
                let drawn = strip_str(&findings::mistake(question, mistake)).to_string();
                Self { kind: RefusalKind::Mistake, message: drawn, help: mistake.help.clone(), near: Vec::new() }
            }
            other => Self::failed(other),
        }
    }

    /// The refusal for a failed comparison.
    pub(crate) fn of_comparison(question: &str, error: CompareError) -> Self {
        match error {
            CompareError::Query(error) => Self::of_question(question, &error),
            CompareError::Request { message, help } => {
                let refusal = Self::mistake(message);
                match help {
                    Some(help) => refusal.help(help),
                    None => refusal,
                }
            }
            other => Self::failed(&other),
        }
    }

    /// The refusal for a failure of the knowledge base.
    pub fn failed(error: &dyn std::error::Error) -> Self {
        Self::new(RefusalKind::Failed, error.to_string())
    }

    /// The full text: message and help.
    pub(crate) fn full_text(&self) -> String {
        match &self.help {
            Some(help) if !self.message.contains(help.as_str()) => format!("{}\nhelp: {help}", self.message),
            _ => self.message.clone(),
        }
    }
}

impl From<DatabaseError> for Refusal {
    fn from(error: DatabaseError) -> Self {
        Self::failed(&error)
    }
}

impl From<QueryError> for Refusal {
    fn from(error: QueryError) -> Self {
        Self::failed(&error)
    }
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        Self::failed(&error)
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self::failed(&error)
    }
}

fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

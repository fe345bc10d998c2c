//! What is wrong with the data, as data: rendering it is somebody else's job, and it knows no rule.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A file as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the knowledge base.
    pub path: PathBuf,
    /// Its text; empty when it could not be read.
    pub text: String,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The knowledge base cannot be used like this.
    Error,
    /// Probably a mistake.
    Warning,
}

/// A place in a file with a few words on what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Bytes of the file's text; `None` means the file as a whole.
    pub span: Option<Range<usize>>,
    /// What stands there, or what was expected.
    pub label: String,
}

/// A finding: what is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// The place.
    pub primary: Annotation,
    /// Other places that matter ("first defined here").
    pub related: Vec<Annotation>,
    /// What to do, or what would be right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place in a file.
    pub fn error(
        file: &Arc<SourceFile>,
        span: Option<Range<usize>>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            primary: Annotation { file: Arc::clone(file), span, label: label.into() },
            related: Vec::new(),
            help: None,
        }
    }

    /// The same with advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with another place.
    pub fn related(mut self, annotation: Annotation) -> Self {
        self.related.push(annotation);
        self
    }
}

//! What is wrong with the data, as data: rendering it is somebody else's job, and it knows no rule.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use strum::Display;

use crate::values::ParseError;

/// The stable code of a kind of finding, written `DL0123`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

impl Code {
    /// The code with this number, at most 9999.
    pub const fn new(number: u16) -> Self {
        assert!(number <= 9999, "a code has four digits");
        Self(number)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("DL{:04}", self.0))
    }
}

impl FromStr for Code {
    type Err = ParseError;

    /// Reads `DL0123`; the letters may be small.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digits = text.strip_prefix("DL").or_else(|| text.strip_prefix("dl"));
        let digits = digits.filter(|digits| digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or_else(|| ParseError::expected("the code of a rule, such as DL0123"))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A file as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the knowledge base.
    pub path: PathBuf,
    /// Its text; empty when it could not be read.
    pub text: String,
}

impl SourceFile {
    /// Line and column of a byte of the text, both counted from 1, columns in characters.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (1 + before.matches('\n').count(), 1 + before[start..].chars().count())
    }
}

/// How bad it is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// It is wrong.
    Error,
    /// Probably a mistake.
    Warning,
    /// Worth knowing; never fails a check.
    Info,
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
    /// Which rule found it.
    pub code: Code,
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
    /// A change of the primary file that mends it and nothing else.
    pub fix: Option<Fix>,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// Bytes of the file's text, each with what takes their place; they do not overlap.
    pub edits: Vec<(Range<usize>, String)>,
}

impl Diagnostic {
    /// An error at a place in a file.
    pub fn error(
        code: Code,
        file: &Arc<SourceFile>,
        span: Option<Range<usize>>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: Annotation { file: Arc::clone(file), span, label: label.into() },
            related: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// The same with another severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The same with a change that mends it.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
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

impl Fix {
    /// The text with the change made.
    pub fn applied_to(&self, text: &str) -> String {
        let mut edits: Vec<_> = self.edits.iter().collect();
        edits.sort_by_key(|(span, _)| span.start);
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for (span, new) in edits {
            changed.push_str(text.get(at..span.start).unwrap_or_default());
            changed.push_str(new);
            at = span.end;
        }
        changed.push_str(text.get(at..).unwrap_or_default());
        changed
    }
}

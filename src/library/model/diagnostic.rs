//! Findings about the data, as data. This module neither renders them nor defines rules.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

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

    /// Reads `DL0123`, also with lower-case letters.
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

/// A file as read.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the knowledge base.
    pub path: PathBuf,
    /// Its text; empty when it could not be read.
    pub text: String,
    lines: LineStarts,
}

impl SourceFile {
    /// A file with this text.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), lines: LineStarts::default() }
    }

    /// Line and column of a byte of the text, both counted from 1, columns in characters.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let lines = self.lines.0.get_or_init(|| LinesAndChars::of(&self.text));
        let line = lines.starts.partition_point(|&start| start <= at);
        let column = 1 + lines.chars_before(&self.text, at) - lines.chars_before(&self.text, lines.starts[line - 1]);
        (line, column)
    }
}

/// Line starts and cumulative character counts per block of a text, computed once: a file may have a finding on each of
/// its lines, and a line may have many.
#[derive(Debug, Default, Clone)]
struct LineStarts(OnceLock<LinesAndChars>);

#[derive(Debug, Clone)]
struct LinesAndChars {
    starts: Vec<usize>,
    /// Number of characters that begin before each block of [`BLOCK`] bytes.
    chars: Vec<usize>,
}

/// Bytes per block; only the bytes within a block are counted one by one.
const BLOCK: usize = 4096;

impl LinesAndChars {
    fn of(text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        let mut chars = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            chars.push(chars[chars.len() - 1] + begun_chars(block));
        }
        Self { starts, chars }
    }

    /// Number of characters that begin before a byte of the text.
    fn chars_before(&self, text: &str, at: usize) -> usize {
        let block = at / BLOCK;
        self.chars[block] + begun_chars(&text.as_bytes()[block * BLOCK..at])
    }
}

/// Number of characters that begin in these bytes of UTF-8: all bytes but continuation bytes (RFC 3629, section 3).
fn begun_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// Always equal, because the line starts follow from the text.
impl PartialEq for LineStarts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for LineStarts {}

/// How severe a finding is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Wrong.
    Error,
    /// Probably a mistake.
    Warning,
    /// Worth knowing; never fails a check.
    Info,
}

/// A place in a file with a short label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Bytes of the file's text; `None` means the file as a whole.
    pub span: Option<Range<usize>>,
    /// What is there, or what was expected.
    pub label: String,
}

/// A finding: the problem, its place, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the rule.
    pub code: Code,
    /// How severe it is.
    pub severity: Severity,
    /// The problem, in one line without a full stop.
    pub message: String,
    /// The place.
    pub primary: Annotation,
    /// Other relevant places ("first defined here").
    pub related: Vec<Annotation>,
    /// What to do, or the correct form.
    pub help: Option<String>,
    /// A change of the primary file that fixes exactly this problem.
    pub fix: Option<Fix>,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// A short description.
    pub title: String,
    /// Byte ranges of the file's text with their replacements; they do not overlap.
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

    /// Whether it concerns the file itself: invalid syntax or form, a misplaced file, a wrong file name.
    pub fn is_of_form(&self) -> bool {
        self.severity == Severity::Error && self.code < Code::new(100)
    }

    /// The sort key of findings: causes (unreadable files) before their possible consequences, then by path and place.
    pub fn rank(&self) -> (bool, &Path, usize) {
        let start = self.primary.span.as_ref().map_or(0, |span| span.start);
        (!self.is_of_form(), &self.primary.file.path, start)
    }

    /// Sets the severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds a fix.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a related place.
    pub fn related(mut self, annotation: Annotation) -> Self {
        self.related.push(annotation);
        self
    }
}

impl Fix {
    /// The text with the edits applied.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_a_long_line_are_told_in_characters() {
        let file = SourceFile::new("a.toml", format!("x\n{}\ny", "é1".repeat(100_000)));
        for at in (0..100_000).step_by(97) {
            assert_eq!(file.position(2 + 3 * at), (2, 1 + 2 * at));
        }
        assert_eq!(file.position(3), (2, 1), "inside of a character");
        assert_eq!(file.position(file.text.len()), (3, 2));
    }
}

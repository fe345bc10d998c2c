//! A file of the knowledge base that has mistakes and is left out, so that the rest can be asked.

use std::fmt;

use crate::values::text::counted;

/// A file with mistakes, which no answer uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// Its path, relative to the knowledge base.
    pub path: String,
    /// The line of its first mistake, counted from 1; `None` where the file as a whole cannot be read.
    pub line: Option<usize>,
    /// What is wrong there.
    pub why: String,
    /// Measurements of other files that name what it describes: they are left out with it.
    pub measurements: usize,
}

impl fmt::Display for SkippedFile {
    /// The place, what is wrong there, and what else is missing for that.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, " is left out: {}", self.why)?;
        match self.measurements {
            0 => Ok(()),
            n => write!(f, "; and with it {} of what it describes", counted(n, "measurement", "measurements")),
        }
    }
}

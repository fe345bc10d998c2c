//! A rule as data: its code, its page, its samples, and the function that finds.

use std::sync::Arc;

use super::findings::Found;
use super::subject::{Row, Subject};
use crate::model::{Code, Severity, SourceFile};
use crate::reading::KbFile;

/// A file of a sample: its path in the knowledge base, and its text.
pub type SampleFile = (&'static str, &'static str);

/// A rule of the check.
#[derive(Debug)]
pub struct Rule {
    /// Its code, which never changes and is never used again.
    pub code: Code,
    /// What it finds, as a noun phrase.
    pub title: &'static str,
    /// How bad that is.
    pub severity: Severity,
    /// Why it matters and what to do, in short paragraphs.
    pub page: &'static str,
    /// A file in which it finds something.
    pub fails: &'static [SampleFile],
    /// The same as it should be.
    pub passes: &'static [SampleFile],
    /// How it finds.
    pub(in crate::contribute) check: Check,
}

impl Rule {
    /// Whether a finding can be excepted with a reason: what cannot be read cannot.
    pub fn can_be_excepted(&self) -> bool {
        !matches!(self.check, Check::Reading | Check::Exceptions | Check::Elsewhere)
    }
}

/// How a rule finds.
#[derive(Debug)]
pub(in crate::contribute) enum Check {
    /// While the files are read.
    Reading,
    /// While exceptions are applied.
    Exceptions,
    /// Where more is known than the files: in the parser of recipes.
    Elsewhere,
    /// In the text of one file.
    File(fn(&KbFile, &Arc<SourceFile>, &mut Found)),
    /// In the catalog.
    Catalog(fn(&Subject<'_>, &mut Found)),
    /// In what cited addresses answered, where they were asked.
    Online(fn(&Subject<'_>, &mut Found)),
    /// In one measurement.
    Row(fn(&Subject<'_>, &Row<'_>, &mut Found)),
    /// The same in one that nobody has disputed or retracted: what is known to be wrong need not be found.
    Claim(fn(&Subject<'_>, &Row<'_>, &mut Found)),
    /// In measurements of one source beside each other.
    Rows(fn(&Subject<'_>, &mut Found)),
    /// Only where everything is loaded.
    Whole(fn(&Subject<'_>, &mut Found)),
}

//! A rule as data: its code, its page, its sample, and the function that finds.

use std::sync::Arc;

use super::context::{IndexedRow, LintContext};
use super::findings::Findings;
use super::sample::Sample;
use crate::model::{Code, Severity, SourceFile};
use crate::reading::KbFile;

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
    /// A file that passes, and the edit with which it fails.
    pub sample: Sample,
    /// Where it looks, and the function that finds.
    pub(in crate::contribute) check: Check,
}

impl Rule {
    /// Whether a finding can be excepted with a reason: what cannot be read cannot.
    pub fn can_be_excepted(&self) -> bool {
        !matches!(self.check, Check::Reading | Check::Exceptions | Check::Recipe(_))
    }
}

/// Where a rule looks, and the function that finds.
#[derive(Debug)]
pub(in crate::contribute) enum Check {
    /// While the files are read.
    Reading,
    /// While exceptions are applied.
    Exceptions,
    /// In the text of one file.
    File(fn(&KbFile, &Arc<SourceFile>, &mut Findings)),
    /// In the text of one recipe of imports.
    Recipe(fn(&Arc<SourceFile>, &mut Findings)),
    /// In the catalog.
    Catalog(fn(&LintContext<'_>, &mut Findings)),
    /// In what the servers of cited URLs answered, if they were asked.
    Online(fn(&LintContext<'_>, &mut Findings)),
    /// In what rows of other sources say, if that was asked.
    Evidence(fn(&LintContext<'_>, &mut Findings)),
    /// In one measurement.
    Row(fn(&LintContext<'_>, &IndexedRow<'_>, &mut Findings)),
    /// In one measurement that is neither disputed nor retracted: what is known to be wrong need not be found.
    Claim(fn(&LintContext<'_>, &IndexedRow<'_>, &mut Findings)),
    /// In measurements compared with each other.
    Rows(fn(&LintContext<'_>, &mut Findings)),
    /// In a knowledge base that is loaded whole.
    Whole(fn(&LintContext<'_>, &mut Findings)),
}

//! A rule as data: its code, its page, the function that finds, and its sample: a file of a small knowledge base and the one edit that breaks it.

use std::sync::Arc;

use super::context::{IndexedRow, LintContext};
use super::findings::Findings;
use crate::model::{Code, Severity, SourceFile};
use crate::reading::KbFile;

macro_rules! sample_base {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("sample_base/", $path)))),*] };
}

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

/// A file of a sample: its path in the knowledge base, and its text.
pub type SampleFile = (&'static str, String);

/// The knowledge base that the samples belong to: no rule finds a mistake in it.
pub(in crate::contribute) const SAMPLE_BASE: &[(&str, &str)] = sample_base![
    "catalog/kb.toml",
    "catalog/collections/devices.toml",
    "catalog/datasets/tiny-pictures.toml",
    "catalog/evidence.toml",
    "catalog/hardware-metrics.toml",
    "catalog/devices/core.toml",
    "catalog/devices/core-9.toml",
    "catalog/devices/nova-100.toml",
    "catalog/devices/nova-100-16gb.toml",
    "catalog/devices/nova-100-32gb.toml",
    "catalog/devices/nova-90-laptop.toml",
    "catalog/devices/nova-90.toml",
    "catalog/frameworks/firelight.toml",
    "catalog/networks/deepnet.toml",
    "catalog/networks/deepnet-101.toml",
    "catalog/networks/deepnet-18.toml",
    "catalog/networks/deepnet-34.toml",
    "catalog/networks/deepnet-50.toml",
    "catalog/networks/deepnet-gate.toml",
    "catalog/networks/deeptext.toml",
    "catalog/recipes/imagined-2018.toml",
    "catalog/sources/imagined-2018.toml",
    "measurements/imagined-2018/epochs.toml",
    "measurements/imagined-2018/inference.toml",
    "measurements/imagined-2018/many.toml",
    "measurements/imagined-2018/matrix.toml",
    "measurements/imagined-2018/repeats.toml",
    "measurements/imagined-2018/serving.toml",
    "measurements/imagined-2018/training.toml",
];

/// A file of the sample base that passes a rule, and the edit with which it fails.
#[derive(Debug)]
pub struct Sample {
    path: &'static str,
    edit: Edit,
}

#[derive(Debug)]
enum Edit {
    /// Replaces the first place of a text by another.
    Text { right: &'static str, wrong: &'static str },
    /// Renames the file.
    Path(&'static str),
}

impl Sample {
    /// A file of the sample base in which a text is replaced by a wrong one.
    pub(in crate::contribute) const fn edited(path: &'static str, right: &'static str, wrong: &'static str) -> Self {
        Self { path, edit: Edit::Text { right, wrong } }
    }

    /// A file of the sample base under a wrong path.
    pub(in crate::contribute) const fn renamed(path: &'static str, wrong: &'static str) -> Self {
        Self { path, edit: Edit::Path(wrong) }
    }

    /// The file as it should be.
    pub fn passing(&self) -> SampleFile {
        let text = SAMPLE_BASE.iter().find(|(path, _)| *path == self.path).map_or("", |(_, text)| text);
        (self.path, text.to_owned())
    }

    /// The file with the mistake.
    pub fn failing(&self) -> SampleFile {
        let (path, text) = self.passing();
        match self.edit {
            Edit::Text { right, wrong } => (path, text.replacen(right, wrong, 1)),
            Edit::Path(wrong) => (wrong, text),
        }
    }
}

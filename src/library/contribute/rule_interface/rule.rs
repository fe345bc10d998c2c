//! A rule as data: its code, page, check function, and sample (a file of a small knowledge base and the one edit that breaks it).

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
    /// The rule's code, which never changes and is never reused.
    pub code: Code,
    /// What it finds, as a noun phrase.
    pub title: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// Why it matters and what to do, in short paragraphs.
    pub page: &'static str,
    /// A file that passes, and the edit that makes it fail.
    pub sample: Sample,
    /// What the rule examines, and the function that examines it.
    pub(in crate::contribute) check: Check,
}

impl Rule {
    /// Whether findings may be excepted with a reason; a file that cannot be read may not.
    pub fn can_be_excepted(&self) -> bool {
        !matches!(self.check, Check::Reading | Check::Exceptions | Check::Recipe(_))
    }
}

/// What a rule examines, and the function that examines it.
#[derive(Debug)]
pub(in crate::contribute) enum Check {
    /// Checked while files are read.
    Reading,
    /// Checked while exceptions are applied.
    Exceptions,
    /// The text of one file.
    File(fn(&KbFile, &Arc<SourceFile>, &mut Findings)),
    /// The text of one import recipe.
    Recipe(fn(&Arc<SourceFile>, &mut Findings)),
    /// The whole catalog.
    Catalog(fn(&LintContext<'_>, &mut Findings)),
    /// The statuses of cited URLs, if they were requested.
    Online(fn(&LintContext<'_>, &mut Findings)),
    /// Contradictions between rows of different sources, if they were computed.
    Evidence(fn(&LintContext<'_>, &mut Findings)),
    /// A single measurement.
    Row(fn(&LintContext<'_>, &IndexedRow<'_>, &mut Findings)),
    /// A single measurement that is neither disputed nor retracted: a known mistake need not be reported.
    Claim(fn(&LintContext<'_>, &IndexedRow<'_>, &mut Findings)),
    /// All measurements, compared with each other.
    Rows(fn(&LintContext<'_>, &mut Findings)),
    /// A knowledge base that is loaded completely.
    Whole(fn(&LintContext<'_>, &mut Findings)),
}

/// A sample file: its path in the knowledge base, and its text.
pub type SampleFile = (&'static str, String);

/// The knowledge base for the samples; no rule has findings in it.
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

/// A file of the sample base that passes a rule, and the edit that makes it fail.
#[derive(Debug)]
pub struct Sample {
    path: &'static str,
    edit: Edit,
}

#[derive(Debug)]
enum Edit {
    /// Replaces the first occurrence of a text.
    Text { right: &'static str, wrong: &'static str },
    /// Renames the file.
    Path(&'static str),
}

impl Sample {
    /// A sample that replaces a text of the file by a wrong one.
    pub(in crate::contribute) const fn edited(path: &'static str, right: &'static str, wrong: &'static str) -> Self {
        Self { path, edit: Edit::Text { right, wrong } }
    }

    /// A sample that moves the file to a wrong path.
    pub(in crate::contribute) const fn renamed(path: &'static str, wrong: &'static str) -> Self {
        Self { path, edit: Edit::Path(wrong) }
    }

    /// The correct file.
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

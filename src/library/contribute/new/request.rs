//! The request for a new entry, and the interview that asks for missing facts.

use std::path::PathBuf;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::draft::{Draft, NewError};
use crate::reading::{WrittenRow, kind_of, with_run};
use crate::values::{Date, EntityId, EntityKind};

/// What the contributor states about the new entry; an [`Interview`](super::Interview) asks for the rest.
#[derive(Debug, Clone)]
pub struct NewRequest {
    /// The kind of entry.
    pub kind: NewKind,
    /// Its name; for a measurement, the name of the batch.
    pub name: String,
    /// Its id; `None` derives it from the name.
    pub id: Option<EntityId>,
    /// Facts as `key=value`.
    pub facts: Vec<String>,
    /// The catalog source of the facts or numbers.
    pub source: Option<EntityId>,
    /// URL of the page that the facts are from.
    pub url: Option<String>,
    /// Title of that page.
    pub title: Option<String>,
    /// The date on which that page was read.
    pub today: Option<Date>,
}

/// A file to be written.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// Its path, relative to the knowledge base.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The row of a measurement, which is appended to the text that the file has when it is written.
    pub(super) row: Option<WrittenRow>,
}

impl NewFile {
    /// The text to write if the file holds `now`; `None` if the file already exists and takes no further row.
    pub fn text_after(&self, now: Option<&str>) -> Option<String> {
        match (&self.row, now) {
            (Some(row), now) => Some(with_run(now.unwrap_or_default(), row, &kind_of(&self.path))),
            (None, None) => Some(self.text.clone()),
            (None, Some(_)) => None,
        }
    }
}

impl NewRequest {
    /// The facts, split into key and value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Result<(&str, &str), NewError>> {
        self.facts.iter().map(|pair| match pair.split_once('=') {
            Some((key, value)) if !value.trim().is_empty() => Ok((key, value)),
            _ => Err(NewError::request(format!("--set {pair} states nothing"), "write --set key=value")),
        })
    }

    /// The facts as a draft.
    pub(super) fn draft(&self) -> Result<Draft, NewError> {
        let mut draft = Draft::default();
        for pair in self.pairs() {
            let (key, value) = pair?;
            draft.state(self.kind.entity(), key, value)?;
        }
        Ok(draft)
    }
}

/// The kind of a new entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum NewKind {
    /// A framework of the catalog.
    Framework,
    /// A device of the catalog.
    Device,
    /// A network of the catalog.
    Network,
    /// A data set of the catalog.
    Dataset,
    /// A source of the catalog.
    Source,
    /// A measurement, appended to its batch.
    Measurement,
    /// A suite of the catalog.
    Suite,
}

impl NewKind {
    /// The kind of entity; `None` for a measurement and a suite.
    pub fn entity(self) -> Option<EntityKind> {
        match self {
            Self::Framework => Some(EntityKind::Framework),
            Self::Device => Some(EntityKind::Device),
            Self::Network => Some(EntityKind::Network),
            Self::Dataset => Some(EntityKind::Dataset),
            Self::Source => Some(EntityKind::Source),
            Self::Measurement | Self::Suite => None,
        }
    }
}

/// Asks for facts that the request does not state.
pub trait Interview {
    /// The answer to one question; `None` when it is left open or there is nobody to ask.
    ///
    /// # Errors
    ///
    /// When the answers end or cannot be read.
    fn ask(&mut self, key: &str, example: &str) -> Result<Option<String>, NewError>;

    /// Tells why the last answer is invalid; the question is asked again.
    fn refuse(&mut self, why: &str);

    /// Tells something that may matter for the answers.
    fn tell(&mut self, remark: &str);
}

/// An interview that asks nobody: every fact that is not stated stays open.
#[derive(Debug, Clone, Copy)]
pub struct NoInterview;

impl Interview for NoInterview {
    fn ask(&mut self, _: &str, _: &str) -> Result<Option<String>, NewError> {
        Ok(None)
    }

    fn refuse(&mut self, _: &str) {}

    fn tell(&mut self, _: &str) {}
}

/// Asks until an answer is accepted or empty; `accept` returns the reason for a refusal.
///
/// # Errors
///
/// When the answers end or cannot be read.
pub(super) fn ask_for(
    interview: &mut dyn Interview,
    key: &str,
    example: &str,
    mut accept: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), NewError> {
    while let Some(answer) = interview.ask(key, example)? {
        match accept(&answer) {
            Ok(()) => break,
            Err(why) => interview.refuse(&why),
        }
    }
    Ok(())
}

impl NewKind {
    /// The hint for the question about the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measurement => "of the batch, one file of the source: inference-v100",
            Self::Source => "the title of the paper or page",
            _ => "as its makers write it",
        }
    }

    /// The keys to ask for, each with an example.
    pub fn questions(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Framework => &[
                ("license", "SPDX, such as Apache-2.0"),
                ("status", "mature, developing or inactive"),
                ("core-languages", "C++, Python"),
                ("api-languages", "Python, C++"),
                ("hardware", "cpu, gpu, fpga, asic, tpu, mobile"),
                ("multi-server", "true or false"),
                ("repository", "https://…"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Device => &[
                ("variant-of", "the id of its family, if it has one"),
                ("class", "gpu, fpga, asic or cpu"),
                ("vendor", "NVIDIA"),
                ("architecture", "Volta"),
                ("memory-gib", "16"),
                ("bandwidth-gb-per-s", "900"),
                ("tdp-w", "250"),
                ("release-date", "2017-06-21, or 2017-06 or 2017"),
                ("peak-tflops.fp32", "dense, TFLOP/s: 15.67"),
                ("peak-tflops.fp16-tensor", "dense, TFLOP/s: 125.0"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Network => &[
                ("family", "the id of its family, if it has one"),
                ("task", "image-classification"),
                ("input-shape", "one sample, channels first: 3x224x224"),
                ("parameters-m", "millions: 25.6"),
                ("active-parameters-m", "millions that one token passes, of a mixture of experts"),
                ("multiply-adds-g", "10^9, one sample, forward: 4.1"),
                ("paper", "https://…"),
                ("year", "2015"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Dataset => &[
                ("task", "image-classification"),
                ("classes", "1000"),
                ("train-size", "1281167"),
                ("test-size", "50000"),
                ("homepage", "https://…"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Source => &[
                ("authors", "Family, Given; several with a semicolon between them"),
                ("type", "BibTeX type: article, inproceedings, misc, online"),
                ("year", "2024"),
                ("url", "https://…"),
                ("license", "MIT"),
                ("method.timed", "what was timed: one forward pass"),
            ],
            Self::Suite => &[
                ("networks", "ResNet-50, VGG-16"),
                ("stages", "eval, train, forward, backward, prefill, decode"),
                ("precisions", "fp32, amp-fp16"),
                ("batch-sizes", "1, 16, 64"),
            ],
            Self::Measurement => &[
                ("framework", "PyTorch 2.4.0"),
                ("framework-version", "2.4.0"),
                ("device", "as the source spells it: V100 16GB"),
                ("network", "ResNet-50"),
                ("stage", "eval, train, forward, backward, prefill or decode"),
                ("precision", "fp32, amp-fp16 …"),
                ("batch-size", "per device: 16"),
                ("counts", "image, sample, token, sequence, query, frame or inference"),
                ("statistic", "mean, median, min, max, p90 …"),
                ("latency-ms", "for one batch, in milliseconds"),
                ("throughput-per-s", "items a second"),
            ],
        }
    }
}

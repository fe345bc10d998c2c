//! What a measurement states by the criteria of a comparison.

use std::borrow::Cow;

use super::criterion::{Criterion, is_of_layers};
use crate::model::{Field, Measurement};
use crate::values::{HardwareClass, Statistic};

/// What the catalog says of the entities that a measurement names, as far as comparisons need it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// Class of the device.
    pub class: Option<HardwareClass>,
    /// Whether the device is a family whose SKUs are known.
    pub is_family: bool,
    /// The families of the device.
    pub families: Vec<String>,
    /// Task of the network.
    pub task: Option<String>,
    /// What the source says it timed.
    pub timed: Option<String>,
}

/// A measurement in a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Comparand<'m> {
    /// The measurement.
    pub measurement: &'m Measurement,
    /// What the catalog says of it.
    pub facts: &'m Facts,
}

impl<'m> Comparand<'m> {
    /// The text of a field.
    pub fn text(&self, field: Field) -> Option<&'m str> {
        self.measurement.text(field)
    }

    pub(super) fn is_of_layers(&self) -> bool {
        self.facts.task.as_deref().is_some_and(is_of_layers)
    }

    /// What the measurement states, as it is shown; `None` when it is not known.
    pub fn shown(&self, criterion: Criterion) -> Option<Cow<'m, str>> {
        match criterion {
            Criterion::Source => Some(Cow::Borrowed(self.measurement.source().as_str())),
            Criterion::Division => self.division().map(Cow::Borrowed),
            Criterion::Class => self.facts.class.map(|class| Cow::Borrowed(class.into())),
            Criterion::Field(Field::AccuracyTarget) => self.accuracy_target(),
            Criterion::Field(Field::BatchSize) => self.batch(),
            // In front of a layer's size stand names of sheets and applications.
            Criterion::Field(Field::Label) if self.is_of_layers() => {
                let label = self.text(Field::Label)?;
                Some(Cow::Borrowed(label.rsplit_once("; ").map_or(label, |(_, size)| size)))
            }
            Criterion::Field(Field::Timed) => {
                self.text(Field::Timed).or(self.facts.timed.as_deref()).map(Cow::Borrowed)
            }
            Criterion::Field(field) => match self.text(field) {
                Some(text) => Some(Cow::Borrowed(text)),
                None => match self.measurement.get(field) {
                    Some(value) => Some(Cow::Owned(value.to_string())),
                    None => field.unstated().map(Cow::Borrowed),
                },
            },
        }
    }

    /// What the measurement states, as it is compared: mean, median and a single figure are all of the middle, and so is
    /// a figure that nobody calls a percentile or an extreme.
    pub fn compared(&self, criterion: Criterion) -> Option<Cow<'m, str>> {
        match criterion {
            Criterion::Field(Field::Statistic) => {
                let statistic = self.text(Field::Statistic).and_then(|text| text.parse::<Statistic>().ok());
                Some(match statistic {
                    None | Some(Statistic::Mean | Statistic::Median | Statistic::Single) => Cow::Borrowed("middle"),
                    Some(other) => Cow::Borrowed(other.into()),
                })
            }
            other => self.shown(other),
        }
    }

    /// MLPerf's division, which its results name first.
    fn division(&self) -> Option<&'m str> {
        let label = self.text(Field::Label)?;
        let (first, _) = label.split_once(';')?;
        matches!(first, "open" | "closed").then_some(first)
    }

    /// The accuracy that is demanded: as stated, else as MLPerf's closed division names it behind the network, in percent
    /// of the reference (`bert-99.9`).
    fn accuracy_target(&self) -> Option<Cow<'m, str>> {
        if let Some(target) = self.measurement.get(Field::AccuracyTarget) {
            return Some(Cow::Owned(target.to_string()));
        }
        if self.division() != Some("closed") {
            return None;
        }
        let (_, target) = self.text(Field::NetworkRaw)?.rsplit_once('-')?;
        matches!(target, "99" | "99.9").then(|| Cow::Owned(format!("{target} % of the reference")))
    }

    /// The batch of one device: as stated, else its share of the batch of all.
    fn batch(&self) -> Option<Cow<'m, str>> {
        if let Some(batch) = self.measurement.count(Field::BatchSize) {
            return Some(Cow::Owned(batch.to_string()));
        }
        let global = self.measurement.count(Field::BatchSizeGlobal)?;
        Some(Cow::Owned(match self.measurement.count(Field::DeviceCount) {
            Some(devices) if devices > 0 && global % devices == 0 => (global / devices).to_string(),
            _ => format!("{global} on all devices"),
        }))
    }
}

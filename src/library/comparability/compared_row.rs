//! A measurement in a comparison: what it states by each criterion.

use std::borrow::Cow;

use super::criterion::Criterion;
use super::entity_facts::ComparisonFacts;
use crate::model::{Field, Measurement};
use crate::values::Decimal;

/// A measurement in a comparison.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRow<'m> {
    /// The measurement.
    pub measurement: &'m Measurement,
    /// What the catalog says of it.
    pub facts: &'m ComparisonFacts,
}

impl<'m> ComparedRow<'m> {
    /// The text of a field.
    pub fn text(&self, field: Field) -> Option<&'m str> {
        self.measurement.text(field)
    }

    /// What the measurement states, as it is shown; `None` when it is not known.
    pub fn shown(&self, criterion: Criterion) -> Option<Cow<'m, str>> {
        match criterion {
            Criterion::Source => Some(Cow::Borrowed(self.measurement.source().as_str())),
            Criterion::Class => self.facts.class.map(|class| Cow::Borrowed(class.into())),
            Criterion::Field(Field::AccuracyTarget) => self.accuracy_target(),
            Criterion::Field(Field::BatchSize) => self.batch(),
            Criterion::Field(Field::Label) if self.facts.is_of_layers() => {
                let label = self.text(Field::Label)?;
                Some(Cow::Borrowed(ComparisonFacts::size_of_layer(label)))
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
                let extreme = self.measurement.statistic().filter(|statistic| !statistic.is_middle());
                Some(Cow::Borrowed(extreme.map_or("middle", Into::into)))
            }
            other => self.shown(other),
        }
    }

    /// The accuracy that is demanded: as stated, else as a share of the reference's.
    fn accuracy_target(&self) -> Option<Cow<'m, str>> {
        if let Some(target) = self.measurement.get(Field::AccuracyTarget) {
            return Some(Cow::Owned(target.to_string()));
        }
        let share = self.measurement.number(Field::RelativeAccuracyTarget)?;
        Some(Cow::Owned(format!("{} % of the reference", Decimal::product(&share.to_string(), 100.0).ok()?)))
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

//! What is observed of two sides: an effect for each pair of rows or counted thing, and what it adds up to.

use std::collections::BTreeSet;

use super::interval::{Effects, Factor};
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::model::{Aspect, Field};

/// One effect: above 0 where the subject is better.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    /// The unit that stands or falls with it: a network, as a rule.
    pub unit: String,
    /// A logarithm of a ratio, or a difference.
    pub effect: f64,
    /// The subject's value and the baseline's.
    pub values: Option<(f64, f64)>,
    /// Who says so of the subject.
    pub subject: Vec<Witness>,
    /// Who says so of the baseline.
    pub baseline: Vec<Witness>,
}

/// What stands behind a side of an observation.
#[derive(Debug, Clone)]
pub(super) enum Witness {
    /// A row.
    Row(u64, PartNumbers),
    /// The facts of a framework.
    Framework(String),
}

/// In which scale effects are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Logarithms of ratios.
    Ratio,
    /// Differences of years.
    Years,
    /// Differences of shares.
    Share,
}

impl Scale {
    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Years => "years",
            Self::Share => "share",
        }
    }

    /// An effect as it is told.
    pub fn told(self, effect: f64) -> f64 {
        match self {
            Self::Ratio => effect.exp(),
            Self::Years | Self::Share => effect,
        }
    }

    /// What is told, as an effect.
    pub fn effect(self, told: f64) -> f64 {
        match self {
            Self::Ratio => told.ln(),
            Self::Years | Self::Share => told,
        }
    }
}

/// The effects of observations, each of its unit, and of the device of either side where these are a sample of what the side is.
pub(super) fn effects(observations: &[Observation], values: &SharedValues, sampled: [bool; 2]) -> Effects {
    let device = |witnesses: &[Witness]| {
        let row = witnesses.iter().find_map(|witness| match witness {
            Witness::Row(_, parts) => Some(parts),
            Witness::Framework(_) => None,
        });
        row.map_or(0, |parts| values.number(Aspect::Field(Field::Device), parts))
    };
    let [own, other] = sampled;
    Effects::new(
        observations.iter().map(|observation| observation.effect).collect(),
        Factor::of(observations.iter().map(|observation| &observation.unit)),
        [
            own.then(|| Factor::of(observations.iter().map(|observation| device(&observation.subject)))),
            other.then(|| Factor::of(observations.iter().map(|observation| device(&observation.baseline)))),
        ],
    )
}

/// The rows of both sides in turn, of pairs that are spread over all; each pair once.
pub(super) fn rows(observations: &[&Observation]) -> Vec<u64> {
    let first = |witnesses: &[Witness]| {
        witnesses.iter().find_map(|witness| match witness {
            Witness::Row(row, _) => Some(*row),
            Witness::Framework(_) => None,
        })
    };
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for observation in observations {
        let pair = (first(&observation.subject), first(&observation.baseline));
        if seen.insert(pair) {
            rows.extend([pair.0, pair.1].into_iter().flatten());
        }
    }
    rows
}

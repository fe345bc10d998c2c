//! What is observed of two sides: an effect for each pair of rows or counted thing, and what it adds up to.

use std::collections::{BTreeMap, BTreeSet};

use super::interval::Interval;
use crate::ask::hits::PartNumbers;

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

/// The mean effect of each unit, in the order of the units' names.
pub(super) fn by_unit(observations: &[Observation]) -> BTreeMap<&str, f64> {
    let mut units: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for observation in observations {
        let (sum, n) = units.entry(&observation.unit).or_default();
        *sum += observation.effect;
        *n += 1;
    }
    units.into_iter().map(|(unit, (sum, n))| (unit, sum / n as f64)).collect()
}

/// The mean over units and its interval.
pub(super) fn interval(observations: &[Observation]) -> Option<Interval> {
    Interval::of(&by_unit(observations).into_values().collect::<Vec<_>>())
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

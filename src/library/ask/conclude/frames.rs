//! Frames: sets of rows that may be ranked, because they are alike in everything that decides comparability but in what is
//! ranked.

use std::collections::{BTreeMap, HashMap};

use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::model::{Aspect, Direction, Fact, Field, Metric};

/// The runs of all candidates under one frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// What was measured.
    pub metric: Metric,
    /// Each candidate by the numbers of what it is, and its runs.
    pub candidates: Vec<Candidate>,
    /// How many rows there are.
    pub rows: usize,
    /// Of one row.
    pub parts: PartNumbers,
    /// Whether its values are percentiles or extremes.
    pub is_extreme: bool,
}

/// A candidate with its runs.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The values and hits, from the lowest value to the highest.
    pub runs: Vec<(f64, usize)>,
}

impl Candidate {
    /// The median.
    pub fn median(&self) -> f64 {
        let last = self.runs.len().saturating_sub(1);
        let value = |at: usize| self.runs.get(at).map_or(f64::NAN, |(value, _)| *value);
        (value(last / 2) + value(self.runs.len() / 2)) / 2.0
    }

    /// The hit in the middle.
    pub fn middle(&self) -> usize {
        self.runs.get(self.runs.len().saturating_sub(1) / 2).map_or(0, |(_, hit)| *hit)
    }

    /// The lowest and the highest value, where there are several.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self.runs.as_slice() {
            [(low, _), .., (high, _)] => Some((*low, *high)),
            _ => None,
        }
    }
}

/// What a ranking has a line for: the aspects that make up its identity, and the fields that vary with it.
#[derive(Debug, Clone)]
pub(super) struct CandidateKind {
    /// What tells one candidate from another.
    pub identity: Vec<Aspect>,
    /// What may differ between candidates.
    pub varied: Vec<Field>,
}

impl CandidateKind {
    /// The candidates of an aspect.
    pub fn of(aspect: Aspect) -> Self {
        let varied = match aspect {
            // A network comes with the input that it was made for.
            Aspect::Field(Field::Network) => vec![Field::Network, Field::InputShape, Field::SequenceLength],
            Aspect::Field(Field::Instance) => vec![Field::Instance, Field::Device, Field::DeviceCount],
            Aspect::Field(field) => vec![field],
            Aspect::Fact(fact) => fact.naming_fields().take(1).collect(),
            _ => Vec::new(),
        };
        let identity = match aspect {
            Aspect::Field(Field::Framework) => vec![aspect, Aspect::Field(Field::Backend)],
            _ => vec![aspect],
        };
        Self { identity, varied }
    }

    /// Whether devices are ranked, of which classes are never ranked together.
    fn is_of_devices(&self) -> bool {
        self.varied.contains(&Field::Device)
    }
}

/// All frames for the values of a metric: those with the most candidates first, of equal ones those with the most rows;
/// percentiles come last.
pub(super) fn frames(
    values: &SharedValues,
    hits: &HitColumns,
    metric: Metric,
    kind: &CandidateKind,
    is_ranked: impl Fn(usize, &PartNumbers) -> bool,
) -> Vec<Frame> {
    if metric.direction() == Direction::Neutral {
        return Vec::new();
    }
    let keys = ComparisonKeys::new(values, metric, &kind.varied);
    let class = Aspect::Fact(Fact::Class);
    let mut groups: HashMap<(ComparisonKey, u32), BTreeMap<Vec<u32>, Vec<(f64, usize)>>> = HashMap::new();
    for (hit, &value) in hits.values(metric).iter().enumerate() {
        let parts = hits.parts(hit);
        let counts = value.is_finite() && values.stands(&parts) && is_ranked(hit, &parts);
        let Some(key) = counts.then(|| keys.key(values, &parts)).flatten() else { continue };
        let candidate: Vec<u32> = kind.identity.iter().map(|aspect| values.number(*aspect, &parts)).collect();
        // Who is not named is no candidate.
        if candidate.first().is_none_or(|number| *number == 0) {
            continue;
        }
        let class = if kind.is_of_devices() { values.number(class, &parts) } else { 0 };
        groups.entry((key, class)).or_default().entry(candidate).or_default().push((value, hit));
    }
    let mut frames: Vec<(ComparisonKey, Frame)> = groups
        .into_iter()
        .map(|((key, _), group)| {
            let candidates: Vec<Candidate> = group
                .into_values()
                .map(|mut runs| {
                    runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    Candidate { runs }
                })
                .collect();
            let rows = candidates.iter().map(|candidate| candidate.runs.len()).sum();
            let parts = candidates.first().map(|first| hits.parts(first.middle())).unwrap_or_default();
            let is_extreme = super::matched_pairs::is_extreme(values, &parts);
            (key, Frame { metric, candidates, rows, parts, is_extreme })
        })
        .collect();
    let size = |frame: &Frame| std::cmp::Reverse((frame.candidates.len(), frame.rows));
    frames.sort_by(|(a_key, a), (b_key, b)| {
        a.is_extreme.cmp(&b.is_extreme).then(size(a).cmp(&size(b))).then(a_key.cmp(b_key))
    });
    frames.into_iter().map(|(_, frame)| frame).collect()
}

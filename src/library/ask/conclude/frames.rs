//! Frames: sets of rows that may be ranked, because they are alike in everything that decides comparability but in what is
//! ranked.

use std::collections::{BTreeMap, HashMap};

use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::model::{Aspect, Direction, Fact, Field, Measure};

/// The runs of all candidates under one frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// What was measured.
    pub measure: Measure,
    /// Each candidate by the numbers of what it is, and its runs.
    pub candidates: Vec<Candidate>,
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

    /// The best value, by the measure's direction.
    fn best(&self, direction: Direction) -> f64 {
        let end = if direction == Direction::Lower { self.runs.first() } else { self.runs.last() };
        end.map_or(f64::NAN, |(value, _)| *value)
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

/// The values and hits of candidates, by the numbers of what they are.
type RunsOfCandidates = BTreeMap<Vec<u32>, Vec<(f64, usize)>>;

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

/// All frames for the values of a measure, hit by hit: those with the most candidates first, of equal ones those with the best value;
/// percentiles come last.
pub(super) fn frames(
    (values, layers): (&SharedValues, &LayerSizes),
    hits: &HitColumns,
    (measure, measured): (Measure, &[f64]),
    kind: &CandidateKind,
    is_ranked: impl Fn(&PartNumbers) -> bool,
) -> Vec<Frame> {
    if measure.direction() == Direction::Neutral || measured.iter().all(|value| value.is_nan()) {
        return Vec::new();
    }
    let keys = ComparisonKeys::new(values, measure.basis(), &kind.varied);
    let class = Aspect::Fact(Fact::Class);
    let mut groups: HashMap<(ComparisonKey, u32), RunsOfCandidates> = HashMap::new();
    for (hit, &value) in measured.iter().enumerate() {
        let parts = hits.parts(hit);
        let counts = value.is_finite() && values.stands(&parts) && is_ranked(&parts);
        let Some(key) = counts.then(|| keys.key(values, &parts, layers.number(hits.row(hit)))).flatten() else {
            continue;
        };
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
            let parts = candidates.first().map(|first| hits.parts(first.middle())).unwrap_or_default();
            let is_extreme = super::matched_pairs::is_extreme(values, &parts);
            (key, Frame { measure, candidates, parts, is_extreme })
        })
        .collect();
    let direction = measure.direction();
    let best = |frame: &Frame| {
        let all = frame.candidates.iter().map(|candidate| candidate.best(direction));
        if direction == Direction::Lower { all.fold(f64::INFINITY, f64::min) } else { -all.fold(0.0, f64::max) }
    };
    let size = |frame: &Frame| std::cmp::Reverse(frame.candidates.len());
    frames.sort_by(|(a_key, a), (b_key, b)| {
        let by_size = a.is_extreme.cmp(&b.is_extreme).then(size(a).cmp(&size(b)));
        by_size.then(best(a).total_cmp(&best(b))).then(a_key.cmp(b_key))
    });
    frames.into_iter().map(|(_, frame)| frame).collect()
}

//! Frames: sets of rows that may be ranked, because they are alike in everything that decides comparability but in what is
//! ranked, or because they all did the same task, each in the setting that its source chose.

use std::hash::Hash;
use std::ops::{Deref, Range};
use std::rc::Rc;

use super::share_keys::{ShareKey, ShareKeys};
use crate::ask::hits::{ComparisonKeys, HitColumns, LayerSizes, NumberMap, PartNumbers, SharedValues};
use crate::comparability::ComparisonFacts;
use crate::model::{Aspect, Direction, Fact, Field, Measure, Metric, Part};
use crate::stores::database::AspectColumn;

/// What the rows of a frame have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything that decides comparability but the candidate.
    Alike,
    /// The task: network, stage, scenario, target. The setting belongs to the candidate, whose best run counts.
    Task,
}

/// The runs of all candidates under one frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// What was measured.
    pub measure: Measure,
    /// What its rows have in common.
    pub scope: Scope,
    /// Each candidate with its runs.
    pub candidates: Vec<Candidate>,
    /// Of one row.
    pub parts: PartNumbers,
    /// Whether its values are percentiles or extremes.
    pub is_extreme: bool,
}

/// A value and its hit.
pub(super) type RankedRun = (f64, usize);

/// Some of the runs of all frames, which stand in one row: of many thousand candidates most have a single one.
#[derive(Debug, Clone)]
pub(super) struct Runs {
    all: Rc<[RankedRun]>,
    own: Range<usize>,
}

impl Deref for Runs {
    type Target = [RankedRun];

    fn deref(&self) -> &[RankedRun] {
        self.all.get(self.own.clone()).unwrap_or_default()
    }
}

impl FromIterator<RankedRun> for Runs {
    fn from_iter<I: IntoIterator<Item = RankedRun>>(runs: I) -> Self {
        let all: Rc<[RankedRun]> = runs.into_iter().collect();
        Self { own: 0..all.len(), all }
    }
}

/// A candidate with its runs.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The values and hits, from the lowest value to the highest.
    pub runs: Runs,
}

impl Candidate {
    /// What it is ranked by: the median of runs that are alike, else the best.
    pub fn value(&self, frame: &Frame) -> f64 {
        match frame.scope {
            Scope::Alike => self.median(),
            Scope::Task => self.best(frame.measure.direction()),
        }
    }

    fn median(&self) -> f64 {
        let last = self.runs.len().saturating_sub(1);
        let value = |at: usize| self.runs.get(at).map_or(f64::NAN, |(value, _)| *value);
        (value(last / 2) + value(self.runs.len() / 2)) / 2.0
    }

    /// The best value, by the measure's direction.
    fn best(&self, direction: Direction) -> f64 {
        let end = if direction == Direction::Lower { self.runs.first() } else { self.runs.last() };
        end.map_or(f64::NAN, |(value, _)| *value)
    }

    /// The hit that stands for it: the one in the middle, or the best.
    pub fn hit(&self, frame: &Frame) -> usize {
        let run = match (frame.scope, frame.measure.direction()) {
            (Scope::Alike, _) => self.runs.get(self.runs.len().saturating_sub(1) / 2),
            (Scope::Task, Direction::Lower) => self.runs.first(),
            (Scope::Task, _) => self.runs.last(),
        };
        run.map_or(0, |(_, hit)| *hit)
    }

    /// The lowest and the highest value, where there are several.
    pub fn range(&self) -> Option<(f64, f64)> {
        match &*self.runs {
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
    /// Whether the candidates are settings of one task: who names a device and a network asks for the figures themselves.
    pub are_settings: bool,
}

/// What makes up a setting, in the order in which it is told.
const OF_SETTING: &[Field] = &[
    Field::DeviceCount,
    Field::Device,
    Field::Instance,
    Field::Framework,
    Field::FrameworkVersion,
    Field::Backend,
    Field::Precision,
    Field::Quantization,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::Threads,
    Field::Mode,
    Field::Layout,
];

impl CandidateKind {
    /// The settings in which rows differ, as far as they do.
    pub fn of_settings(values: &SharedValues, hits: &HitColumns, one_device: bool) -> Self {
        let differs = |field: &Field| {
            let number = |hit: usize| values.number(Aspect::Field(*field), &hits.parts(hit));
            (1..hits.len()).any(|hit| number(hit) != number(0))
        };
        let free = |field: &&Field| !(one_device && **field == Field::DeviceCount);
        let varied: Vec<Field> = OF_SETTING.iter().filter(free).copied().filter(differs).collect();
        Self { identity: varied.iter().map(|field| Aspect::Field(*field)).collect(), varied, are_settings: true }
    }

    /// The candidates of an aspect.
    pub fn of(aspect: Aspect) -> Self {
        let varied = match aspect {
            // A network comes with the input that it was made for.
            Aspect::Field(Field::Network) => vec![Field::Network, Field::InputShape, Field::SequenceLength],
            Aspect::Field(Field::Instance) => vec![Field::Instance, Field::Device, Field::DeviceCount],
            Aspect::Field(Field::DeviceCount) => vec![Field::DeviceCount, Field::BatchSizeGlobal],
            Aspect::Field(field) => vec![field],
            Aspect::Fact(fact) => fact.naming_fields().take(1).collect(),
            _ => Vec::new(),
        };
        let identity = match aspect {
            Aspect::Field(Field::Framework) => vec![aspect, Aspect::Field(Field::Backend)],
            _ => vec![aspect],
        };
        Self { identity, varied, are_settings: false }
    }

    /// Whole systems: so many devices together, where a task has a target with the network and framework that reached it.
    pub fn of_systems(reaches_target: bool) -> Self {
        let mut fields = vec![Field::Device, Field::DeviceCount, Field::Instance];
        if reaches_target {
            fields.extend([Field::Network, Field::Framework]);
        }
        let identity = fields.iter().map(|field| Aspect::Field(*field)).collect();
        Self { identity, varied: fields, are_settings: false }
    }

    /// Whether devices are ranked, of which classes are never ranked together.
    fn is_of_devices(&self) -> bool {
        self.identity == [Aspect::Field(Field::Device)]
    }

    /// Whether whole systems are ranked.
    pub fn is_of_systems(&self) -> bool {
        !self.are_settings && self.varied.contains(&Field::Device) && self.varied.contains(&Field::DeviceCount)
    }

    /// What belongs to the task rather than to the candidate's setting; `None` where candidates have none of their own.
    pub fn task(&self, measure: Measure) -> Option<Vec<Field>> {
        let held: &[Field] = match self.varied.first() {
            _ if self.are_settings => &[],
            Some(Field::Device | Field::Instance) => &[],
            Some(Field::DeviceCount) => &[Field::Device],
            Some(Field::Framework) => &[Field::Device, Field::DeviceCount, Field::Precision],
            Some(Field::Network) => &[Field::Device, Field::DeviceCount, Field::Precision, Field::Framework],
            _ => return None,
        };
        let task: &[Field] = match measure.basis() {
            // Whoever names the network and the devices asks for that network's time alone.
            basis
                if reaches_target(basis) && (self.are_settings || self.varied.first() == Some(&Field::DeviceCount)) =>
            {
                &[Field::Network, Field::Stage, Field::Dataset, Field::AccuracyTarget, Field::RelativeAccuracyTarget]
            }
            basis if reaches_target(basis) => {
                &[Field::Stage, Field::Scenario, Field::Dataset, Field::AccuracyTarget, Field::RelativeAccuracyTarget]
            }
            Metric::TotalS => &[Field::Network, Field::Stage, Field::Dataset, Field::Epochs, Field::AccuracyTarget],
            Metric::EpochS => &[Field::Network, Field::Stage, Field::Dataset],
            _ => &[
                Field::Network,
                Field::Stage,
                Field::Scenario,
                Field::Division,
                Field::Counts,
                Field::InputShape,
                Field::SequenceLength,
                Field::AccuracyTarget,
                Field::RelativeAccuracyTarget,
            ],
        };
        Some(task.iter().chain(held).copied().filter(|field| !self.varied.contains(field)).collect())
    }
}

/// Whether a metric is that of reaching a target, whatever the network that reaches it.
pub(super) fn reaches_target(metric: Metric) -> bool {
    matches!(metric, Metric::TimeToAccuracyS | Metric::CostUsd)
}

/// The rows of which frames are made.
pub(super) struct RankedRows<'r> {
    pub values: &'r SharedValues,
    pub layers: &'r LayerSizes,
    pub hits: &'r HitColumns,
}

impl RankedRows<'_> {
    /// All frames for the values of a measure, hit by hit: those with the most candidates first, of equal ones those with the
    /// best value; percentiles come last.
    pub fn frames(
        &self,
        (measure, measured): (Measure, &[f64]),
        kind: &CandidateKind,
        scope: Scope,
        is_ranked: impl Fn(&PartNumbers) -> bool,
    ) -> Vec<Frame> {
        if measure.direction() == Direction::Neutral || measured.iter().all(|value| value.is_nan()) {
            return Vec::new();
        }
        match scope {
            Scope::Alike => {
                let keys = ComparisonKeys::new(self.values, measure.basis(), &kind.varied);
                let key = |parts: &PartNumbers, row| keys.key(self.values, parts, self.layers.number(row));
                self.grouped((measure, measured), kind, scope, is_ranked, key)
            }
            Scope::Task => {
                let Some(fields) = kind.task(measure) else { return Vec::new() };
                let keys = ShareKeys::of(self.values, fields.into_iter().map(Aspect::Field));
                let is_layer = of_layers(self.values);
                let target = reaches_target(measure.basis());
                let network = self.values.column(Aspect::Field(Field::Network));
                let key = |parts: &PartNumbers, _| {
                    let workload = parts[Part::Workload as usize] as usize;
                    let layer = is_layer.get(workload).copied().unwrap_or_default();
                    let named = target || network.is_some_and(|column| column.number(workload as u32) > 0);
                    let extreme = self.values.is_extreme(parts);
                    (named && !layer).then(|| (keys.key(parts), extreme))
                };
                self.grouped((measure, measured), kind, scope, is_ranked, key)
            }
        }
    }

    fn grouped<K: Eq + Copy + Hash>(
        &self,
        (measure, measured): (Measure, &[f64]),
        kind: &CandidateKind,
        scope: Scope,
        is_ranked: impl Fn(&PartNumbers) -> bool,
        key_of: impl Fn(&PartNumbers, u64) -> Option<K>,
    ) -> Vec<Frame> {
        let identities = ShareKeys::of(self.values, kind.identity.iter().copied());
        let naming = self.naming_columns(kind);
        let class = self.values.column(Aspect::Fact(Fact::Class)).filter(|_| kind.is_of_devices());
        let mut ranked: Vec<(f64, usize)> = Vec::new();
        let (mut keys, mut candidates): (Vec<(K, u32)>, Vec<ShareKey>) = (Vec::new(), Vec::new());
        for (hit, &value) in measured.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let parts = self.hits.parts(hit);
            // Who is not named is no candidate.
            let names = |(part, column): &(Part, &AspectColumn)| column.number(parts[*part as usize]) > 0;
            let is_named = || kind.are_settings || naming.iter().any(names);
            if !self.values.stands(&parts) || !is_ranked(&parts) || !is_named() {
                continue;
            }
            let Some(key) = key_of(&parts, self.hits.row(hit)) else { continue };
            let class = class.map_or(0, |column| column.number(parts[Part::Setup as usize]));
            keys.push((key, class));
            candidates.push(identities.key(&parts));
            ranked.push((value, hit));
        }
        let (frames, candidates) = (numbered(&keys), numbered(&candidates));
        let (order, ends) = by_number(&frames);
        let (mut all, mut of_candidates) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        let mut begin = 0;
        for end in &ends {
            // The rows of a frame are few: each candidate's together, from the lowest value to the highest.
            let mut rows: Vec<usize> = order[begin..*end].to_vec();
            rows.sort_unstable_by(|a, b| {
                let ((a_value, a_hit), (b_value, b_hit)) = (ranked[*a], ranked[*b]);
                candidates[*a].cmp(&candidates[*b]).then_with(|| a_value.total_cmp(&b_value)).then(a_hit.cmp(&b_hit))
            });
            all.extend(rows.iter().map(|row| ranked[*row]));
            of_candidates.extend(rows.iter().map(|row| candidates[*row]));
            begin = *end;
        }
        // The order of a frame is made out once, not for each comparison.
        let direction = measure.direction();
        let best = |frame: &Frame| {
            let all = frame.candidates.iter().map(|candidate| candidate.best(direction));
            if direction == Direction::Lower { all.fold(f64::INFINITY, f64::min) } else { -all.fold(0.0, f64::max) }
        };
        let all: Rc<[RankedRun]> = all.into();
        let mut begin = 0;
        let mut frames: Vec<(f64, Frame)> = Vec::with_capacity(ends.len());
        for end in ends {
            let mut candidates = Vec::new();
            for runs in of_candidates[begin..end].chunk_by(|a, b| a == b) {
                let own = begin..begin + runs.len();
                begin = own.end;
                candidates.push(Candidate { runs: Runs { all: Rc::clone(&all), own } });
            }
            let frame = self.frame(measure, scope, candidates);
            frames.push((best(&frame), frame));
        }
        let size = |frame: &Frame| std::cmp::Reverse(frame.candidates.len());
        // Frames that are alike in both stay in the order of their first rows.
        frames.sort_by(|(a_best, a), (b_best, b)| {
            let by_size = a.is_extreme.cmp(&b.is_extreme).then(size(a).cmp(&size(b)));
            by_size.then(a_best.total_cmp(b_best))
        });
        frames.into_iter().map(|(_, frame)| frame).collect()
    }

    /// What says which candidate a row is, any of them: a system is known by its device or its instance.
    fn naming_columns(&self, kind: &CandidateKind) -> Vec<(Part, &AspectColumn)> {
        let instance = kind.is_of_systems().then_some(Aspect::Field(Field::Instance));
        let naming = kind.identity.first().copied().into_iter().chain(instance);
        naming.filter_map(|aspect| Some((aspect.part()?, self.values.column(aspect)?))).collect()
    }

    fn frame(&self, measure: Measure, scope: Scope, candidates: Vec<Candidate>) -> Frame {
        let first = candidates.first().and_then(|first| first.runs.get(first.runs.len().saturating_sub(1) / 2));
        let parts = first.map(|(_, hit)| self.hits.parts(*hit)).unwrap_or_default();
        let is_extreme = self.values.is_extreme(&parts);
        Frame { measure, scope, candidates, parts, is_extreme }
    }
}

/// The number of each key among the distinct ones, in the order of their first occurrence.
fn numbered<K: Eq + Copy + Hash>(keys: &[K]) -> Vec<u32> {
    let mut numbers: NumberMap<K, u32> = NumberMap::with_capacity_and_hasher(keys.len() / 2, Default::default());
    let number = |key: &K| {
        let next = numbers.len() as u32;
        *numbers.entry(*key).or_insert(next)
    };
    keys.iter().map(number).collect()
}

/// The places of equal numbers together, in the order of the numbers, and where those of each end.
fn by_number(numbers: &[u32]) -> (Vec<usize>, Vec<usize>) {
    let distinct = numbers.iter().max().map_or(0, |most| *most as usize + 1);
    let mut ends = vec![0; distinct];
    for number in numbers {
        ends[*number as usize] += 1;
    }
    let mut begins = Vec::with_capacity(distinct);
    let mut sum = 0;
    for end in &mut ends {
        begins.push(sum);
        sum += *end;
        *end = sum;
    }
    let mut order = vec![0; numbers.len()];
    for (place, number) in numbers.iter().enumerate() {
        let next = &mut begins[*number as usize];
        order[*next] = place;
        *next += 1;
    }
    (order, ends)
}

/// Which workloads are single layers, which are no task of anybody.
fn of_layers(values: &SharedValues) -> Vec<bool> {
    let Some(column) = values.column(Aspect::Fact(Fact::Task)) else { return Vec::new() };
    let of = |task: Option<&str>| ComparisonFacts { task: task.map(str::to_owned), ..ComparisonFacts::default() };
    column.shares().map(|task| of(task).is_of_layers()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_stand_together_in_the_order_of_their_first_occurrence() {
        let numbers = numbered(&["b", "a", "b", "c", "a"].map(|key| key.as_bytes()[0]));
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(by_number(&numbers), (vec![0, 2, 1, 4, 3], vec![2, 4, 5]));
        assert_eq!(by_number(&[]), (Vec::new(), Vec::new()));
    }
}

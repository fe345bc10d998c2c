//! From rows to frames: the rows that may be ranked together, each candidate's runs side by side.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use super::candidate_kind::{CandidateKind, reaches_target};
use super::frames::{Candidate, Frame, RankedRun, Scope};
use super::like_runs::best_of_like;
use crate::ask::conclude::basis::derived_values::derived_values;
use crate::ask::conclude::basis::numbered::{Numbered, grouped_by};
use crate::ask::conclude::basis::share_keys::ShareKeys;
use crate::ask::conclude::basis::stretch::Stretch;
use crate::ask::hits::{ComparisonKeys, HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::comparability::ComparisonFacts;
use crate::model::{Aspect, Derived, Direction, Fact, Field, Measure, Part};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;

/// The rows of which frames are made.
pub(super) struct RankedRows<'r> {
    pub values: &'r SharedValues,
    pub layers: &'r LayerSizes,
    pub hits: &'r HitColumns,
    /// What follows from them, hit by hit: computed once, whatever it is ranked as.
    derived: Mutex<BTreeMap<Derived, Arc<[f64]>>>,
}

impl<'r> RankedRows<'r> {
    /// Some rows.
    pub fn new(values: &'r SharedValues, layers: &'r LayerSizes, hits: &'r HitColumns) -> Self {
        Self { values, layers, hits, derived: Mutex::default() }
    }

    /// The values of a derived measure, hit by hit; NaN where too little is known.
    pub fn derived(&self, stores: &Stores, measure: Derived) -> Result<Arc<[f64]>, QueryError> {
        // A thread that panicked left whole columns behind, or none.
        let mut known = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&measure) {
            return Ok(Arc::clone(known));
        }
        let new: Arc<[f64]> = derived_values(stores, self.values, self.hits, measure)?.into();
        known.insert(measure, Arc::clone(&new));
        Ok(new)
    }

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
        let class = self.values.column(Aspect::Fact(Fact::Class)).filter(|_| kind.is_of_devices());
        let class = |parts: &PartNumbers| class.map_or(0, |column| column.number(parts[Part::Setup as usize]));
        match scope {
            Scope::Alike => {
                let keys = ComparisonKeys::new(self.values, measure.basis(), &kind.varied);
                let task = self.task_of_quality(measure);
                let key = |parts: &PartNumbers, row| {
                    let key = keys.key(self.values, parts, self.layers.number(row))?;
                    Some((key, task.map_or(0, |task| self.values.number(task, parts)), class(parts)))
                };
                self.grouped((measure, measured), kind, scope, is_ranked, key)
            }
            Scope::Task => {
                let Some(fields) = kind.task(measure) else { return Vec::new() };
                let task = self.task_of_quality(measure);
                let keys = ShareKeys::of(self.values, fields.into_iter().map(Aspect::Field).chain(task));
                let is_layer = of_layers(self.values);
                let target = reaches_target(measure.basis());
                let network = self.values.column(Aspect::Field(Field::Network));
                let key = |parts: &PartNumbers, _| {
                    let workload = parts[Part::Workload as usize] as usize;
                    let layer = is_layer.get(workload).copied().unwrap_or_default();
                    let named = target || network.is_some_and(|column| column.number(workload as u32) > 0);
                    let extreme = self.values.is_extreme(parts);
                    (named && !layer).then(|| (keys.key(parts), extreme, class(parts)))
                };
                self.grouped((measure, measured), kind, scope, is_ranked, key)
            }
        }
    }

    /// By what rows are told apart besides where their quality is ranked: the share of right classes is no precision of boxes or of
    /// poses, although all are called accuracy.
    fn task_of_quality(&self, measure: Measure) -> Option<Aspect> {
        measure.basis().is_of_quality().then_some(Aspect::Fact(Fact::Task))
    }

    fn grouped<K: Eq + Hash>(
        &self,
        (measure, measured): (Measure, &[f64]),
        kind: &CandidateKind,
        scope: Scope,
        is_ranked: impl Fn(&PartNumbers) -> bool,
        key_of: impl Fn(&PartNumbers, u64) -> Option<K>,
    ) -> Vec<Frame> {
        let identities = ShareKeys::of(self.values, kind.identity.iter().copied());
        let naming = self.naming_columns(kind);
        let most = measured.iter().filter(|value| value.is_finite()).count();
        let mut runs: Vec<RankedRun> = Vec::with_capacity(most);
        let (mut frames, mut candidates) = (Numbered::with_capacity(most), Numbered::with_capacity(most));
        for (hit, &value) in measured.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let parts = self.hits.parts(hit);
            // Who is not named is no candidate.
            let names = |(part, column): &(Part, &AspectColumn)| column.number(parts[*part as usize]) > 0;
            let is_named = || kind.are_settings || naming.iter().any(names);
            if !self.values.stands(&parts) || !is_ranked(&parts) || !is_named() {
                continue;
            }
            let Some(key) = key_of(&parts, self.hits.row(hit)) else { continue };
            frames.push(key);
            candidates.push(identities.key(&parts));
            runs.push((value, hit));
        }
        if runs.is_empty() {
            return Vec::new();
        }
        let (frames, candidates) = (frames.into_numbers(), candidates.into_numbers());
        // One frame after the other, in it each candidate's runs together: what comes last is grouped first, since what is
        // grouped keeps its order.
        let rows: Vec<u32> = (0..runs.len() as u32).collect();
        let order = grouped_by(&frames, &grouped_by(&candidates, &rows));
        let mut runs: Vec<RankedRun> = order.iter().map(|row| runs[*row as usize]).collect();
        let begins_anew = |at: usize, numbers: &[u32]| {
            let number = |at: usize| numbers[order[at] as usize];
            at == 0 || number(at) != number(at - 1)
        };
        let (mut own, mut ends): (Vec<Candidate>, Vec<usize>) = (Vec::new(), Vec::new());
        for at in 0..order.len() {
            let is_new_frame = begins_anew(at, &frames);
            if is_new_frame && at > 0 {
                ends.push(own.len());
            }
            match own.last_mut() {
                Some(last) if !is_new_frame && !begins_anew(at, &candidates) => last.own.end += 1,
                _ => own.push(Candidate { own: at..at + 1, like: None }),
            }
        }
        ends.push(own.len());
        // Most candidates have one run or a few.
        let lower = measure.direction() == Direction::Lower;
        for candidate in own.iter_mut().filter(|candidate| candidate.own.len() > 1) {
            let runs = &mut runs[candidate.own.clone()];
            runs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if scope == Scope::Alike {
                candidate.like = best_of_like(runs, |hit| self.hits.parts(hit), lower);
            }
        }
        // The order of a frame is made out once, not for each comparison, and before there is a frame to be moved.
        let best = |candidates: &[Candidate]| {
            let ends = candidates.iter().filter_map(|candidate| {
                let runs = runs.get(candidate.own.clone())?;
                Some((if lower { runs.first() } else { runs.last() })?.0)
            });
            if lower { ends.fold(f64::INFINITY, f64::min) } else { -ends.fold(0.0, f64::max) }
        };
        let begins = [0].into_iter().chain(ends.iter().copied());
        let place = |(begin, end): (usize, usize)| {
            let is_extreme = self.values.is_extreme(&self.parts_of(&own[begin..end], &runs));
            (is_extreme, Reverse(end - begin), best(&own[begin..end]), begin)
        };
        let mut order: Vec<(bool, Reverse<usize>, f64, usize)> = begins.zip(ends.iter().copied()).map(place).collect();
        // Frames that are alike in both stay in the order of their first rows.
        order.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3)));
        let (own, runs) = (Arc::new(own), Arc::new(runs));
        let frame = |(is_extreme, Reverse(length), _, begin): (bool, Reverse<usize>, f64, usize)| {
            let candidates = Stretch::of(&own, begin..begin + length);
            let parts = self.parts_of(&candidates, &runs);
            Frame { measure, scope, candidates, runs: Arc::clone(&runs), parts, is_extreme, by_highest: None }
        };
        order.into_iter().map(frame).collect()
    }

    /// What stands for the rows of a frame: the one in the middle of its first candidate.
    fn parts_of(&self, candidates: &[Candidate], runs: &[RankedRun]) -> PartNumbers {
        let first = candidates.first().and_then(|first| runs.get(first.own.start + (first.own.len().max(1) - 1) / 2));
        first.map(|(_, hit)| self.hits.parts(*hit)).unwrap_or_default()
    }

    /// What says which candidate a row is, any of them: a system is known by its device or its instance.
    fn naming_columns(&self, kind: &CandidateKind) -> Vec<(Part, &AspectColumn)> {
        let instance = kind.is_of_systems().then_some(Aspect::Field(Field::Instance));
        let naming = kind.identity.first().copied().into_iter().chain(instance);
        naming.filter_map(|aspect| Some((aspect.part()?, self.values.column(aspect)?))).collect()
    }
}

/// Which workloads are single layers, which are no task of anybody.
pub(in crate::ask::conclude) fn of_layers(values: &SharedValues) -> Vec<bool> {
    let Some(column) = values.column(Aspect::Fact(Fact::Task)) else { return Vec::new() };
    let of = |task: Option<&str>| ComparisonFacts { task: task.map(str::to_owned), ..ComparisonFacts::default() };
    column.of_shares(|task| of(task).is_of_layers())
}

//! Frames: sets of rows that may be ranked, because they are alike in everything that decides comparability but in what is
//! ranked, or because they all did the same task, each in the setting that its source chose.

use std::ops::Range;
use std::sync::Arc;

use super::like_runs::BestOfLike;
use crate::ask::conclude::basis::stretch::Stretch;
use crate::ask::hits::PartNumbers;
use crate::model::{Direction, Measure};

/// What the rows of a frame have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything that decides comparability but the candidate.
    Alike,
    /// The task: network, stage, scenario, target. The setting belongs to the candidate, whose best run counts.
    Task,
}

/// The runs of all candidates under one frame.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// What was measured.
    pub measure: Measure,
    /// What its rows have in common.
    pub scope: Scope,
    /// Who stands in it.
    pub candidates: Stretch<Candidate>,
    /// The runs of all frames that were made with it.
    pub runs: Arc<Vec<RankedRun>>,
    /// Of one row.
    pub parts: PartNumbers,
    /// Whether its values are percentiles or extremes.
    pub is_extreme: bool,
    /// Where the lowest or the highest of all is asked for: whether the highest run of each candidate counts, and not the one in
    /// the middle.
    pub by_highest: Option<bool>,
}

/// A value and its hit.
pub(super) type RankedRun = (f64, usize);

/// A candidate: which of the runs of all frames are its own, from the lowest value to the highest.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Their places in [`Frame::runs`].
    pub own: Range<usize>,
    /// Of several runs that are alike in what decides comparability those that stand for it.
    pub like: Option<BestOfLike>,
}

impl Frame {
    /// The best value of all candidates.
    pub fn best(&self) -> f64 {
        let all = self.candidates.iter().map(|candidate| candidate.best(self));
        match self.measure.direction() {
            Direction::Lower => all.fold(f64::INFINITY, f64::min),
            _ => all.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The values and hits of a candidate, from the lowest value to the highest.
    pub fn runs_of(&self, candidate: &Candidate) -> &[RankedRun] {
        self.runs.get(candidate.own.clone()).unwrap_or_default()
    }
}

impl Candidate {
    /// What it is ranked by: the extreme that is asked for, else the median of its repetitions under the best of its conditions,
    /// else the best.
    pub fn value(&self, frame: &Frame) -> f64 {
        match (frame.by_highest, frame.scope) {
            (Some(highest), _) => self.end(frame, highest).map_or(f64::NAN, |(value, _)| value),
            (None, Scope::Alike) => self.like.map_or_else(|| self.best(frame), |like| like.value),
            (None, Scope::Task) => self.best(frame),
        }
    }

    /// The run with the highest or the lowest value.
    fn end(&self, frame: &Frame, highest: bool) -> Option<RankedRun> {
        let runs = frame.runs_of(self);
        if highest { runs.last() } else { runs.first() }.copied()
    }

    /// The best value, by the measure's direction.
    pub fn best(&self, frame: &Frame) -> f64 {
        let runs = frame.runs_of(self);
        let end = if frame.measure.direction() == Direction::Lower { runs.first() } else { runs.last() };
        end.map_or(f64::NAN, |(value, _)| *value)
    }

    /// The hit that stands for it: the one in the middle, or the best.
    pub fn hit(&self, frame: &Frame) -> usize {
        let runs = frame.runs_of(self);
        let run = match (frame.scope, frame.measure.direction()) {
            _ if let Some(highest) = frame.by_highest => return self.end(frame, highest).map_or(0, |(_, hit)| hit),
            (Scope::Alike, _) if let Some(like) = self.like => return like.hit,
            (_, Direction::Lower) => runs.first(),
            _ => runs.last(),
        };
        run.map_or(0, |(_, hit)| *hit)
    }

    /// The lowest and the highest value, where there are several.
    pub fn range(&self, frame: &Frame) -> Option<(f64, f64)> {
        match frame.runs_of(self) {
            [(low, _), .., (high, _)] => Some((*low, *high)),
            _ => None,
        }
    }
}

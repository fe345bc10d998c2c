//! Frames: sets of rows that may be ranked, because they are alike in everything that decides comparability but in what is
//! ranked, or because they all did the same task, each in the setting that its source chose.

use std::ops::{Deref, Range};
use std::rc::Rc;

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
    pub all: Rc<[RankedRun]>,
    pub own: Range<usize>,
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
    pub fn best(&self, direction: Direction) -> f64 {
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

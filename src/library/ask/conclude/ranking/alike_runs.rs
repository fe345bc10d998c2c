//! Which runs of a frame stand in it: of one timing, and of a mean where its own run has a median as well.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::frames::{Candidate, Frame, RankedRun, Scope};
use super::inputs::Ranking;
use super::like_runs::best_of_like;
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Direction, Field, Part};
use crate::values::Statistic;

/// What makes a run another one, besides its setup, its work and its batch.
const OWN: &[Field] = &[
    Field::Stage,
    Field::Precision,
    Field::Quantization,
    Field::Mode,
    Field::Partition,
    Field::Setting,
    Field::Layout,
    Field::Timed,
];

impl Ranking<'_> {
    /// Keeps some runs of a frame, and the candidates that have any; how many runs are left out.
    pub(super) fn retain(
        &self,
        frame: &mut Frame,
        mut keeps: impl FnMut(&RankedRun) -> Result<bool, QueryError>,
    ) -> Result<usize, QueryError> {
        let mut left_out = 0;
        let (mut runs, mut candidates): (Vec<RankedRun>, Vec<Candidate>) = (Vec::new(), Vec::new());
        for candidate in frame.candidates.iter() {
            let begin = runs.len();
            for run in frame.runs_of(candidate) {
                match keeps(run)? {
                    true => runs.push(*run),
                    false => left_out += 1,
                }
            }
            let lower = frame.measure.direction() == Direction::Lower;
            let alike = runs.get(begin..).filter(|_| frame.scope == Scope::Alike);
            let like = alike.and_then(|runs| best_of_like(runs, |hit| self.hits.parts(hit), lower));
            candidates.extend((runs.len() > begin).then_some(Candidate { own: begin..runs.len(), like }));
        }
        frame.candidates = candidates.into();
        frame.runs = runs.into();
        Ok(left_out)
    }

    /// Leaves out the medians of runs of which the mean is stated, too: means are what others state.
    pub(super) fn leave_out_medians(&self, frame: &mut Frame) -> Result<(), QueryError> {
        let number = |field: Field, parts: &PartNumbers| self.values.number(Aspect::Field(field), parts);
        let statistic = |hit: usize| self.values.text(Aspect::Field(Field::Statistic), &self.hits.parts(hit));
        let run = |hit: usize| {
            let parts = self.hits.parts(hit);
            let own: Vec<u32> = OWN.iter().map(|field| number(*field, &parts)).collect();
            (parts[Part::Setup as usize], parts[Part::Workload as usize], self.values.batch(&parts), own)
        };
        let (mean, median): (&str, &str) = (Statistic::Mean.into(), Statistic::Median.into());
        let hits: Vec<usize> = frame
            .candidates
            .iter()
            .flat_map(|candidate| frame.runs_of(candidate).iter().map(|(_, hit)| *hit))
            .collect();
        if !hits.iter().any(|hit| statistic(*hit) == Some(median)) {
            return Ok(());
        }
        let means: HashSet<_> = hits.iter().filter(|hit| statistic(**hit) == Some(mean)).map(|hit| run(*hit)).collect();
        self.retain(frame, |(_, hit)| Ok(statistic(*hit) != Some(median) || !means.contains(&run(*hit))))?;
        Ok(())
    }

    /// Of what one source timed in several ways the way in which most candidates were timed is kept. Sources have words of their
    /// own for what may be the same.
    pub(super) fn keep_one_timing(&self, frame: &mut Frame) -> Result<(), QueryError> {
        // Rows that are alike in all are so in what was timed.
        if frame.scope == Scope::Alike {
            return Ok(());
        }
        let number = |aspect: Aspect, hit: usize| self.values.number(aspect, &self.hits.parts(hit));
        let of_source = |hit: usize| (number(Aspect::Source, hit), number(Aspect::Field(Field::Stage), hit));
        let timed = |hit: usize| number(Aspect::Field(Field::Timed), hit);
        let mut ways: HashMap<(u32, u32), BTreeMap<u32, usize>> = HashMap::new();
        for candidate in frame.candidates.iter() {
            let of_candidate: BTreeSet<_> =
                frame.runs_of(candidate).iter().map(|(_, hit)| (of_source(*hit), timed(*hit))).collect();
            for (source, way) in of_candidate {
                *ways.entry(source).or_default().entry(way).or_default() += 1;
            }
        }
        let kept: HashMap<(u32, u32), u32> = ways
            .into_iter()
            .filter(|(_, ways)| ways.len() > 1)
            .filter_map(|(source, ways)| Some((source, ways.into_iter().max_by_key(|(_, count)| *count)?.0)))
            .collect();
        if kept.is_empty() {
            return Ok(());
        }
        self.retain(frame, |(_, hit)| Ok(kept.get(&of_source(*hit)).is_none_or(|way| *way == timed(*hit))))?;
        Ok(())
    }
}

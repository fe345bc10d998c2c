//! Direct against indirect evidence on pairs of candidates (node splitting: Dias and others 2010, Statistics in Medicine 29:932).

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::effects::{Effects, Estimate};
use crate::equations::{Equations, dot, lane};
use crate::mixed_model::{Observation, TERMS, TOLERANCE};

/// Settings that are left out keep so much of their weight: the equations stay as they are, and what only these connect has an
/// interval that says nothing.
const LEFT_OUT: f64 = 1e-9;

/// An interval that is wider than this on either side, on the log scale, says nothing: nothing connects the two, or very little.
const WIDEST: f64 = 3.0;

/// Two candidates compared by the settings that hold both, and by all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    pub candidate: u32,
    pub against: u32,
    pub direct: Option<Estimate>,
    pub indirect: Option<Estimate>,
    /// Direct evidence of each measurer by itself, and the number of settings.
    pub by_measurer: Vec<(u32, Estimate, usize)>,
}

impl Split {
    /// How far apart the intervals of direct and indirect evidence are, on the log scale; `None` where they overlap.
    pub fn disagreement(&self) -> Option<f64> {
        apart(self.direct.as_ref()?, self.indirect.as_ref()?)
    }

    /// The two measurers whose intervals are farthest apart, with that distance: places in `by_measurer`.
    pub fn measurers_apart(&self) -> Option<(usize, usize, f64)> {
        let at = |place: usize| &self.by_measurer[place].1;
        let end = |place: usize, sign: f64| at(place).log + sign * at(place).half;
        let places = 0..self.by_measurer.len();
        let high = places.clone().max_by(|a, b| end(*a, -1.0).total_cmp(&end(*b, -1.0)))?;
        let low = places.min_by(|a, b| end(*a, 1.0).total_cmp(&end(*b, 1.0)))?;
        Some((high, low, apart(at(high), at(low))?))
    }
}

/// How far apart two intervals are; `None` where they overlap.
fn apart(one: &Estimate, other: &Estimate) -> Option<f64> {
    let gap = (one.log - other.log).abs() - one.half - other.half;
    (gap > 0.0).then_some(gap)
}

impl Effects {
    /// Splits the evidence on two candidates. Settings are left out as a whole, so that direct and indirect evidence share no
    /// observation; weights are those of all evidence.
    pub fn split(&self, candidate: u32, against: u32) -> Split {
        self.split_with(&mut self.model.equations.clone(), candidate, against)
    }

    /// How many pairs settings hold, and those of them on which evidence is divided: direct against indirect, where the ratio by
    /// all of it is outside the interval of direct evidence (else the answer is that of direct evidence), or two measurers.
    pub fn splits_in_doubt(&self) -> (usize, Vec<Split>) {
        let mut pairs: BTreeSet<(u32, u32)> = BTreeSet::new();
        for setting in self.model.equations.settings() {
            let mut own: Vec<u32> = self.model.observations[setting].iter().map(|o| o.candidate).collect();
            own.sort_unstable();
            own.dedup();
            for (at, first) in own.iter().enumerate() {
                pairs.extend(own[at + 1..].iter().map(|second| (*second, *first)));
            }
        }
        let pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
        let many = pairs.len();
        let in_doubt = pairs
            .into_par_iter()
            .map_init(|| self.model.equations.clone(), |equations, (own, other)| self.in_doubt(equations, own, other))
            .flatten();
        (many, in_doubt.collect())
    }

    fn in_doubt(&self, equations: &mut Equations<TERMS>, candidate: u32, against: u32) -> Option<Split> {
        let (direct, _) = self.observations_of(candidate, against);
        let by_measurer = self.by_measurer(&direct, candidate, against);
        let direct = self.ratio_in(&direct, candidate, against)?;
        let [own, other] = [candidate, against].map(|of| self.effect_value(of, &self.mix));
        let is_odd = (direct.log - (own - other)).abs() > direct.half;
        let split = Split { candidate, against, direct: Some(direct), indirect: None, by_measurer };
        let indirect = is_odd.then(|| self.indirect(equations, candidate, against)).flatten();
        let split = Split { indirect, ..split };
        (split.disagreement().is_some() || split.measurers_apart().is_some()).then_some(split)
    }

    fn split_with(&self, equations: &mut Equations<TERMS>, candidate: u32, against: u32) -> Split {
        let (observations, _) = self.observations_of(candidate, against);
        Split {
            candidate,
            against,
            direct: self.ratio_in(&observations, candidate, against),
            indirect: self.indirect(equations, candidate, against),
            by_measurer: self.by_measurer(&observations, candidate, against),
        }
    }

    /// What settings that hold both say of two candidates, and the places of all observations in these.
    fn observations_of(&self, candidate: u32, against: u32) -> (Vec<Observation>, Vec<usize>) {
        let (mut observations, mut places) = (Vec::new(), Vec::new());
        for setting in self.model.equations.settings() {
            let own = &self.model.observations[setting.clone()];
            let holds = |wanted: u32| own.iter().any(|o| o.candidate == wanted);
            if holds(candidate) && holds(against) {
                observations.extend(own.iter().filter(|o| o.candidate == candidate || o.candidate == against));
                places.extend(setting);
            }
        }
        (observations, places)
    }

    fn by_measurer(&self, direct: &[Observation], candidate: u32, against: u32) -> Vec<(u32, Estimate, usize)> {
        let mut measurers: BTreeMap<u32, Vec<Observation>> = BTreeMap::new();
        direct.iter().for_each(|o| measurers.entry(o.measurer).or_default().push(*o));
        let of_measurer = measurers.into_iter().filter_map(|(measurer, own)| {
            let settings = own.chunk_by(|a, b| a.setting == b.setting).count();
            Some((measurer, self.ratio_in(&own, candidate, against)?, settings))
        });
        of_measurer.collect()
    }

    /// The ratio by some observations of two candidates alone, in the mix of contexts of all.
    fn ratio_in(&self, observations: &[Observation], candidate: u32, against: u32) -> Option<Estimate> {
        // Equations of two candidates in place of all.
        let variances = self.variances().of_two([against, candidate], observations);
        let number = |o: &Observation| Observation { candidate: u32::from(o.candidate == candidate), ..*o };
        let numbered: Vec<Observation> = observations.iter().map(number).collect();
        Self::fit_with(&numbered, Some(&variances)).ratio_of_all(1, 0, &self.mix)
    }

    /// The ratio by the settings that do not hold both.
    fn indirect(&self, equations: &mut Equations<TERMS>, candidate: u32, against: u32) -> Option<Estimate> {
        let mut precision = self.model.equations.precision().to_vec();
        self.observations_of(candidate, against).1.iter().for_each(|at| precision[*at] *= LEFT_OUT);
        equations.weigh(precision, self.model.equations.prior().to_vec());
        let values: Vec<f64> = self.model.observations.iter().map(|o| o.value).collect();
        let mut solution = self.model.solution.clone();
        equations.solve(lane(&equations.right_side(&values)), solution.as_chunks_mut().0, TOLERANCE);
        let mut contrast = self.effect(candidate, &self.mix);
        contrast.add(&self.effect(against, &self.mix), -1.0);
        let solved = &equations.solve_contrasts([contrast.weights.as_slice()])[0];
        let variance = Self::variance_of(solved.covariance(solved), contrast.unseen);
        let estimate = Estimate::of(dot(&contrast.weights, &solution), variance);
        (estimate.half < WIDEST).then_some(estimate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixed_model::CONTEXTS;

    #[test]
    fn direct_and_indirect_evidence_that_disagree_are_found() {
        let mut observations = Vec::new();
        // 0 against 1 and 1 against 2 say that 2 is 1.2 + 1.2 times; 0 against 2 directly says 0.5.
        for setting in 0..30u32 {
            let (pair, measurer) = (setting % 3, setting / 3);
            let noise = f64::from(setting % 5) * 0.02;
            let [a, b, log] = [[0.0, 1.0, 0.2], [1.0, 2.0, 0.2], [0.0, 2.0, -0.7]][pair as usize];
            for (candidate, value) in [(a as u32, 0.0), (b as u32, log + noise)] {
                observations.push(Observation {
                    setting,
                    candidate,
                    measurer: measurer * 3 + pair,
                    value,
                    context: [0; CONTEXTS],
                });
            }
        }
        let model = Effects::fit(&observations);
        let split = model.split(2, 0);
        let (direct, indirect) = (split.direct.unwrap(), split.indirect.unwrap());
        assert!((direct.log + 0.66).abs() < 0.05 && (indirect.log - 0.48).abs() < 0.05, "{direct:?} {indirect:?}");
        assert!(split.disagreement().is_some() && split.by_measurer.len() == 10, "{split:?}");
        let (pairs, in_doubt) = model.splits_in_doubt();
        assert!(pairs == 3 && in_doubt.contains(&split), "{in_doubt:?}");
    }
}

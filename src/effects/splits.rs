//! Direct against indirect evidence on pairs of candidates (node splitting: Dias and others 2010, Statistics in Medicine 29:932).

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::effects::{Effects, Estimate};
use crate::equations::{Equations, dot, lane};
use crate::mixed_model::{Observation, TERMS, TOLERANCE};

/// Weight of the settings that are left out. It is not 0 so that the equations keep their structure; a ratio that depends on these
/// settings alone gets an interval wider than [`WIDEST`].
const LEFT_OUT: f64 = 1e-9;

/// Half width of an interval, on the log scale, above which an estimate is dropped.
const WIDEST: f64 = 3.0;

/// Direct evidence on two candidates, from the settings that contain both, and indirect evidence from all other settings. Whole
/// settings are left out, so the two share no observation; weights are those of the fit to all evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    pub candidate: u32,
    pub against: u32,
    pub direct: Estimate,
    /// `None` if direct evidence agrees with all evidence, or no other setting connects the two.
    pub indirect: Option<Estimate>,
    /// Direct evidence by measurer, with the number of settings.
    pub by_measurer: Vec<(u32, Estimate, usize)>,
}

impl Split {
    /// The gap between the intervals of direct and indirect evidence, on the log scale; `None` if they overlap.
    pub fn disagreement(&self) -> Option<f64> {
        apart(&self.direct, self.indirect.as_ref()?)
    }

    /// The two measurers whose intervals are farthest apart, as indices into `by_measurer`, and the gap.
    pub fn measurers_apart(&self) -> Option<(usize, usize, f64)> {
        let at = |place: usize| &self.by_measurer[place].1;
        let end = |place: usize, sign: f64| at(place).log + sign * at(place).half;
        let places = 0..self.by_measurer.len();
        let high = places.clone().max_by(|a, b| end(*a, -1.0).total_cmp(&end(*b, -1.0)))?;
        let low = places.min_by(|a, b| end(*a, 1.0).total_cmp(&end(*b, 1.0)))?;
        Some((high, low, apart(at(high), at(low))?))
    }
}

/// The gap between two intervals; `None` if they overlap.
fn apart(one: &Estimate, other: &Estimate) -> Option<f64> {
    let gap = (one.log - other.log).abs() - one.half - other.half;
    (gap > 0.0).then_some(gap)
}

impl Effects {
    /// The number of pairs with direct evidence, and the pairs whose direct and indirect evidence disagree or whose measurers do.
    /// Indirect evidence is computed only if the ratio by all evidence is outside the interval of direct evidence; otherwise direct
    /// evidence already determines the answer.
    pub fn disagreements(&self) -> (usize, Vec<Split>) {
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
        let splits = pairs
            .into_par_iter()
            .map_init(|| self.model.equations.clone(), |equations, (own, other)| self.split(equations, own, other));
        let disagree = |split: &Split| split.disagreement().is_some() || split.measurers_apart().is_some();
        (many, splits.flatten().filter(disagree).collect())
    }

    fn split(&self, equations: &mut Equations<TERMS>, candidate: u32, against: u32) -> Option<Split> {
        let (observations, shared) = self.observations_of(candidate, against);
        let by_measurer = self.by_measurer(&observations, candidate, against);
        let direct = self.ratio_in(&observations, candidate, against)?;
        let [own, other] = [candidate, against].map(|of| self.effect_value(of, &self.mix));
        let is_odd = (direct.log - (own - other)).abs() > direct.half;
        let indirect = is_odd.then(|| self.indirect(equations, (candidate, against), &shared)).flatten();
        Some(Split { candidate, against, direct, indirect, by_measurer })
    }

    /// The observations of two candidates in the settings that contain both, and the indices of all observations in these settings.
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

    /// The ratio from some observations of two candidates, standardised to the mix of contexts of all evidence.
    fn ratio_in(&self, observations: &[Observation], candidate: u32, against: u32) -> Option<Estimate> {
        // Renumbered, so that the equations have two candidates instead of all.
        let variances = self.variances().of_two([against, candidate], observations);
        let number = |o: &Observation| Observation { candidate: u32::from(o.candidate == candidate), ..*o };
        let numbered: Vec<Observation> = observations.iter().map(number).collect();
        Self::fit_with(&numbered, Some(&variances)).ratio_of_all(1, 0, &self.mix)
    }

    /// The ratio without the observations of the settings that contain both.
    fn indirect(
        &self,
        equations: &mut Equations<TERMS>,
        (candidate, against): (u32, u32),
        shared: &[usize],
    ) -> Option<Estimate> {
        let mut precision = self.model.equations.precision().to_vec();
        shared.iter().for_each(|at| precision[*at] *= LEFT_OUT);
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
        // The ratios of 1 to 0 and of 2 to 1 are 1.2 each (0.2 on the log scale); the direct ratio of 2 to 0 is 0.5.
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
        let (pairs, disagreements) = Effects::fit(&observations).disagreements();
        let split = disagreements.iter().find(|split| (split.candidate, split.against) == (2, 0)).unwrap();
        let (direct, indirect) = (split.direct, split.indirect.unwrap());
        assert!((direct.log + 0.66).abs() < 0.05 && (indirect.log - 0.48).abs() < 0.05, "{direct:?} {indirect:?}");
        assert!(pairs == 3 && split.disagreement().is_some() && split.by_measurer.len() == 10, "{split:?}");
    }
}

//! Effects of candidates from all comparable evidence: a network meta-analysis on the log scale.
//!
//! Settings in which two or more candidates were measured are the studies of a network (DerSimonian and Laird 1986,
//! Controlled Clinical Trials 7:177, for random effects; Rücker 2012, Research Synthesis Methods 3:312, for the network
//! as a weighted graph). The model is in `mixed_model`; this module derives rankings, ratios with intervals,
//! predictions of unmeasured values, and measurers who disagree with all others.

use std::collections::BTreeMap;

use crate::equations::{Solved, dot, join, root};
use crate::mixed_model::{
    CELL_95, CONTEXTS, ERROR_95, INFORMATION, KINDS, MixedModel, NORMAL_95, Observation, Variances, robust_error, shown,
};

/// A measurer is an outlier for a candidate if the robust weight is below this and the factor is above `OUTLYING_FACTOR`.
const OUTLYING_WEIGHT: f64 = 0.4;
const OUTLYING_FACTOR: f64 = 1.5;

/// Minimum half-width of an interval from one measurer, on the log scale: repeated measurements of one machine differ by as much.
const LEAST_HALF: f64 = 0.1;

/// The contexts in which candidates are compared: the share of each level, by kind of context.
#[derive(Debug, Clone, PartialEq)]
pub struct Mix([Vec<(u32, f64)>; CONTEXTS]);

/// An estimate on the log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub log: f64,
    /// Standard error.
    pub error: f64,
    /// Half the width of the 90 % interval.
    pub half: f64,
}

/// A candidate in a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub candidate: u32,
    /// From 1; candidates share a rank if the 90 % interval of their ratio to its first candidate contains 1.
    pub rank: usize,
    /// The ratio to the first of the ranking.
    pub estimate: Estimate,
    /// Number of observations together with another candidate, in all evidence.
    pub pairs: usize,
    pub measurers: usize,
}

/// A measurer whose values for a candidate are far from those that all other evidence implies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    pub measurer: u32,
    pub candidate: u32,
    /// The factor by which the values are too high; below 1 if they are too low.
    pub factor: f64,
}

/// The effects of all candidates.
pub struct Effects {
    pub(crate) model: MixedModel,
    pub(crate) mix: Mix,
    component: Vec<u32>,
    /// For each candidate, the number of observations and of measurers.
    evidence: Vec<(usize, usize)>,
    /// For each candidate, its only measurer, if there is just one.
    alone: Vec<Option<u32>>,
}

/// A contrast of unknowns, with the variance of cells without evidence.
pub(crate) struct Contrast {
    pub weights: Vec<f64>,
    pub unseen: f64,
}

/// Ratios among several candidates, whose contrasts are solved together.
struct Ratios<'e> {
    effects: &'e Effects,
    mix: &'e Mix,
    candidates: Vec<u32>,
    /// Contrasts against the first candidate.
    contrasts: Vec<Contrast>,
    solved: Vec<Solved>,
}

impl<'e> Ratios<'e> {
    fn of(effects: &'e Effects, candidates: Vec<u32>, mix: &'e Mix) -> Self {
        let first = effects.effect(candidates[0], mix);
        let against_first = |candidate: &u32| {
            let mut contrast = effects.effect(*candidate, mix);
            contrast.weights.iter_mut().zip(&first.weights).for_each(|(own, first)| *own -= first);
            contrast
        };
        let contrasts: Vec<Contrast> = candidates.iter().map(against_first).collect();
        let solved = effects.model.equations.solve_contrasts(contrasts.iter().map(|own| own.weights.as_slice()));
        Self { effects, mix, candidates, contrasts, solved }
    }

    /// The ratio of one candidate to another.
    fn ratio(&self, candidate: u32, against: u32) -> Estimate {
        if let Some(measurer) = self.effects.measurer_of_both(candidate, against) {
            return self.effects.ratio_of_one(candidate, against, measurer, self.mix);
        }
        let place = |of: u32| self.candidates.iter().position(|own| *own == of).unwrap_or(0);
        let [own, other] = [candidate, against].map(place);
        if own == other {
            return Estimate::of(0.0, 0.0);
        }
        let log = [own, other].map(|at| self.effects.value(&self.contrasts[at]));
        let [a, b] = [&self.solved[own], &self.solved[other]];
        let variance = a.covariance(a) + b.covariance(b) - 2.0 * a.covariance(b);
        let unseen = self.contrasts[own].unseen + self.contrasts[other].unseen;
        Estimate::of(log[0] - log[1], Effects::variance_of(variance, unseen))
    }
}

impl Estimate {
    pub(crate) fn of(log: f64, variance: f64) -> Self {
        let error = variance.max(0.0).sqrt();
        Self { log, error, half: NORMAL_95 * error }
    }

    /// The ratio, with the ends of the 90 % interval.
    pub fn ratio(&self) -> [f64; 3] {
        [self.log, self.log - self.half, self.log + self.half].map(f64::exp)
    }

    /// Whether the 90 % interval excludes 1.
    pub fn is_decided(&self) -> bool {
        self.log.abs() > self.half
    }
}

impl Mix {
    /// The mix of these observations, with equal weight for each measurer.
    pub fn of(observations: &[Observation]) -> Self {
        Self(std::array::from_fn(|kind| {
            let stated = || observations.iter().filter(|o| o.context[kind] > 0);
            let mut measurers: BTreeMap<u32, f64> = BTreeMap::new();
            stated().for_each(|o| *measurers.entry(o.measurer).or_default() += 1.0);
            let mut levels: BTreeMap<u32, f64> = BTreeMap::new();
            let share = |o: &Observation| 1.0 / measurers[&o.measurer] / measurers.len() as f64;
            stated().for_each(|o| *levels.entry(o.context[kind]).or_default() += share(o));
            levels.into_iter().collect()
        }))
    }
}

impl Effects {
    /// Fits the model to observations.
    pub fn fit(observations: &[Observation]) -> Self {
        Self::fit_with(observations, None)
    }

    pub(crate) fn fit_with(observations: &[Observation], known: Option<&Variances>) -> Self {
        let model = MixedModel::fit(observations, known);
        let mut parent: Vec<u32> = (0..model.candidates as u32).collect();
        let mut measurers = vec![Vec::new(); model.candidates];
        for setting in model.equations.settings() {
            let first = model.observations[setting.start].candidate;
            for o in &model.observations[setting] {
                join(&mut parent, first, o.candidate);
                measurers[o.candidate as usize].push(o.measurer);
            }
        }
        let component = (0..model.candidates as u32).map(|at| root(&mut parent, at)).collect();
        let evidence = measurers.iter_mut().map(|of: &mut Vec<u32>| {
            let many = of.len();
            of.sort_unstable();
            of.dedup();
            (many, of.len())
        });
        let evidence = evidence.collect();
        let alone = measurers.iter().map(|of| of.first().copied().filter(|_| of.len() == 1)).collect();
        Self { mix: Mix::of(&model.observations), component, evidence, alone, model }
    }

    pub fn variances(&self) -> &Variances {
        &self.model.variances
    }

    /// The mix of contexts of the whole evidence.
    pub fn mix(&self) -> &Mix {
        &self.mix
    }

    /// The component of each candidate: evidence compares candidates, directly or indirectly, within a component.
    pub fn components(&self) -> &[u32] {
        &self.component
    }

    /// Candidates ordered by effect in a mix of contexts, from the best or from the worst; those without evidence are left out.
    pub fn order(&self, candidates: &[u32], mix: &Mix, worst_first: bool) -> Vec<u32> {
        let has_evidence = |at: &&u32| self.evidence.get(**at as usize).is_some_and(|(many, _)| *many > 0);
        let effects = candidates.iter().filter(has_evidence).map(|at| (*at, self.effect_value(*at, mix)));
        let mut order: Vec<(u32, f64)> = effects.collect();
        let best_first = |a: f64, b: f64| if worst_first { a.total_cmp(&b) } else { b.total_cmp(&a) };
        order.sort_by(|a, b| best_first(a.1, b.1).then(a.0.cmp(&b.0)));
        order.into_iter().map(|(candidate, _)| candidate).collect()
    }

    /// The first `most` of these candidates, which must be connected by evidence, from the best or from the worst.
    pub fn ranking(&self, candidates: &[u32], mix: &Mix, (most, worst_first): (usize, bool)) -> Vec<Ranked> {
        let mut order = self.order(candidates, mix, worst_first);
        order.truncate(most);
        let Some(&first) = order.first() else { return Vec::new() };
        let ratios = Ratios::of(self, order.clone(), mix);
        let (mut rank, mut leader) = (1, first);
        let mut ranked = Vec::with_capacity(order.len());
        for (place, candidate) in order.iter().enumerate() {
            let estimate = ratios.ratio(*candidate, first);
            let against = if leader == first { estimate } else { ratios.ratio(*candidate, leader) };
            if against.is_decided() {
                (rank, leader) = (place + 1, *candidate);
            }
            let (pairs, measurers) = self.evidence[*candidate as usize];
            ranked.push(Ranked { candidate: *candidate, rank, estimate, pairs, measurers });
        }
        ranked
    }

    /// Whether evidence compares two candidates, directly or indirectly; false for one that shares no setting.
    fn are_connected(&self, one: u32, other: u32) -> bool {
        let component = |candidate: u32| self.component.get(candidate as usize);
        component(one).is_some() && component(one) == component(other)
    }

    /// The ratio of `candidate` to `against` over a mix of contexts; `None` if no evidence connects them. If one measurer alone
    /// measured both, the interval is that of one more setting by this measurer: nothing is known about others.
    pub fn ratio(&self, candidate: u32, against: u32, mix: &Mix) -> Option<Estimate> {
        match self.measurer_of_both(candidate, against) {
            Some(measurer) => Some(self.ratio_of_one(candidate, against, measurer, mix)),
            None => self.ratio_of_all(candidate, against, mix),
        }
    }

    /// The only measurer of both candidates, if there is just one.
    fn measurer_of_both(&self, candidate: u32, against: u32) -> Option<u32> {
        let alone = |of: u32| self.alone.get(of as usize).copied().flatten();
        let is_of_both = candidate != against && self.are_connected(candidate, against);
        alone(candidate).filter(|own| is_of_both && alone(against) == Some(*own))
    }

    fn ratio_of_one(&self, candidate: u32, against: u32, measurer: u32, mix: &Mix) -> Estimate {
        let mut contrast = self.effect(candidate, mix);
        self.add_cell(&mut contrast, (0, candidate, measurer + 1), 1.0);
        contrast.add(&self.effect(against, mix), -1.0);
        self.add_cell(&mut contrast, (0, against, measurer + 1), -1.0);
        let log = self.value(&contrast);
        let error: f64 = [candidate, against].map(|of| self.model.error_variance_of(of, measurer)).iter().sum();
        let known = self.variance(&contrast);
        let of_model = NORMAL_95.powi(2) * known + ERROR_95.powi(2) * error;
        let half = of_model.max(NORMAL_95.powi(2) * self.spread(candidate, against, log)).sqrt().max(LEAST_HALF);
        Estimate { log, error: (known + error).sqrt(), half }
    }

    /// The mean squared difference from a ratio, over the settings that contain both candidates.
    fn spread(&self, candidate: u32, against: u32, log: f64) -> f64 {
        let (mut sum, mut many) = (0.0, 0.0);
        for setting in self.model.equations.settings() {
            let of = |wanted: u32| self.model.observations[setting.clone()].iter().find(|o| o.candidate == wanted);
            if let Some((own, other)) = of(candidate).zip(of(against)) {
                sum += (own.value - other.value - log).powi(2);
                many += 1.0;
            }
        }
        if many > 0.0 { sum / many } else { 0.0 }
    }

    /// The ratio for all possible measurers.
    pub(crate) fn ratio_of_all(&self, candidate: u32, against: u32, mix: &Mix) -> Option<Estimate> {
        if candidate == against {
            return Some(Estimate::of(0.0, 0.0));
        }
        if !self.are_connected(candidate, against) {
            return None;
        }
        let mut contrast = self.effect(candidate, mix);
        contrast.add(&self.effect(against, mix), -1.0);
        Some(Estimate::of(self.value(&contrast), self.variance(&contrast)))
    }

    /// Predicts the value of `target` (its `value` is not used) from the values measured in its setting, the `anchors`,
    /// with the interval of one new measurement; `None` if no anchor is connected with it.
    pub fn predict(&self, target: &Observation, anchors: &[Observation]) -> Option<Estimate> {
        let component = |o: &Observation| self.component.get(o.candidate as usize);
        let own = component(target)?;
        let anchors: Vec<&Observation> = anchors.iter().filter(|o| component(o) == Some(own)).collect();
        if anchors.is_empty() {
            return None;
        }
        let parts: Vec<Contrast> = anchors.iter().map(|o| self.of_observation(o)).collect();
        let levels: Vec<f64> = anchors.iter().zip(&parts).map(|(o, part)| o.value - self.value(part)).collect();
        let scale = |(o, part): (&&Observation, &Contrast)| self.model.error_variance(o) + part.unseen;
        let scales: Vec<f64> = anchors.iter().zip(&parts).map(scale).collect();
        // The level of the setting is a robust mean, as in the fit.
        let mut precision: Vec<f64> = scales.iter().map(|scale| 1.0 / scale).collect();
        let most: f64 = precision.iter().sum();
        let (mut level, mut total) = (0.0, most);
        for _ in 0..5 {
            total = precision.iter().sum::<f64>();
            level = dot(&precision, &levels) / total;
            for (at, own) in precision.iter_mut().enumerate() {
                *own = robust_error((levels[at] - level).powi(2) / shown(*own / total) / scales[at]) / scales[at];
            }
        }
        let mut contrast = self.of_observation(target);
        let log = level + self.value(&contrast);
        let all: f64 = precision.iter().sum();
        for (part, own) in parts.iter().zip(&precision) {
            // The unseen variance of the anchors is part of their scales.
            contrast.add(&Contrast { weights: part.weights.clone(), unseen: 0.0 }, -own / all);
        }
        let known = self.variance(&contrast) + INFORMATION / total.min(most);
        let error = self.model.error_variance(target);
        let half = (NORMAL_95.powi(2) * known + ERROR_95.powi(2) * error).sqrt();
        Some(Estimate { log, error: (known + error).sqrt(), half })
    }

    /// Measurers whose values for a candidate were downweighted by the robust fit, the farthest first.
    pub fn outliers(&self) -> Vec<Outlier> {
        let cells = self.model.cells.iter().zip(&self.model.solution[self.model.candidates..]);
        let far = cells.filter(|(cell, value)| {
            cell.kind == 0 && cell.weight < OUTLYING_WEIGHT && value.abs() > OUTLYING_FACTOR.ln()
        });
        let mut outliers: Vec<Outlier> = far
            .map(|(cell, value)| Outlier { measurer: cell.level - 1, candidate: cell.candidate, factor: value.exp() })
            .collect();
        outliers.sort_by(|a, b| b.factor.ln().abs().total_cmp(&a.factor.ln().abs()));
        outliers
    }

    fn contrast(&self) -> Contrast {
        Contrast { weights: vec![0.0; self.model.solution.len()], unseen: 0.0 }
    }

    fn add_cell(&self, contrast: &mut Contrast, (kind, candidate, level): (usize, u32, u32), weight: f64) {
        match self.model.cell(kind, candidate, level) {
            Some(cell) => contrast.weights[cell] += weight,
            None => contrast.unseen += weight * weight * self.model.cell_variance(kind, candidate),
        }
    }

    /// A candidate's effect over a mix of contexts (direct standardisation).
    pub(crate) fn effect(&self, candidate: u32, mix: &Mix) -> Contrast {
        let mut contrast = self.contrast();
        contrast.weights[candidate as usize] = 1.0;
        for (kind, shares) in mix.0.iter().enumerate() {
            shares
                .iter()
                .for_each(|(level, share)| self.add_cell(&mut contrast, (kind + 1, candidate, *level), *share));
        }
        contrast
    }

    /// The value of [`Self::effect`], without its variance.
    pub(crate) fn effect_value(&self, candidate: u32, mix: &Mix) -> f64 {
        let of_cell =
            |kind: usize, level: u32| self.model.cell(kind, candidate, level).map(|cell| self.model.solution[cell]);
        let shares =
            mix.0.iter().enumerate().flat_map(|(kind, shares)| shares.iter().map(move |share| (kind + 1, share)));
        let cells = shares.filter_map(|(kind, (level, share))| Some(share * of_cell(kind, *level)?));
        self.model.solution[candidate as usize] + cells.sum::<f64>()
    }

    /// The model's terms for an observation, without the level of its setting.
    fn of_observation(&self, o: &Observation) -> Contrast {
        let mut contrast = self.contrast();
        contrast.weights[o.candidate as usize] = 1.0;
        for kind in (0..KINDS).filter(|kind| o.level(*kind) > 0) {
            self.add_cell(&mut contrast, (kind, o.candidate, o.level(kind)), 1.0);
        }
        contrast
    }

    fn value(&self, contrast: &Contrast) -> f64 {
        dot(&contrast.weights, &self.model.solution)
    }

    fn variance(&self, contrast: &Contrast) -> f64 {
        let solved = &self.model.equations.solve_contrasts([contrast.weights.as_slice()])[0];
        Self::variance_of(solved.covariance(solved), contrast.unseen)
    }

    /// The variance of a contrast, from that of the unknowns in the equations and that of cells without evidence.
    pub(crate) fn variance_of(seen: f64, unseen: f64) -> f64 {
        INFORMATION * seen + (CELL_95 / NORMAL_95).powi(2) * unseen
    }
}

impl Contrast {
    pub fn add(&mut self, other: &Self, weight: f64) {
        self.weights.iter_mut().zip(&other.weights).for_each(|(own, other)| *own += weight * other);
        self.unseen += weight * weight * other.unseen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixed_model::Random;

    /// A simulated network: the observations, and for each candidate its true effect in each of three contexts.
    struct Net {
        observations: Vec<Observation>,
        truth: Vec<[f64; 3]>,
    }

    /// A sample of Student's t with four degrees of freedom.
    fn student(random: &mut Random) -> f64 {
        random.normal() / ((0..4).map(|_| random.normal().powi(2)).sum::<f64>() / 4.0).sqrt()
    }

    /// Eight candidates with effects `0.3 * candidate`; each measurer has the first two and half of the others, each
    /// setting has one of three contexts. The last argument has the scales of offsets, interactions and errors.
    fn net(seed: u64, measurers: u32, settings: u32, [offset, interaction, error]: [f64; 3]) -> Net {
        let mut random = Random::new(seed);
        let effect = |candidate: u32| 0.3 * f64::from(candidate);
        let truth: Vec<[f64; 3]> =
            (0..8).map(|at| std::array::from_fn(|_| effect(at) + interaction * student(&mut random))).collect();
        let mut observations = Vec::new();
        for measurer in 0..measurers {
            let own: Vec<u32> = (0..8).filter(|at| *at < 2 || random.uniform() < 0.5).collect();
            let offsets: Vec<f64> = own.iter().map(|_| offset * student(&mut random)).collect();
            for setting in 0..settings {
                let level = 3.0 * random.normal();
                let context = (3.0 * random.uniform()) as u32;
                for (&candidate, offset) in own.iter().zip(&offsets) {
                    let effect = truth[candidate as usize][context as usize];
                    let value = level + effect + offset + error * student(&mut random);
                    let (setting, context) = (measurer * settings + setting, [context + 1, 0, 0, 0, 0]);
                    observations.push(Observation { setting, candidate, measurer, value, context });
                }
            }
        }
        Net { observations, truth }
    }

    fn mixed_ratio(observations: &[Observation], candidate: u32, against: u32) -> Option<Estimate> {
        let model = Effects::fit(observations);
        model.ratio(candidate, against, model.mix())
    }

    #[test]
    fn known_effects_are_found_without_bias_and_intervals_hold_them() {
        let (mut sum, mut held, mut all) = (0.0, 0, 0);
        for seed in 0..60 {
            let net = net(seed, 16, 4, [0.2, 0.15, 0.08]);
            let model = Effects::fit(&net.observations);
            let effect = |candidate: u32| {
                let of_context =
                    |(level, share): &(u32, f64)| share * net.truth[candidate as usize][*level as usize - 1];
                model.mix().0[0].iter().map(of_context).sum::<f64>()
            };
            for candidate in 1..8 {
                let estimate = model.ratio(candidate, 0, model.mix()).unwrap();
                let off = estimate.log - (effect(candidate) - effect(0));
                sum += off;
                held += usize::from(off.abs() <= estimate.half);
                all += 1;
            }
        }
        let (bias, coverage) = (sum / all as f64, held as f64 / all as f64);
        assert!(bias.abs() < 0.01 && (0.87..=0.93).contains(&coverage), "{bias} {coverage}");
    }

    #[test]
    fn a_measurer_who_is_wrong_by_three_is_named_and_moves_little() {
        let mut observations = net(3, 20, 4, [0.1, 0.0, 0.05]).observations;
        let before = mixed_ratio(&observations, 1, 0).unwrap();
        observations.iter_mut().filter(|o| o.measurer == 5 && o.candidate == 1).for_each(|o| o.value += 3f64.ln());
        let model = Effects::fit(&observations);
        let after = model.ratio(1, 0, model.mix()).unwrap();
        assert!((after.log - before.log).abs() < 0.05, "{before:?} {after:?}");
        let outliers = model.outliers();
        assert!(outliers.iter().any(|o| (o.measurer, o.candidate) == (5, 1)), "{outliers:?}");
        assert!(outliers.iter().all(|o| o.measurer == 5), "{outliers:?}");
    }

    #[test]
    fn a_large_measurer_does_not_outvote_many() {
        // Ten measurers with one setting each find a ratio of 1.5, one with 500 settings finds 3.
        let mut observations = Vec::new();
        for setting in 0..510u32 {
            let measurer = setting.min(10);
            let noise = f64::from(setting % 7) * 0.01;
            let ratio = if measurer == 10 { 3f64 } else { 1.5 };
            for (candidate, value) in [(0, 0.0), (1, ratio.ln() + noise)] {
                observations.push(Observation { setting, candidate, measurer, value, context: [0; CONTEXTS] });
            }
        }
        let ratio = mixed_ratio(&observations, 1, 0).unwrap().ratio();
        assert!((1.4..1.9).contains(&ratio[0]) && ratio[2] > ratio[0] * 1.03, "{ratio:?}");
    }

    #[test]
    fn what_nothing_connects_has_no_ratio() {
        let at =
            |setting, candidate| Observation { setting, candidate, measurer: 0, value: 1.0, context: [0; CONTEXTS] };
        let model = Effects::fit(&[at(0, 0), at(0, 1), at(1, 2), at(1, 3), at(2, 4)]);
        assert!(
            model.ratio(0, 1, model.mix()).is_some()
                && model.ratio(0, 2, model.mix()).is_none()
                && model.ratio(0, 4, model.mix()).is_none()
        );
        assert_eq!(model.ranking(&[0, 1, 4], model.mix(), (9, false)).len(), 2);
        assert!(model.predict(&at(0, 3), &[at(0, 0)]).is_none() && model.predict(&at(1, 3), &[at(1, 2)]).is_some());
    }

    #[test]
    fn blocks_that_few_settings_connect_keep_their_distance() {
        // Twelve blocks of four candidates, each with one measurer and 100 settings; one setting links each block with the next.
        let effect = |candidate: u32| 0.7 * f64::from(candidate / 4) + 0.1 * f64::from(candidate % 4);
        let mut observations = Vec::new();
        let mut measure = |setting: u32, measurer: u32, candidates: std::ops::Range<u32>| {
            let of = |candidate: u32| Observation {
                setting,
                candidate,
                measurer,
                value: f64::from(setting % 7) + effect(candidate),
                context: [1 + setting % 3, 0, 0, 0, 0],
            };
            observations.extend(candidates.map(of));
        };
        for block in 0..12 {
            (0..100).for_each(|setting| measure(101 * block + setting, block, 4 * block..4 * block + 4));
            if block > 0 {
                measure(101 * block + 100, 20, 4 * block - 1..4 * block + 1);
            }
        }
        let model = Effects::fit(&observations);
        let ratio = model.ratio(47, 0, model.mix()).unwrap();
        assert!((ratio.log - effect(47)).abs() < 0.1, "{ratio:?} for {}", effect(47));
    }

    #[test]
    fn interactions_are_found_and_predicted() {
        // The ratio of candidate 1 is 2, and 4 in context 2.
        let mut random = Random::new(1);
        let mut observations = Vec::new();
        for setting in 0..80u32 {
            let level = 1 + setting % 2;
            let base = random.normal();
            for candidate in 0..4 {
                let gain = if candidate == 1 { 2f64.ln() * f64::from(level) } else { 0.0 };
                let value = base + gain + 0.05 * random.normal();
                observations.push(Observation {
                    setting,
                    candidate,
                    measurer: setting % 5,
                    value,
                    context: [level, 0, 0, 0, 0],
                });
            }
        }
        let model = Effects::fit(&observations);
        let target = observations[4 * 41 + 1];
        let predicted = model.predict(&target, &observations[4 * 41..4 * 41 + 1]).unwrap();
        assert!((predicted.log - target.value).abs() < predicted.half, "{predicted:?} {target:?}");
        // Over the mix of contexts, the log ratio is the mean of both.
        assert!((model.ratio(1, 0, model.mix()).unwrap().log - 1.5 * 2f64.ln()).abs() < 0.1);
    }
}

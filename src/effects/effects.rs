//! Effects of candidates from all comparable evidence: a network meta-analysis on the log scale.
//!
//! The model of an observation of candidate `c` in setting `s` by measurer `m` is
//!
//! ```text
//! value = setting(s) + effect(c) + offset(c, m) + sum over kinds k of interaction(c, level of k) + error
//! ```
//!
//! Settings and effects are fixed; offsets and interactions are random with one variance a kind, so that a measurer with a thousand
//! settings counts as one measurer, and an interaction that the evidence does not show is shrunk to zero. This is the random-effects
//! network meta-analysis (DerSimonian and Laird 1986, Controlled Clinical Trials 7:177; Rücker 2012, Research Synthesis Methods
//! 3:312, whose weighted Laplacian is what is left when settings are eliminated) with the study replaced by the measurer.
//! Estimates solve Henderson's mixed model equations (Henderson 1975, Biometrics 31:423) by preconditioned conjugate gradients.
//! Variances maximise the restricted likelihood by expectation and maximisation (Dempster, Laird and Rubin 1977), whose trace terms
//! come from one exact draw of the posterior by perturbation (Papandreou and Yuille 2010; García-Cortés and others 1992).
//! Errors and offsets follow Student's t (Lange, Little and Taylor 1989, JASA 84:881), so that a failed run or a measurer who is
//! wrong by a factor loses its weight instead of moving an effect.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::equations::{Equations, dot};

/// Kinds of context with which a candidate may interact.
pub const CONTEXTS: usize = 5;
/// Random effects of a candidate: by measurer, then by each kind of context.
pub const KINDS: usize = CONTEXTS + 1;
/// Unknowns of an observation: the effect and one cell a kind.
const TERMS: usize = KINDS + 1;

/// Degrees of freedom of Student's t for errors, and for the cells of random effects.
const ERROR_FREEDOM: f64 = 4.0;
const CELL_FREEDOM: f64 = 4.0;
/// The 95 % quantiles of the normal distribution and of Student's t with [`ERROR_FREEDOM`].
const NORMAL_95: f64 = 1.645;
const ERROR_95: f64 = 2.132;
const CELL_95: f64 = 2.132;
/// Expected over observed information of Student's t: what known robust weights make too small (Lange and others 1989).
const INFORMATION: f64 = (CELL_FREEDOM + 3.0) / (CELL_FREEDOM + 1.0);
/// Prior knowledge of a variance counts as so many cells or observations.
const PRIOR_CELLS: f64 = 8.0;
const PRIOR_OF_CANDIDATE: f64 = 10.0;
const PRIOR_ERRORS: f64 = 10.0;
/// A cell whose robust weight is below this, and whose factor is at least this, is reported as an outlier.
const OUTLYING_WEIGHT: f64 = 0.4;
const OUTLYING_FACTOR: f64 = 1.5;

/// One value of one candidate. Ids are dense and start at 0; a context of 0 is not stated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// Everything that decides comparability except the candidate, the source included.
    pub setting: u32,
    pub candidate: u32,
    /// Who measured.
    pub measurer: u32,
    /// Natural logarithm, higher is better.
    pub value: f64,
    /// Levels of the kinds of context, from 1; 0 where not stated or not used.
    pub context: [u32; CONTEXTS],
}

/// Variances on the log scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Variances {
    /// Of offsets by measurer, then of interactions by kind of context.
    pub cells: [f64; KINDS],
    /// Squared scale of the error of a usual measurer.
    pub error: f64,
    /// The same by measurer, and by candidate and measurer.
    pub errors: Vec<f64>,
    own: Scales,
    /// How many times as large the variances of a candidate's cells are as usual: processors of one class differ less.
    candidates: Vec<f64>,
}

impl Default for Variances {
    /// Where the estimation starts, and its prior: medians over the candidates of the whole base.
    fn default() -> Self {
        Self { cells: [0.02; KINDS], error: 0.006, errors: Vec::new(), own: Scales::default(), candidates: Vec::new() }
    }
}

/// An estimate on the log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub log: f64,
    /// Standard error, 0 for the reference.
    pub error: f64,
    /// Half the width of the 90 % interval.
    pub half: f64,
}

impl Estimate {
    fn normal(log: f64, variance: f64) -> Self {
        let error = variance.max(0.0).sqrt();
        Self { log, error, half: NORMAL_95 * error }
    }
    /// How many times as good, with the 90 % interval.
    pub fn ratio(&self) -> [f64; 3] {
        [self.log, self.log - self.half, self.log + self.half].map(f64::exp)
    }
}

/// The evidence of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    pub candidate: u32,
    /// Against the reference, over the mix of contexts of the evidence.
    pub estimate: Estimate,
    /// Observations beside at least one other candidate.
    pub pairs: usize,
    pub measurers: usize,
}

/// Two sides compared by the settings that hold both, and by all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    pub direct: Option<Estimate>,
    pub indirect: Option<Estimate>,
    /// Their difference over its standard error.
    pub disagreement: Option<f64>,
    /// By measurer: direct log ratio with its standard error and the number of settings.
    pub by_measurer: Vec<(u32, Estimate, usize)>,
}

/// A measurer whose value of a candidate is far from what all others imply.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    pub measurer: u32,
    pub candidate: u32,
    /// How many times too high; below 1 too low.
    pub factor: f64,
}

/// Folds small numbers into one (Fibonacci hashing); nobody from outside chooses these keys.
#[derive(Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(26) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

type Cells = HashMap<u64, u32, BuildHasherDefault<NumberHasher>>;
type Scales = HashMap<u64, f64, BuildHasherDefault<NumberHasher>>;

fn cell_key(kind: usize, candidate: u32, level: u32) -> u64 {
    (kind as u64) << 60 | u64::from(candidate) << 30 | u64::from(level)
}

/// The fitted model.
pub struct Effects {
    observations: Vec<Observation>,
    equations: Equations<TERMS>,
    candidates: usize,
    cells: Cells,
    /// The kind of each cell, and its candidate and level.
    cell_kinds: Vec<u8>,
    cell_levels: Vec<(u32, u32)>,
    /// The share of each level in the evidence, by kind of context.
    shares: [Vec<(u32, f64)>; CONTEXTS],
    component: Vec<u32>,
    /// What the fit found.
    variances: Variances,
    /// Squared scale of the error of each observation.
    scales: Vec<f64>,
    error_weights: Vec<f64>,
    cell_weights: Vec<f64>,
    solution: Vec<f64>,
    pub iterations: usize,
}

impl Effects {
    /// Fits the model. Known variances save the estimation; settings with one candidate say nothing and are dropped.
    pub fn fit(observations: &[Observation], known: Option<&Variances>) -> Self {
        let mut model = Self::indexed(observations);
        let values: Vec<f64> = model.observations.iter().map(|o| o.value).collect();
        let measurers = model.observations.iter().map(|o| o.measurer as usize + 1).max().unwrap_or(0);
        model.variances = known.cloned().unwrap_or_default();
        let error = model.variances.error;
        model.variances.errors.resize(measurers, error);
        model.variances.candidates.resize(model.candidates, 1.0);
        model.scale();
        let rounds = if known.is_some() { 3 } else { 16 };
        for round in 0..rounds {
            model.weigh();
            let right = model.equations.right_side(&values);
            let tolerance = if round + 1 == rounds { 1e-4 } else { 1e-3 };
            model.iterations += model.equations.solve(&right, &mut model.solution, tolerance);
            if round + 1 < rounds {
                model.update(&values, known.is_none(), round as u64);
            }
        }
        model
    }

    /// Numbers everything.
    fn indexed(all: &[Observation]) -> Self {
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by_key(|at| (all[*at as usize].setting, *at));
        let sorted: Vec<Observation> = order.iter().map(|at| all[*at as usize]).collect();
        let mut observations = Vec::with_capacity(all.len());
        let mut starts = vec![0];
        for group in sorted.chunk_by(|a, b| a.setting == b.setting) {
            if group.iter().any(|o| o.candidate != group[0].candidate) {
                observations.extend_from_slice(group);
                starts.push(observations.len() as u32);
            }
        }
        let candidates = all.iter().map(|o| o.candidate as usize + 1).max().unwrap_or(0);
        let mut cells = Cells::default();
        let (mut cell_kinds, mut cell_levels) = (Vec::new(), Vec::new());
        let mut terms = vec![[0; TERMS]; observations.len()];
        for (terms, o) in terms.iter_mut().zip(&observations) {
            terms[0] = o.candidate;
            for kind in 0..KINDS {
                let level = if kind == 0 { o.measurer + 1 } else { o.context[kind - 1] };
                terms[kind + 1] = if level == 0 {
                    u32::MAX
                } else {
                    *cells.entry(cell_key(kind, o.candidate, level)).or_insert_with(|| {
                        cell_kinds.push(kind as u8);
                        cell_levels.push((o.candidate, level));
                        (candidates + cell_kinds.len()) as u32 - 1
                    })
                };
            }
        }
        let unknowns = candidates + cell_kinds.len();
        terms.iter_mut().flatten().for_each(|term| *term = (*term).min(unknowns as u32));
        let mut levels = Cells::default();
        let level_numbers: Vec<u32> = cell_kinds
            .iter()
            .zip(&cell_levels)
            .map(|(kind, (_, level))| {
                let next = levels.len() as u32;
                *levels.entry(cell_key(usize::from(*kind), 0, *level)).or_insert(next)
            })
            .collect();
        let shares = shares(&observations);
        let component = components(&observations, &starts, candidates);
        Self {
            scales: vec![0.0; observations.len()],
            error_weights: vec![1.0; observations.len()],
            cell_weights: vec![1.0; cell_kinds.len()],
            solution: vec![0.0; unknowns + 1],
            variances: Variances::default(),
            iterations: 0,
            equations: Equations::new(terms, starts, candidates, &level_numbers),
            observations,
            candidates,
            cells,
            cell_kinds,
            cell_levels,
            shares,
            component,
        }
    }

    /// The squared scale of an error.
    fn scale_of(&self, o: &Observation) -> f64 {
        let own = self.variances.own.get(&cell_key(0, o.candidate, o.measurer + 1)).copied();
        own.or(self.variances.errors.get(o.measurer as usize).copied()).unwrap_or(self.variances.error)
    }

    fn scale(&mut self) {
        self.scales = self.observations.iter().map(|o| self.scale_of(o)).collect();
    }

    /// The variance of a cell.
    fn cell_variance(&self, kind: usize, candidate: u32) -> f64 {
        self.variances.cells[kind] * self.variances.candidates.get(candidate as usize).copied().unwrap_or(1.0)
    }

    /// Precisions from variances and robust weights.
    fn weigh(&mut self) {
        for ((precision, scale), weight) in
            self.equations.precision.iter_mut().zip(&self.scales).zip(&self.error_weights)
        {
            *precision = weight / scale;
        }
        self.equations.prior.fill(1e-6);
        for (at, kind) in self.cell_kinds.iter().enumerate() {
            self.equations.prior[self.candidates + at] =
                self.cell_weights[at] / self.cell_variance(usize::from(*kind), self.cell_levels[at].0);
        }
        self.equations.factorise();
    }

    /// Robust weights, and variances if they are estimated.
    fn update(&mut self, values: &[f64], estimated: bool, seed: u64) {
        let residuals = self.equations.residuals(values, &self.solution);
        let mut spread = vec![0.0; residuals.len()];
        let mut cell_spread = vec![0.0; self.cell_kinds.len()];
        if estimated {
            let draws = (3000 / (self.cell_kinds.len() + 1)).clamp(1, 12);
            for draw in 0..draws {
                let (errors, cells) = self.draw(seed * 16 + draw as u64);
                spread.iter_mut().zip(&errors).for_each(|(sum, e)| *sum += e * e / draws as f64);
                cell_spread.iter_mut().zip(&cells).for_each(|(sum, c)| *sum += c * c / draws as f64);
            }
            self.variances_of(&residuals, &spread, &cell_spread);
        }
        for range in self.equations.settings() {
            let total: f64 = self.equations.precision[range.clone()].iter().sum();
            for at in range {
                let scale = self.scales[at];
                // The share of the setting's mean that is the observation itself hides a part of its error.
                let shown = (1.0 - self.equations.precision[at] / total).max(0.25);
                self.error_weights[at] = robust(ERROR_FREEDOM, residuals[at].powi(2) / shown / scale);
            }
        }
        for (at, kind) in self.cell_kinds.iter().enumerate() {
            let variance = self.cell_variance(usize::from(*kind), self.cell_levels[at].0);
            let place = self.candidates + at;
            let square = self.solution[place].powi(2) + 1.0 / self.equations.information[place];
            self.cell_weights[at] = robust(CELL_FREEDOM, square / variance);
        }
    }

    /// A step of expectation and maximisation, in which prior knowledge counts as a few observations.
    fn variances_of(&mut self, residuals: &[f64], spread: &[f64], cell_spread: &[f64]) {
        let prior = Variances::default();
        let mut sums = [(0.0, 0.0); KINDS];
        let mut by_candidate = vec![(PRIOR_OF_CANDIDATE, PRIOR_OF_CANDIDATE); self.candidates];
        for (at, kind) in self.cell_kinds.iter().enumerate() {
            let (kind, candidate) = (usize::from(*kind), self.cell_levels[at].0 as usize);
            let square = self.cell_weights[at] * (self.solution[self.candidates + at].powi(2) + cell_spread[at]);
            let sum = &mut sums[kind];
            *sum = (sum.0 + square / self.variances.candidates[candidate], sum.1 + 1.0);
            let own = &mut by_candidate[candidate];
            *own = (own.0 + square / self.variances.cells[kind], own.1 + 1.0);
        }
        self.variances.candidates = by_candidate.iter().map(|(sum, many)| sum / many).collect();
        for (kind, (sum, many)) in sums.into_iter().enumerate() {
            self.variances.cells[kind] = ((sum + PRIOR_CELLS * prior.cells[kind]) / (many + PRIOR_CELLS)).max(1e-5);
        }
        let mut all = (0.0, 0.0);
        let mut by = vec![(0.0, 0.0); self.variances.errors.len()];
        for (at, o) in self.observations.iter().enumerate() {
            let square = self.error_weights[at] * (residuals[at].powi(2) + spread[at]);
            let sum = &mut by[o.measurer as usize];
            *sum = (sum.0 + square, sum.1 + 1.0);
        }
        // The usual measurer: each counts once, as far as it is known.
        for (square, many) in by.iter().filter(|(_, many)| *many > 0.0) {
            let known = many / (many + PRIOR_ERRORS);
            all = (all.0 + known * (square / many).max(1e-6).ln(), all.1 + known);
        }
        let usual = ((all.0 + prior.error.ln()) / (all.1 + 1.0)).exp();
        self.variances.error = usual;
        for (error, (square, many)) in self.variances.errors.iter_mut().zip(by) {
            *error = ((square + PRIOR_ERRORS * usual) / (many + PRIOR_ERRORS)).max(1e-5);
        }
        let mut own: HashMap<u64, (f64, f64), BuildHasherDefault<NumberHasher>> = HashMap::default();
        for (at, o) in self.observations.iter().enumerate() {
            let prior = PRIOR_ERRORS * self.variances.errors[o.measurer as usize];
            let sum = own.entry(cell_key(0, o.candidate, o.measurer + 1)).or_insert((prior, PRIOR_ERRORS));
            sum.0 += self.error_weights[at] * (residuals[at].powi(2) + spread[at]);
            sum.1 += 1.0;
        }
        self.variances.own = own.into_iter().map(|(key, (sum, many))| (key, (sum / many).max(1e-5))).collect();
        self.scale();
    }

    /// How far fitted values and cells of a simulated evidence are from the truth: a draw of their posterior.
    fn draw(&self, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut normal = Normal(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
        let mut truth = vec![0.0; self.solution.len()];
        for at in 0..self.cell_kinds.len() {
            truth[self.candidates + at] = normal.next() / self.equations.prior[self.candidates + at].sqrt();
        }
        let errors: Vec<f64> =
            self.equations.precision.iter().map(|precision| normal.next() / precision.sqrt()).collect();
        let values: Vec<f64> = (0..errors.len()).map(|at| errors[at] + self.equations.fitted(&truth, at)).collect();
        let mut found = truth.clone();
        self.equations.solve(&self.equations.right_side(&values), &mut found, 1e-2);
        let residuals = self.equations.residuals(&values, &found);
        let off = errors.iter().zip(residuals).map(|(error, residual)| error - residual).collect();
        (off, (self.candidates..self.candidates + self.cell_kinds.len()).map(|at| found[at] - truth[at]).collect())
    }
}

/// A contrast of unknowns, with the variance of cells that no evidence shows.
struct Contrast {
    weights: Vec<f64>,
    unseen: f64,
}

impl Effects {
    /// How candidates are connected: equal numbers for candidates that evidence compares, directly or not.
    pub fn components(&self) -> &[u32] {
        &self.component
    }

    pub fn sizes(&self) -> usize {
        self.solution.len()
    }

    pub fn variances(&self) -> &Variances {
        &self.variances
    }

    fn contrast(&self) -> Contrast {
        Contrast { weights: vec![0.0; self.solution.len()], unseen: 0.0 }
    }

    fn add_cell(&self, contrast: &mut Contrast, kind: usize, candidate: u32, level: u32, weight: f64) {
        match self.cells.get(&cell_key(kind, candidate, level)) {
            Some(cell) => contrast.weights[*cell as usize] += weight,
            None => contrast.unseen += weight * weight * self.cell_variance(kind, candidate),
        }
    }

    /// Adds a candidate's effect over the mix of contexts of the evidence (direct standardisation).
    fn add_effect(&self, contrast: &mut Contrast, candidate: u32, weight: f64) {
        contrast.weights[candidate as usize] += weight;
        for (kind, shares) in self.shares.iter().enumerate() {
            shares
                .iter()
                .for_each(|(level, share)| self.add_cell(contrast, kind + 1, candidate, *level, weight * share));
        }
    }

    fn value(&self, contrast: &Contrast) -> f64 {
        dot(&contrast.weights, &self.solution)
    }

    fn variance(&self, contrast: &Contrast) -> f64 {
        INFORMATION * self.equations.variance(&contrast.weights) + (CELL_95 / NORMAL_95).powi(2) * contrast.unseen
    }

    /// Candidates of the reference's component, best first.
    pub fn effects(&self, reference: u32) -> Vec<Effect> {
        let mut counts = vec![(0, Vec::new()); self.candidates];
        for o in &self.observations {
            let count = &mut counts[o.candidate as usize];
            count.0 += 1;
            count.1.push(o.measurer);
        }
        let own = self.component[reference as usize];
        let connected = (0..self.candidates as u32).filter(|at| self.component[*at as usize] == own);
        let mut effects: Vec<Effect> = connected
            .map(|candidate| {
                let (pairs, mut measurers) = std::mem::take(&mut counts[candidate as usize]);
                measurers.sort_unstable();
                measurers.dedup();
                let estimate = self.ratio(candidate, reference).unwrap_or(Estimate::normal(0.0, 0.0));
                Effect { candidate, estimate, pairs, measurers: measurers.len() }
            })
            .collect();
        effects.sort_by(|a, b| b.estimate.log.total_cmp(&a.estimate.log).then(a.candidate.cmp(&b.candidate)));
        effects
    }

    /// How many times as good `candidate` is as `against` over the mix of contexts of the evidence; `None` if nothing connects them.
    pub fn ratio(&self, candidate: u32, against: u32) -> Option<Estimate> {
        if candidate == against || self.component[candidate as usize] != self.component[against as usize] {
            return (candidate == against).then(|| Estimate::normal(0.0, 0.0));
        }
        let mut contrast = self.contrast();
        self.add_effect(&mut contrast, candidate, 1.0);
        self.add_effect(&mut contrast, against, -1.0);
        Some(Estimate::normal(self.value(&contrast), self.variance(&contrast)))
    }

    /// The value that `target` (whose `value` is not used) would have beside what was measured in its setting, with the interval of
    /// one new measurement; `None` if nothing connects it to one of the `anchors`.
    pub fn predict(&self, target: &Observation, anchors: &[Observation]) -> Option<Estimate> {
        let component = |o: &Observation| self.component.get(o.candidate as usize);
        let own = component(target)?;
        let anchors: Vec<&Observation> = anchors.iter().filter(|o| component(o) == Some(own)).collect();
        let parts: Vec<Contrast> = anchors.iter().map(|o| self.of_observation(o)).collect();
        let levels: Vec<f64> = anchors.iter().zip(&parts).map(|(o, part)| o.value - self.value(part)).collect();
        let scales: Vec<f64> = anchors.iter().zip(&parts).map(|(o, part)| self.scale_of(o) + part.unseen).collect();
        // The setting's level is a robust mean, as in the fit.
        let mut precision: Vec<f64> = scales.iter().map(|scale| 1.0 / scale).collect();
        let (mut level, mut total) = (0.0, 0.0);
        for _ in 0..5 {
            total = precision.iter().sum::<f64>();
            level = precision.iter().zip(&levels).map(|(p, level)| p * level).sum::<f64>() / total;
            for (at, p) in precision.iter_mut().enumerate() {
                let shown = (1.0 - *p / total).max(0.25);
                *p = robust(ERROR_FREEDOM, (levels[at] - level).powi(2) / shown / scales[at]) / scales[at];
            }
        }
        if parts.is_empty() {
            return None;
        }
        total = total.min(scales.iter().map(|scale| 1.0 / scale).sum());
        let mut contrast = self.of_observation(target);
        let log = level + self.value(&contrast);
        let shares: f64 = precision.iter().sum();
        for (part, p) in parts.iter().zip(&precision) {
            contrast.weights.iter_mut().zip(&part.weights).for_each(|(sum, weight)| *sum -= p / shares * weight);
        }
        let known = self.variance(&contrast) + INFORMATION / total;
        let scale = self.scale_of(target);
        let half = (NORMAL_95 * NORMAL_95 * known + ERROR_95 * ERROR_95 * scale).sqrt();
        Some(Estimate { log, error: (known + scale).sqrt(), half })
    }

    fn of_observation(&self, o: &Observation) -> Contrast {
        let mut contrast = self.contrast();
        contrast.weights[o.candidate as usize] = 1.0;
        for kind in 0..KINDS {
            let level = if kind == 0 { o.measurer + 1 } else { o.context[kind - 1] };
            if level > 0 {
                self.add_cell(&mut contrast, kind, o.candidate, level, 1.0);
            }
        }
        contrast
    }

    /// Measurers whose value of a candidate the robust fit did not believe, the farthest first.
    pub fn outliers(&self) -> Vec<Outlier> {
        let mut outliers: Vec<Outlier> = (0..self.cell_kinds.len())
            .filter(|at| self.cell_kinds[*at] == 0 && self.cell_weights[*at] < OUTLYING_WEIGHT)
            .map(|at| Outlier {
                measurer: self.cell_levels[at].1 - 1,
                candidate: self.cell_levels[at].0,
                factor: self.solution[self.candidates + at].exp(),
            })
            .filter(|outlier| outlier.factor.ln().abs() > OUTLYING_FACTOR.ln())
            .collect();
        outliers.sort_by(|a, b| b.factor.ln().abs().total_cmp(&a.factor.ln().abs()));
        outliers
    }

    /// Direct evidence of a pair from the settings that hold both, and indirect evidence from all other settings (node splitting:
    /// Dias and others 2010, Statistics in Medicine 29:932; whole settings are left out, so the two share no observation).
    pub fn split(&self, candidate: u32, against: u32) -> Split {
        let mut direct: Vec<Observation> = Vec::new();
        let mut others: Vec<Observation> = Vec::new();
        for setting in self.equations.settings() {
            let setting = &self.observations[setting];
            let holds = |wanted: u32| setting.iter().any(|o| o.candidate == wanted);
            if holds(candidate) && holds(against) {
                direct.extend(setting.iter().filter(|o| [candidate, against].contains(&o.candidate)));
            } else {
                others.extend(setting);
            }
        }
        let of = |observations: &[Observation]| {
            let both = |wanted: u32| observations.iter().any(|o| o.candidate == wanted);
            if !both(candidate) || !both(against) {
                return None;
            }
            let mut model = Self::fit(observations, Some(&self.variances));
            // Both sides are standardised to one mix.
            model.shares.clone_from(&self.shares);
            model.ratio(candidate, against)
        };
        let mut measurers: Vec<u32> = direct.iter().map(|o| o.measurer).collect();
        measurers.sort_unstable();
        measurers.dedup();
        let by_measurer = measurers.into_iter().filter_map(|measurer| {
            let own: Vec<Observation> = direct.iter().filter(|o| o.measurer == measurer).copied().collect();
            let estimate = of(&own)?;
            let mut settings: Vec<u32> = own.iter().map(|o| o.setting).collect();
            settings.dedup();
            Some((measurer, estimate, settings.len()))
        });
        let by_measurer = by_measurer.collect();
        let (direct, indirect) = (of(&direct), of(&others));
        let disagreement = direct.zip(indirect).map(|(direct, indirect)| {
            (direct.log - indirect.log) / (direct.error.powi(2) + indirect.error.powi(2)).sqrt()
        });
        Split { direct, indirect, disagreement, by_measurer }
    }
}

/// The share of each level of each kind of context, each measurer counting as much as any other.
fn shares(observations: &[Observation]) -> [Vec<(u32, f64)>; CONTEXTS] {
    std::array::from_fn(|kind| {
        let mut of_measurer: HashMap<u32, f64, BuildHasherDefault<NumberHasher>> = HashMap::default();
        let stated = || observations.iter().filter(|o| o.context[kind] > 0);
        stated().for_each(|o| *of_measurer.entry(o.measurer).or_default() += 1.0);
        let mut by: HashMap<u32, f64, BuildHasherDefault<NumberHasher>> = HashMap::default();
        for o in stated() {
            *by.entry(o.context[kind]).or_default() += 1.0 / of_measurer[&o.measurer] / of_measurer.len() as f64;
        }
        let mut shares: Vec<(u32, f64)> = by.into_iter().collect();
        shares.sort_by_key(|(level, _)| *level);
        shares
    })
}

/// Connected components: two candidates of one setting are connected. Candidates without evidence have components of their own.
fn components(observations: &[Observation], starts: &[u32], candidates: usize) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..candidates as u32).collect();
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    for ends in starts.windows(2) {
        let first = root(&mut parent, observations[ends[0] as usize].candidate);
        for o in &observations[ends[0] as usize..ends[1] as usize] {
            let other = root(&mut parent, o.candidate);
            parent[other as usize] = first;
        }
    }
    (0..candidates as u32).map(|at| root(&mut parent, at)).collect()
}

/// The weight of a squared standardised deviation under Student's t.
fn robust(freedom: f64, square: f64) -> f64 {
    (freedom + 1.0) / (freedom + square)
}

/// Normal random numbers, the same for the same seed (SplitMix64, Box and Muller).
struct Normal(u64);

impl Normal {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn next(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A net of candidates with effects `0.3 * candidate`, measured by measurers who each own some settings and candidates.
    fn net(seed: u64, measurers: u32, settings: u32, offset: f64, error: f64) -> Vec<Observation> {
        let mut random = Normal(seed);
        let mut all = Vec::new();
        for measurer in 0..measurers {
            let own: Vec<u32> = (0..8).filter(|at| *at < 2 || random.uniform() < 0.5).collect();
            let offsets: Vec<f64> = own.iter().map(|_| offset * random.next()).collect();
            for setting in 0..settings {
                let level = 3.0 * random.next();
                for (candidate, offset) in own.iter().zip(&offsets) {
                    let value = level + 0.3 * f64::from(*candidate) + offset + error * random.next();
                    all.push(Observation {
                        setting: measurer * settings + setting,
                        candidate: *candidate,
                        measurer,
                        value,
                        context: [0; CONTEXTS],
                    });
                }
            }
        }
        all
    }

    #[test]
    fn known_effects_are_found_without_bias_and_intervals_hold_them() {
        let (mut sum, mut held, mut all) = (0.0, 0, 0);
        for seed in 0..60 {
            let model = Effects::fit(&net(seed, 12, 4, 0.15, 0.08), None);
            for effect in model.effects(0).iter().filter(|effect| effect.candidate != 0) {
                let off = effect.estimate.log - 0.3 * f64::from(effect.candidate);
                sum += off;
                held += usize::from(off.abs() <= effect.estimate.half);
                all += 1;
            }
        }
        let (bias, coverage) = (sum / all as f64, held as f64 / all as f64);
        assert!(bias.abs() < 0.01 && (0.87..=0.93).contains(&coverage), "{bias} {coverage}");
    }

    #[test]
    fn a_measurer_who_is_wrong_by_three_is_named_and_moves_little() {
        let mut observations = net(3, 12, 6, 0.1, 0.05);
        let before = Effects::fit(&observations, None).ratio(1, 0).unwrap();
        observations.iter_mut().filter(|o| o.measurer == 5 && o.candidate == 1).for_each(|o| o.value += 3f64.ln());
        let model = Effects::fit(&observations, None);
        let after = model.ratio(1, 0).unwrap();
        assert!((after.log - before.log).abs() < 0.05, "{before:?} {after:?}");
        let outliers = model.outliers();
        assert!(outliers.iter().any(|o| (o.measurer, o.candidate) == (5, 1)), "{outliers:?}");
        assert!(outliers.iter().all(|o| o.measurer == 5), "{outliers:?}");
    }

    #[test]
    fn a_large_measurer_does_not_outvote_many() {
        // Ten measurers with one setting each say 1.5, one with 500 settings says 3.
        let mut observations = Vec::new();
        for setting in 0..510u32 {
            let measurer = setting.min(10);
            let noise = f64::from(setting % 7) * 0.01;
            let ratio = if measurer == 10 { 3f64 } else { 1.5 };
            for (candidate, value) in [(0, 0.0), (1, ratio.ln() + noise)] {
                observations.push(Observation { setting, candidate, measurer, value, context: [0; CONTEXTS] });
            }
        }
        let ratio = Effects::fit(&observations, None).ratio(1, 0).unwrap().ratio();
        assert!((1.4..1.9).contains(&ratio[0]) && ratio[2] > ratio[0] * 1.03, "{ratio:?}");
    }

    #[test]
    fn what_nothing_connects_has_no_ratio() {
        let at =
            |setting, candidate| Observation { setting, candidate, measurer: 0, value: 1.0, context: [0; CONTEXTS] };
        let model = Effects::fit(&[at(0, 0), at(0, 1), at(1, 2), at(1, 3), at(2, 4)], None);
        assert!(model.ratio(0, 1).is_some() && model.ratio(0, 2).is_none() && model.ratio(0, 4).is_none());
        assert_eq!(model.effects(2).len(), 2);
        assert!(model.predict(&at(0, 3), &[at(0, 0)]).is_none() && model.predict(&at(1, 3), &[at(1, 2)]).is_some());
    }

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
        let split = Effects::fit(&observations, None).split(2, 0);
        let (direct, indirect) = (split.direct.unwrap(), split.indirect.unwrap());
        assert!((direct.log + 0.66).abs() < 0.05 && (indirect.log - 0.48).abs() < 0.05, "{direct:?} {indirect:?}");
        assert!(split.disagreement.unwrap() < -2.0 && split.by_measurer.len() == 10, "{split:?}");
    }

    #[test]
    fn interactions_are_found_and_predicted() {
        // Candidate 1 is twice as good, and four times in context 2.
        let mut random = Normal(1);
        let mut observations = Vec::new();
        for setting in 0..80u32 {
            let level = 1 + setting % 2;
            let base = random.next();
            for candidate in 0..4 {
                let gain = if candidate == 1 { 2f64.ln() * f64::from(level) } else { 0.0 };
                let value = base + gain + 0.05 * random.next();
                observations.push(Observation {
                    setting,
                    candidate,
                    measurer: setting % 5,
                    value,
                    context: [level, 0, 0, 0, 0],
                });
            }
        }
        let model = Effects::fit(&observations, None);
        let target = observations[4 * 41 + 1];
        let predicted = model.predict(&target, &observations[4 * 41..4 * 41 + 1]).unwrap();
        assert!((predicted.log - target.value).abs() < predicted.half, "{predicted:?} {target:?}");
        // Over the mix of contexts: the mean of both.
        assert!((model.ratio(1, 0).unwrap().log - 1.5 * 2f64.ln()).abs() < 0.1);
    }
}

//! A mixed model of comparable values: the effects of candidates, measurers and contexts on the log scale, fitted robustly.
//!
//! ```text
//! value = setting + effect(candidate) + offset(candidate, measurer) + Σ interaction(candidate, level of a context) + error
//! ```
//!
//! Settings and effects are fixed. Offsets and interactions ("cells") are random with one variance for each kind, so that a
//! measurer with a thousand settings counts as one measurer, and an interaction without evidence is shrunk to zero. Estimates solve
//! Henderson's equations (see `equations`). Variances maximise the restricted likelihood (REML): those of errors by
//! expectation-maximisation (Dempster, Laird and Rubin 1977, JRSS B 39:1), those of cells by the faster step of Fellner (1986,
//! Technometrics 28:51) and Schall (1991, Biometrika 78:719); the traces in both are estimated from posterior draws by perturbation
//! (García-Cortés and others 1992, Genetics Selection Evolution 24:209). Errors and cells follow Student's t, fitted by reweighting
//! (Lange, Little and Taylor 1989, JASA 84:881): a failed run, or a measurer who is wrong by a factor, gets a low weight.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use crate::equations::{Equations, lane};

/// Kinds of context with which a candidate may interact.
pub const CONTEXTS: usize = 5;
/// Kinds of cells: by measurer, then by each kind of context.
pub const KINDS: usize = CONTEXTS + 1;
/// Terms of an observation: the effect and one cell of each kind.
pub const TERMS: usize = KINDS + 1;

/// Degrees of freedom of Student's t, and its 95 % quantile: for errors, and for cells. Among 2 to 10, these values
/// give the most even coverage of left-out data.
const ERROR_FREEDOM: f64 = 5.0;
pub const ERROR_95: f64 = 2.015;
const CELL_FREEDOM: f64 = 4.0;
pub const CELL_95: f64 = 2.132;
/// The 95 % quantile of the normal distribution.
pub const NORMAL_95: f64 = 1.645;
/// Ratio of expected to observed information of Student's t: the factor by which estimated weights make variances too
/// small (Lange and others 1989, appendix B).
pub const INFORMATION: f64 = (CELL_FREEDOM + 3.0) / (CELL_FREEDOM + 1.0);
/// Rounds of reweighting: with known variances, and with variances to estimate.
const ROUNDS_OF_WEIGHTS: usize = 4;
const ROUNDS_OF_VARIANCES: usize = 16;
/// Tolerance of the equations: in the last round, and in the rounds before.
pub const TOLERANCE: f64 = 1e-6;
const TOLERANCE_OF_ROUNDS: f64 = 1e-3;
/// Prior variances: of offsets by measurer, of interactions and of errors; then the numbers of cells or observations that they
/// count as. Calibrated on the data of November 2026: 90 % intervals contain 88 % of a device's values by a measurer whose values
/// for it were left out; maximum likelihood alone reaches 83 %, as most cells have one measurer and carry no information on it.
const PRIOR_OFFSET: f64 = 0.06;
const PRIOR_INTERACTION: f64 = 0.03;
const PRIOR_ERROR: f64 = 0.006;
const PRIOR_CELLS: f64 = 60.0;
const PRIOR_CELLS_OF_CANDIDATE: f64 = 10.0;
const PRIOR_OBSERVATIONS: f64 = 10.0;
/// Minimum variance: values have three or four digits.
const LEAST_VARIANCE: f64 = 1e-5;

/// One value of one candidate. Ids are dense and start at 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// Everything that decides comparability except the candidate, including the source.
    pub setting: u32,
    pub candidate: u32,
    /// Who measured.
    pub measurer: u32,
    /// Natural logarithm; higher is better.
    pub value: f64,
    /// Levels of the kinds of context, from 1; 0 if not stated or not used.
    pub context: [u32; CONTEXTS],
}

/// Variances on the log scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Variances {
    /// Squared scales of offsets by measurer, then of interactions by kind of context.
    pub cells: [f64; KINDS],
    /// Squared scale of the errors of a typical measurer, then of each measurer.
    pub error: f64,
    pub errors: Vec<f64>,
    /// Squared scale of errors by candidate and measurer.
    own: NumberMap<f64>,
    /// The variance of a candidate's cells relative to the typical one: devices of one class differ less than a CPU and a GPU.
    candidates: Vec<f64>,
}

/// The fitted model. Unknowns are the effects of candidates, then cells, then a dummy that is 0.
pub struct MixedModel {
    pub observations: Vec<Observation>,
    pub equations: Equations<TERMS>,
    pub candidates: usize,
    pub cells: Vec<Cell>,
    numbers: NumberMap<u32>,
    pub variances: Variances,
    pub solution: Vec<f64>,
    /// Squared scale of the error of each observation.
    scales: Vec<f64>,
    error_weights: Vec<f64>,
}

/// A random effect of a candidate.
pub struct Cell {
    pub kind: usize,
    pub candidate: u32,
    /// The level of the context, or the measurer + 1.
    pub level: u32,
    /// Its robust weight, below 1 if it is an outlier.
    pub weight: f64,
}

impl Default for Variances {
    fn default() -> Self {
        let cells = std::array::from_fn(|kind| if kind == 0 { PRIOR_OFFSET } else { PRIOR_INTERACTION });
        Self { cells, error: PRIOR_ERROR, errors: Vec::new(), own: NumberMap::default(), candidates: Vec::new() }
    }
}

impl Variances {
    /// The variances for a fit of two candidates, renumbered 0 and 1.
    pub fn of_two(&self, candidates: [u32; 2], observations: &[Observation]) -> Self {
        let own = (0..).zip(candidates).flat_map(|(number, candidate)| {
            let of_candidate = observations.iter().filter(move |o| o.candidate == candidate);
            of_candidate.filter_map(move |o| {
                let error = self.own.get(&key(0, candidate, o.measurer + 1))?;
                Some((key(0, number, o.measurer + 1), *error))
            })
        });
        let candidates = candidates.map(|at| self.candidates.get(at as usize).copied().unwrap_or(1.0));
        Self { own: own.collect(), candidates: candidates.to_vec(), errors: self.errors.clone(), ..*self }
    }
}

impl fmt::Display for Variances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [measurer, contexts @ ..] = self.cells.map(f64::sqrt);
        let contexts = contexts.map(|scale| format!("{scale:.3}")).join(", ");
        write!(
            f,
            "scales on the log scale: errors {:.3}, measurers {measurer:.3}, contexts {contexts}",
            self.error.sqrt()
        )
    }
}

impl Observation {
    /// The level for a kind of cell; 0 if there is none.
    pub fn level(&self, kind: usize) -> u32 {
        if kind == 0 { self.measurer + 1 } else { self.context[kind - 1] }
    }
}

impl MixedModel {
    /// Fits the model, with the variances of a fit to similar evidence if given. Settings with a single candidate carry
    /// no information and are dropped.
    pub fn fit(observations: &[Observation], known: Option<&Variances>) -> Self {
        let mut model = Self::indexed(observations);
        let values: Vec<f64> = model.observations.iter().map(|o| o.value).collect();
        let measurers = observations.iter().map(|o| o.measurer as usize + 1).max().unwrap_or(0);
        model.variances = known.cloned().unwrap_or_default();
        let variances = &mut model.variances;
        variances.errors.resize(measurers.max(variances.errors.len()), variances.error);
        variances.candidates.resize(model.candidates.max(variances.candidates.len()), 1.0);
        model.scales = model.observations.iter().map(|o| model.error_variance(o)).collect();
        let rounds = if known.is_none() { ROUNDS_OF_VARIANCES } else { ROUNDS_OF_WEIGHTS };
        for round in 0..rounds {
            model.weigh();
            // Refactorises in the first rounds, where weights change most, and in the last, which must be exact.
            if round < 4 || round % 4 == 0 || round + 1 == rounds {
                model.equations.factorise();
            }
            let is_last = round + 1 == rounds;
            let tolerance = if is_last { TOLERANCE } else { TOLERANCE_OF_ROUNDS };
            let right = model.equations.right_side(&values);
            let mut solution = std::mem::take(&mut model.solution);
            let draws = if is_last || known.is_some() { 0 } else { (3000 / (model.cells.len() + 1)).clamp(1, 12) };
            // Posterior draws depend only on the weights.
            let seeds = (0..draws as u64).into_par_iter().map(|draw| round as u64 * 16 + draw);
            let (_, drawn) = rayon::join(
                || model.equations.solve(lane(&right), solution.as_chunks_mut().0, tolerance),
                || seeds.map(|seed| model.draw(seed)).collect::<Vec<_>>(),
            );
            model.solution = solution;
            if !drawn.is_empty() {
                model.estimate_variances(&values, &drawn);
            }
            if !is_last {
                model.reweigh(&values);
            }
        }
        model
    }

    /// The unknown of a cell, if it has observations.
    pub fn cell(&self, kind: usize, candidate: u32, level: u32) -> Option<usize> {
        self.numbers.get(&key(kind, candidate, level)).map(|number| *number as usize)
    }

    pub fn cell_variance(&self, kind: usize, candidate: u32) -> f64 {
        self.variances.cells[kind] * self.variances.candidates.get(candidate as usize).copied().unwrap_or(1.0)
    }

    pub fn error_variance(&self, o: &Observation) -> f64 {
        self.error_variance_of(o.candidate, o.measurer)
    }

    /// The squared scale of errors by candidate and measurer.
    pub fn error_variance_of(&self, candidate: u32, measurer: u32) -> f64 {
        let own = self.variances.own.get(&key(0, candidate, measurer + 1));
        *own.or(self.variances.errors.get(measurer as usize)).unwrap_or(&self.variances.error)
    }

    fn indexed(all: &[Observation]) -> Self {
        let mut sorted = all.to_vec();
        sorted.sort_by_key(|o| o.setting);
        let mut observations = Vec::with_capacity(all.len());
        let mut starts = vec![0];
        for group in sorted.chunk_by(|a, b| a.setting == b.setting) {
            if group.iter().any(|o| o.candidate != group[0].candidate) {
                observations.extend_from_slice(group);
                starts.push(observations.len() as u32);
            }
        }
        let candidates = all.iter().map(|o| o.candidate as usize + 1).max().unwrap_or(0);
        let (mut numbers, mut cells) = (NumberMap::default(), Vec::new());
        let mut terms = vec![[u32::MAX; TERMS]; observations.len()];
        for (terms, o) in terms.iter_mut().zip(&observations) {
            terms[0] = o.candidate;
            for kind in (0..KINDS).filter(|kind| o.level(*kind) > 0) {
                let level = o.level(kind);
                terms[kind + 1] = *numbers.entry(key(kind, o.candidate, level)).or_insert_with(|| {
                    cells.push(Cell { kind, candidate: o.candidate, level, weight: 1.0 });
                    (candidates + cells.len()) as u32 - 1
                });
            }
        }
        let dummy = (candidates + cells.len()) as u32;
        terms.iter_mut().flatten().for_each(|term| *term = (*term).min(dummy));
        Self {
            equations: Equations::new(terms, starts, candidates, cells.len()),
            error_weights: vec![1.0; observations.len()],
            scales: vec![0.0; observations.len()],
            solution: vec![0.0; dummy as usize + 1],
            variances: Variances::default(),
            observations,
            candidates,
            cells,
            numbers,
        }
    }

    /// Computes precisions from variances and robust weights.
    fn weigh(&mut self) {
        let precision = self.scales.iter().zip(&self.error_weights).map(|(scale, weight)| weight / scale).collect();
        // Effects have no prior; this small one keeps the equations regular.
        let effects = std::iter::repeat_n(1e-6, self.candidates);
        let cells = self.cells.iter().map(|cell| cell.weight / self.cell_variance(cell.kind, cell.candidate));
        let prior = effects.chain(cells).chain([1.0]).collect();
        self.equations.weigh(precision, prior);
    }

    /// Computes robust weights from the solution.
    fn reweigh(&mut self, values: &[f64]) {
        let residuals = self.equations.residuals(values, &self.solution);
        for setting in self.equations.settings() {
            let total: f64 = self.equations.precision()[setting.clone()].iter().sum();
            for at in setting {
                let shown = shown(self.equations.precision()[at] / total);
                self.error_weights[at] = robust_error(residuals[at].powi(2) / shown / self.scales[at]);
            }
        }
        for at in 0..self.cells.len() {
            let place = self.candidates + at;
            let square = self.solution[place].powi(2) + 1.0 / self.equations.information()[place];
            self.cells[at].weight =
                robust(CELL_FREEDOM, square / self.cell_variance(self.cells[at].kind, self.cells[at].candidate));
        }
    }

    /// One step towards the REML variances, with draws of the posterior.
    fn estimate_variances(&mut self, values: &[f64], draws: &[(Vec<f64>, Vec<f64>)]) {
        // The squares of residuals and cells, with their uncertainty from the draws.
        let residuals = self.equations.residuals(values, &self.solution);
        let mut errors: Vec<f64> = residuals.iter().map(|residual| residual * residual).collect();
        let mut off = vec![0.0; self.cells.len()];
        let share = 1.0 / draws.len() as f64;
        for (of_errors, of_cells) in draws {
            errors.iter_mut().zip(of_errors).for_each(|(sum, off)| *sum += off * off * share);
            off.iter_mut().zip(of_cells).for_each(|(sum, off)| *sum += off * off * share);
        }
        let mut kinds = [(0.0, 0.0); KINDS];
        let mut of_candidates = vec![(PRIOR_CELLS_OF_CANDIDATE, PRIOR_CELLS_OF_CANDIDATE); self.candidates];
        for ((cell, value), off) in self.cells.iter().zip(&self.solution[self.candidates..]).zip(&off) {
            let usual = self.variances.cells[cell.kind];
            let own = self.variances.candidates[cell.candidate as usize];
            let kind = &mut kinds[cell.kind];
            *kind = (kind.0 + cell.weight * value * value / own, kind.1 + 1.0 - cell.weight * off / own / usual);
            let candidate = &mut of_candidates[cell.candidate as usize];
            *candidate = (candidate.0 + cell.weight * (value * value + off) / usual, candidate.1 + 1.0);
        }
        of_candidates.iter().zip(&mut self.variances.candidates).for_each(|((sum, many), own)| *own = sum / many);
        let prior = Variances::default();
        for (kind, (sum, many)) in kinds.into_iter().enumerate() {
            let mean = (sum + PRIOR_CELLS * prior.cells[kind]) / (many.max(0.0) + PRIOR_CELLS);
            self.variances.cells[kind] = mean.max(LEAST_VARIANCE);
        }
        let mut measurers = vec![(0.0, 0.0); self.variances.errors.len()];
        let mut own: NumberMap<(f64, f64)> = NumberMap::default();
        for ((o, square), weight) in self.observations.iter().zip(&errors).zip(&self.error_weights) {
            let of_own = own.entry(key(0, o.candidate, o.measurer + 1)).or_default();
            for sum in [&mut measurers[o.measurer as usize], of_own] {
                *sum = (sum.0 + weight * square, sum.1 + 1.0);
            }
        }
        // The typical measurer: each measurer counts at most once, less if it has few observations.
        let mut usual = (prior.error.ln(), 1.0);
        for (sum, many) in measurers.iter().filter(|(_, many)| *many > 0.0) {
            let known = many / (many + PRIOR_OBSERVATIONS);
            usual = (usual.0 + known * (sum / many).max(LEAST_VARIANCE).ln(), usual.1 + known);
        }
        let shrunk = |(sum, many): (f64, f64), prior: f64| {
            ((sum + PRIOR_OBSERVATIONS * prior) / (many + PRIOR_OBSERVATIONS)).max(LEAST_VARIANCE)
        };
        self.variances.error = (usual.0 / usual.1).exp();
        self.variances.errors = measurers.into_iter().map(|sums| shrunk(sums, self.variances.error)).collect();
        let prior = |key: u64| self.variances.errors[(key & 0x3FFF_FFFF) as usize - 1];
        self.variances.own = own.into_iter().map(|(key, sums)| (key, shrunk(sums, prior(key)))).collect();
        self.scales = self.observations.iter().map(|o| self.error_variance(o)).collect();
    }

    /// A draw of the posterior: the differences between errors and cells estimated from simulated values and the true ones.
    fn draw(&self, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut random = Random::new(seed);
        let mut truth = vec![0.0; self.equations.prior().len()];
        let places = self.candidates..self.candidates + self.cells.len();
        places.clone().for_each(|at| truth[at] = random.normal() / self.equations.prior()[at].sqrt());
        let errors: Vec<f64> = self.equations.precision().iter().map(|own| random.normal() / own.sqrt()).collect();
        let values: Vec<f64> = (0..errors.len()).map(|at| errors[at] + self.equations.fitted(&truth, at)).collect();
        let mut found = truth.clone();
        self.equations.solve(lane(&self.equations.right_side(&values)), found.as_chunks_mut().0, 1e-2);
        let residuals = self.equations.residuals(&values, &found);
        let errors = errors.iter().zip(residuals).map(|(error, residual)| error - residual).collect();
        (errors, places.map(|at| found[at] - truth[at]).collect())
    }
}

/// The robust weight of an error, from its square relative to the scale.
pub fn robust_error(square: f64) -> f64 {
    robust(ERROR_FREEDOM, square)
}

/// The weight of a squared standardised deviation under Student's t.
fn robust(freedom: f64, square: f64) -> f64 {
    (freedom + 1.0) / (freedom + square)
}

/// The fraction of its error that an observation shows, if it has this share in the mean that is subtracted.
pub fn shown(share: f64) -> f64 {
    (1.0 - share).max(0.25)
}

/// Maps with small number keys that are not chosen by outsiders (Fibonacci hashing).
type NumberMap<V> = HashMap<u64, V, BuildHasherDefault<NumberHasher>>;

fn key(kind: usize, candidate: u32, level: u32) -> u64 {
    (kind as u64) << 60 | u64::from(candidate) << 30 | u64::from(level)
}

#[derive(Debug, Clone, Copy, Default)]
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

/// Reproducible random numbers from a seed (SplitMix64; Box and Muller 1958).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

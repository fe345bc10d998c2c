//! The mixed model equations of candidates in settings, and their solution by preconditioned conjugate gradients.
//!
//! An observation is the sum of its terms (a candidate's effect and one cell for each kind of random effect), its setting's level
//! and an error of known precision. Settings are eliminated by subtracting weighted means (Rücker 2012: the weighted Laplacian of
//! the network), so only effects and cells are unknown; cells have a prior precision (Henderson 1975, Biometrics 31:423).

use std::ops::Range;

use rayon::prelude::*;

const NONE: u32 = u32::MAX;

/// Tolerance for solutions that give variances: standard errors deviate by at most 0.2 % (150,000 rows, compared with 1e-6).
const VARIANCE_TOLERANCE: f64 = 0.03;

/// Number of right-hand sides that are solved at once.
const LANES: usize = 4;

/// The unknowns of one observation: its candidate, then one cell of each kind. For a missing term, it is the last
/// unknown, a dummy that is 0.
pub type Terms<const N: usize> = [u32; N];

/// The equations.
#[derive(Clone)]
pub struct Equations<const N: usize> {
    terms: Vec<Terms<N>>,
    /// Where the observations of each setting start, then the number of observations.
    starts: Vec<u32>,
    /// Precision of each observation.
    precision: Vec<f64>,
    /// Prior precision of each unknown; the last unknown is the dummy.
    prior: Vec<f64>,
    /// For each unknown, its prior precision plus the information from observations.
    information: Vec<f64>,
    /// The group of each cell, whose common shift no setting identifies, or `NONE`; and each group's sum of prior precisions.
    shared: Vec<u32>,
    shared_prior: Vec<f64>,
    blocks: Vec<Block>,
    /// The group of each candidate, and the Cholesky factor, by rows, of the equations in which a group has one common effect.
    groups: Vec<u32>,
    of_groups: Vec<f64>,
    /// The observations in the order of blocks.
    order: Vec<u32>,
}

/// The equations of one candidate, for the preconditioner (block Jacobi). The cells of the most frequent kind form a
/// diagonal block, since no observation is in two of them; the rest after eliminating them is dense and small.
#[derive(Clone)]
struct Block {
    observations: Range<usize>,
    /// The column of the kind with the most cells.
    wide: usize,
    /// The unknowns of this kind, each with the end of its entries in `cross`; then all other unknowns.
    cells: Vec<(u32, usize)>,
    dense: Vec<u32>,
    diagonal: Vec<f64>,
    cross: Vec<(u32, f64)>,
    /// The Cholesky factor, by rows.
    factor: Vec<f64>,
}

/// A contrast of unknowns and the solution for it.
pub struct Solved {
    contrast: Vec<f64>,
    solution: Vec<f64>,
    product: Vec<f64>,
}

impl<const N: usize> Equations<N> {
    /// Creates the equations, without weights. Observations are ordered by setting; `starts` has the start of each
    /// setting and the end of the last. Unknowns are the candidates' effects, then cells, then the dummy.
    pub fn new(terms: Vec<Terms<N>>, starts: Vec<u32>, candidates: usize, cells: usize) -> Self {
        let mut equations = Self {
            precision: vec![1.0; terms.len()],
            prior: vec![1.0; candidates + cells + 1],
            information: vec![1.0; candidates + cells + 1],
            shared: Vec::new(),
            shared_prior: Vec::new(),
            blocks: Vec::new(),
            groups: Vec::new(),
            of_groups: Vec::new(),
            order: (0..terms.len() as u32).collect(),
            terms,
            starts,
        };
        equations.index_blocks(candidates);
        equations.index_shared(candidates);
        equations.index_groups(candidates);
        equations
    }

    fn dummy(&self) -> u32 {
        self.prior.len() as u32 - 1
    }

    /// A common shift of all cells of one kind in a setting changes only the setting's level: cells connected by
    /// settings form a group whose common shift is determined only by the prior.
    fn index_shared(&mut self, candidates: usize) {
        let dummy = self.dummy();
        let mut parent: Vec<u32> = (0..=dummy).collect();
        for setting in self.settings() {
            let of = &self.terms[setting];
            for column in 1..N {
                for terms in of {
                    // Observations without a cell join the group of the dummy, which does not count.
                    join(&mut parent, of[0][column], terms[column]);
                }
            }
        }
        let none = root(&mut parent, dummy);
        let mut numbers = vec![NONE; parent.len()];
        let mut many = 0;
        self.shared = vec![NONE; parent.len()];
        for at in candidates..dummy as usize {
            let root = root(&mut parent, at as u32);
            if root != none {
                if numbers[root as usize] == NONE {
                    numbers[root as usize] = many;
                    many += 1;
                }
                self.shared[at] = numbers[root as usize];
            }
        }
        self.shared_prior = vec![0.0; many as usize];
    }

    /// Subtracts the prior-weighted group mean from cells: it is 0 in the solution, so the search skips it (deflation; saves nine
    /// in ten iterations in weakly connected groups: Saad and others 2000, SIAM Journal on Scientific Computing 21:1909).
    fn deflate<const L: usize>(&self, x: &mut [[f64; L]]) {
        let mut sums = vec![[0.0; L]; self.shared_prior.len()];
        let shared = || self.shared.iter().enumerate().filter(|(_, level)| **level != NONE);
        shared().for_each(|(at, level)| add(&mut sums[*level as usize], self.prior[at], &x[at]));
        self.divide_by_prior(&mut sums);
        shared().for_each(|(at, level)| add(&mut x[at], -1.0, &sums[*level as usize]));
    }

    /// The transpose of [`Equations::deflate`].
    fn deflate_residual<const L: usize>(&self, residual: &[[f64; L]]) -> Vec<[f64; L]> {
        let mut sums = vec![[0.0; L]; self.shared_prior.len()];
        let shared = || self.shared.iter().enumerate().filter(|(_, level)| **level != NONE);
        shared().for_each(|(at, level)| add(&mut sums[*level as usize], 1.0, &residual[at]));
        self.divide_by_prior(&mut sums);
        let mut deflated = residual.to_vec();
        shared().for_each(|(at, level)| add(&mut deflated[at], -self.prior[at], &sums[*level as usize]));
        deflated
    }

    fn divide_by_prior<const L: usize>(&self, sums: &mut [[f64; L]]) {
        sums.iter_mut().zip(&self.shared_prior).for_each(|(sums, prior)| sums.iter_mut().for_each(|sum| *sum /= prior));
    }

    fn index_blocks(&mut self, candidates: usize) {
        let dummy = self.dummy();
        // Number of cells of each kind per candidate, counted at their first occurrence.
        let mut seen = vec![false; self.prior.len()];
        let mut many = vec![[0u32; N]; candidates];
        for terms in &self.terms {
            for (column, term) in terms.iter().enumerate().skip(1).filter(|(_, term)| **term != dummy) {
                many[terms[0] as usize][column] += u32::from(!std::mem::replace(&mut seen[*term as usize], true));
            }
        }
        let wide: Vec<usize> = many.iter().map(|many| (1..N).max_by_key(|column| many[*column]).unwrap_or(1)).collect();
        let key = |at: &u32| {
            let terms = &self.terms[*at as usize];
            u64::from(terms[0]) << 32 | u64::from(terms[wide[terms[0] as usize]])
        };
        self.order.sort_by_cached_key(key);
        let mut place = vec![u32::MAX; self.prior.len()];
        let mut start = 0;
        for of in self.order.chunk_by(|a, b| self.terms[*a as usize][0] == self.terms[*b as usize][0]) {
            let candidate = self.terms[of[0] as usize][0];
            let wide = wide[candidate as usize];
            let mut block = Block {
                observations: start..start + of.len(),
                wide,
                cells: Vec::new(),
                dense: Vec::new(),
                diagonal: Vec::new(),
                cross: Vec::new(),
                factor: Vec::new(),
            };
            start += of.len();
            for at in of {
                for (column, term) in self.terms[*at as usize].iter().enumerate() {
                    if column == wide || *term == dummy || place[*term as usize] != u32::MAX {
                        continue;
                    }
                    place[*term as usize] = block.dense.len() as u32;
                    block.dense.push(*term);
                }
            }
            self.blocks.push(block);
        }
    }

    /// The weight of each observation when the level of its setting is unknown.
    fn own(&self) -> Vec<f64> {
        let mut own = vec![0.0; self.terms.len()];
        for setting in self.settings() {
            let total: f64 = self.precision[setting.clone()].iter().sum();
            setting.for_each(|at| own[at] = self.precision[at] * (1.0 - self.precision[at] / total));
        }
        own
    }

    /// Precision of each observation.
    pub fn precision(&self) -> &[f64] {
        &self.precision
    }

    /// Prior precision of each unknown.
    pub fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// For each unknown, its prior precision plus the information from observations if all others are known.
    pub fn information(&self) -> &[f64] {
        &self.information
    }

    /// Sets the precisions of observations and the prior precisions of unknowns.
    pub fn weigh(&mut self, precision: Vec<f64>, prior: Vec<f64>) {
        (self.precision, self.prior) = (precision, prior);
        self.shared_prior.fill(0.0);
        let shared = self.shared.iter().zip(&self.prior).filter(|(group, _)| **group != NONE);
        shared.for_each(|(group, prior)| self.shared_prior[*group as usize] += prior);
        self.information.copy_from_slice(&self.prior);
        for (terms, own) in self.terms.iter().zip(&self.own()) {
            terms.iter().for_each(|term| self.information[*term as usize] += own);
        }
    }

    /// Prepares the preconditioner for the current weights; it remains usable after the weights change.
    pub fn factorise(&mut self) {
        let dummy = self.dummy();
        let own = self.own();
        let mut place = vec![0u32; self.prior.len()];
        let mut blocks = std::mem::take(&mut self.blocks);
        for block in &mut blocks {
            let many = block.dense.len();
            block.dense.iter().zip(0..).for_each(|(term, at)| place[*term as usize] = at);
            block.factor.clear();
            block.factor.resize(many * many, 0.0);
            block.cells.clear();
            block.cross.clear();
            block.diagonal.clear();
            block
                .dense
                .iter()
                .enumerate()
                .for_each(|(at, term)| block.factor[at * many + at] = self.prior[*term as usize]);
            let mut row = vec![0.0; many];
            let of = &self.order[block.observations.clone()];
            for cell in of.chunk_by(|a, b| self.terms[*a as usize][block.wide] == self.terms[*b as usize][block.wide]) {
                let unknown = self.terms[cell[0] as usize][block.wide];
                let mut diagonal = self.prior[unknown as usize];
                let mut touched: Vec<u32> = Vec::with_capacity(16);
                for at in cell {
                    let terms = &self.terms[*at as usize];
                    let own = own[*at as usize];
                    diagonal += own;
                    let mut places = [0u32; N];
                    let mut found = 0;
                    for (column, term) in terms.iter().enumerate() {
                        if column != block.wide && *term != dummy {
                            places[found] = place[*term as usize];
                            found += 1;
                        }
                    }
                    for (nth, a) in places[..found].iter().enumerate() {
                        if !touched.contains(a) {
                            touched.push(*a);
                        }
                        row[*a as usize] += own;
                        for b in &places[..=nth] {
                            block.factor[*a.max(b) as usize * many + *a.min(b) as usize] += own;
                        }
                    }
                }
                if unknown != dummy {
                    for a in &touched {
                        for b in touched.iter().filter(|b| *b <= a) {
                            block.factor[*a as usize * many + *b as usize] -=
                                row[*a as usize] * row[*b as usize] / diagonal;
                        }
                    }
                    block.cross.extend(touched.iter().map(|a| (*a, row[*a as usize])));
                    block.cells.push((unknown, block.cross.len()));
                    block.diagonal.push(diagonal);
                }
                touched.iter().for_each(|a| row[*a as usize] = 0.0);
            }
            cholesky(&mut block.factor, many);
        }
        self.blocks = blocks;
        self.factorise_groups();
    }

    /// Groups candidates: a setting's first one and another are joined if they share half of the settings of either.
    fn index_groups(&mut self, candidates: usize) {
        let mut beside: Vec<(u32, u32)> = Vec::new();
        let mut settings = vec![0u32; candidates];
        for setting in self.settings() {
            let mut of: Vec<u32> = self.terms[setting].iter().map(|terms| terms[0]).collect();
            of.sort_unstable();
            of.dedup();
            of.iter().for_each(|candidate| settings[*candidate as usize] += 1);
            beside.extend(of[1..].iter().map(|other| (of[0], *other)));
        }
        beside.sort_unstable();
        let mut parent: Vec<u32> = (0..candidates as u32).collect();
        for together in beside.chunk_by(|a, b| a == b) {
            let (one, other) = together[0];
            if 2 * together.len() as u32 >= settings[one as usize].min(settings[other as usize]) {
                join(&mut parent, one, other);
            }
        }
        let mut numbers = vec![NONE; candidates];
        let mut many = 0;
        self.groups = (0..candidates as u32)
            .map(|at| {
                let number = &mut numbers[root(&mut parent, at) as usize];
                if *number == NONE {
                    (*number, many) = (many, many + 1);
                }
                *number
            })
            .collect();
    }

    /// Builds the equations of groups. Without them, a group that few settings connect with others moves by many small steps, and
    /// the solver appears to converge long before it does (two levels: Nicolaides 1987, SIAM Journal on Numerical Analysis 24:355).
    fn factorise_groups(&mut self) {
        let many = self.groups.iter().max().map_or(0, |last| *last as usize + 1);
        let mut matrix = vec![0.0; many * many];
        for (group, prior) in self.groups.iter().zip(&self.prior) {
            matrix[*group as usize * (many + 1)] += prior;
        }
        let mut shares: Vec<(usize, f64)> = Vec::new();
        for setting in self.settings() {
            shares.clear();
            for at in setting {
                let group = self.groups[self.terms[at][0] as usize] as usize;
                match shares.iter_mut().find(|(own, _)| *own == group) {
                    Some((_, share)) => *share += self.precision[at],
                    None => shares.push((group, self.precision[at])),
                }
            }
            let total: f64 = shares.iter().map(|(_, share)| share).sum();
            for (row, own) in &shares {
                matrix[row * (many + 1)] += own;
                for (column, other) in shares.iter().filter(|(column, _)| column <= row) {
                    matrix[row * many + column] -= own * other / total;
                }
            }
        }
        cholesky(&mut matrix, many);
        self.of_groups = matrix;
    }

    /// The preconditioner: `out` solves the equations of each candidate with all others fixed, plus those of groups.
    fn precondition<const L: usize>(&self, residual: &[[f64; L]], out: &mut [[f64; L]]) {
        let residual = self.deflate_residual(residual);
        let mut dense = Vec::new();
        for block in &self.blocks {
            dense.clear();
            dense.extend(block.dense.iter().map(|term| residual[*term as usize]));
            let mut start = 0;
            for ((cell, end), diagonal) in block.cells.iter().zip(&block.diagonal) {
                let share = residual[*cell as usize].map(|own| own / diagonal);
                block.cross[start..*end].iter().for_each(|(at, value)| add(&mut dense[*at as usize], -value, &share));
                start = *end;
            }
            solve_factor(&block.factor, &mut dense);
            block.dense.iter().zip(&dense).for_each(|(term, value)| out[*term as usize] = *value);
            let mut start = 0;
            for ((cell, end), diagonal) in block.cells.iter().zip(&block.diagonal) {
                let mut own = residual[*cell as usize];
                block.cross[start..*end].iter().for_each(|(at, value)| add(&mut own, -value, &dense[*at as usize]));
                out[*cell as usize] = own.map(|own| own / diagonal);
                start = *end;
            }
        }
        self.deflate(out);
        let mut of_groups = vec![[0.0; L]; self.groups.iter().max().map_or(0, |last| *last as usize + 1)];
        let candidates = || self.groups.iter().map(|group| *group as usize).enumerate();
        candidates().for_each(|(at, group)| add(&mut of_groups[group], 1.0, &residual[at]));
        solve_factor(&self.of_groups, &mut of_groups);
        candidates().for_each(|(at, group)| add(&mut out[at], 1.0, &of_groups[group]));
    }

    /// The observations of each setting.
    pub fn settings(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    /// The sum of an observation's terms in the solution `x`.
    pub fn fitted(&self, x: &[f64], at: usize) -> f64 {
        self.terms[at].iter().map(|term| x[*term as usize]).sum()
    }

    fn mean(&self, setting: Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for at in setting {
            sum += self.precision[at] * value(at);
            total += self.precision[at];
        }
        sum / total
    }

    /// The right-hand side for observed values.
    pub fn right_side(&self, values: &[f64]) -> Vec<f64> {
        let mut right = vec![0.0; self.prior.len()];
        for setting in self.settings() {
            let mean = self.mean(setting.clone(), |at| values[at]);
            for at in setting {
                let own = self.precision[at] * (values[at] - mean);
                self.terms[at].iter().for_each(|term| right[*term as usize] += own);
            }
        }
        right[self.prior.len() - 1] = 0.0;
        right
    }

    /// The residuals of values after subtracting terms and levels of settings.
    pub fn residuals(&self, values: &[f64], x: &[f64]) -> Vec<f64> {
        let mut residuals: Vec<f64> = (0..values.len()).map(|at| values[at] - self.fitted(x, at)).collect();
        for setting in self.settings() {
            let mean = self.mean(setting.clone(), |at| residuals[at]);
            residuals[setting].iter_mut().for_each(|residual| *residual -= mean);
        }
        residuals
    }

    /// The product of the matrix with vectors.
    fn times<const L: usize>(&self, x: &[[f64; L]]) -> Vec<[f64; L]> {
        let mut out: Vec<[f64; L]> = x.iter().zip(&self.prior).map(|(x, prior)| x.map(|x| x * prior)).collect();
        let mut fitted = Vec::new();
        for setting in self.settings() {
            let (mut mean, mut total) = ([0.0; L], 0.0);
            fitted.clear();
            for at in setting.clone() {
                let mut sum = [0.0; L];
                self.terms[at].iter().for_each(|term| add(&mut sum, 1.0, &x[*term as usize]));
                add(&mut mean, self.precision[at], &sum);
                fitted.push(sum);
                total += self.precision[at];
            }
            mean.iter_mut().for_each(|mean| *mean /= total);
            for (at, own) in setting.zip(&mut fitted) {
                own.iter_mut().zip(&mean).for_each(|(own, mean)| *own = self.precision[at] * (*own - mean));
                self.terms[at].iter().for_each(|term| add(&mut out[*term as usize], 1.0, own));
            }
        }
        out[self.prior.len() - 1] = [0.0; L];
        out
    }

    /// Conjugate gradients (Hestenes and Stiefel 1952) for several right-hand sides at once, each starting from its `x`, until the
    /// residual is `tolerance` times the right-hand side in the preconditioner's norm. Returns the number of iterations.
    pub fn solve<const L: usize>(&self, right: &[[f64; L]], x: &mut [[f64; L]], tolerance: f64) -> usize {
        let mut scaled = vec![[0.0; L]; x.len()];
        self.deflate(x);
        self.precondition(right, &mut scaled);
        let goal = dots(right, &scaled).map(|size| tolerance * tolerance * size);
        let product = self.times(x);
        let mut residual = right.to_vec();
        residual.iter_mut().zip(&product).for_each(|(residual, product)| add(residual, -1.0, product));
        self.precondition(&residual, &mut scaled);
        let mut direction = scaled.clone();
        let mut norm = dots(&residual, &scaled);
        let mut rounds = 0;
        // A lane that has converged does not move.
        let is_on_its_way = |norm: &[f64; L], lane: usize| norm[lane] > goal[lane] && norm[lane] > 0.0;
        while (0..L).any(|lane| is_on_its_way(&norm, lane)) && rounds < 400 {
            let product = self.times(&direction);
            let lengths = dots(&direction, &product);
            let step: [f64; L] = std::array::from_fn(|lane| match is_on_its_way(&norm, lane) {
                true => norm[lane] / lengths[lane],
                false => 0.0,
            });
            for at in 0..x.len() {
                for lane in 0..L {
                    x[at][lane] += step[lane] * direction[at][lane];
                    residual[at][lane] -= step[lane] * product[at][lane];
                }
            }
            self.precondition(&residual, &mut scaled);
            let next = dots(&residual, &scaled);
            let turn: [f64; L] =
                std::array::from_fn(|lane| if norm[lane] > 0.0 { next[lane] / norm[lane] } else { 0.0 });
            for (direction, scaled) in direction.iter_mut().zip(&scaled) {
                (0..L).for_each(|lane| direction[lane] = scaled[lane] + turn[lane] * direction[lane]);
            }
            norm = next;
            rounds += 1;
        }
        rounds
    }

    /// Solves for contrasts of unknowns, from which their variances follow.
    pub fn solve_contrasts<'c>(&self, contrasts: impl IntoIterator<Item = &'c [f64]>) -> Vec<Solved> {
        let contrasts: Vec<&[f64]> = contrasts.into_iter().collect();
        let together = |some: &[&[f64]]| match some.len() {
            1 => self.solve_together::<1>(some),
            _ => self.solve_together::<LANES>(some),
        };
        contrasts.par_chunks(LANES).flat_map(together).collect()
    }

    fn solve_together<const L: usize>(&self, contrasts: &[&[f64]]) -> Vec<Solved> {
        let lanes = |at: usize| std::array::from_fn(|lane| contrasts.get(lane).map_or(0.0, |contrast| contrast[at]));
        let right: Vec<[f64; L]> = (0..self.prior.len()).map(lanes).collect();
        let mut x = vec![[0.0; L]; right.len()];
        self.solve(&right, &mut x, VARIANCE_TOLERANCE);
        let product = self.times(&x);
        let of_lane = |(lane, contrast): (usize, &&[f64])| {
            let of = |lanes: &[[f64; L]]| lanes.iter().map(|own| own[lane]).collect();
            Solved { contrast: contrast.to_vec(), solution: of(&x), product: of(&product) }
        };
        contrasts.iter().enumerate().map(of_lane).collect()
    }
}

impl Solved {
    /// The covariance of two contrasts: a form of the inverse with an error of second order in the errors of the solutions.
    pub fn covariance(&self, other: &Self) -> f64 {
        dot(&self.contrast, &other.solution) + dot(&other.contrast, &self.solution)
            - dot(&self.solution, &other.product)
    }
}

/// One vector as an array of single-lane vectors.
pub fn lane(x: &[f64]) -> &[[f64; 1]] {
    x.as_chunks().0
}

fn add<const L: usize>(own: &mut [f64; L], times: f64, other: &[f64; L]) {
    own.iter_mut().zip(other).for_each(|(own, other)| *own += times * other);
}

fn dots<const L: usize>(a: &[[f64; L]], b: &[[f64; L]]) -> [f64; L] {
    let mut sums = [0.0; L];
    for (a, b) in a.iter().zip(b) {
        (0..L).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    sums
}

pub fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

pub fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[b as usize] = a;
}

/// The dot product in eight partial sums, which a processor adds in parallel.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|at| sums[at] += a[at] * b[at]);
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}

/// Solves equations in place with a Cholesky factor.
fn solve_factor<const L: usize>(factor: &[f64], x: &mut [[f64; L]]) {
    let many = x.len();
    for row in 0..many {
        let (known, rest) = x.split_at_mut(row);
        let of_row = &factor[row * many..row * many + row];
        of_row.iter().zip(known.iter()).for_each(|(f, x)| add(&mut rest[0], -f, x));
        rest[0] = rest[0].map(|own| own / factor[row * many + row]);
    }
    for row in (0..many).rev() {
        x[row] = x[row].map(|own| own / factor[row * many + row]);
        let value = x[row];
        let of_row = &factor[row * many..row * many + row];
        x[..row].iter_mut().zip(of_row).for_each(|(x, f)| add(x, -f, &value));
    }
}

/// Replaces a matrix, by rows, by its Cholesky factor; reads only the lower triangle.
fn cholesky(matrix: &mut [f64], many: usize) {
    for row in 0..many {
        let (above, own) = matrix.split_at_mut(row * many);
        for column in 0..=row {
            if column < row {
                let other = &above[column * many..column * many + column + 1];
                let value = (own[column] - dot(&own[..column], &other[..column])) / other[column];
                own[column] = value;
            } else {
                let rest = own[row] - dot(&own[..row], &own[..row]);
                own[row] = rest.max(1e-9).sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five candidates in 30 settings of two or three, with cells of two kinds.
    fn sample() -> Equations<3> {
        let (mut terms, mut starts) = (Vec::new(), vec![0]);
        let dummy = 5 + 5 * 3 + 5 * 2;
        for setting in 0..30u32 {
            for nth in 0..2 + setting % 2 {
                let candidate = (setting + nth * (1 + setting % 3)) % 5;
                let second = if setting % 4 == 0 { dummy } else { 20 + candidate * 2 + setting % 2 };
                terms.push([candidate, 5 + candidate * 3 + setting % 3, second]);
            }
            starts.push(terms.len() as u32);
        }
        let precision = (0..terms.len()).map(|at| 1.0 + (at % 7) as f64).collect();
        let mut equations = Equations::new(terms, starts, 5, 25);
        let prior = (0..=dummy).map(|at| if at < 5 { 1e-6 } else { 0.5 + f64::from(at % 3) }).collect();
        equations.weigh(precision, prior);
        equations.factorise();
        equations
    }

    #[test]
    fn the_solution_solves_the_equations() {
        let equations = sample();
        let values: Vec<f64> = (0..equations.terms.len()).map(|at| ((at * at) % 11) as f64).collect();
        let right = equations.right_side(&values);
        let mut x = vec![0.0; right.len()];
        assert!(equations.solve(lane(&right), x.as_chunks_mut().0, 1e-9) <= 30);
        let product = equations.times(lane(&x));
        assert!(product.as_flattened().iter().zip(&right).all(|(a, b)| (a - b).abs() < 1e-6));
        // The solution minimises the sum of squares.
        let loss = |x: &[f64]| {
            let residuals = equations.residuals(&values, x);
            let squares = residuals.iter().zip(&equations.precision).map(|(r, own)| own * r * r);
            squares.sum::<f64>() + x.iter().zip(&equations.prior).map(|(x, prior)| prior * x * x).sum::<f64>()
        };
        let least = loss(&x);
        for at in 0..30 {
            let mut other = x.clone();
            other[at] += 0.1;
            assert!(loss(&other) > least);
        }
    }

    #[test]
    fn a_variance_is_that_of_the_inverse() {
        let equations = sample();
        let mut contrast = vec![0.0; equations.prior.len()];
        (contrast[0], contrast[3], contrast[7]) = (1.0, -1.0, 0.5);
        let mut solved = vec![0.0; contrast.len()];
        equations.solve(lane(&contrast), solved.as_chunks_mut().0, 1e-9);
        let exact = dot(&contrast, &solved);
        let mut other = vec![0.0; contrast.len()];
        (other[1], other[3]) = (1.0, -1.0);
        let [own, other] = <[_; 2]>::try_from(equations.solve_contrasts([contrast.as_slice(), &other])).ok().unwrap();
        assert!((own.covariance(&own) / exact - 1.0).abs() < 0.05);
        // The variance of a difference follows from those of its parts and their covariance.
        let difference: Vec<f64> = own.contrast.iter().zip(&other.contrast).map(|(a, b)| a - b).collect();
        let of_parts = own.covariance(&own) + other.covariance(&other) - 2.0 * own.covariance(&other);
        let whole = &equations.solve_contrasts([difference.as_slice()])[0];
        assert!((of_parts / whole.covariance(whole) - 1.0).abs() < 0.05);
    }
}

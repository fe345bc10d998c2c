//! Matched pairs: rows of two sides that are alike in everything that decides comparability but what is compared.

use std::collections::HashSet;

use super::conclusion::{Entry, EntryValue};
use super::runs_apart::{Values, apart};
use super::sizes::Sizes;
use super::wording::{rounded, three, times_as};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::model::{Aspect, Direction, Field, Metric, Part};

/// Two values of one key, each the median of its side's runs, and how many times as good the subject's is.
#[derive(Debug, Clone)]
pub(in crate::ask::conclude) struct MatchedPair {
    /// What was measured.
    pub metric: Metric,
    /// Above 1 where the subject is better.
    pub ratio: f64,
    /// The subject's run in the middle.
    pub subject: Run,
    /// The baseline's.
    pub baseline: Run,
    /// All parts of the rows behind it, for their sources and recipes.
    pub all: Vec<PartNumbers>,
}

/// The run in the middle of those of one side with the same key.
#[derive(Debug, Clone, Copy)]
pub(in crate::ask::conclude) struct Run {
    /// Its row in the store.
    pub row: u64,
    /// What it shares with others.
    pub parts: PartNumbers,
    /// The median of the values.
    pub value: f64,
}

/// The values of rows that are alike, each with its hit.
#[derive(Debug, Default)]
pub(in crate::ask::conclude) struct Runs(Values);

impl Runs {
    /// One more.
    pub fn push(&mut self, value: f64, hit: usize) {
        self.0.push((value, hit));
    }

    /// Leaves those of a kind, where there are any.
    fn prefer(&mut self, hits: &HitColumns, is_of: impl Fn(&PartNumbers) -> bool) {
        if self.0.iter().any(|(_, hit)| is_of(&hits.parts(*hit))) {
            self.0.retain(|(_, hit)| is_of(&hits.parts(*hit)));
        }
    }

    /// The best one, by the metric's direction.
    fn best(&mut self, hits: &HitColumns, direction: Direction) -> Option<Run> {
        self.0.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let (value, hit) = *if direction == Direction::Lower { self.0.first() } else { self.0.last() }?;
        Some(Run { row: hits.row(hit), parts: hits.parts(hit), value })
    }

    /// The one in the middle, with the median of all.
    pub fn middle(&mut self, hits: &HitColumns) -> Option<Run> {
        self.0.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let middle = (self.0.len().checked_sub(1)?) / 2;
        let (value, hit) = self.0[middle];
        let upper = self.0[self.0.len() / 2].0;
        Some(Run { row: hits.row(hit), parts: hits.parts(hit), value: (value + upper) / 2.0 })
    }
}

/// Which run stands for those of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask::conclude) enum Picked {
    /// The one in the middle of repetitions.
    Middle,
    /// The best of what a side may choose for itself.
    Best,
}

/// How rows of two sides are paired.
#[derive(Clone, Copy)]
pub(in crate::ask::conclude) struct Pairing<'p> {
    /// What rows state.
    pub values: &'p SharedValues,
    /// The sizes of layers, or of members of families.
    pub sizes: &'p Sizes,
    /// The fields in which the rows of a pair may differ.
    pub varied: &'p [Field],
    /// Which run stands for several.
    pub picked: Picked,
    /// By setup, what must be equal as well, such as the year.
    pub apart: Option<&'p [u32]>,
}

/// The key of a row and what must be equal besides.
type PairKey = (ComparisonKey, u32);

impl Pairing<'_> {
    /// The matched pairs of two sides. What one metric pairs is not paired by a later one again; percentiles are only taken
    /// where there is nothing else.
    pub fn pairs(&self, subject: &HitColumns, baseline: &HitColumns, metrics: &[Metric]) -> Vec<MatchedPair> {
        let mut pairs = Vec::new();
        let mut paired: HashSet<u64> = HashSet::new();
        for &metric in metrics.iter().filter(|metric| metric.direction() != Direction::Neutral) {
            // No mean is over pairs of several kinds.
            let is_alike = |pair: &MatchedPair| are_of_one_kind(pair.metric, metric);
            if pairs.first().is_some_and(|first| !is_alike(first)) {
                continue;
            }
            let has_any = |hits: &HitColumns| hits.values(metric).iter().any(|value| !value.is_nan());
            if has_any(subject) && has_any(baseline) {
                let keys = ComparisonKeys::new(self.values, metric, self.varied);
                let found = self.pairs_of(&keys, subject, baseline, &mut paired);
                pairs.extend(found);
            }
        }
        let is_extreme = |pair: &MatchedPair| self.values.is_extreme(&pair.subject.parts);
        if pairs.iter().any(|pair| !is_extreme(pair)) {
            pairs.retain(|pair| !is_extreme(pair));
        }
        pairs.sort_by_key(|pair| (pair.subject.row, pair.baseline.row));
        // MLPerf's runs are handed in for 99 and for 99.9 % of the reference's accuracy: that is one run.
        let mut seen = HashSet::new();
        pairs.retain(|pair| seen.insert([&pair.subject, &pair.baseline].map(|run| self.identity(run))));
        pairs
    }

    /// The pairs by the metric of these keys, percentiles among them: each stands against its like. The keys are those for what
    /// varies here; who asks often keeps them.
    pub fn all_pairs(&self, subject: &HitColumns, baseline: &HitColumns, keys: &ComparisonKeys) -> Vec<MatchedPair> {
        let mut pairs = self.pairs_of(keys, subject, baseline, &mut HashSet::new());
        pairs.sort_by_key(|pair| (pair.subject.row, pair.baseline.row));
        pairs
    }

    /// What tells a run from others: rows that state one value of one setup, work and way of running it are of one run, whatever
    /// accuracy it was handed in for.
    fn identity(&self, run: &Run) -> (u64, Vec<u32>) {
        const HOW: &[Field] = &[
            Field::Stage,
            Field::Scenario,
            Field::Division,
            Field::Precision,
            Field::Quantization,
            Field::Mode,
            Field::Partition,
            Field::Setting,
            Field::Layout,
        ];
        let parts = [Part::Setup, Part::Workload, Part::Batch].map(|part| run.parts[part as usize]);
        let how = HOW.iter().map(|field| self.values.number(Aspect::Field(*field), &run.parts));
        (run.value.to_bits(), parts.into_iter().chain(how).collect())
    }

    /// The pairs by one metric, of rows that are not paired yet.
    fn pairs_of(
        &self,
        keys: &ComparisonKeys,
        subject: &HitColumns,
        baseline: &HitColumns,
        paired: &mut HashSet<u64>,
    ) -> Vec<MatchedPair> {
        let metric = keys.metric();
        // What one side has is looked for in the other: the smaller first, and of the larger only its networks.
        let any = |_: &PairKey| true;
        let (subjects, baselines) = if subject.len() <= baseline.len() {
            let subjects = self.grouped(subject, keys, paired, None, any);
            let networks = self.workloads_of(subject, metric);
            let found = |key: &PairKey| subjects.contains_key(key);
            let baselines = self.grouped(baseline, keys, paired, networks, found);
            (subjects, baselines)
        } else {
            let baselines = self.grouped(baseline, keys, paired, None, any);
            let networks = self.workloads_of(baseline, metric);
            let found = |key: &PairKey| baselines.contains_key(key);
            let subjects = self.grouped(subject, keys, paired, networks, found);
            (subjects, baselines)
        };
        let mut found = Vec::new();
        for (key, runs) in &subjects {
            let Some(others) = baselines.get(key) else { continue };
            let direction = metric.direction();
            for (own, other) in apart(self.values, self.varied, (&runs.0, subject), (&others.0, baseline), direction) {
                let (mut own, mut other) = (Runs(own), Runs(other));
                let pair = self.pair(metric, (&mut own, subject), (&mut other, baseline));
                for (runs, hits) in [(&own, subject), (&other, baseline)].into_iter().filter(|_| pair.is_some()) {
                    paired.extend(runs.0.iter().map(|(_, hit)| hits.row(*hit)));
                }
                found.extend(pair);
            }
        }
        found
    }

    /// The pair of the runs that stand for those of two sides.
    fn pair(
        &self,
        metric: Metric,
        (own, subject): (&mut Runs, &HitColumns),
        (other, baseline): (&mut Runs, &HitColumns),
    ) -> Option<MatchedPair> {
        let pick = |runs: &mut Runs, hits: &HitColumns| match self.picked {
            Picked::Middle => runs.middle(hits),
            Picked::Best => runs.best(hits, metric.direction()),
        };
        let (of_own, of_other) = (pick(own, subject)?, pick(other, baseline)?);
        // A row of both sides is no pair.
        if of_own.row == of_other.row {
            return None;
        }
        let (value, against) = (of_own.value, of_other.value);
        let ratio = if metric.direction() == Direction::Lower { against / value } else { value / against };
        let all = own.0.iter().map(|(_, hit)| subject.parts(*hit));
        let all = all.chain(other.0.iter().map(|(_, hit)| baseline.parts(*hit))).collect();
        Some(MatchedPair { metric, ratio, subject: of_own, baseline: of_other, all })
    }

    /// Which workloads are of a network that some row of a side with this metric has; `None` where networks are compared.
    fn workloads_of(&self, hits: &HitColumns, metric: Metric) -> Option<Vec<bool>> {
        let column =
            self.values.column(Aspect::Field(Field::Network)).filter(|_| !self.varied.contains(&Field::Network))?;
        let stating = hits.values(metric).iter().enumerate().filter(|(_, value)| !value.is_nan());
        let networks: HashSet<u32> = stating.map(|(hit, _)| column.number(hits.part(hit, Part::Workload))).collect();
        Some((0..column.len() as u32).map(|share| networks.contains(&column.number(share))).collect())
    }

    /// The values of a side by their keys: of wanted workloads and keys alone.
    fn grouped(
        &self,
        hits: &HitColumns,
        keys: &ComparisonKeys,
        paired: &HashSet<u64>,
        workloads: Option<Vec<bool>>,
        is_wanted: impl Fn(&PairKey) -> bool,
    ) -> NumberMap<PairKey, Runs> {
        let (values, sizes) = (self.values, self.sizes);
        let mut groups: NumberMap<PairKey, Runs> = NumberMap::default();
        let setup = |parts: &PartNumbers| parts[Part::Setup as usize] as usize;
        let apart = |parts: &PartNumbers| self.apart.map_or(0, |apart| apart.get(setup(parts)).copied().unwrap_or(0));
        let has_workload = |hit: usize| {
            let of =
                |wanted: &Vec<bool>| wanted.get(hits.part(hit, Part::Workload) as usize).copied().unwrap_or_default();
            workloads.as_ref().is_none_or(of)
        };
        for (hit, &value) in hits.values(keys.metric()).iter().enumerate() {
            if value.is_nan() || value <= 0.0 || !has_workload(hit) || paired.contains(&hits.row(hit)) {
                continue;
            }
            let parts = hits.parts(hit);
            let Some(size) = values.stands(&parts).then(|| sizes.of(values, hits.row(hit), &parts)).flatten() else {
                continue;
            };
            let key = keys.key(values, &parts, size).map(|key| (key, apart(&parts)));
            if let Some(key) = key.filter(&is_wanted) {
                groups.entry(key).or_default().push(value, hit);
            }
        }
        // Who sets frameworks against each other means their own interfaces: what runs on one of them stands in for it only
        // where nothing else does.
        if self.varied.contains(&Field::Framework) {
            let is_native = |parts: &PartNumbers| values.text(Aspect::Field(Field::Backend), parts).is_none();
            groups.values_mut().for_each(|runs| runs.prefer(hits, is_native));
        }
        groups
    }
}

/// Whether a ratio by one metric says the same as one by another: how many times as fast; an accuracy is like itself alone.
fn are_of_one_kind(one: Metric, other: Metric) -> bool {
    one == other || !one.is_of_quality() && !other.is_of_quality() && times_as(one) == times_as(other)
}

/// How ratios are distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ask::conclude) struct Spread {
    /// The geometric mean.
    pub mean: f64,
    /// From four on the first quartile, where the mean lies in the middle half, else the lowest.
    pub low: f64,
    /// From four on the third quartile, where the mean lies in the middle half, else the highest.
    pub high: f64,
    /// How many there are.
    pub n: usize,
    /// Whether low and high are the quartiles.
    is_middle_half: bool,
}

impl Spread {
    /// From so many values on the quartiles are told rather than the extremes.
    const QUARTILES_FROM: usize = 4;

    /// The distribution of some ratios; `None` where there are none.
    pub fn of(ratios: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut ratios: Vec<f64> = ratios.into_iter().filter(|ratio| ratio.is_finite() && *ratio > 0.0).collect();
        ratios.sort_by(f64::total_cmp);
        let (first, last) = (*ratios.first()?, *ratios.last()?);
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        // A mean that a few ratios draw out of the middle half is told with all of them.
        let (lower, upper) = (quantile(&ratios, 0.25), quantile(&ratios, 0.75));
        let is_middle_half = ratios.len() >= Self::QUARTILES_FROM && (lower..=upper).contains(&mean);
        let (low, high) = if is_middle_half { (lower, upper) } else { (first, last) };
        Some(Self { mean, low, high, n: ratios.len(), is_middle_half })
    }

    /// An entry with the mean of the ratios and, of several, their spread; what they are of is left to fill in.
    pub fn entry(spread: Option<Self>, quantity: &str, n: usize) -> Entry {
        let several = spread.filter(|spread| spread.n > 1);
        Entry {
            quantity: quantity.to_owned(),
            value: spread.map(|spread| EntryValue::Number(rounded(spread.mean))),
            low: several.map(|spread| rounded(spread.low)),
            high: several.map(|spread| rounded(spread.high)),
            n,
            ..Entry::default()
        }
    }

    /// Whether low and high are the quartiles, and not the extremes.
    pub fn is_middle_half(self) -> bool {
        self.is_middle_half
    }

    /// The distribution of the ratios the other way round.
    pub fn inverted(self) -> Self {
        Self { mean: self.mean.recip(), low: self.high.recip(), high: self.low.recip(), ..self }
    }

    /// `middle half 1.20 to 1.50`, `1.20 to 1.50`, or nothing where there is one value.
    pub fn in_words(self) -> Option<String> {
        let range = format!("{} to {}", three(self.low), three(self.high));
        match self.n {
            0 | 1 => None,
            _ if self.is_middle_half => Some(format!("middle half {range}")),
            _ => Some(range),
        }
    }
}

/// A quantile of sorted values, between its neighbours in proportion.
pub(in crate::ask::conclude) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len().saturating_sub(1)) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    match (sorted.get(below), sorted.get(above)) {
        (Some(low), Some(high)) => low + (high - low) * place.fract(),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, number};
    use super::*;

    #[test]
    fn ratios_have_a_geometric_mean_and_a_middle_half() {
        assert_eq!(Spread::of([]), None);
        let two = Spread::of([0.5, 2.0]).unwrap();
        assert!((two.mean - 1.0).abs() < 1e-12);
        assert_eq!((two.low, two.high, two.n), (0.5, 2.0, 2));
        let five = Spread::of([1.0, 2.0, 4.0, 8.0, 16.0]).unwrap();
        assert!((five.mean - 4.0).abs() < 1e-12);
        assert_eq!((five.low, five.high), (2.0, 8.0));
        assert_eq!(five.in_words().as_deref(), Some("middle half 2 to 8"));
    }

    #[test]
    fn what_one_run_was_handed_in_for_twice_is_one_pair() {
        let rows = r#"
[[table]]
columns = ["device", "relative-accuracy-target", "label", "throughput-per-s"]
rows = [
  ["nova", 0.99, "a", 300], ["nova", 0.999, "b", 300],
  ["core", 0.99, "c", 100], ["core", 0.999, "d", 100],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (3.0, 1), "{}", told.text);
    }

    #[test]
    fn a_quantile_lies_between_its_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), 1.75);
        assert_eq!(quantile(&[7.0], 0.75), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}

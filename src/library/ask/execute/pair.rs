//! Matched pairs: rows of two sides that are alike in everything that decides comparability, except what is compared.

use std::collections::{BTreeMap, HashSet};

use super::sizes::Sizes;
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, Run, SharedValues};
use crate::model::{Direction, Field, Metric, Part};

/// Two values with one key, each the median of its side's runs, and how many times as good the subject's value is.
#[derive(Debug, Clone)]
pub(in crate::ask) struct MatchedPair {
    /// What was measured.
    pub metric: Metric,
    /// The ratio; above 1 the subject is better.
    pub ratio: f64,
    /// The subject's median run.
    pub subject: Run,
    /// The baseline's median run.
    pub baseline: Run,
    /// The parts of all rows behind the pair, for their sources and recipes.
    pub all: Vec<PartNumbers>,
}

/// The best run, by the metric's direction.
fn best(runs: &mut Runs, direction: Direction) -> Option<Run> {
    runs.sort_by(|a, b| a.value.total_cmp(&b.value).then(b.row.cmp(&a.row)));
    if direction == Direction::Lower { runs.first() } else { runs.last() }.copied()
}

/// The middle run, with the median value of all runs.
pub(super) fn middle(runs: &mut Runs) -> Option<Run> {
    runs.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.row.cmp(&b.row)));
    let middle = runs[runs.len().checked_sub(1)? / 2];
    Some(Run { value: (middle.value + runs[runs.len() / 2].value) / 2.0, ..middle })
}

/// Which run represents all runs with one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask) enum Picked {
    /// The median of repetitions.
    Middle,
    /// The best over the settings that a side may choose for itself.
    Best,
}

/// How rows of two sides are paired.
#[derive(Clone, Copy)]
pub(in crate::ask) struct Pairing<'p> {
    /// The values that rows state.
    pub values: &'p SharedValues,
    /// The sizes of layers, or of members of network families.
    pub sizes: &'p Sizes,
    /// The fields in which the rows of a pair may differ.
    pub varied: &'p [Field],
    /// Which run represents several runs with one key.
    pub picked: Picked,
    /// A number for each setup that must also be equal, such as that of the year.
    pub strata: Option<&'p [u32]>,
}

/// The latencies that MLPerf's server scenario bounds.
const BOUNDED_BY_SERVER: &[Metric] = &[
    Metric::LatencyMs,
    Metric::MeanLatencyMs,
    Metric::TimeToFirstTokenMs,
    Metric::TimePerOutputTokenMs,
    Metric::InterTokenLatencyMs,
];

/// The comparison key of a row, and the number that must also be equal ([`Pairing::strata`]).
type PairKey = (ComparisonKey, u32);

impl Pairing<'_> {
    /// The matched pairs of two sides. Each row is paired by one metric; percentiles count only if there is nothing else.
    pub fn pairs(&self, subject: &HitColumns, baseline: &HitColumns, metrics: &[Metric]) -> Vec<MatchedPair> {
        let mut pairs: Vec<MatchedPair> = Vec::new();
        let mut paired: HashSet<u64> = HashSet::new();
        for &metric in metrics.iter().filter(|metric| metric.direction() != Direction::Neutral) {
            // A mean covers only ratios of one kind.
            if pairs.first().is_some_and(|first| !have_comparable_ratios(first.metric, metric)) {
                continue;
            }
            if [subject, baseline].iter().all(|side| side.measured(metric).next().is_some()) {
                let keys = ComparisonKeys::new(self.values, metric, self.varied);
                // MLPerf's server scenario measures the throughput under a latency bound, so its latencies say nothing about speed.
                let is_free = |parts: &PartNumbers| self.values.text(Field::Scenario, parts) != Some("server");
                let found = match metrics.len() > 1 && BOUNDED_BY_SERVER.contains(&metric) {
                    true => {
                        let [subject, baseline] = [subject, baseline].map(|side| side.filtered(is_free));
                        self.pairs_of(&keys, &subject, &baseline, &mut paired)
                    }
                    false => self.pairs_of(&keys, subject, baseline, &mut paired),
                };
                pairs.extend(found);
            }
        }
        let is_extreme = |pair: &MatchedPair| self.values.is_extreme(&pair.subject.parts);
        if pairs.iter().any(|pair| !is_extreme(pair)) {
            pairs.retain(|pair| !is_extreme(pair));
        }
        pairs.sort_by_key(|pair| (pair.subject.row, pair.baseline.row));
        // MLPerf results are submitted for 99 % and for 99.9 % of the reference accuracy from one run; count it once.
        let mut seen = HashSet::new();
        pairs.retain(|pair| seen.insert([&pair.subject, &pair.baseline].map(|run| self.identity(run))));
        pairs
    }

    /// All pairs by the metric of `keys`, percentiles only with percentiles. Callers with many questions reuse the keys.
    pub fn all_pairs(&self, subject: &HitColumns, baseline: &HitColumns, keys: &ComparisonKeys) -> Vec<MatchedPair> {
        let mut pairs = self.pairs_of(keys, subject, baseline, &mut HashSet::new());
        pairs.sort_by_key(|pair| (pair.subject.row, pair.baseline.row));
        pairs
    }

    /// Identifies a run: rows with the same value, setup, work and protocol are one run, whatever accuracy they were submitted for.
    fn identity(&self, run: &Run) -> (u64, Vec<u32>) {
        use Field::{Division, Layout, Mode, Partition, Precision, Quantization, Scenario, Setting, Stage};
        let parts = [Part::Setup, Part::Workload, Part::Batch].map(|part| run.parts[part as usize]);
        let how = [Stage, Scenario, Division, Precision, Quantization, Mode, Partition, Setting, Layout];
        let how = how.map(|field| self.values.number(field, &run.parts));
        (run.value.to_bits(), parts.into_iter().chain(how).collect())
    }

    /// The pairs by one metric, from rows that are not paired yet.
    fn pairs_of(
        &self,
        keys: &ComparisonKeys,
        subject: &HitColumns,
        baseline: &HitColumns,
        paired: &mut HashSet<u64>,
    ) -> Vec<MatchedPair> {
        let metric = keys.metric();
        // Group the smaller side first; from the larger one, read only networks and keys that the smaller side has.
        let is_smaller = subject.len() <= baseline.len();
        let (few, many) = if is_smaller { (subject, baseline) } else { (baseline, subject) };
        let of_few = self.grouped(few, keys, paired, None, |_| true);
        let of_many = self.grouped(many, keys, paired, self.workloads_of(few, metric), |key| of_few.contains_key(key));
        let (subjects, baselines) = if is_smaller { (of_few, of_many) } else { (of_many, of_few) };
        let mut found = Vec::new();
        for (key, runs) in &subjects {
            let Some(others) = baselines.get(key) else { continue };
            let pair = [runs.clone(), others.clone()];
            for [mut own, mut other] in split_comparable(self.values, self.varied, pair, metric.direction()) {
                let Some(pair) = self.pair(metric, &mut own, &mut other) else { continue };
                paired.extend(own.iter().chain(&other).map(|run| run.row));
                found.push(pair);
            }
        }
        found
    }

    /// The pair of the runs that represent two sides.
    fn pair(&self, metric: Metric, own: &mut Runs, other: &mut Runs) -> Option<MatchedPair> {
        let pick = |runs: &mut Runs| match self.picked {
            Picked::Middle => middle(runs),
            Picked::Best => best(runs, metric.direction()),
        };
        let (subject, baseline) = (pick(own)?, pick(other)?);
        // A row that belongs to both sides is not a pair.
        if subject.row == baseline.row {
            return None;
        }
        let ratio = gain(metric.direction(), subject.value, baseline.value);
        let all = own.iter().chain(&*other).map(|run| run.parts).collect();
        Some(MatchedPair { metric, ratio, subject, baseline, all })
    }

    /// For each workload, whether its network occurs in a side's rows with this metric; `None` if networks are compared.
    fn workloads_of(&self, hits: &HitColumns, metric: Metric) -> Option<Vec<bool>> {
        let column = self.values.column(Field::Network).filter(|_| !self.varied.contains(&Field::Network))?;
        let networks: HashSet<u32> =
            hits.measured(metric).map(|run| column.number(run.parts[Part::Workload as usize])).collect();
        Some((0..column.len() as u32).map(|share| networks.contains(&column.number(share))).collect())
    }

    /// The runs of a side by key, restricted to the wanted workloads and keys.
    fn grouped(
        &self,
        hits: &HitColumns,
        keys: &ComparisonKeys,
        paired: &HashSet<u64>,
        workloads: Option<Vec<bool>>,
        is_wanted: impl Fn(&PairKey) -> bool,
    ) -> NumberMap<PairKey, Runs> {
        let values = self.values;
        let mut groups: NumberMap<PairKey, Runs> = NumberMap::default();
        let setup = |parts: &PartNumbers| parts[Part::Setup as usize] as usize;
        let stratum = |parts: &PartNumbers| self.strata.map_or(0, |of| of.get(setup(parts)).copied().unwrap_or(0));
        let has_workload = |parts: &PartNumbers| {
            let workload = parts[Part::Workload as usize] as usize;
            workloads.as_ref().is_none_or(|wanted| wanted.get(workload).copied().unwrap_or_default())
        };
        for run in hits.measured(keys.metric()) {
            let counts = run.value > 0.0 && has_workload(&run.parts) && !paired.contains(&run.row);
            if !counts || !values.is_in_good_standing(&run.parts) {
                continue;
            }
            let Some(size) = self.sizes.of(values, run.row, &run.parts) else { continue };
            let key = keys.key(values, &run.parts, size).map(|key| (key, stratum(&run.parts)));
            if let Some(key) = key.filter(&is_wanted) {
                groups.entry(key).or_default().push(run);
            }
        }
        // Frameworks are compared through their own interfaces; rows on another backend count only if there are no others.
        if self.varied.contains(&Field::Framework) {
            let is_native = |run: &Run| values.text(Field::Backend, &run.parts).is_none();
            groups.values_mut().filter(|runs| runs.iter().any(is_native)).for_each(|runs| runs.retain(is_native));
        }
        groups
    }
}

/// How many times as good a value is as another.
pub(in crate::ask) fn gain(direction: Direction, value: f64, against: f64) -> f64 {
    if direction == Direction::Lower { against / value } else { value / against }
}

/// Whether ratios by two metrics mean the same (speed, energy, memory, cost); a quality metric is comparable only with itself.
fn have_comparable_ratios(one: Metric, other: Metric) -> bool {
    let kind = |metric: Metric| match metric {
        Metric::EfficiencyRatio => 1,
        metric if metric.is_of_energy() => 1,
        Metric::MemoryMib => 2,
        Metric::CostUsd => 3,
        _ => 0,
    };
    one == other || !one.is_of_quality() && !other.is_of_quality() && kind(one) == kind(other)
}

/// The runs of one side with one key.
pub(in crate::ask) type Runs = Vec<Run>;

/// The runs of two sides with one key.
type Sides = [Runs; 2];

/// Runs of one side, grouped by what their rows state.
type Groups<K> = BTreeMap<K, Runs>;

/// How a framework executes a network, which is its own choice: eager or compiled mode, axis order, memory allocator. The most
/// important field comes first.
const EXECUTION: &[Field] = &[Field::Mode, Field::Layout, Field::Allocator];

/// The number of a value that is not stated.
const UNSTATED: u32 = 0;

/// Splits the runs of two sides with one key into comparable pairs: frameworks by execution mode, if both sides share one, and by
/// kernel library; devices by compute unit; number formats by quantization method. Empty if nothing is comparable.
fn split_comparable(values: &SharedValues, varied: &[Field], pair: Sides, direction: Direction) -> Vec<Sides> {
    let split = |pair: Sides, field: Field| groups(pair, |parts| values.number(field, parts));
    if varied.contains(&Field::Framework) {
        let mut pairs = vec![pair];
        for field in EXECUTION.iter().filter(|field| !varied.contains(field)) {
            let executed_alike = |pair| {
                let groups = split(pair, *field);
                or_best(alike(&groups), groups, direction)
            };
            pairs = pairs.into_iter().flat_map(executed_alike).collect();
        }
        // cuDNN 4 and 5 count as one library.
        let library = |parts: &PartNumbers| {
            let text = values.text(Field::KernelLibrary, parts).unwrap_or_default();
            text.split(' ').next().unwrap_or_default().to_lowercase()
        };
        let on_one_library = |pair: Sides| {
            let groups = groups(pair, library);
            let mut named = groups.clone();
            named[0].remove("");
            or_best(alike(&named).into_iter().take(1).collect(), groups, direction)
        };
        let by_version = |pair: Sides| pairs_by_kernel_version(split(pair.clone(), Field::KernelLibrary), pair);
        return pairs.into_iter().flat_map(on_one_library).flat_map(by_version).collect();
    }
    if varied.contains(&Field::Device) && !varied.contains(&Field::ComputeUnit) {
        return pairs_by_compute_unit(split(pair, Field::ComputeUnit));
    }
    if varied.contains(&Field::Precision) && !varied.contains(&Field::Quantization) {
        let [own, other] = split(pair, Field::Quantization);
        return own.values().flat_map(|own| other.values().map(|other| [own.clone(), other.clone()])).collect();
    }
    vec![pair]
}

fn groups<K: Ord>(pair: Sides, key: impl Fn(&PartNumbers) -> K) -> [Groups<K>; 2] {
    pair.map(|runs| {
        let mut groups = Groups::new();
        runs.into_iter().for_each(|run| groups.entry(key(&run.parts)).or_default().push(run));
        groups
    })
}

/// Pairs the groups with equal keys.
fn alike<K: Ord>([own, other]: &[Groups<K>; 2]) -> Vec<Sides> {
    own.iter().filter_map(|(key, runs)| Some([runs.clone(), other.get(key)?.clone()])).collect()
}

/// The given pairs; if there are none, each side's group with the best value.
fn or_best<K>(pairs: Vec<Sides>, groups: [Groups<K>; 2], direction: Direction) -> Vec<Sides> {
    let gain_of = |run: &Run| if direction == Direction::Lower { -run.value } else { run.value };
    let best_of = |runs: &Runs| runs.iter().map(gain_of).fold(f64::NEG_INFINITY, f64::max);
    let best = |of: Groups<K>| of.into_values().max_by(|a, b| best_of(a).total_cmp(&best_of(b))).unwrap_or_default();
    if pairs.is_empty() { vec![groups.map(best)] } else { pairs }
}

/// Splits the runs of two frameworks on one kernel library by library version, so that no median mixes versions. Equal versions are
/// paired; if none are equal and one side has a single version, it is paired with each version of the other side.
fn pairs_by_kernel_version(versions: [Groups<u32>; 2], pair: Sides) -> Vec<Sides> {
    let shared = alike(&versions);
    let [own, other] = versions;
    match (own.len(), other.len()) {
        (..=1, ..=1) => vec![pair],
        _ if !shared.is_empty() => shared,
        (..=1, _) => other.into_values().map(|other| [pair[0].clone(), other]).collect(),
        (_, ..=1) => own.into_values().map(|own| [own, pair[1].clone()]).collect(),
        _ => vec![pair],
    }
}

/// Runs on a chip's CPU cores are not comparable with runs on another chip's neural unit; a chip without such units states none.
fn pairs_by_compute_unit(units: [Groups<u32>; 2]) -> Vec<Sides> {
    let shared = alike(&units);
    if !shared.is_empty() {
        return shared;
    }
    let [mut own, mut other] = units;
    let all = |of: Groups<u32>| of.into_values().flatten().collect::<Runs>();
    match (own.remove(&UNSTATED), other.remove(&UNSTATED)) {
        (Some(own), None) => vec![[own, all(other)]],
        (None, Some(other)) => vec![[all(own), other]],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::index::Condition;
    use crate::stores::sample::{Sample, table};

    /// The ratios of the pairs of two values of a field, in ascending order.
    fn ratios((columns, rows): (&str, &str), field: Field, [own, other]: [&str; 2]) -> Vec<f64> {
        let sample = Sample::of(&[("paper-2020", &table(columns, rows))]);
        let values = SharedValues::read(&sample.stores).unwrap();
        let metrics = [Metric::ThroughputPerS, Metric::LatencyMs];
        let all = HitColumns::of(&sample.stores, &Condition::All(Vec::new()), &metrics).unwrap();
        let of = |value: &str| all.filtered(|parts| values.text(field, parts) == Some(value));
        let sizes = Sizes::default();
        let pairing =
            Pairing { values: &values, sizes: &sizes, varied: &[field], picked: Picked::Middle, strata: None };
        let mut ratios: Vec<f64> = pairing.pairs(&of(own), &of(other), &metrics).iter().map(|p| p.ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.iter_mut().for_each(|ratio| *ratio = (*ratio * 50.0).round() / 50.0);
        ratios
    }

    #[test]
    fn pairs_are_alike_in_everything_but_what_is_compared() {
        let rows = (
            "device network precision batch-size throughput-per-s",
            r#"["nova", "deepnet-50", "fp32", 16, 200], ["core", "deepnet-50", "fp32", 16, 100],
            ["nova", "deepnet-50", "fp16", 16, 900], ["core", "deepnet-18", "fp32", 16, 100],
            ["nova", "deepnet-18", "fp32", 16, 800], ["nova", "deepnet-18", "fp32", 32, 9000]"#,
        );
        assert_eq!(ratios(rows, Field::Device, ["nova", "core"]), [2.0, 8.0]);
    }

    #[test]
    fn what_one_run_was_submitted_for_twice_is_one_pair() {
        let rows = (
            "device relative-accuracy-target label throughput-per-s",
            r#"["nova", 0.99, "a", 300], ["nova", 0.999, "b", 300], ["core", 0.99, "c", 100], ["core", 0.999, "d", 100]"#,
        );
        assert_eq!(ratios(rows, Field::Device, ["nova", "core"]), [3.0]);
    }

    #[test]
    fn a_latency_is_better_where_it_is_lower_and_several_runs_are_one_value() {
        let rows =
            ("device label latency-ms", r#"["nova", "a", 1], ["nova", "b", 2], ["nova", "c", 9], ["core", "a", 6]"#);
        assert_eq!(ratios(rows, Field::Device, ["nova", "core"]), [3.0]);
    }

    #[test]
    fn the_cores_of_one_chip_are_no_pair_with_the_neural_unit_of_another() {
        let rows = (
            "device compute-unit throughput-per-s",
            r#"["nova", "cpu", 10], ["nova", "npu", 400], ["core", "cpu", 5], ["ember", "npu", 100]"#,
        );
        assert_eq!(ratios(rows, Field::Device, ["nova", "core"]), [2.0]);
        assert!(ratios(rows, Field::Device, ["core", "ember"]).is_empty());
    }

    #[test]
    fn frameworks_are_compared_like_with_like_where_both_are_executed_so() {
        let of = |gridflow: &str| {
            let rows = r#"["firelight", "eager", "", "a", 100], ["firelight", "compiled", "", "b", 200], "#.to_owned();
            let rows = ("framework mode kernel-library label throughput-per-s", &*(rows + gridflow));
            ratios(rows, Field::Framework, ["firelight", "gridflow"])
        };
        // They share no mode: the best run of each counts.
        assert_eq!(of(r#"["gridflow", "graph", "", "c", 50]"#), [4.0]);
        assert_eq!(of(r#"["gridflow", "eager", "", "c", 50]"#), [2.0]);
        assert_eq!(of(r#"["gridflow", "eager", "", "c", 50], ["gridflow", "compiled", "", "d", 50]"#), [2.0, 4.0]);
    }

    #[test]
    fn versions_of_one_library_of_kernels_are_no_repetitions_of_each_other() {
        let rows = (
            "framework kernel-library latency-ms",
            r#"["firelight", "cuDNN", 177], ["gridflow", "cuDNN R2", 231], ["gridflow", "cuDNN R4", 81]"#,
        );
        assert_eq!(ratios(rows, Field::Framework, ["firelight", "gridflow"]), [0.46, 1.3]);
    }

    #[test]
    fn each_way_of_quantising_is_a_pair_of_its_own() {
        let rows = (
            "precision quantization label throughput-per-s",
            r#"["fp16", "", "", 100], ["int8", "by rows", "rows", 100], ["int8", "by tensors", "tensors", 400]"#,
        );
        assert_eq!(ratios(rows, Field::Precision, ["int8", "fp16"]), [1.0, 4.0]);
    }
}

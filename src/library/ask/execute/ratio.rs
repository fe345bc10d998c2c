//! How many times as good one set of rows is as another: matched pairs, which of them count, and their mean.

use std::cmp::{Ordering, Reverse};

use indexmap::IndexMap;

use super::measure::By;
use super::outcome::{Entry, EntryValue, PairValues, Remark, SPEED_UP, Subjects};
use super::pair::{MatchedPair, Pairing, Picked};
use super::sizes::Sizes;
use super::spread::{Spread, far_from_others, rounded};
use super::under::{RowIds, shared, sources, spread_out, unit};
use crate::ask::hits::{HitColumns, PartNumbers, Run, SharedValues};
use crate::ask::parse::Result;
use crate::model::{Aspect, Field, Metric};
use crate::stores::Stores;
use crate::values::Division;

/// Maximum number of pairs whose measurement ids the headline lists, and each entry below it.
const NAMED_PAIRS: (usize, usize) = (50, 5);

/// Maximum number of groups of pairs with an entry, and of single pairs with an entry.
const MAX_GROUP_ENTRIES: usize = 12;
const MAX_PAIR_ENTRIES: usize = 60;

/// The context of a comparison or series.
pub(in crate::ask) struct Comparison<'c> {
    /// The stores.
    pub stores: &'c Stores,
    /// The values that rows state.
    pub values: &'c SharedValues,
    /// What keeps rows apart that are alike except for what varies.
    pub(super) sizes: &'c Sizes,
    /// The fields in which the two sets may differ.
    pub(super) varied: &'c [Field],
    /// The measure that is compared.
    pub(super) by: &'c By,
    /// A cache of row ids.
    pub(super) ids: RowIds,
    /// A number for each setup that both rows of a pair must share, such as the chip.
    pub(super) strata: Option<Vec<u32>>,
}

impl Comparison<'_> {
    /// The rules for pairing rows.
    pub(super) fn pairing(&self) -> Pairing<'_> {
        let strata = self.strata.as_deref();
        Pairing { values: self.values, sizes: self.sizes, varied: self.varied, picked: Picked::Middle, strata }
    }

    /// The matched pairs of two sets of rows by some metrics; with `one_source`, only pairs within one source.
    pub fn pairs(&self, own: &HitColumns, other: &HitColumns, by: &[Metric], one_source: bool) -> Vec<MatchedPair> {
        let mut pairs = self.pairing().pairs(own, other, by);
        let source = |run: &Run| self.values.number(Aspect::Source, &run.parts);
        pairs.retain(|pair| !one_source || source(&pair.subject) == source(&pair.baseline));
        pairs
    }

    /// Drops outlying pairs and, if others remain, those of single layers, other kernel libraries or unsigned integers.
    pub fn usual(&self, pairs: Vec<MatchedPair>, remarks: &mut Vec<Remark>) -> Vec<MatchedPair> {
        let text = |field: Field, run: &Run| self.values.text(field, &run.parts);
        let is_unsigned = |run: &Run| text(Field::Precision, run) == Some("uint8");
        let library = |run: &Run| text(Field::KernelLibrary, run)?.split(' ').next().map(str::to_lowercase);
        let is_apart = |pair: &MatchedPair| {
            let kernels = library(&pair.subject).zip(library(&pair.baseline)).is_some_and(|(own, other)| own != other);
            self.sizes.is_layer(pair.subject.row)
                || self.varied.contains(&Field::Framework) && kernels
                || self.varied.contains(&Field::Precision)
                    && [&pair.subject, &pair.baseline].into_iter().any(is_unsigned)
        };
        let (apart, mut usual): (Vec<MatchedPair>, Vec<MatchedPair>) = pairs.into_iter().partition(is_apart);
        let mut left_out = apart.len();
        if usual.is_empty() {
            (usual, left_out) = (apart, 0);
            let of_layers = !usual.is_empty() && usual.iter().all(|pair| self.sizes.is_layer(pair.subject.row));
            remarks.extend(of_layers.then_some(Remark::OfLayers));
        }
        let far = leave_out_far(&mut usual);
        remarks.extend((far > 0).then_some(Remark::FarFromOthers(far)));
        remarks.extend((left_out > 0).then_some(Remark::OfOtherKind(left_out)));
        usual
    }

    /// The headline entry over all pairs, an entry for each stage and network, and an entry for each pair.
    pub fn entries(&mut self, subject: &Subjects, baseline: &Subjects, pairs: &[MatchedPair]) -> Result<Vec<Entry>> {
        let all: Vec<&MatchedPair> = pairs.iter().collect();
        let mut entries = vec![self.ratio(subject, baseline, &all, NAMED_PAIRS.0)?];
        let by: [&[Field]; 3] = [&[Field::Division], &[Field::Stage], &[Field::Network, Field::Stage]];
        let named = if all.len() > 1 { spread_out(&self.typical_first(&all), MAX_PAIR_ENTRIES) } else { Vec::new() };
        let mut finest = 1;
        for fields in by {
            let fields: Vec<Field> = fields.iter().copied().filter(|field| !self.varied.contains(field)).collect();
            let mut groups = self.groups(&fields, &all);
            if groups.len() <= finest {
                continue;
            }
            if fields == [Field::Division] {
                // Of MLPerf's divisions only the closed one compares hardware.
                groups.retain(|group| self.is_closed(&group[0].subject.parts));
            } else {
                finest = groups.len();
            }
            for group in groups.into_iter().take(MAX_GROUP_ENTRIES) {
                let mut entry = self.ratio(subject, baseline, &group, NAMED_PAIRS.1)?;
                // Do not show a pair twice if it has an entry of its own.
                entry.pair = entry.pair.filter(|_| !named.iter().any(|pair| std::ptr::eq(*pair, group[0])));
                // The fields that define the group come first.
                for field in fields.iter().rev() {
                    let value = self.values.value(*field, &group[0].subject.parts);
                    entry.under.shift_insert(0, field.key().to_owned(), value);
                }
                entries.push(entry);
            }
        }
        let rows: Vec<u64> = named.iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect();
        self.ids.of(self.stores, &rows)?;
        for pair in named {
            entries.push(self.ratio(subject, baseline, &[pair], 1)?);
        }
        Ok(entries)
    }

    /// Whether a row is from MLPerf's closed division.
    pub(super) fn is_closed(&self, parts: &PartNumbers) -> bool {
        self.values.text(Field::Division, parts) == Some(Division::Closed.into())
    }

    /// The pairs that contradict a decided mean, with the farthest of them.
    pub fn other_way(&mut self, mean: &Entry, pairs: &[MatchedPair]) -> Result<Option<Remark>> {
        let (Some(ratio), Some(baseline), true) = (mean.number(), &mean.baseline, mean.is_decided) else {
            return Ok(None);
        };
        let against = |pair: &f64| pair.ln() * ratio.ln().signum();
        let other: Vec<&MatchedPair> = pairs.iter().filter(|pair| against(&pair.ratio) < 0.0).collect();
        let farthest = other.iter().min_by(|a, b| against(&a.ratio).total_cmp(&against(&b.ratio)));
        let Some(farthest) = farthest else { return Ok(None) };
        let entry = Box::new(self.ratio(&mean.subjects, baseline, &[farthest], 1)?);
        Ok(Some(Remark::OtherWay { pairs: other.len(), of: pairs.len(), entry }))
    }

    /// Groups pairs by the fields of their subject row, the largest group first.
    fn groups<'p>(&self, fields: &[Field], pairs: &[&'p MatchedPair]) -> Vec<Vec<&'p MatchedPair>> {
        let mut groups: IndexMap<Vec<u32>, Vec<&MatchedPair>> = IndexMap::new();
        for pair in pairs {
            let numbers = fields.iter().map(|field| self.values.number(*field, &pair.subject.parts));
            groups.entry(numbers.collect()).or_default().push(pair);
        }
        let mut groups: Vec<Vec<&MatchedPair>> = groups.into_values().collect();
        groups.sort_by_key(|group| Reverse(group.len()));
        groups
    }

    /// Sorts pairs by the distance of their ratio from the mean, nearest first.
    fn typical_first<'p>(&self, pairs: &[&'p MatchedPair]) -> Vec<&'p MatchedPair> {
        let mean = mean_log(pairs.iter().copied());
        let mut sorted = pairs.to_vec();
        sorted.sort_by(|a, b| (a.ratio.ln() - mean).abs().total_cmp(&(b.ratio.ln() - mean).abs()));
        sorted
    }

    /// The entry for the mean ratio of some pairs; it lists the measurements of at most `named` pairs.
    pub fn ratio(&mut self, own: &Subjects, other: &Subjects, pairs: &[&MatchedPair], named: usize) -> Result<Entry> {
        let of_many = [own, other].into_iter().any(names_many_devices) && self.varied.contains(&Field::Device);
        let Some((spread, is_decided)) = self.spread(pairs, of_many) else { return Ok(Entry::default()) };
        let mut named_pairs = self.typical_first(pairs);
        named_pairs.truncate(named);
        let rows: Vec<u64> = named_pairs.iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect();
        let ends = pairs.iter().flat_map(|pair| [&pair.subject.parts, &pair.baseline.parts]);
        let values = |pair: &MatchedPair| {
            let measure = self.by.measure(pair.metric);
            PairValues {
                quantity: measure.key().into(),
                unit: unit(measure, self.values.text(Field::Counts, &pair.subject.parts)),
                subject: pair.subject.value,
                baseline: pair.baseline.value,
            }
        };
        let several = Some(spread).filter(|spread| spread.n > 1);
        Ok(Entry {
            subjects: own.clone(),
            baseline: Some(other.clone()),
            quantity: SPEED_UP.to_owned(),
            value: Some(EntryValue::Number(rounded(spread.mean))),
            unit: None,
            low: several.map(|spread| rounded(spread.low)),
            high: several.map(|spread| rounded(spread.high)),
            n: pairs.len(),
            under: shared(self.values, ends, self.varied),
            sources: sources(self.values, pairs.iter().flat_map(|pair| &pair.all)),
            is_interval: spread.is_interval,
            is_decided,
            pair: if let [only] = pairs { Some(values(only)) } else { None },
            by: pairs.first().map(|pair| self.by.measure(pair.metric).key().to_owned()),
            measurements: self.ids.of(self.stores, &rows)?,
            ..Entry::default()
        })
    }

    /// The distribution of the ratios, and whether it decides which side is better. Ratios of one source and network are correlated
    /// and form a cluster; where sides are classes, vendors or series, so do ratios of the same two devices.
    fn spread(&self, pairs: &[&MatchedPair], of_many: bool) -> Option<(Spread, bool)> {
        let number = |of: Aspect, run: &Run| self.values.number(of, &run.parts);
        let [network, device] = [Field::Network, Field::Device].map(Aspect::Field);
        let of_work = |pair: &MatchedPair| [Aspect::Source, network].map(|of| number(of, &pair.subject));
        let of_devices = |pair: &MatchedPair| [&pair.subject, &pair.baseline].map(|run| number(device, run));
        let by_work = Spread::of(pairs.iter().map(|pair| (pair.ratio, of_work(pair))))?;
        if !of_many {
            return Some((by_work, by_work.is_decided()));
        }
        let by_devices = Spread::of(pairs.iter().map(|pair| (pair.ratio, of_devices(pair))))?;
        let spread = [by_work, by_devices].into_iter().max_by(|a, b| {
            let width = |of: &Spread| (!of.is_interval, of.high / of.low);
            width(a).partial_cmp(&width(b)).unwrap_or(Ordering::Equal)
        })?;
        Some((spread, spread.is_interval && spread.is_decided()))
    }
}

/// The mean logarithm of the ratios of some pairs.
pub(super) fn mean_log<'p>(pairs: impl ExactSizeIterator<Item = &'p MatchedPair>) -> f64 {
    let n = pairs.len().max(1) as f64;
    pairs.map(|pair| pair.ratio.ln()).sum::<f64>() / n
}

/// Removes outlying pairs and returns how many were removed.
pub(super) fn leave_out_far(pairs: &mut Vec<MatchedPair>) -> usize {
    let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio).collect();
    let mut far = far_from_others(&ratios).into_iter();
    pairs.retain(|_| !far.next().unwrap_or_default());
    ratios.len() - pairs.len()
}

/// Whether a side is a class, vendor or series: what holds for some of its devices need not hold for the others.
fn names_many_devices(side: &Subjects) -> bool {
    side.get(Field::Device.key()).is_none_or(|device| device.to_string().contains(','))
}

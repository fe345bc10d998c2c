//! Sides against each other: matched pairs, their mean by network and stage, and where there are none the nearest rows and the best of
//! each side.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Bound;

use indexmap::IndexMap;

use super::facts::facts;
use super::lookup::lookup;
use super::measure::By;
use super::outcome::{Entry, EntryValue, Outcome, PairValues, Remark};
use super::pair::{MatchedPair, Pairing, Picked, Run};
use super::plan::hits_of;
use super::series::series;
use super::sizes::Sizes;
use super::spread::{Spread, far_from_others, rounded};
use super::under::{RowIds, shared, sources, spread_out, unit};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::{Ask, Filter, Is, Key, Quantity, QueryError, Question, Term, Test};
use crate::comparability::Criterion;
use crate::model::{Aspect, Derived, Direction, Facet, Field, FieldType, Metric, Part, Tier, Value};
use crate::stores::Stores;

/// So many pairs are named behind the headline, and so many behind each entry below it.
const NAMED_PAIRS: (usize, usize) = (50, 5);

/// So many groups of pairs have an entry of their own, and so many pairs.
const MOST_GROUPS: usize = 12;
const MOST_PAIRS: usize = 60;

/// The key of a ratio.
pub(in crate::ask) const SPEED_UP: &str = "speed-up";

/// A side of a comparison.
#[derive(Debug)]
pub(in crate::ask) struct Side {
    /// The filters that select it, by their keys.
    pub subjects: IndexMap<String, Value>,
    /// What was measured of it.
    pub hits: HitColumns,
    filter: Filter,
}

/// Sets the sides of a question against each other.
///
/// # Errors
///
/// When a store fails.
pub(super) fn compare(stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    let of_side = |side: &Filter| Filter { terms: question.subject.terms.iter().chain(&side.terms).cloned().collect() };
    if !question.wants.is_empty() && question.wants.iter().all(is_of_catalog) {
        let mut outcome = Outcome { ask: Ask::Fact, ..Outcome::default() };
        for side in &question.sides {
            let own = Question { subject: of_side(side), sides: Vec::new(), ask: Ask::Fact, ..question.clone() };
            let told = facts(stores, &own)?;
            outcome.entries.extend(told.entries);
            outcome.remarks.extend(told.remarks);
        }
        return Ok(outcome);
    }
    let varied = varied_by_sides(&question.sides);
    if varied == [Field::DeviceCount] && question.wants.contains(&Quantity::Derived(Derived::ScalingEfficiency)) {
        let counts = question.sides.iter().map(|side| subjects_of(side).values().map(ToString::to_string).collect());
        let counts: Vec<String> = counts.collect();
        let key = Key::Aspect(Aspect::Field(Field::DeviceCount));
        let mut subject = question.subject.clone();
        subject.terms.push(Term::Test(Test { key, is: Is::OneOf(counts) }));
        let along = Some(Aspect::Field(Field::DeviceCount));
        return series(stores, &Question { subject, along, sides: Vec::new(), ..question.clone() });
    }
    let values = SharedValues::read(stores)?;
    let ladder = By::ladder(&question.wants);
    let mut first: Option<Outcome> = None;
    for by in &ladder {
        let mut outcome = Outcome { ask: Ask::Compare, ..Outcome::default() };
        let mut sides = Vec::new();
        for side in &question.sides {
            let hits = hits_of(stores, &values, &of_side(side), by)?;
            sides.push(Side { subjects: subjects_of(side), hits, filter: side.clone() });
        }
        one_where_others_are_counted(&mut sides, &varied, &values);
        // Of one side alone there is no comparison: its rows are looked up.
        let mut measured = sides.iter().filter(|side| !side.hits.is_empty());
        if let (Some(only), None) = (measured.next(), measured.next()) {
            let subject = of_side(&only.filter);
            let own = Question { subject, sides: Vec::new(), ask: Ask::Lookup, ..question.clone() };
            let mut outcome = lookup(stores, &own)?;
            let none = sides.iter().filter(|side| side.hits.is_empty());
            outcome.remarks.splice(0..0, none.map(|side| Remark::NoRow { side: side.filter.clone() }));
            return Ok(outcome);
        }
        // A framework and what it runs on are told apart by pairs.
        if !varied.contains(&Field::Framework) {
            outcome.remarks.extend(without_shared_rows(&mut sides));
        }
        let sizes = sizes_of(stores, &values, &sides, &varied)?;
        let mut comparison = Comparison::new(stores, &values, &sizes, &varied, by);
        comparison.conclude(&sides, &mut outcome)?;
        if outcome.entries.iter().any(|entry| entry.quantity == SPEED_UP) {
            if by != &ladder[0] {
                // Nearest rows of what was asked say more than pairs of something else.
                if let Some(nearest) = first.take().filter(|first| first.entries.len() > 1) {
                    return Ok(nearest);
                }
                let by = outcome.entries.iter().find_map(|entry| entry.by).unwrap_or(by.key());
                let (asked, by) = (ladder[0].key().to_owned(), by.to_owned());
                outcome.remarks.push(Remark::Instead { asked, by });
            }
            return Ok(outcome);
        }
        let better = first.as_ref().is_none_or(|first| first.entries.is_empty() && !outcome.entries.is_empty());
        first = if better { Some(outcome) } else { first };
    }
    Ok(first.unwrap_or_default())
}

/// Whether the catalog knows what is wanted, and not the rows.
fn is_of_catalog(quantity: &Quantity) -> bool {
    use Quantity::{Fact, FrameworkMetric, HardwareMetric};
    matches!(quantity, Fact(_) | HardwareMetric(_) | FrameworkMetric(_))
}

/// The fields in which sides may differ, by the keys that select them.
fn varied_by_sides(sides: &[Filter]) -> Vec<Field> {
    fn add(filter: &Filter, fields: &mut Vec<Field>) {
        for term in &filter.terms {
            match term {
                Term::Test(test) => fields.extend(varied_by(&test.key)),
                Term::Not(filter) => add(filter, fields),
                Term::Any(any) => any.iter().for_each(|filter| add(filter, fields)),
            }
        }
    }
    let mut fields = Vec::new();
    sides.iter().for_each(|side| add(side, &mut fields));
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The fields in which two sides may differ that such a key selects.
pub(in crate::ask) fn varied_by(key: &Key) -> Vec<Field> {
    use Facet::*;
    match key {
        Key::Facet(Device | Class | Vendor | Architecture) => vec![Field::Device],
        Key::Facet(Instance) => vec![Field::Instance, Field::Device, Field::DeviceCount],
        Key::Facet(Framework | License | Language | MultiServer | Hardware | Maturity) => vec![Field::Framework],
        Key::Facet(Network | Task) => vec![Field::Network],
        Key::Facet(Source | Year | Metric | Status | Outcome | Standing) => Vec::new(),
        Key::Facet(facet) => facet.key().parse().into_iter().collect(),
        Key::Aspect(Aspect::Field(field)) => vec![*field],
        Key::Aspect(Aspect::Fact(fact)) => fact.naming_fields().take(1).collect(),
        _ => Vec::new(),
    }
}

/// What selects a side, by the keys of filters.
pub(in crate::ask) fn subjects_of(filter: &Filter) -> IndexMap<String, Value> {
    let mut subjects = IndexMap::new();
    for term in &filter.terms {
        let (tests, is_not) = match term {
            Term::Test(test) => (vec![test], false),
            Term::Not(Filter { terms }) => (terms.iter().filter_map(as_test).collect(), true),
            Term::Any(_) => continue,
        };
        for test in tests {
            let is_count = matches!(test.key, Key::Aspect(Aspect::Field(field)) if field.kind() == FieldType::Count);
            let text = match &test.is {
                Is::OneOf(values) => values.join(","),
                Is::Stated => "*".to_owned(),
                Is::Within(low, high) => in_bounds(*low, *high),
            };
            let text = if is_not { format!("-{text}") } else { text };
            let value = match text.parse() {
                Ok(count) if is_count => Value::Count(count),
                _ => Value::Text(text.into()),
            };
            subjects.entry(test.key.key().to_owned()).or_insert(value);
        }
    }
    subjects
}

/// Bounds as a filter has them: `16..`, `..32`, `8..16`.
fn in_bounds(low: Bound<f64>, high: Bound<f64>) -> String {
    let end = |bound: Bound<f64>| match bound {
        Bound::Included(value) | Bound::Excluded(value) => value.to_string(),
        Bound::Unbounded => String::new(),
    };
    let (low, high) = (end(low), end(high));
    if low == high { low } else { format!("{low}..{high}") }
}

fn as_test(term: &Term) -> Option<&Test> {
    match term {
        Term::Test(test) => Some(test),
        _ => None,
    }
}

/// `a 3090 against 2x 2080 Ti`: where others are counted, what is not is one of its kind.
fn one_where_others_are_counted(sides: &mut [Side], varied: &[Field], values: &SharedValues) {
    let key = Field::DeviceCount.key();
    let is_counted = |side: &Side| side.subjects.contains_key(key);
    if !varied.contains(&Field::Device) || !sides.iter().any(is_counted) {
        return;
    }
    for side in sides.iter_mut().filter(|side| !side.subjects.contains_key(key)) {
        side.hits = side.hits.filtered(|parts| values.count(Field::DeviceCount, parts) == Some(1));
        side.subjects.insert(key.to_owned(), Value::Count(1));
    }
}

/// Rows that belong to both of two sides show nothing of what sets these apart: they are of the side that has fewer rows. Where all rows
/// of one side are the other's as well and the other way round, there is nothing to set against each other.
fn without_shared_rows(sides: &mut [Side]) -> Option<Remark> {
    let [first, second] = sides else { return None };
    let (few, many) = if first.hits.len() <= second.hits.len() { (first, second) } else { (second, first) };
    let is_shared = |hit: usize| few.hits.rows().binary_search(&many.hits.row(hit)).is_ok();
    let rows = (0..many.hits.len()).filter(|hit| is_shared(*hit)).count();
    if rows == 0 {
        return None;
    }
    if rows == many.hits.len() {
        return Some(Remark::OneSide);
    }
    many.hits = many.hits.kept(|hit| !is_shared(hit));
    Some(Remark::RowsOfBoth { rows, side: few.filter.clone() })
}

/// What tells rows apart that are alike but for what varies: members of families where networks are compared, else sizes of layers.
fn sizes_of(stores: &Stores, values: &SharedValues, sides: &[Side], varied: &[Field]) -> Result<Sizes, QueryError> {
    if varied.contains(&Field::Network) {
        let named = |side: &Side| match side.subjects.get(Facet::Network.key()) {
            Some(Value::Text(id)) => Some(id.to_string()),
            _ => None,
        };
        let names: Vec<Option<String>> = sides.iter().map(named).collect();
        let sides: Vec<(Option<&str>, &HitColumns)> =
            names.iter().zip(sides).map(|(name, side)| (name.as_deref(), &side.hits)).collect();
        return Ok(Sizes::of_networks(values, &sides));
    }
    Sizes::of_layers(stores, values, &sides.iter().map(|side| &side.hits).collect::<Vec<_>>())
}

/// What says the same of one item whatever the batch is: a latency is that of a whole batch.
const AT_ANY_BATCH: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::DeviceThroughputPerS,
    Metric::EpochS,
    Metric::ItemsPerJoule,
    Metric::EnergyPerItemJ,
];

/// What each side may have its own of where no two rows are alike in it, the least first.
const OWN_SETTING: &[&[Field]] = &[
    &[Field::BatchSize, Field::BatchSizeGlobal],
    &[Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion],
];

/// What comparisons and series are made with.
pub(in crate::ask) struct Comparison<'c> {
    /// The stores.
    pub stores: &'c Stores,
    /// What rows state.
    pub values: &'c SharedValues,
    sizes: &'c Sizes,
    varied: &'c [Field],
    by: &'c By,
    ids: RowIds,
}

/// What comes of setting a side against another.
struct Paired {
    subject: usize,
    baseline: usize,
    pairs: Vec<MatchedPair>,
    remarks: Vec<Remark>,
}

impl Paired {
    fn mean(&self) -> f64 {
        let logs: f64 = self.pairs.iter().map(|pair| pair.ratio.ln()).sum();
        (logs / self.pairs.len().max(1) as f64).exp()
    }

    /// The other way round.
    fn turned(self) -> Self {
        let turned = |pair: MatchedPair| MatchedPair {
            ratio: pair.ratio.recip(),
            subject: pair.baseline,
            baseline: pair.subject,
            ..pair
        };
        let pairs = self.pairs.into_iter().map(turned).collect();
        Self { subject: self.baseline, baseline: self.subject, pairs, ..self }
    }
}

impl<'c> Comparison<'c> {
    /// A comparison of sides that differ in these fields, by this measure.
    pub fn new(
        stores: &'c Stores,
        values: &'c SharedValues,
        sizes: &'c Sizes,
        varied: &'c [Field],
        by: &'c By,
    ) -> Self {
        Self { stores, values, sizes, varied, by, ids: RowIds::default() }
    }

    fn conclude(&mut self, sides: &[Side], outcome: &mut Outcome) -> Result<(), QueryError> {
        let (with, without): (Vec<usize>, Vec<usize>) = (0..sides.len()).partition(|at| !sides[*at].hits.is_empty());
        outcome.remarks.extend(without.iter().map(|at| Remark::NoRow { side: sides[*at].filter.clone() }));
        let paired = self.against_best(sides, &with);
        let mut rest = Vec::new();
        for paired in &paired {
            let (subject, baseline) = (&sides[paired.subject].subjects, &sides[paired.baseline].subjects);
            let mut entries = self.entries(subject, baseline, &paired.pairs)?;
            if !entries.is_empty() {
                outcome.entries.push(entries.remove(0));
            }
            rest.extend(entries);
            outcome.remarks.extend(paired.remarks.iter().cloned());
        }
        outcome.entries.extend(rest);
        if !are_of_one_setting(&paired) {
            outcome.remarks.push(Remark::NoOrder);
        }
        let is_paired = |at: &usize| paired.iter().any(|one| one.subject == *at || one.baseline == *at);
        let unpaired: Vec<usize> = with.into_iter().filter(|at| !is_paired(at)).collect();
        // Of two sides the nearest rows say why there is no pair.
        if let [first, second] = unpaired.as_slice()
            && let Some((differ, rows)) = self.nearest(&sides[*first].hits, &sides[*second].hits)
        {
            outcome.remarks.push(Remark::NoPair { differ });
            for (at, run) in [*first, *second].into_iter().zip(rows) {
                outcome.entries.push(self.row(&sides[at].subjects, run.0, &run.1, 1)?);
            }
        } else {
            for at in &unpaired {
                outcome.entries.extend(self.best_of(&sides[*at])?);
                if sides.len() > 2 {
                    outcome.remarks.push(Remark::NotPaired { side: sides[*at].filter.clone() });
                }
            }
        }
        if unpaired.len() == 2 && outcome.entries.iter().all(|entry| entry.quantity != SPEED_UP) {
            for at in &unpaired {
                outcome.entries.extend(self.best_of(&sides[*at])?);
            }
        }
        Ok(())
    }

    /// Each other side against the one that is best, or with which most can be paired; the better side of each two is the subject.
    fn against_best(&self, sides: &[Side], with: &[usize]) -> Vec<Paired> {
        let against = |baseline: usize| -> Vec<Paired> {
            let others = with.iter().copied().filter(|at| *at != baseline);
            others.filter_map(|subject| self.paired(sides, subject, baseline)).collect()
        };
        let bases = if with.len() == 2 { &with[1..] } else { with };
        let rank = |paired: &Vec<Paired>| {
            let is_best = paired.iter().all(|one| one.mean() <= 1.0);
            let is_own = |remark: &Remark| matches!(remark, Remark::OwnSetting { .. });
            let alike = paired.iter().filter(|one| !one.remarks.iter().any(is_own)).count();
            (paired.len(), alike, is_best, paired.iter().map(|one| one.pairs.len()).sum::<usize>())
        };
        let best = bases.iter().map(|at| against(*at)).max_by_key(rank).unwrap_or_default();
        best.into_iter().map(|one| if one.mean() < 1.0 { one.turned() } else { one }).collect()
    }

    /// The pairs of two sides that count; `None` where there are none.
    fn paired(&self, sides: &[Side], subject: usize, baseline: usize) -> Option<Paired> {
        let (own, other) = (&sides[subject].hits, &sides[baseline].hits);
        let metrics = self.by.metrics();
        let mut remarks = Vec::new();
        let mut pairs = self.pairs(own, other, &metrics, false);
        let at_any_batch: Vec<Metric> = metrics.into_iter().filter(|metric| AT_ANY_BATCH.contains(metric)).collect();
        for fields in OWN_SETTING {
            if pairs.is_empty() {
                let varied: Vec<Field> = self.varied.iter().chain(*fields).copied().collect();
                let at_best = Pairing { varied: &varied, picked: Picked::Best, ..self.pairing() };
                pairs = at_best.pairs(own, other, &at_any_batch);
                if !pairs.is_empty() {
                    remarks.push(Remark::OwnSetting { fields: fields.to_vec() });
                }
            }
        }
        let pairs = self.usual(pairs, &mut remarks);
        (!pairs.is_empty()).then_some(Paired { subject, baseline, pairs, remarks })
    }

    fn pairing(&self) -> Pairing<'_> {
        Pairing { values: self.values, sizes: self.sizes, varied: self.varied, picked: Picked::Middle, apart: None }
    }

    /// The matched pairs of two sets of rows; with `one_source` those alone of which one source measured both.
    pub fn pairs(
        &self,
        subject: &HitColumns,
        baseline: &HitColumns,
        metrics: &[Metric],
        one_source: bool,
    ) -> Vec<MatchedPair> {
        let mut pairs = self.pairing().pairs(subject, baseline, metrics);
        let source = |run: &Run| self.values.number(Aspect::Source, &run.parts);
        pairs.retain(|pair| !one_source || source(&pair.subject) == source(&pair.baseline));
        pairs
    }

    /// The pairs that count: those far from all others are left out, and where there are others those of layers, of kernels of different
    /// libraries and of integers without a sign.
    pub fn usual(&self, pairs: Vec<MatchedPair>, remarks: &mut Vec<Remark>) -> Vec<MatchedPair> {
        let text = |field: Field, run: &Run| self.values.text(Aspect::Field(field), &run.parts);
        let is_of = |pair: &MatchedPair, is: &dyn Fn(&Run) -> bool| is(&pair.subject) || is(&pair.baseline);
        let library = |run: &Run| text(Field::KernelLibrary, run)?.split(' ').next().map(str::to_lowercase);
        let is_apart = |pair: &MatchedPair| {
            let kernels = library(&pair.subject).zip(library(&pair.baseline)).is_some_and(|(own, other)| own != other);
            self.sizes.is_layer(pair.subject.row)
                || self.varied.contains(&Field::Framework) && kernels
                || self.varied.contains(&Field::Precision)
                    && is_of(pair, &|run| text(Field::Precision, run) == Some("uint8"))
        };
        let (apart, mut usual): (Vec<MatchedPair>, Vec<MatchedPair>) = pairs.into_iter().partition(is_apart);
        let left_out = if usual.is_empty() {
            usual = apart;
            0
        } else {
            apart.len()
        };
        let ratios: Vec<f64> = usual.iter().map(|pair| pair.ratio).collect();
        let mut far = far_from_others(&ratios).into_iter();
        usual.retain(|_| !far.next().unwrap_or_default());
        let far = ratios.len() - usual.len();
        if far > 0 {
            remarks.push(Remark::FarFromOthers { pairs: far });
        }
        if left_out > 0 {
            remarks.push(Remark::OfOtherKind { pairs: left_out });
        }
        usual
    }

    /// The headline of some pairs, one entry for each stage and network, and each pair.
    pub fn entries(
        &mut self,
        subject: &IndexMap<String, Value>,
        baseline: &IndexMap<String, Value>,
        pairs: &[MatchedPair],
    ) -> Result<Vec<Entry>, QueryError> {
        let all: Vec<&MatchedPair> = pairs.iter().collect();
        let mut entries = vec![self.ratio(subject, baseline, &all, NAMED_PAIRS.0)?];
        let by: [&[Field]; 3] = [&[Field::Division], &[Field::Stage], &[Field::Network, Field::Stage]];
        let mut finest = 1;
        for fields in by {
            let fields: Vec<Field> = fields.iter().copied().filter(|field| !self.varied.contains(field)).collect();
            let mut groups = self.groups(&fields, &all);
            if groups.len() <= finest {
                continue;
            }
            if fields == [Field::Division] {
                // Of the divisions of MLPerf the closed one alone compares hardware.
                groups.retain(|group| self.text(Field::Division, &group[0].subject.parts) == Some("closed"));
            } else {
                finest = groups.len();
            }
            for group in groups.into_iter().take(MOST_GROUPS) {
                let mut entry = self.ratio(subject, baseline, &group, NAMED_PAIRS.1)?;
                // What the group is about comes first.
                for field in fields.iter().rev() {
                    let value = self.values.value(*field, &group[0].subject.parts);
                    entry.under.shift_insert(0, field.key().to_owned(), value);
                }
                entries.push(entry);
            }
        }
        let named = spread_out(&self.typical_first(&all), MOST_PAIRS);
        let rows: Vec<u64> = named.iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect();
        self.ids.of(self.stores, &rows)?;
        for pair in named.into_iter().filter(|_| all.len() > 1) {
            entries.push(self.ratio(subject, baseline, &[pair], 1)?);
        }
        Ok(entries)
    }

    fn text(&self, field: Field, parts: &PartNumbers) -> Option<&str> {
        self.values.text(Aspect::Field(field), parts)
    }

    /// Pairs by what they state, the largest group first.
    fn groups<'p>(&self, fields: &[Field], pairs: &[&'p MatchedPair]) -> Vec<Vec<&'p MatchedPair>> {
        let mut groups: IndexMap<Vec<u32>, Vec<&MatchedPair>> = IndexMap::new();
        for pair in pairs {
            let numbers = fields.iter().map(|field| self.values.number(Aspect::Field(*field), &pair.subject.parts));
            groups.entry(numbers.collect()).or_default().push(pair);
        }
        let mut groups: Vec<Vec<&MatchedPair>> = groups.into_values().collect();
        groups.sort_by_key(|group| Reverse(group.len()));
        groups
    }

    /// Pairs by how near their ratio is to the mean.
    fn typical_first<'p>(&self, pairs: &[&'p MatchedPair]) -> Vec<&'p MatchedPair> {
        let mean = pairs.iter().map(|pair| pair.ratio.ln()).sum::<f64>() / pairs.len().max(1) as f64;
        let mut sorted = pairs.to_vec();
        sorted.sort_by(|a, b| (a.ratio.ln() - mean).abs().total_cmp(&(b.ratio.ln() - mean).abs()));
        sorted
    }

    /// The mean of some pairs.
    pub fn ratio(
        &mut self,
        subject: &IndexMap<String, Value>,
        baseline: &IndexMap<String, Value>,
        pairs: &[&MatchedPair],
        named: usize,
    ) -> Result<Entry, QueryError> {
        let Some(spread) = self.spread(pairs) else { return Ok(Entry::default()) };
        let mut named_pairs = self.typical_first(pairs);
        named_pairs.truncate(named);
        let rows: Vec<u64> = named_pairs.iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect();
        let ends = pairs.iter().flat_map(|pair| [&pair.subject.parts, &pair.baseline.parts]);
        let values = |pair: &MatchedPair| {
            let measure = self.by.measure(pair.metric);
            PairValues {
                quantity: measure.key(),
                unit: unit(measure, self.text(Field::Counts, &pair.subject.parts)),
                subject: pair.subject.value,
                baseline: pair.baseline.value,
            }
        };
        let several = Some(spread).filter(|spread| spread.n > 1);
        Ok(Entry {
            subjects: subject.clone(),
            baseline: Some(baseline.clone()),
            quantity: SPEED_UP.to_owned(),
            value: Some(EntryValue::Number(rounded(spread.mean))),
            unit: None,
            low: several.map(|spread| rounded(spread.low)),
            high: several.map(|spread| rounded(spread.high)),
            n: pairs.len(),
            under: shared(self.values, ends, self.varied),
            sources: sources(self.values, pairs.iter().flat_map(|pair| &pair.all)),
            is_interval: spread.is_interval,
            is_decided: spread.is_decided(),
            pair: if let [only] = pairs { Some(values(only)) } else { None },
            by: pairs.first().map(|pair| self.by.measure(pair.metric).key()),
            measurements: self.ids.of(self.stores, &rows)?,
            ..Entry::default()
        })
    }

    /// How the ratios of pairs are distributed: those of one source and network stand or fall together.
    fn spread(&self, pairs: &[&MatchedPair]) -> Option<Spread> {
        let cluster = |pair: &MatchedPair| {
            [Aspect::Source, Aspect::Field(Field::Network)].map(|of| self.values.number(of, &pair.subject.parts))
        };
        Spread::of(pairs.iter().map(|pair| (pair.ratio, cluster(pair))))
    }

    /// What one row says of a side, out of so many.
    fn row(
        &mut self,
        subjects: &IndexMap<String, Value>,
        metric: Metric,
        run: &Run,
        n: usize,
    ) -> Result<Entry, QueryError> {
        let measure = self.by.measure(metric);
        Ok(Entry {
            subjects: subjects.clone(),
            quantity: measure.key().to_owned(),
            value: Some(EntryValue::Number(rounded(run.value))),
            unit: unit(measure, self.text(Field::Counts, &run.parts)),
            n,
            under: shared(self.values, [&run.parts], self.varied),
            measurements: self.ids.of(self.stores, &[run.row])?,
            sources: sources(self.values, [&run.parts]),
            ..Entry::default()
        })
    }

    /// The best row of a side.
    fn best_of(&mut self, side: &Side) -> Result<Option<Entry>, QueryError> {
        for metric in self.by.metrics() {
            let lower = metric.direction() == Direction::Lower;
            let stated = side
                .hits
                .values(metric)
                .iter()
                .enumerate()
                .filter(|(hit, value)| value.is_finite() && self.values.stands(&side.hits.parts(*hit)));
            let n = stated.clone().count();
            let best = stated.min_by(|(_, a), (_, b)| if lower { a.total_cmp(b) } else { b.total_cmp(a) });
            if let Some((hit, value)) = best {
                let run = Run { row: side.hits.row(hit), parts: side.hits.parts(hit), value: *value };
                return self.row(&side.subjects, metric, &run, n).map(Some);
            }
        }
        Ok(None)
    }

    /// The rows of two sides that differ in least, and in what.
    fn nearest(&self, own: &HitColumns, other: &HitColumns) -> Option<Nearest> {
        /// So many rows of each side are looked at.
        const LOOKED_AT: usize = 200;
        let has = |hits: &HitColumns, metric: &Metric| hits.values(*metric).iter().any(|value| value.is_finite());
        let metric = self.by.metrics().into_iter().find(|metric| has(own, metric) && has(other, metric))?;
        let network = Aspect::Field(Field::Network);
        let networks = |hits: &HitColumns| -> HashSet<u32> {
            let column = self.values.column(network);
            hits.distinct(Part::Workload).map(|share| column.map_or(0, |column| column.number(share))).collect()
        };
        let common: HashSet<u32> = networks(own).intersection(&networks(other)).copied().collect();
        let rows = |hits: &HitColumns| -> Vec<Run> {
            let mut seen = HashSet::new();
            let mut rows: Vec<Run> = Vec::new();
            for (hit, value) in hits.values(metric).iter().enumerate().filter(|(_, value)| value.is_finite()) {
                let parts = hits.parts(hit);
                let is_common = common.is_empty() || common.contains(&self.values.number(network, &parts));
                if is_common && self.values.stands(&parts) && seen.insert(parts) {
                    rows.push(Run { row: hits.row(hit), parts, value: *value });
                }
            }
            spread_out(&rows, LOOKED_AT)
        };
        let weighs = |field: Field| {
            let tier = Criterion::Field(field).tier(metric, false)?;
            let varies = self.varied.iter().any(|varied| *varied == field || field.differs_along(*varied));
            match tier {
                Tier::Identity if !varies => Some((field, 3)),
                Tier::Axis if !varies => Some((field, 2)),
                _ => None,
            }
        };
        let fields: Vec<(Field, usize)> =
            <Field as strum::VariantArray>::VARIANTS.iter().copied().filter_map(weighs).collect();
        let number = |field: Field, parts: &PartNumbers| match field {
            Field::BatchSize => self.values.batch(parts).map_or(0, |batch| batch as u32),
            field => self.values.number(Aspect::Field(field), parts),
        };
        let stated = |run: Run| -> (Run, Vec<u32>) {
            (run, fields.iter().map(|(field, _)| number(*field, &run.parts)).collect())
        };
        let stated = |hits: &HitColumns| -> Vec<(Run, Vec<u32>)> { rows(hits).into_iter().map(stated).collect() };
        let (rows, others) = (stated(own), stated(other));
        let cost = |a: &[u32], b: &[u32]| -> usize {
            fields.iter().zip(a.iter().zip(b)).filter(|(_, (a, b))| a != b).map(|((_, weight), _)| weight).sum()
        };
        let all = rows.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
        let ((a, of_a), (b, of_b)) = all.min_by_key(|((_, a), (_, b))| cost(a, b))?;
        let places = || fields.iter().zip(of_a.iter().zip(of_b));
        let mut differ: Vec<Field> = places().filter(|(_, (a, b))| a != b).map(|((field, _), _)| *field).collect();
        // Sides that ran nothing in common differ in that before all else.
        if common.is_empty() && !self.varied.contains(&Field::Network) {
            differ = vec![Field::Network];
        }
        // Of two rows that state all alike what neither states is what nobody knows to be equal.
        if differ.is_empty() {
            let required = [Field::Precision, Field::BatchSize, Field::Framework, Field::Device, Field::InputShape];
            let unstated = places().filter(|((field, _), (a, _))| required.contains(field) && **a == 0);
            differ.extend(unstated.map(|((field, _), _)| *field));
        }
        Some((differ, [(metric, *a), (metric, *b)]))
    }
}

/// Whether the ratios to one side say anything of each other: they do where rows of that side are in several of them.
fn are_of_one_setting(paired: &[Paired]) -> bool {
    let ends = |one: &Paired| -> HashSet<u64> {
        one.pairs.iter().flat_map(|pair| [pair.subject.row, pair.baseline.row]).collect()
    };
    let mut rest: Vec<HashSet<u64>> = paired.iter().map(ends).collect();
    let Some(mut joined) = rest.pop() else { return true };
    while let Some(at) = rest.iter().position(|rows| !rows.is_disjoint(&joined)) {
        joined.extend(rest.swap_remove(at));
    }
    rest.is_empty()
}

/// What the nearest two rows of two sides differ in, and their values.
type Nearest = (Vec<Field>, [(Metric, Run); 2]);

#[cfg(test)]
mod tests {
    use crate::ask::execute::{EntryValue, Outcome, Remark, execute};
    use crate::ask::parse::parse;
    use crate::model::Field;
    use crate::stores::sample::Sample;

    fn outcome(sample: &Sample, question: &str) -> Outcome {
        let question = parse(question, &sample.stores.database).unwrap();
        execute(&sample.stores, &question).unwrap()
    }

    /// The subject, the ratio and the number of pairs of each headline and of what it is made of.
    fn ratios(outcome: &Outcome) -> Vec<(String, f64, usize)> {
        let ratios = outcome.entries.iter().filter(|entry| entry.quantity == super::SPEED_UP);
        let number = |value: &Option<EntryValue>| match value {
            Some(EntryValue::Number(number)) => *number,
            _ => f64::NAN,
        };
        ratios.map(|entry| (entry.subjects["device"].to_string(), number(&entry.value), entry.n)).collect()
    }

    const ROWS: &str = r#"
[[table]]
columns = ["device", "network", "stage", "precision", "throughput-per-s"]
rows = [
  ["nova", "deepnet-50", "eval", "fp32", 200], ["core", "deepnet-50", "eval", "fp32", 100],
  ["nova", "deepnet-18", "eval", "fp32", 800], ["core", "deepnet-18", "eval", "fp32", 100],
  ["nova", "deepnet-18", "train", "fp32", 50], ["core", "deepnet-18", "train", "fp32", 100],
  ["nova", "deepnet-50", "eval", "fp16", 900], ["ember", "deepnet-50", "eval", "int8", 7],
]
"#;

    #[test]
    fn the_better_side_is_the_subject_of_the_headline_and_of_all_below_it() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let told = outcome(&sample, "(device:core) vs (device:nova) ask:compare");
        let ratios = ratios(&told);
        assert_eq!(ratios[0], ("nova".to_owned(), 2.0, 3));
        assert!(
            ratios.contains(&("nova".to_owned(), 4.0, 2)) && ratios.contains(&("nova".to_owned(), 0.5, 1)),
            "{ratios:?}"
        );
        let headline = &told.entries[0];
        assert_eq!((headline.measurements.len(), headline.is_decided), (6, false));
        assert_eq!(headline.under["precision"].as_ref().map(ToString::to_string).as_deref(), Some("fp32"));
        let pairs: Vec<_> = told.entries.iter().filter_map(|entry| entry.pair.as_ref()).collect();
        assert!(pairs.iter().any(|pair| (pair.subject, pair.baseline) == (800.0, 100.0)), "{pairs:?}");
    }

    #[test]
    fn sides_without_a_pair_say_in_what_the_nearest_rows_differ() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let told = outcome(&sample, "(device:core) vs (device:ember) ask:compare");
        assert!(told.remarks.contains(&Remark::NoPair { differ: vec![Field::Precision] }), "{:?}", told.remarks);
        assert!(ratios(&told).is_empty());
        assert!(told.entries.iter().any(|entry| entry.value == Some(EntryValue::Number(7.0))));
    }

    #[test]
    fn a_side_without_rows_is_a_remark_and_the_other_has_its_best() {
        let sample = Sample::of(&[("paper-2020", "[[run]]\nthroughput-per-s = 5\n")]);
        let told = outcome(&sample, "(device:ember) vs (device:nova) ask:compare");
        assert!(told.remarks.iter().any(|remark| matches!(remark, Remark::NoRow { .. })), "{:?}", told.remarks);
        assert_eq!(told.entries[0].value, Some(EntryValue::Number(5.0)));
    }

    #[test]
    fn several_sides_are_set_against_the_best_and_have_no_order_where_their_settings_differ() {
        let rows = |other: &str| {
            format!(
                r#"
[[table]]
columns = ["framework", "device", "latency-ms"]
rows = [
  ["firelight", "nova", 10], ["firelight", "core", 20], ["{other}", "core", 30], ["{other}", "ember", 40],
  ["firelight", "ember", 80],
]
"#
            )
        };
        let question = "(device:nova) vs (device:core) vs (device:ember) ask:compare";
        let told = outcome(&Sample::of(&[("paper-2020", &rows("firelight"))]), question);
        assert!(!told.remarks.contains(&Remark::NoOrder), "{:?}", told.remarks);
        assert!(ratios(&told).iter().take(2).all(|(device, ..)| device == "nova"), "{:?}", ratios(&told));
    }

    #[test]
    fn what_is_not_counted_is_one_where_others_are() {
        let rows = r#"
[[table]]
columns = ["device", "device-count", "throughput-per-s"]
rows = [["nova", 1, 100], ["nova", 8, 700], ["core", 2, 50]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = outcome(&sample, "(device:nova) vs (device:core device-count:2) ask:compare");
        assert_eq!(told.entries[0].value, Some(EntryValue::Number(2.0)));
    }

    #[test]
    fn each_at_its_own_batch_where_no_batch_is_shared() {
        let rows = r#"
[[table]]
columns = ["device", "batch-size", "throughput-per-s"]
rows = [["nova", 8, 100], ["nova", 16, 300], ["core", 32, 50], ["core", 64, 100]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = outcome(&sample, "(device:nova) vs (device:core) ask:compare");
        assert_eq!((told.entries[0].value.clone(), told.entries[0].n), (Some(EntryValue::Number(3.0)), 1));
        assert!(told.remarks.iter().any(|remark| matches!(remark, Remark::OwnSetting { .. })));
    }
}

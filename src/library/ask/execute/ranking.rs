//! What is ranked: the identity of candidates, the rows of a ranking by one measure, and the best row of each candidate.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::key::{aspect_of, varied_by};
use super::measure::{By, Possible, ShareKey, ShareKeys};
use super::outcome::{Entry, Outcome, Remark, Subjects};
use super::plan::hits_of;
use super::spread::{in_order, rounded};
use super::under::{RowIds, item_counted};
use crate::ask::hits::{HitColumns, PartNumbers, PerShare, Run, SharedValues, Usual};
use crate::ask::parse::{Ask, End, Filter, Key, Quantity, Question, Result, Term};
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// How candidates of a ranking are distinguished.
pub(super) struct Candidates {
    /// The aspects that identify a candidate.
    pub identity: Vec<Aspect>,
    /// The fields in which candidates may differ.
    pub varied: Vec<Field>,
    /// Whether each candidate is ranked by its result on one device.
    pub one_device: bool,
    /// Whether every run is a candidate of its own: the cheapest training to a target, the fastest run.
    pub by_row: bool,
}

/// Settings that a run may choose for itself; they are the candidates if the question names no other kind.
const SETTINGS: [&[Field]; 2] = {
    use Field::*;
    [
        &[Precision, Quantization, BatchSize, BatchSizeGlobal],
        &[Device, Framework, FrameworkVersion, Mode, Layout, Scenario],
    ]
};

impl Candidates {
    /// The candidates of a question.
    pub fn of(question: &Question) -> Self {
        let tests = question.subject.all_tests();
        let tested = |key: &Key| tests.iter().any(|test| test.key == *key);
        let aspect = question.of.as_ref().map(|of| aspect_of(of).unwrap_or(Aspect::Source));
        let by_cost = question.order.as_ref().is_some_and(|order| order.by.is_cost());
        let by_row = question.of.is_none();
        // The cost of a run is that of the whole machine; without a device in the question, a run may be on any machine.
        let of_whole_task =
            question.quantities().any(|by| matches!(by, Quantity::Metric(metric) if metric.is_of_whole_task()));
        let whole = by_row && (by_cost || of_whole_task || !tested(&Facet::Device.into()));
        let machine: &[Field] = if whole || of_whole_task { &[Field::Instance, Field::DeviceCount] } else { &[] };
        let (identity, varied) = match (aspect, &question.of) {
            // The best result of each year is in a setting of its own.
            (Some(aspect @ Aspect::Fact(Fact::Year)), _) => {
                (vec![aspect], [SETTINGS[0], SETTINGS[1], machine].concat())
            }
            (Some(aspect), Some(key)) => (identity_of(aspect), varied_by(key)),
            _ => {
                let all = [SETTINGS[0], SETTINGS[1], machine].concat();
                let open = all.iter().copied().filter(|field| !tested(&(*field).into()));
                // Members of a network family are different work; members of a device family are settings.
                ([Field::Network].into_iter().chain(open).map(Aspect::Field).collect(), all)
            }
        };
        let counted = tested(&Field::DeviceCount.into());
        let of_devices = varied.contains(&Field::Device) && !varied.contains(&Field::DeviceCount);
        Self { identity, varied, one_device: of_devices && !counted && !whole && !of_whole_task, by_row }
    }

    /// What identifies the candidate of a row, by the keys of filters.
    pub fn subjects(&self, values: &SharedValues, parts: &PartNumbers) -> Subjects {
        let stated = self.identity.iter().filter_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => values.value(*field, parts)?,
                other => Value::Text(values.text(*other, parts)?.into()),
            };
            Some((aspect.key().to_owned(), value))
        });
        stated.collect()
    }
}

/// The aspects that identify candidates of a kind: the CPU cores of a chip are another candidate than its neural unit.
pub(in crate::ask) fn identity_of(aspect: Aspect) -> Vec<Aspect> {
    match aspect {
        Aspect::Field(Field::Device) => vec![aspect, Aspect::Field(Field::ComputeUnit)],
        other => vec![other],
    }
}

/// Maximum number of entries if the question states no count.
pub(super) const MAX_ENTRIES: usize = 30;

/// Maximum number of candidates without a rank that are listed.
pub(super) const MAX_UNRANKED: usize = 6;

/// A ranking by one measure.
pub(super) struct Ranking<'r> {
    pub stores: &'r Stores,
    pub question: &'r Question,
    pub values: &'r SharedValues,
    pub kind: &'r Candidates,
    pub by: &'r By,
    /// The rows that match the question.
    pub hits: HitColumns,
    /// Whether whole networks are ranked; rows of network components are other work.
    of_wholes: bool,
    /// Whether each candidate is ranked by its result on one device.
    one_device: bool,
    /// How many devices count as one: a server has two processors, which are seldom measured alone.
    most_of_one: i64,
    keys: ShareKeys,
    /// For each identity aspect, whether a row states it.
    naming: Vec<PerShare<bool>>,
}

impl<'r> Ranking<'r> {
    /// A ranking by one measure; `None` if no row has the measure.
    pub fn of(
        stores: &'r Stores,
        question: &'r Question,
        values: &'r SharedValues,
        kind: &'r Candidates,
        by: &'r By,
    ) -> Result<Option<Self>> {
        let hits = possible_hits(stores, values, &question.subject, by)?;
        let is_cpu = |term: &Term| term.names(Facet::Class) == ["cpu"];
        let most_of_one = if question.subject.terms.iter().any(is_cpu) { 2 } else { 1 };
        let is_one = |parts: &PartNumbers| counts_as_one(values, parts, most_of_one);
        let metrics = by.metrics();
        let mut measured = (0..hits.len()).filter(|hit| hits.has_any(*hit, &metrics)).peekable();
        if measured.peek().is_none() {
            return Ok(None);
        }
        let has_one = measured.clone().any(|hit| is_one(&hits.parts(hit)));
        let of_wholes =
            !question.subject.has(Field::Component) && measured.any(|hit| is_of_whole(values, &hits.parts(hit)));
        let one_device = kind.one_device && has_one && !by.is_of_any_count();
        let keys = ShareKeys::of(values, &kind.identity);
        let naming = kind.identity.iter().map(|aspect| values.per_share(*aspect, |text| text.is_some())).collect();
        Ok(Some(Self { stores, question, values, kind, by, hits, of_wholes, one_device, most_of_one, keys, naming }))
    }

    /// The key of a row's candidate, if the row states any aspect of its identity.
    pub fn named(&self, parts: &PartNumbers) -> Option<ShareKey> {
        let is_named = self.naming.iter().any(|naming| naming.of(parts));
        is_named.then(|| self.keys.key(parts))
    }

    /// The candidate of a row; `None` for a network component where whole networks are ranked.
    pub fn candidate(&self, parts: &PartNumbers) -> Option<ShareKey> {
        self.named(parts).filter(|_| !self.of_wholes || is_of_whole(self.values, parts))
    }

    /// The candidate of a row, if the row counts for it: where results on one device are ranked, only rows on one device do.
    pub fn alone(&self, parts: &PartNumbers) -> Option<ShareKey> {
        let is_one = !self.one_device || counts_as_one(self.values, parts, self.most_of_one);
        self.candidate(parts).filter(|_| is_one)
    }

    /// The candidate of a row, if it counts in a metric: a time to a target covers a whole system of any number of devices.
    fn counting(&self, metric: Metric, parts: &PartNumbers) -> Option<ShareKey> {
        if metric == Metric::TimeToAccuracyS { self.candidate(parts) } else { self.alone(parts) }
    }

    /// Whether the worst candidate comes first.
    pub fn worst_first(&self) -> bool {
        // `least energy` ranks by the most items per joule if rows state those.
        let order = self.question.order.as_ref();
        let asked = order.map(|order| By::ladder(std::slice::from_ref(&order.by)).swap_remove(0));
        let asked = asked.as_ref().unwrap_or(self.by);
        let direction = asked.measure(asked.metrics()[0]).direction();
        let end = order.map_or(End::Best, |order| order.end);
        end.is_largest(direction) == (direction == Direction::Lower)
    }
}

/// The rows that match a filter; for fractions of a peak, only those that do not exceed the peak.
pub(super) fn possible_hits(stores: &Stores, values: &SharedValues, filter: &Filter, by: &By) -> Result<HitColumns> {
    let hits = hits_of(stores, values, filter, by)?;
    let By::Derived(derived @ Derived::PeakFraction) = by else { return Ok(hits) };
    let mut possible = Possible::new(stores, values);
    let of_hits = hits.values(derived.basis()).iter().enumerate();
    let is_possible =
        of_hits.map(|(hit, value)| possible.is_possible(&hits.parts(hit), Measure::Derived(*derived), *value));
    let is_possible: Vec<bool> = is_possible.collect::<Result<_, _>>()?;
    Ok(hits.filtered_by_hit(|hit| is_possible[hit]))
}

/// A remark on the candidates without a rank; it lists the first few by name.
pub(super) fn unranked(mut some: Vec<Subjects>) -> Option<Remark> {
    let candidates = some.len();
    some.sort_by_cached_key(|subjects| subjects.values().map(ToString::to_string).collect::<Vec<_>>());
    some.truncate(MAX_UNRANKED);
    (candidates > 0).then_some(Remark::Unranked { candidates, some })
}

/// Whether a row is of a whole network rather than a component.
fn is_of_whole(values: &SharedValues, parts: &PartNumbers) -> bool {
    values.number(Field::Component, parts) == 0
}

/// Whether a row uses at most `most` devices.
fn counts_as_one(values: &SharedValues, parts: &PartNumbers, most: i64) -> bool {
    values.count(Field::DeviceCount, parts).is_none_or(|count| count <= most)
}

/// Only the best results are checked against the hardware peak, at most this many.
const LOOKED_AT: usize = 60;

impl Ranking<'_> {
    /// The work of a row: networks with the same number of parameters are alike, whatever they were trained for.
    pub fn work(&self, parts: &PartNumbers) -> [u32; 3] {
        let values = self.values;
        let size = values.text(Fact::Parameters, parts).and_then(|size| size.parse::<f64>().ok());
        let number = values.number(Field::Network, parts);
        // In steps of a tenth of the log; no size reaches the numbers at the other end of the range, used without a size.
        let network = size.map_or(u32::MAX - number, |size| (10.0 * size.ln() + 1000.0).round() as u32);
        let counts = values.text(Field::Counts, parts);
        let item = if counts == Some("inference") { 0 } else { item_counted(values, parts) };
        [network, values.number(Field::Stage, parts), item]
    }

    /// The work of a row in one metric. Unless the question names a network, any may be trained to an accuracy on a data set.
    fn work_in(&self, metric: Metric, parts: &PartNumbers) -> [u32; 3] {
        let [network, stage, item] = self.work(parts);
        let subject = &self.question.subject;
        let any = metric.is_of_whole_task() && subject.has(Facet::Dataset) && !subject.has(Facet::Network);
        [if any { 0 } else { network }, stage, item]
    }

    /// Candidates by their best row in one metric, for the work of most of them; the settings differ. Accuracies are top-1 only. `all`
    /// has a row of each candidate.
    pub fn by_own_best(&self, all: &HashMap<ShareKey, PartNumbers>, by_quality: bool) -> Result<Outcome> {
        let mut outcome = Outcome::of(Ask::Rank);
        // Networks that are ranked differ in their work, and so do single runs.
        let is_of_one_work = !self.kind.identity.contains(&Aspect::Field(Field::Network));
        let first_answer = |parts: &PartNumbers| self.values.text(Field::TopK, parts).is_none_or(|top| top == "1");
        let of_metric = |metric: Metric| {
            let work = if is_of_one_work { self.usual_work(metric) } else { None };
            let is_of_it = |parts: &PartNumbers| work.is_none_or(|work| self.work_in(metric, parts) == work);
            let counts = |parts: &PartNumbers| (!by_quality || first_answer(parts)) && is_of_it(parts);
            self.best(metric, &counts).map(|best| (metric, best))
        };
        let of_all: Vec<_> = self.by.metrics().into_iter().map(of_metric).collect::<Result<_, _>>()?;
        // The usual metric comes first; another replaces it if it covers twice as many candidates.
        let many = |(_, (best, _)): &(Metric, (Vec<Run>, usize))| best.len();
        let more = |one, other| if many(&other) >= (2 * many(&one)).max(1) { other } else { one };
        let Some((metric, (mut best, impossible))) = of_all.into_iter().reduce(more) else { return Ok(outcome) };
        // Another component of a network is other work.
        let part = |run: &Run| self.values.number(Field::Component, &run.parts);
        if let Some(first) = best.first().copied() {
            best.retain(|run| part(run) == part(&first));
        }
        if is_of_one_work && !self.ranks_years() {
            let ranked: HashSet<ShareKey> = best.iter().filter_map(|run| self.named(&run.parts)).collect();
            let others = all.iter().filter(|(key, _)| !ranked.contains(*key));
            let others = others.map(|(_, parts)| self.kind.subjects(self.values, parts));
            outcome.remarks.extend(unranked(others.collect()));
        }
        if metric == Metric::TimeToAccuracyS || metric.is_of_quality() {
            outcome.remarks.extend(self.to_one_goal(&mut best));
        }
        best.truncate(self.question.take.unwrap_or(MAX_ENTRIES).max(1));
        outcome.rows = best.iter().map(|run| run.row).collect();
        let ids = RowIds::default().of(self.stores, &outcome.rows)?;
        outcome.entries = best.iter().zip(ids).map(|(run, id)| self.entry(metric, run, id)).collect();
        // Settings of one network do not repeat its name.
        let network = Field::Network.key();
        let is_one = |pair: &[Entry]| pair[0].subjects.get(network) == pair[1].subjects.get(network);
        if self.kind.by_row && outcome.entries.windows(2).all(is_one) {
            outcome.entries.iter_mut().for_each(|entry| drop(entry.subjects.shift_remove(network)));
        }
        outcome.remarks.extend((outcome.entries.len() > 1 && !self.kind.by_row).then_some(Remark::OwnBest));
        outcome.remarks.extend((impossible > 0).then_some(Remark::AbovePeak(impossible)));
        Ok(outcome)
    }

    /// Whether years are ranked.
    pub fn ranks_years(&self) -> bool {
        self.kind.identity == [Aspect::Fact(Fact::Year)]
    }

    /// The work that most candidates have rows of in one metric; values of different work do not compare.
    fn usual_work(&self, metric: Metric) -> Option<[u32; 3]> {
        let mut candidates: IndexMap<[u32; 3], HashSet<ShareKey>> = IndexMap::new();
        for run in self.hits.measured(metric) {
            if let Some(candidate) = self.counting(metric, &run.parts) {
                candidates.entry(self.work_in(metric, &run.parts)).or_default().insert(candidate);
            }
        }
        candidates.into_iter().rev().max_by_key(|(_, candidates)| candidates.len()).map(|(work, _)| work)
    }

    /// Keeps the runs on the most frequent data set: accuracies on different data sets are not comparable.
    fn to_one_goal(&self, best: &mut Vec<Run>) -> Option<Remark> {
        let dataset = |run: &Run| self.values.text(Field::Dataset, &run.parts).unwrap_or_default();
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        best.iter().for_each(|run| *counts.entry(dataset(run)).or_default() += 1);
        counts.sort_by(|_, a, _, b| b.cmp(a));
        let (most, _) = counts.shift_remove_index(0)?;
        best.retain(|run| dataset(run) == most);
        let others = counts.into_iter().map(|(name, runs)| (name.to_owned(), runs)).collect::<Vec<_>>();
        (!others.is_empty()).then_some(Remark::OtherGoals(others))
    }

    /// A row that is better than `run` by this metric: for the same work, and within what its hardware can compute.
    pub fn higher_elsewhere(&self, metric: Metric, run: &Run) -> Result<Option<Remark>> {
        let values = self.values;
        // Rows of other work do not contradict the first result, nor do its own rows.
        let by_tokens = values.text(Field::Counts, &run.parts) == Some("token");
        let lengths: &[Field] =
            if by_tokens { &[] } else { &[Field::SequenceLength, Field::InputLength, Field::OutputLength] };
        // A device that took a larger batch is not the slower one.
        let is_slowest = metric == Metric::LatencyMs && self.worst_first();
        let batch: &[Field] = if is_slowest { &[Field::BatchSize] } else { &[] };
        let of_work = [&[Field::Component], lengths, batch].concat();
        // If the question names a family and the first row does not say which member ran, any member counts.
        let of_family =
            self.question.subject.has(Facet::Network) && values.text(Fact::Parameters, &run.parts).is_none();
        let kind = |parts: &PartNumbers| {
            let of: Vec<u32> = of_work.iter().map(|of| values.number(*of, parts)).collect();
            let [network, stage, item] = self.work_in(metric, parts);
            ([if of_family { 0 } else { network }, stage, item], of)
        };
        // A network has a usual input size; a row that states none is taken to use it.
        let shape = |parts: &PartNumbers| values.number(Field::InputShape, parts);
        let own_shape = shape(&run.parts);
        let is_shaped = |parts: &PartNumbers| own_shape == 0 || shape(parts) == 0 || shape(parts) == own_shape;
        let asked = kind(&run.parts);
        let (best, _) = self.best(metric, &|parts| kind(parts) == asked && is_shaped(parts))?;
        let Some(best) = best.first() else { return Ok(None) };
        // The first may be far better outside the setting in which it is compared: 57 s instead of 4075 s on CIFAR-10.
        let times = (best.value / run.value).max(run.value / best.value);
        let is_first = times < 1.5 && self.is_of_family(&best.parts, &run.parts)?;
        if is_first || in_order(best.value, run.value, self.is_largest_first(metric)).is_ge() {
            return Ok(None);
        }
        let id = RowIds::default().of(self.stores, &[best.row])?.into_iter().next().unwrap_or_default();
        Ok(Some(Remark::HigherElsewhere(Box::new(self.entry(metric, best, id)))))
    }

    /// Whether a row is of the same candidate as another, or of the family of its device.
    fn is_of_family(&self, parts: &PartNumbers, of: &PartNumbers) -> Result<bool> {
        let name = |parts: &PartNumbers| self.kind.subjects(self.values, parts);
        let device = |parts: &PartNumbers| self.values.text(Field::Device, parts);
        let (Some(family), Some(member)) = (device(parts), device(of)) else { return Ok(name(parts) == name(of)) };
        let families = self.stores.database.ancestors(EntityKind::Device, member)?;
        Ok(name(parts) == name(of) || families.iter().any(|id| id == family && id != member))
    }

    fn is_largest_first(&self, metric: Metric) -> bool {
        (self.by.measure(metric).direction() == Direction::Lower) == self.worst_first()
    }

    /// The best possible run of each candidate, in order, and how many runs were skipped because they exceed the hardware peak.
    fn best(&self, metric: Metric, passes: &dyn Fn(&PartNumbers) -> bool) -> Result<(Vec<Run>, usize)> {
        let measure = self.by.measure(metric);
        let usual = Usual::of(self.values, &self.hits);
        let candidate = |run: &Run| {
            let counts = usual.counts(&run.parts) && (self.kind.by_row || usual.has_count(metric, &run.parts));
            self.counting(metric, &run.parts).filter(|_| counts && run.value > 0.0 && passes(&run.parts))
        };
        let runs = self.hits.measured(metric);
        let mut sorted: Vec<(ShareKey, Run)> = runs.filter_map(|run| Some((candidate(&run)?, run))).collect();
        let largest_first = self.is_largest_first(metric);
        sorted.sort_by(|(_, a), (_, b)| in_order(a.value, b.value, largest_first).then(a.row.cmp(&b.row)));
        let mut possible = Possible::new(self.stores, self.values);
        let mut known: HashSet<ShareKey> = HashSet::new();
        let (mut best, mut impossible) = (Vec::new(), 0);
        for (at, (candidate, run)) in sorted.into_iter().enumerate() {
            if known.contains(&candidate) {
                continue;
            }
            if at < LOOKED_AT && !possible.is_possible(&run.parts, measure, run.value)? {
                impossible += 1;
                continue;
            }
            known.insert(candidate);
            best.push(run);
        }
        Ok((best, impossible))
    }

    /// The entry of a candidate from one of its rows.
    fn entry(&self, metric: Metric, run: &Run, id: String) -> Entry {
        let value = (self.by.measure(metric), rounded(run.value));
        let measured = Entry::measured(self.values, value, &[run.parts], &self.kind.varied);
        Entry { subjects: self.kind.subjects(self.values, &run.parts), measurements: vec![id], ..measured }
    }
}

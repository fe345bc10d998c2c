//! Compares sides: matched pairs and their mean by network and stage; without pairs, the nearest and the best rows.

use std::collections::{HashMap, HashSet};

use indexmap::IndexSet;
use strum::VariantArray as _;

use super::condition::{entities_meeting, rows_meeting};
use super::facts::{facts, facts_of};
use super::indirect;
use super::key::{subjects_of, varied_by_sides};
use super::lookup::lookup;
use super::measure::{AT_ANY_BATCH, By};
use super::outcome::{Entry, Outcome, Remark, SPEED_UP, Subjects};
use super::pair::{MatchedPair, Pairing, Picked};
use super::plan::hits_of;
use super::ratio::{Comparison, mean_log};
use super::relaxation::relaxed;
use super::sizes::Sizes;
use super::spread::{in_order, rounded};
use super::under::{RowIds, spread_out};
use crate::ask::hits::{HitColumns, PartNumbers, Run, SharedValues};
use crate::ask::parse::{Ask, Filter, Is, Key, Quantity, Question, Result, Test};
use crate::comparability::Criterion;
use crate::model::{Aspect, Device, Direction, Facet, Fact, Field, Metric, Part, Tier, Value};
use crate::stores::Stores;
use crate::values::EntityKind;

/// A side of a comparison.
#[derive(Debug)]
pub(in crate::ask) struct Side {
    /// The filters that select this side, by key.
    pub subjects: Subjects,
    /// The measurements of this side.
    pub hits: HitColumns,
    filter: Filter,
}

/// Compares the sides of a question.
pub(super) fn compare(stores: &Stores, question: &Question) -> Result<Outcome> {
    let of_side = |side: &Filter| question.subject.and(side);
    let alone = |side: &Filter, ask| Question { subject: of_side(side), sides: Vec::new(), ask, ..question.clone() };
    // Sides that differ in a catalog fact are compared by facts: `the power of the SXM and the PCIe version`.
    let by_fact = |test: &Test| matches!(test.key, Key::Aspect(Aspect::Fact(_)));
    let is_of_facts = |side: &Filter| side.terms.iter().all(|term| term.test().is_some_and(by_fact));
    let by_facts = question.sides.iter().all(is_of_facts) && !question.wants.contains(&Quantity::Speed);
    // Several facts of devices are compared by the catalog alone: `Gaudi 3 against H100 in peak bf16, memory and power`.
    let of_catalog = question.wants.iter().filter(|want| is_of_catalog(want)).count();
    let by_facts = by_facts || question.subject.terms.is_empty() && of_catalog > 1;
    if of_catalog > 0 && (by_facts || of_catalog == question.wants.len()) {
        let mut outcome = Outcome::of(Ask::Fact);
        for side in &question.sides {
            let mut own = alone(side, Ask::Fact);
            // A form or a memory selects members of the family: `P100 PCIe vs SXM2`.
            if side.has(Facet::Device) && side.tests().any(by_fact) {
                let members = entities_meeting(stores, EntityKind::Device, &own.subject)?;
                own.subject = Filter::from(Test { key: Facet::Device.into(), is: Is::OneOf(members) });
            }
            let told = facts(stores, &own)?;
            outcome.entries.extend(told.entries);
            outcome.remarks.extend(told.remarks);
        }
        return Ok(outcome);
    }
    let varied = varied_by_sides(&question.sides);
    let values = SharedValues::read(stores)?;
    let ladder: Vec<By> = By::ladder_of(question, &question.wants).into_iter().map(By::and_tokens).collect();
    let mut first: Option<Outcome> = None;
    for by in &ladder {
        let mut outcome = Outcome::of(Ask::Compare);
        let mut sides = Vec::new();
        for side in &question.sides {
            let hits = hits_of(stores, &values, &of_side(side), by)?;
            sides.push(Side { subjects: subjects_of(side), hits, filter: side.clone() });
        }
        one_where_others_are_counted(&mut sides, &varied, &values);
        if varied.contains(&Field::Framework) {
            by_their_own_framework(&mut sides, &values);
        }
        // If only one side has values there is no comparison: look up its rows.
        let has_value = |side: &&Side| by.metrics().iter().any(|metric| side.hits.measured(*metric).next().is_some());
        let is_last = ladder.last() == Some(by);
        let mut measured = sides.iter().filter(|side| if is_last { has_value(side) } else { !side.hits.is_empty() });
        if let (Some(only), None) = (measured.next(), measured.next()) {
            // A fallback measure that one side lacks does not override the outcome of the requested measure.
            if first.is_some() {
                break;
            }
            if let Some(outcome) = with_less(stores, question)? {
                return Ok(outcome);
            }
            let told = facts_of_devices(stores, question, &varied)?;
            let mut outcome =
                if let Some(told) = told { told } else { lookup(stores, &alone(&only.filter, Ask::Lookup))? };
            for side in sides.iter().filter(|side| side.filter != only.filter) {
                outcome.remarks.insert(0, no_row(stores, side)?);
            }
            return Ok(outcome);
        }
        // Pairs of frameworks already keep a framework apart from the backend it runs on.
        if !varied.contains(&Field::Framework) {
            outcome.remarks.extend(without_shared_rows(&mut sides));
        }
        let sizes = sizes_of(stores, &values, &sides, &varied)?;
        let strata = chips(stores, &values, &sides)?;
        let mut comparison =
            Comparison { stores, values: &values, sizes: &sizes, varied: &varied, by, ids: RowIds::default(), strata };
        comparison.conclude(&sides, &mut outcome)?;
        indirect::add(&comparison, question, &mut outcome)?;
        if outcome.entries.iter().any(|entry| entry.quantity == SPEED_UP) {
            if by != &ladder[0] {
                // The nearest rows for the requested measure say more than pairs by another measure.
                if let Some(nearest) = first.take().filter(|first| first.entries.len() > 1) {
                    return Ok(nearest);
                }
                let own = outcome.entries.iter().find_map(|entry| entry.by.clone());
                let (asked, by) = (ladder[0].key().to_owned(), own.unwrap_or_else(|| by.key().to_owned()));
                outcome.remarks.push(Remark::Instead { asked, by });
            }
            return Ok(outcome);
        }
        let better = first.as_ref().is_none_or(|first| first.entries.is_empty() && !outcome.entries.is_empty());
        first = if better { Some(outcome) } else { first };
    }
    let first = first.unwrap_or_default();
    // `does the L4 use more power than the T4`: the catalog knows what no pair tells.
    let told = if question.wants.is_empty() { None } else { facts_of_devices(stores, question, &varied)? };
    Ok(match told {
        Some(told) => told.prepending(first.remarks),
        None => first,
    })
}

/// Relaxes shared conditions until the sides can be compared, if the original ones leave a side without rows.
fn with_less(stores: &Stores, question: &Question) -> Result<Option<Outcome>> {
    for less in relaxed(stores, question)? {
        let mut outcome = compare(stores, &less.question)?;
        if outcome.entries.first().is_some_and(|entry| entry.quantity == SPEED_UP) {
            outcome.relaxed.get_or_insert(less.question.subject);
            return Ok(Some(outcome.prepending(less.remarks)));
        }
    }
    Ok(None)
}

/// The facts of the compared devices, if the question has no other condition: those that it asks for, if every side has them, or all
/// if it asks for nothing.
fn facts_of_devices(stores: &Stores, question: &Question, varied: &[Field]) -> Result<Option<Outcome>> {
    let has_devices = question.sides.iter().all(|side| side.has(Facet::Device));
    if !question.subject.terms.is_empty() || !has_devices || varied != [Field::Device] {
        return Ok(None);
    }
    let is_told = |fact: &&Fact| fact.unit().is_some() || **fact == Fact::Released;
    let wants: Vec<Quantity> = match question.wants.is_empty() {
        true => facts_of(EntityKind::Device).iter().filter(is_told).copied().map(Quantity::Fact).collect(),
        false => question.wants.iter().filter(|want| is_of_catalog(want)).cloned().collect(),
    };
    let of = |subject: Filter, sides: Vec<Filter>| -> Result<Outcome> {
        let asked = Question { subject, sides, wants: wants.clone(), ask: Ask::Fact, ..question.clone() };
        Ok(facts(stores, &asked)?.without_unknown_facts())
    };
    for side in question.sides.iter().filter(|_| !question.wants.is_empty()) {
        if of(side.clone(), Vec::new())?.entries.is_empty() {
            return Ok(None);
        }
    }
    let told = of(Filter::default(), question.sides.clone())?;
    Ok((!told.entries.is_empty()).then_some(told))
}

/// A remark that a side has no row under the conditions of the question, with the number of rows it has without them.
fn no_row(stores: &Stores, side: &Side) -> Result<Remark> {
    Ok(Remark::NoRow { side: side.filter.clone(), alone: rows_meeting(stores, &side.filter)? })
}

/// Whether only the catalog states the quantity, and rows do not.
fn is_of_catalog(quantity: &Quantity) -> bool {
    use Quantity::{Fact, FrameworkMetric, HardwareMetric, Ratio};
    matches!(quantity, Fact(_) | Ratio(..) | HardwareMetric(_) | FrameworkMetric(_))
}

/// `a 3090 against 2x 2080 Ti`: if one side states a device count, a side without a count means one device.
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

/// A row belongs to the side that names its framework, not its backend: Keras on TensorFlow counts as Keras. If the other side is
/// TensorFlow, only the Keras rows on TensorFlow count, unless there are none.
fn by_their_own_framework(sides: &mut [Side], values: &SharedValues) {
    let names = |side: &Side| side.filter.names(Facet::Framework).cloned().collect();
    let named: Vec<Vec<String>> = sides.iter().map(names).collect();
    for (at, side) in sides.iter_mut().enumerate() {
        let others = named.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, names)| names);
        let others: HashSet<&str> = others.filter(|name| !named[at].contains(name)).map(String::as_str).collect();
        let is_of_other = |field: Field, parts: &PartNumbers| values.text(field, parts).map(|id| others.contains(id));
        let mut own = side.hits.filtered(|parts| is_of_other(Field::Framework, parts) != Some(true));
        if (0..own.len()).any(|hit| is_of_other(Field::Backend, &own.parts(hit)) == Some(true)) {
            own = own.filtered(|parts| is_of_other(Field::Backend, parts) != Some(false));
        }
        if !own.is_empty() {
            side.hits = own;
        }
    }
}

/// Rows that match both sides do not show how the sides differ: they count for the side with fewer rows only. If both sides have
/// exactly the same rows, there is nothing to compare ([`Remark::OneSide`]).
fn without_shared_rows(sides: &mut [Side]) -> Option<Remark> {
    let [first, second] = sides else { return None };
    let (few, many) = if first.hits.len() <= second.hits.len() { (first, second) } else { (second, first) };
    let is_shared = |hit: usize| few.hits.contains(many.hits.row(hit));
    let rows = (0..many.hits.len()).filter(|hit| is_shared(*hit)).count();
    if rows == 0 {
        return None;
    }
    if rows == many.hits.len() {
        return Some(Remark::OneSide);
    }
    many.hits = many.hits.filtered_by_hit(|hit| !is_shared(hit));
    Some(Remark::RowsOfBoth { rows, side: few.filter.clone() })
}

/// The chip of each setup's device, if the sides are device forms: the effect of a form shows only on cards with the same chip.
fn chips(stores: &Stores, values: &SharedValues, sides: &[Side]) -> Result<Option<Vec<u32>>> {
    let form = Key::from(Fact::FormFactor);
    let is_form = |side: &Side| side.filter.tests().any(|test| test.key == form);
    let Some(column) = values.column(Field::Device).filter(|_| sides.iter().all(is_form)) else { return Ok(None) };
    let devices: Vec<&str> = column.values().collect();
    let (mut known, mut of_setups) = (IndexSet::new(), vec![0; column.len()]);
    for setup in sides.iter().flat_map(|side| side.hits.distinct(Part::Setup)) {
        let Some(id) = (column.number(setup) as usize).checked_sub(1).and_then(|at| devices.get(at)) else { continue };
        let chip = stores.database.entity::<Device>(id)?.and_then(|device| device.chip);
        of_setups[setup as usize] = known.insert_full(chip.unwrap_or_else(|| (*id).to_owned())).0 as u32 + 1;
    }
    Ok(Some(of_setups))
}

/// What keeps otherwise equal rows apart: members of network families if networks are compared, else layer sizes.
fn sizes_of(stores: &Stores, values: &SharedValues, sides: &[Side], varied: &[Field]) -> Result<Sizes> {
    if varied.contains(&Field::Network) {
        let named = sides.iter().map(|side| match side.subjects.get(Facet::Network.key()) {
            Some(Value::Text(id)) => (Some(&**id), &side.hits),
            _ => (None, &side.hits),
        });
        return Ok(Sizes::of_networks(values, &named.collect::<Vec<_>>()));
    }
    Sizes::of_layers(stores, values, &sides.iter().map(|side| &side.hits).collect::<Vec<_>>())
}

/// Fields that each side may choose for itself if no two rows agree in them, in order of fallback.
const OWN_SETTING: &[&[Field]] = &[
    &[Field::BatchSize, Field::BatchSizeGlobal],
    &[Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion],
];

/// The fields in which submissions to MLPerf's closed division may differ: the software is the submitter's choice.
const OWN_SOFTWARE: &[Field] = &[Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion, Field::Framework];

/// Work that all sides ran; the best rows are taken from it.
#[derive(Clone, Copy)]
struct CommonWork {
    metric: Metric,
    network: u32,
    /// Whether every side has a row for this work on one device.
    alone: bool,
}

/// The result of comparing one side with another.
struct Paired {
    subject: usize,
    baseline: usize,
    pairs: Vec<MatchedPair>,
    remarks: Vec<Remark>,
}

impl Paired {
    /// The same pairs with subject and baseline swapped.
    fn swapped(self) -> Self {
        let swapped = |pair: MatchedPair| {
            let (subject, baseline) = (pair.baseline, pair.subject);
            MatchedPair { ratio: pair.ratio.recip(), subject, baseline, ..pair }
        };
        let pairs = self.pairs.into_iter().map(swapped).collect();
        Self { subject: self.baseline, baseline: self.subject, pairs, ..self }
    }
}

impl Comparison<'_> {
    fn conclude(&mut self, sides: &[Side], outcome: &mut Outcome) -> Result<()> {
        let (with, without): (Vec<usize>, Vec<usize>) = (0..sides.len()).partition(|at| !sides[*at].hits.is_empty());
        for at in without {
            outcome.remarks.push(no_row(self.stores, &sides[at])?);
        }
        let paired = self.against_best(sides, &with);
        let mut rest = Vec::new();
        for paired in &paired {
            let (own, other) = (&sides[paired.subject], &sides[paired.baseline]);
            let mut entries = self.entries(&own.subjects, &other.subjects, &paired.pairs)?;
            if !entries.is_empty() {
                outcome.remarks.extend(self.other_way(&entries[0], &paired.pairs)?);
                outcome.entries.push(entries.remove(0));
            }
            rest.extend(entries);
            outcome.remarks.extend(paired.remarks.iter().cloned());
            outcome.remarks.extend(self.in_closed_division(own, other, &paired.pairs)?);
        }
        outcome.entries.extend(rest);
        if !are_of_one_setting(&paired) {
            outcome.remarks.push(Remark::NoOrder);
        }
        let is_paired = |at: &usize| paired.iter().any(|one| one.subject == *at || one.baseline == *at);
        let unpaired: Vec<usize> = with.into_iter().filter(|at| !is_paired(at)).collect();
        // For two unpaired sides, the nearest rows show why there is no pair.
        let mut shown = 0;
        if let [first, second] = unpaired.as_slice() {
            let (own, other) = (&sides[*first].hits, &sides[*second].hits);
            let has_common = self.varied.contains(&Field::Network) || !self.common_networks(own, other).is_empty();
            let mut metrics = self.by.metrics().into_iter().filter(|_| has_common);
            let nearest = metrics.find_map(|metric| self.nearest(metric, own, other));
            let nothing_in_common = if has_common { Vec::new() } else { vec![Field::Network] };
            let (differ, unstated, runs) = nearest.unwrap_or((nothing_in_common, false, Vec::new()));
            outcome.remarks.push(Remark::NoPair { differ, unstated, rows: [own.len(), other.len()] });
            shown = runs.len();
            for (at, run) in [*first, *second].into_iter().zip(runs) {
                outcome.entries.push(self.row(&sides[at].subjects, run.0, &run.1, 1)?);
            }
        }
        let hits: Vec<&HitColumns> = unpaired.iter().map(|at| &sides[*at].hits).collect();
        let common = self.common_work(&hits).map(|(metric, network)| {
            let is_alone = |run: Run| self.network(&run.parts) == network && self.is_alone(&run.parts);
            let alone = hits.iter().all(|hits| hits.measured(metric).any(is_alone));
            CommonWork { metric, network, alone }
        });
        for at in &unpaired {
            // Not used once the nearest rows are shown, because the best rows of two sides usually measure different work.
            if shown == 0 {
                outcome.entries.extend(self.best_of(&sides[*at], common)?);
            }
            if sides.len() > 2 {
                outcome.remarks.push(Remark::NotPaired(sides[*at].filter.clone()));
            }
        }
        Ok(())
    }

    /// Compares each side with the best one, or the one that most can be paired with; the better side of a pair is the subject.
    fn against_best(&self, sides: &[Side], with: &[usize]) -> Vec<Paired> {
        let against = |baseline: usize| -> Vec<Paired> {
            let others = with.iter().copied().filter(|at| *at != baseline);
            others.filter_map(|subject| self.paired(sides, subject, baseline)).collect()
        };
        let bases = if with.len() == 2 { &with[1..] } else { with };
        let rank = |paired: &Vec<Paired>| {
            let is_best = paired.iter().all(|one| mean_log(one.pairs.iter()) <= 0.0);
            let is_own = |remark: &Remark| matches!(remark, Remark::OwnSetting(..));
            let alike = paired.iter().filter(|one| !one.remarks.iter().any(is_own)).count();
            (paired.len(), alike, is_best, paired.iter().map(|one| one.pairs.len()).sum::<usize>())
        };
        let best = bases.iter().map(|at| against(*at)).max_by_key(rank).unwrap_or_default();
        best.into_iter().map(|one| if mean_log(one.pairs.iter()) < 0.0 { one.swapped() } else { one }).collect()
    }

    /// The usable pairs of two sides; `None` if there are none.
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
                    remarks.push(Remark::OwnSetting(fields.to_vec()));
                }
            }
        }
        // In MLPerf's closed division each device runs its maker's software.
        if pairs.is_empty() && *self.varied == [Field::Device] {
            let [own, other] = [own, other].map(|hits| hits.filtered(|parts| self.is_closed(parts)));
            pairs = self.with_own_software(&own, &other);
            remarks.extend((!pairs.is_empty()).then(|| Remark::OwnSetting(OWN_SOFTWARE.to_vec())));
        }
        let pairs = self.usual(pairs, &mut remarks);
        remarks.extend(self.own_choices(&sides[subject], &sides[baseline], &pairs));
        (!pairs.is_empty()).then_some(Paired { subject, baseline, pairs, remarks })
    }

    /// The ratio of two devices in MLPerf's closed division, each with its maker's software, if none of the pairs comes from it.
    fn in_closed_division(&mut self, subject: &Side, baseline: &Side, pairs: &[MatchedPair]) -> Result<Option<Remark>> {
        if *self.varied != [Field::Device] || pairs.iter().any(|pair| self.is_closed(&pair.subject.parts)) {
            return Ok(None);
        }
        let [own, other] = [subject, baseline].map(|side| side.hits.filtered(|parts| self.is_closed(parts)));
        // A ratio in training says nothing about pairs in inference.
        let stage = |pair: &MatchedPair| self.values.number(Field::Stage, &pair.subject.parts);
        let stages: HashSet<u32> = pairs.iter().map(stage).collect();
        let mut closed = self.with_own_software(&own, &other);
        closed.retain(|pair| stages.contains(&stage(pair)));
        if closed.is_empty() {
            return Ok(None);
        }
        let entry = self.ratio(&subject.subjects, &baseline.subjects, &closed.iter().collect::<Vec<_>>(), 1)?;
        Ok(Some(Remark::ClosedDivision(Box::new(entry))))
    }

    /// Pairs in which each side uses its own framework and batch size, at its best value.
    fn with_own_software(&self, own: &HitColumns, other: &HitColumns) -> Vec<MatchedPair> {
        let varied: Vec<Field> = self.varied.iter().chain(OWN_SOFTWARE).copied().collect();
        let at_best = Pairing { varied: &varied, picked: Picked::Best, ..self.pairing() };
        // The time to a target accuracy covers the whole run, so its batch size may differ.
        let is_alike = |metric: &Metric| AT_ANY_BATCH.contains(metric) || *metric == Metric::TimeToAccuracyS;
        let metrics = self.by.metrics().into_iter().filter(is_alike);
        at_best.pairs(own, other, &metrics.collect::<Vec<_>>())
    }

    /// The execution choices (layout, mode) of two frameworks, if all rows of each side agree and the sides differ.
    fn own_choices(&self, subject: &Side, baseline: &Side, pairs: &[MatchedPair]) -> Option<Remark> {
        const CHOICES: [Field; 2] = [Field::Layout, Field::Mode];
        if !self.varied.contains(&Field::Framework) {
            return None;
        }
        let chosen = |field: Field, run: fn(&MatchedPair) -> &Run| -> Option<Value> {
            let mut values = pairs.iter().map(|pair| self.values.value(field, &run(pair).parts));
            let first = values.next()?;
            values.all(|value| value == first).then_some(first).flatten()
        };
        let of = |run: fn(&MatchedPair) -> &Run| CHOICES.map(|field| (field, chosen(field, run)));
        let (own, other) = (of(|pair| &pair.subject), of(|pair| &pair.baseline));
        let differ = own != other;
        let sides = [(subject, own), (baseline, other)].map(|(side, choices)| {
            let choices = choices.into_iter().filter_map(|(field, value)| Some((field, value?)));
            (side.subjects.clone(), choices.collect::<Vec<_>>())
        });
        let sides: Vec<_> = sides.into_iter().filter(|(_, choices)| !choices.is_empty()).collect();
        (differ && !sides.is_empty()).then_some(Remark::OwnChoices(sides))
    }

    /// The entry for one of a side's `n` rows. If the side is a network family, the entry names the member that ran.
    fn row(&mut self, subjects: &Subjects, metric: Metric, run: &Run, n: usize) -> Result<Entry> {
        let value = (self.by.measure(metric), rounded(run.value));
        let mut subjects = subjects.clone();
        let network = self.values.value(Field::Network, &run.parts);
        if let (Some(named), Some(network)) = (subjects.get_mut(Field::Network.key()), network) {
            *named = network;
        }
        let measured = Entry::measured(self.values, value, &[run.parts], self.varied);
        Ok(Entry { subjects, n, measurements: self.ids.of(self.stores, &[run.row])?, ..measured })
    }

    /// The best row of a side. If all sides share a network, only rows of that network count.
    fn best_of(&mut self, side: &Side, common: Option<CommonWork>) -> Result<Option<Entry>> {
        let metrics = common.map_or_else(|| self.by.metrics(), |common| vec![common.metric]);
        for metric in metrics {
            let lower = metric.direction() == Direction::Lower;
            let is_common = |run: &Run| {
                common.is_none_or(|common| {
                    self.network(&run.parts) == common.network && (!common.alone || self.is_alone(&run.parts))
                })
            };
            let stated =
                side.hits.measured(metric).filter(|run| self.values.is_in_good_standing(&run.parts) && is_common(run));
            let n = stated.clone().count();
            if let Some(run) = stated.min_by(|a, b| in_order(a.value, b.value, !lower)) {
                return self.row(&side.subjects, metric, &run, n).map(Some);
            }
        }
        Ok(None)
    }

    /// Whether a row ran on one device.
    fn is_alone(&self, parts: &PartNumbers) -> bool {
        self.values.count(Field::DeviceCount, parts) == Some(1)
    }

    fn network(&self, parts: &PartNumbers) -> u32 {
        self.values.number(Field::Network, parts)
    }

    /// The metric and network that all sides have rows for; chosen to maximise the row count of the side with the fewest rows.
    fn common_work(&self, sides: &[&HitColumns]) -> Option<(Metric, u32)> {
        let counts = |hits: &HitColumns, metric: Metric| {
            let mut counts: HashMap<u32, usize> = HashMap::new();
            for run in hits.measured(metric).filter(|run| self.values.is_in_good_standing(&run.parts)) {
                *counts.entry(self.network(&run.parts)).or_default() += 1;
            }
            counts
        };
        let most_common = |metric: Metric| {
            let of_sides: Vec<_> = sides.iter().map(|hits| counts(hits, metric)).collect();
            let fewest = |network: &u32| {
                let rows = of_sides.iter().map(|of| of.get(network).copied().unwrap_or_default());
                rows.min().filter(|fewest| *fewest > 0 && *network > 0)
            };
            let networks = of_sides.first()?.keys();
            let (rows, network) = networks.filter_map(|network| Some((fewest(network)?, *network))).max()?;
            Some((rows, metric, network))
        };
        let all = self.by.metrics().into_iter().rev().filter_map(most_common);
        all.max_by_key(|(rows, ..)| *rows).map(|(_, metric, network)| (metric, network))
    }

    /// The networks that both sides have rows for.
    fn common_networks(&self, own: &HitColumns, other: &HitColumns) -> HashSet<u32> {
        let column = self.values.column(Field::Network);
        let networks = |hits: &HitColumns| -> HashSet<u32> {
            hits.distinct(Part::Workload).map(|share| column.map_or(0, |column| column.number(share))).collect()
        };
        networks(own).intersection(&networks(other)).copied().collect()
    }

    /// The two rows (one of each side, with this metric) that differ least, and the fields in which they differ.
    fn nearest(&self, metric: Metric, own: &HitColumns, other: &HitColumns) -> Option<Nearest> {
        /// Maximum number of rows sampled from each side.
        const LOOKED_AT: usize = 200;
        let common = self.common_networks(own, other);
        let rows = |hits: &HitColumns| -> Vec<Run> {
            let mut seen = HashSet::new();
            let is_common = |network: u32| common.is_empty() || common.contains(&network);
            let counts = |run: &Run| {
                let parts = &run.parts;
                is_common(self.values.number(Field::Network, parts))
                    && self.values.is_in_good_standing(parts)
                    && seen.insert(*parts)
            };
            hits.measured(metric).filter(counts).collect()
        };
        let weighs = |field: Field| {
            let tier = Criterion::Field(field).tier(metric, false)?;
            let varies = self.varied.iter().any(|varied| *varied == field || field.differs_along(*varied));
            match tier {
                // Values of two different networks are not comparable at all.
                _ if field == Field::Network && !varies => Some((field, 1000)),
                Tier::Identity if !varies => Some((field, 3)),
                Tier::Axis if !varies => Some((field, 2)),
                _ => None,
            }
        };
        let fields: Vec<(Field, usize)> = Field::VARIANTS.iter().copied().filter_map(weighs).collect();
        let number = |field: Field, parts: &PartNumbers| match field {
            Field::BatchSize => self.values.batch(parts).map_or(0, |batch| batch as u32),
            field => self.values.number(field, parts),
        };
        let numbers = |run: &Run| fields.iter().map(|(field, _)| number(*field, &run.parts)).collect();
        let stated = |hits| -> Vec<Stated> { rows(hits).into_iter().map(|run| (run, numbers(&run))).collect() };
        let (rows, others) = (stated(own), stated(other));
        let cost = |a: &[u32], b: &[u32]| -> usize {
            fields.iter().zip(a.iter().zip(b)).filter(|(_, (a, b))| a != b).map(|((_, weight), _)| weight).sum()
        };
        // Cost of a different source; rounds of one benchmark are separate sources.
        const OTHER_SOURCE: usize = 3;
        let source = |run: &Run| self.values.number(Aspect::Source, &run.parts);
        let costs = |(one, a): &Stated, (other, b): &Stated| {
            cost(a, b) + OTHER_SOURCE * usize::from(source(one) != source(other))
        };
        let [some, some_others] = [&rows, &others].map(|rows| spread_out(&rows.iter().collect::<Vec<_>>(), LOOKED_AT));
        let all = some.into_iter().flat_map(|a| some_others.iter().map(move |b| (a, *b)));
        let (one, _) = all.min_by_key(|(a, b)| costs(a, b))?;
        // The sample gives a starting point; the nearest partner is then searched among all rows.
        let other = others.iter().min_by_key(|b| costs(one, b))?;
        let one = rows.iter().min_by_key(|a| costs(a, other))?;
        let ((a, of_a), (b, of_b)) = (one, other);
        let places = || fields.iter().zip(of_a.iter().zip(of_b));
        let mut differ: Vec<Field> = places().filter(|(_, (a, b))| a != b).map(|((field, _), _)| *field).collect();
        // If the two rows agree in all they state, the reason is a field that neither states and that is not known to be equal.
        let unstated = differ.is_empty();
        if unstated {
            let required = [Field::Precision, Field::BatchSize, Field::Framework, Field::Device, Field::InputShape];
            let silent = places().filter(|((field, _), (a, _))| required.contains(field) && **a == 0);
            differ.extend(silent.map(|((field, _), _)| *field));
        }
        Some((differ, unstated, vec![(metric, *a), (metric, *b)]))
    }
}

/// Whether the ratios are comparable with each other, because the comparisons share rows.
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

/// The fields in which the nearest rows of two sides differ, whether neither row states these fields, and the values of the rows.
type Nearest = (Vec<Field>, bool, Vec<(Metric, Run)>);

/// A row with its value numbers of the compared fields.
type Stated = (Run, Vec<u32>);

#[cfg(test)]
mod tests {
    use crate::ask::execute::{Outcome, Remark, outcome};
    use crate::model::{Fact, Field};

    /// The device, the ratio and the number of pairs of each headline and of its parts.
    fn ratios(outcome: &Outcome) -> Vec<(String, f64, usize)> {
        let ratios = outcome.entries.iter().filter(|entry| entry.quantity == super::SPEED_UP);
        let ratio = |entry: &super::Entry| (entry.subjects["device"].to_string(), entry.number().unwrap(), entry.n);
        ratios.map(ratio).collect()
    }

    const ROWS: (&str, &str) = (
        "device network stage precision throughput-per-s",
        r#"["nova", "deepnet-50", "eval", "fp32", 200], ["core", "deepnet-50", "eval", "fp32", 100],
        ["nova", "deepnet-18", "eval", "fp32", 800], ["core", "deepnet-18", "eval", "fp32", 100],
        ["nova", "deepnet-18", "train", "fp32", 50], ["core", "deepnet-18", "train", "fp32", 100],
        ["nova", "deepnet-50", "eval", "fp16", 900], ["ember", "deepnet-50", "eval", "int8", 7]"#,
    );

    #[test]
    fn the_better_side_is_the_subject_of_the_headline_and_of_all_below_it() {
        let told = outcome(ROWS, "(device:core) vs (device:nova) ask:compare");
        let ratios = ratios(&told);
        assert_eq!(ratios[0], ("nova".to_owned(), 2.0, 3));
        let has = |ratio: f64, n: usize| ratios.contains(&("nova".to_owned(), ratio, n));
        assert!(has(4.0, 2) && has(0.5, 1), "{ratios:?}");
        let headline = &told.entries[0];
        assert_eq!((headline.measurements.len(), headline.is_decided), (6, false));
        assert_eq!(headline.under["precision"].as_ref().map(ToString::to_string).as_deref(), Some("fp32"));
        let pairs: Vec<_> = told.entries.iter().filter_map(|entry| entry.pair.as_ref()).collect();
        assert!(pairs.iter().any(|pair| (pair.subject, pair.baseline) == (800.0, 100.0)), "{pairs:?}");
    }

    #[test]
    fn sides_without_a_pair_say_in_what_the_nearest_rows_differ() {
        let told = outcome(ROWS, "(device:core) vs (device:ember) ask:compare");
        let remark = Remark::NoPair { differ: vec![Field::Precision], unstated: false, rows: [3, 1] };
        assert!(told.remarks.contains(&remark) && ratios(&told).is_empty(), "{:?}", told.remarks);
        assert!(told.entries.iter().any(|entry| entry.number() == Some(7.0)));
    }

    #[test]
    fn a_side_without_rows_is_a_remark_and_the_other_has_its_best() {
        let has_none = |told: &Outcome| told.remarks.iter().any(|remark| matches!(remark, Remark::NoRow { .. }));
        let of = |question: &str| outcome(("throughput-per-s", "[5]"), question);
        let told = of("network:deepnet-50 (device:ember) vs (device:nova) ask:compare");
        assert!(has_none(&told) && told.entries[0].number() == Some(5.0), "{told:?}");
        // Without other conditions, the answer is the facts of both devices.
        let told = of("(device:ember) vs (device:nova) ask:compare");
        assert!(has_none(&told) && told.entries[0].quantity == Fact::Memory.file_key(), "{told:?}");
    }

    #[test]
    fn several_sides_are_set_against_the_best() {
        let rows = r#"["nova", 10], ["core", 20], ["ember", 80]"#;
        let question = "(device:nova) vs (device:core) vs (device:ember) ask:compare";
        let told = outcome(("device latency-ms", rows), question);
        assert!(!told.remarks.contains(&Remark::NoOrder), "{:?}", told.remarks);
        assert!(ratios(&told).iter().take(2).all(|(device, ..)| device == "nova"), "{:?}", ratios(&told));
    }

    #[test]
    fn what_is_not_counted_is_one_where_others_are() {
        let rows = ("device device-count throughput-per-s", r#"["nova", 1, 100], ["nova", 8, 700], ["core", 2, 50]"#);
        let told = outcome(rows, "(device:nova) vs (device:core device-count:2) ask:compare");
        assert_eq!(told.entries[0].number(), Some(2.0));
    }

    #[test]
    fn each_at_its_own_batch_where_no_batch_is_shared() {
        let rows = r#"["nova", 8, 100], ["nova", 16, 300], ["core", 32, 50], ["core", 64, 100]"#;
        let rows = ("device batch-size throughput-per-s", rows);
        let told = outcome(rows, "(device:nova) vs (device:core) ask:compare");
        assert_eq!((told.entries[0].number(), told.entries[0].n), (Some(3.0), 1));
        assert!(told.remarks.iter().any(|remark| matches!(remark, Remark::OwnSetting(..))));
    }

    #[test]
    fn the_closed_division_compares_devices_with_the_software_of_each() {
        let columns = "device framework division network throughput-per-s";
        let closed =
            r#"["nova", "firelight", "closed", "deepnet-50", 300], ["core", "gridflow", "closed", "deepnet-50", 100]"#;
        let question = "(device:nova) vs (device:core) ask:compare";
        let told = outcome((columns, closed), question);
        assert_eq!((told.entries[0].number(), told.entries[0].n), (Some(3.0), 1));
        let other = r#", ["nova", "firelight", "", "deepnet-18", 100], ["core", "firelight", "", "deepnet-18", 50]"#;
        let told = outcome((columns, &[closed, other].concat()), question);
        let beside = told.remarks.iter().find_map(|remark| match remark {
            Remark::ClosedDivision(entry) => entry.number(),
            _ => None,
        });
        assert_eq!((told.entries[0].number(), beside), (Some(2.0), Some(3.0)));
    }

    #[test]
    fn three_sides_without_a_pair_are_told_by_work_that_all_ran() {
        let rows = r#"["nova", "deepnet-50", "fp32", 9], ["core", "deepnet-50", "fp16", 8],
            ["ember", "deepnet-50", "int8", 7], ["ember", "deepnet-18", "int8", 1]"#;
        let question = "(device:nova) vs (device:core) vs (device:ember) ask:compare";
        let told = outcome(("device network precision latency-ms", rows), question);
        let numbers: Vec<f64> = told.entries.iter().filter_map(|entry| entry.number()).collect();
        assert_eq!(numbers, [1778.0, 2000.0, 2286.0]);
    }

    #[test]
    fn what_runs_on_a_framework_is_none_of_its_rows() {
        let rows = r#"["firelight", "", 100], ["gridflow", "firelight", 50]"#;
        let question = "(framework:gridflow) vs (framework:firelight) ask:compare";
        let told = outcome(("framework backend throughput-per-s", rows), question);
        assert_eq!((told.entries[0].number(), told.entries[0].n), (Some(2.0), 1));
    }
}

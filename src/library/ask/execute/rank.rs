//! Candidates in order: in the one frame of alike rows that holds most of them, with the row that beats the first in any other.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use indexmap::IndexMap;

use super::Outcome;
use super::effects::{self, Contenders};
use super::entities::{entities, rank_by_fact};
use super::grades::grades;
use super::key::{aspect_of, subjects_of, varied_by};
use super::measure::{By, ShareKey, ShareKeys};
use super::outcome::{Entry, EntryValue, Remark};
use super::pair::{MatchedPair, Run, Runs, gain};
use super::plan::hits_of;
use super::possible::Possible;
use super::ratio::Comparison;
use super::sizes::Sizes;
use super::spread::rounded;
use super::under::{RowIds, item_counted, shared, sources, unit};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, LayerSizes, NumberMap, PartNumbers, SharedValues};
use crate::ask::parse::{Ask, Beyond, End, Filter, Key, Order, Quantity, QueryError, Question, Term, Test};
use crate::comparability::ComparisonFacts;
use crate::model::{Aspect, Derived, Direction, Facet, Fact, Field, Measure, Metric, Part, Value};
use crate::rows::by_value;
use crate::stores::Stores;
use crate::stores::database::AspectColumn;
use crate::values::Division;

/// Fewer candidates than this are few.
const FEW: usize = 3;

/// So many candidates under one frame are enough for a ranking, unless so many times as many did the same task.
const MANY: usize = 6;
const FAR_MORE: usize = 2;

/// So many candidates have entries where nobody asks for a number of them.
const MOST: usize = 30;

/// So many of the first are checked against what their hardware can give.
const CHECKED: usize = 12;

/// What a year takes from the weight of a frame: a field of 2017 needs about twice the candidates of one of 2024.
const LEFT_AFTER_A_YEAR: f64 = 0.9;

/// So much of its weight is left to a frame of MLPerf's open division, in which each candidate ran a model of its own making.
const LEFT_IF_OPEN: f64 = 0.3;

/// A frame with this share of the candidates of the largest is as good, of named work, where its first is before that of the largest.
const ENOUGH: f64 = 0.5;

/// The same of any work.
const NEARLY: f64 = 0.95;

/// What must be known of most rows.
const NEEDED: &[Field] =
    &[Field::Precision, Field::BatchSize, Field::Framework, Field::DeviceCount, Field::Device, Field::InputShape];

/// Puts candidates in order.
///
/// # Errors
///
/// When a store fails.
pub(super) fn rank(stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    let is_fact = |quantity: &&Quantity| matches!(quantity, Quantity::Fact(_));
    match &question.order {
        // What is wanted says by what, where the order does not: `top 10 gpus by memory`.
        Some(order @ Order { by: Quantity::Speed, .. }) if question.wants.iter().any(|wanted| is_fact(&wanted)) => {
            let by = question.wants.iter().find(is_fact).cloned().unwrap_or(Quantity::Speed);
            return rank(stores, &Question { order: Some(Order { by, ..order.clone() }), ..question.clone() });
        }
        Some(order @ Order { by: Quantity::Fact(fact), .. }) => return rank_by_fact(stores, question, *fact, order),
        Some(order @ Order { by: Quantity::Field(field), .. }) => return by_field(stores, question, *field, order),
        Some(Order { by: Quantity::HardwareMetric(_), .. }) => return grades(stores, question),
        Some(Order { by: Quantity::Rows | Quantity::Sources, .. }) => return entities(stores, question),
        _ => {}
    }
    let kind = Candidates::of(question);
    let fact = kind.identity.iter().find_map(|aspect| match aspect {
        Aspect::Fact(fact) => Some(*fact),
        _ => None,
    });
    let values = SharedValues::read_with(stores, fact)?;
    if let Some(beyond) = &question.beyond {
        return beyond_reference(stores, question, beyond, (&values, &kind));
    }
    let wanted: Vec<Quantity> =
        question.order.iter().map(|order| order.by.clone()).chain(question.wants.clone()).collect();
    let ladder = By::ladder(&wanted);
    let mut best: Option<(Ranked, &By)> = None;
    'ladder: for by in &ladder {
        for metric in by.metrics() {
            let one = match by {
                By::Metrics(_) => By::Metrics(vec![metric]),
                By::Derived(derived) => By::Derived(*derived),
            };
            let hits = hits_of(stores, &values, &question.subject, &one)?;
            let measure = by.measure(metric);
            let Some(ranked) = Ranked::of(stores, &values, hits, (metric, measure), &kind)? else { continue };
            let many = ranked.frame.len();
            // Two of what is named are more to the point than many of what takes its place.
            let enough =
                if by == &ladder[0] && !matches!(wanted.first(), None | Some(Quantity::Speed)) { 2 } else { FEW };
            if best.as_ref().is_none_or(|(best, _)| many > best.frame.len()) {
                best = Some((ranked, by));
            }
            if many >= enough {
                break 'ladder;
            }
        }
    }
    let mut outcome = Outcome { ask: Ask::Rank, ..Outcome::default() };
    let Some((ranked, by)) = best else { return Ok(outcome) };
    ranked.conclude(stores, question, &values, &kind, &mut outcome)?;
    // Along numbers the places are in their order, whatever their values.
    if let (Some(axis @ Aspect::Fact(fact)), None) = (question.along, &question.order) {
        let place = |entry: &Entry| entry.subjects.get(axis.key()).map(ToString::to_string).unwrap_or_default();
        if fact.unit().is_some() || fact == Fact::Year {
            outcome.entries.sort_by(|a, b| by_value(axis, Some(&place(a)), Some(&place(b))));
        }
    }
    if by != &ladder[0] {
        let (asked, by) = (ladder[0].key().to_owned(), ranked.measure.key().to_owned());
        outcome.remarks.push(Remark::Instead { asked, by });
    }
    outcome.remarks.extend(by_all_evidence(stores, question, (&values, &kind), by)?);
    Ok(outcome)
}

/// The order of candidates by every setting that holds two or more of them, where one setting is the order's own.
fn by_all_evidence(
    stores: &Stores,
    question: &Question,
    (values, kind): (&SharedValues, &Candidates),
    by: &By,
) -> Result<Option<Remark>, QueryError> {
    let is_best = question.order.as_ref().is_none_or(|order| matches!(order.end, End::Best | End::Most));
    let ([aspect], true) = (kind.identity.as_slice(), is_best && question.of.is_some()) else { return Ok(None) };
    let mut rows = Vec::new();
    for metric in by.metrics() {
        let one = match by {
            By::Metrics(_) => By::Metrics(vec![metric]),
            By::Derived(derived) => By::Derived(*derived),
        };
        rows.push((metric, hits_of(stores, values, &question.subject, &one)?));
    }
    let is_one = |parts: &PartNumbers| values.count(Field::DeviceCount, parts).is_none_or(|count| count == 1);
    let candidate = |parts: &PartNumbers| {
        let number = values.number(*aspect, parts);
        (number > 0 && (!kind.one_device || is_one(parts))).then_some(u64::from(number))
    };
    let subjects = |parts: &PartNumbers| kind.subjects(values, parts);
    let contenders = Contenders { values, varied: &kind.varied, candidate: &candidate, subjects: &subjects };
    let placed = effects::placed(stores, &contenders, &rows)?;
    Ok((!placed.is_empty()).then_some(Remark::AllEvidence { placed }))
}

/// Rows by a number that they state of themselves: the largest batch, the most devices; one for each candidate.
fn by_field(stores: &Stores, question: &Question, field: Field, order: &Order) -> Result<Outcome, QueryError> {
    let values = SharedValues::read(stores)?;
    let hits = hits_of(stores, &values, &question.subject, &By::Metrics(Vec::new()))?;
    let kind = Candidates::of(question);
    let identity: &[Aspect] = if question.of.is_some() { &kind.identity } else { &[Aspect::Field(Field::Network)] };
    let identities = ShareKeys::of(&values, identity);
    let least = matches!(order.end, End::Least | End::Worst);
    let mut best: BTreeMap<ShareKey, (i64, usize)> = BTreeMap::new();
    for hit in (0..hits.len()).filter(|hit| values.stands(&hits.parts(*hit))) {
        let parts = hits.parts(hit);
        let Some(count) = values.count(field, &parts) else { continue };
        let known = best.entry(identities.key(&parts)).or_insert((count, hit));
        if if least { count < known.0 } else { count > known.0 } {
            *known = (count, hit);
        }
    }
    let mut best: Vec<(i64, usize)> = best.into_values().collect();
    best.sort_by_key(|(count, hit)| (if least { *count } else { -*count }, *hit));
    best.truncate(question.take.unwrap_or(MOST));
    let mut ids = RowIds::default();
    let mut outcome = Outcome { ask: Ask::Rank, ..Outcome::default() };
    for (count, hit) in best {
        let parts = hits.parts(hit);
        let subjects = identity.iter().filter_map(|aspect| {
            let text = values.text(*aspect, &parts)?;
            Some((aspect.key().to_owned(), Value::Text(text.into())))
        });
        outcome.entries.push(Entry {
            subjects: subjects.collect(),
            quantity: field.key().to_owned(),
            value: Some(EntryValue::Number(count as f64)),
            n: 1,
            under: shared(&values, [&parts], &kind.varied),
            measurements: ids.of(stores, &[hits.row(hit)])?,
            sources: sources(&values, [&parts]),
            ..Entry::default()
        });
    }
    Ok(outcome)
}

/// What is ranked.
struct Candidates {
    /// What tells one from another.
    identity: Vec<Aspect>,
    /// What may vary among them.
    varied: Vec<Field>,
    /// Whether each is ranked by what one device does.
    one_device: bool,
    /// Whether the question names what was run.
    names_work: bool,
    /// Whether any way to the goal is a candidate: what training to a target costs.
    by_cost: bool,
}

/// What a run may choose for itself: the settings that are ranked where nothing else is.
const SETTINGS: &[Field] = &[
    Field::Precision,
    Field::Quantization,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::Device,
    Field::Framework,
    Field::FrameworkVersion,
    Field::Mode,
    Field::Layout,
    Field::Scenario,
];

impl Candidates {
    fn of(question: &Question) -> Self {
        let tested = |key: &Key| question.subject.terms.iter().any(|term| tests(term, key));
        let aspect = question.of.as_ref().map(aspect_of);
        let by_cost = matches!(&question.order, Some(order) if order.by.is_cost());
        let (identity, varied) = match (aspect, &question.of) {
            // The best of each year is in a setting of its own.
            (Some(aspect @ Aspect::Fact(Fact::Year)), _) => (vec![aspect], SETTINGS.to_vec()),
            (Some(aspect), Some(key)) => (vec![aspect], varied_by(key)),
            _ => {
                // What a run costs is that of the whole machine.
                let machine: &[Field] = if by_cost { &[Field::Instance, Field::DeviceCount] } else { &[] };
                let all: Vec<Field> = SETTINGS.iter().chain(machine).copied().collect();
                let open = all.iter().copied().filter(|field| !tested(&key_of(*field)));
                // Members of a family that is named are settings of it.
                (open.map(Aspect::Field).collect(), all)
            }
        };
        let counted = tested(&Key::Aspect(Aspect::Field(Field::DeviceCount)));
        let of_devices = varied.contains(&Field::Device) && !varied.contains(&Field::DeviceCount);
        let names_work = [Facet::Network, Facet::Task].into_iter().any(|facet| tested(&Key::Facet(facet)));
        let by_cost = by_cost && question.of.is_none();
        Self { identity, varied, one_device: of_devices && !counted && !by_cost, names_work, by_cost }
    }

    /// What tells the candidate of a row from others, by the keys of filters.
    fn subjects(&self, values: &SharedValues, parts: &PartNumbers) -> IndexMap<String, Value> {
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

/// Whether a term tests a key, or excludes values of it.
fn tests(term: &Term, key: &Key) -> bool {
    match term {
        Term::Test(Test { key: tested, .. }) => tested == key,
        Term::Not(filter) => filter.terms.iter().any(|term| tests(term, key)),
        Term::Any(any) => any.iter().any(|filter| filter.terms.iter().any(|term| tests(term, key))),
    }
}

fn key_of(field: Field) -> Key {
    field.facet().map_or(Key::Aspect(Aspect::Field(field)), Key::Facet)
}

/// A candidate in a frame: its values, each the median of repetitions in one setting, the best first, with a hit.
struct Candidate {
    settings: Vec<(f64, usize)>,
    hits: Vec<usize>,
}

/// The candidates of the frame that holds most of them.
struct Ranked {
    hits: HitColumns,
    metric: Metric,
    measure: Measure,
    frame: Vec<Candidate>,
    /// Whether the frame is of one task and each candidate in a setting of its own.
    own_best: bool,
    /// Whether all that must be known of its rows is.
    is_known: bool,
    /// How many candidates have values in any frame.
    of: usize,
    /// Whether rows of other numbers of devices say nothing of these.
    counts_devices: bool,
}

/// What the rows of a frame share: the key of comparability, or the task; and the class of hardware.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum FrameKey {
    Alike(ComparisonKey),
    Task(ShareKey),
}

/// What belongs to a task rather than to a setting.
const TASK: &[Field] = &[
    Field::Network,
    Field::Stage,
    Field::Scenario,
    Field::Division,
    Field::Counts,
    Field::InputShape,
    Field::SequenceLength,
    Field::Dataset,
    Field::AccuracyTarget,
    Field::RelativeAccuracyTarget,
    Field::Metered,
    Field::ComputeUnit,
    Field::Component,
];

/// What belongs to a task of candidates that are no devices.
const ON_ONE_DEVICE: &[Field] = &[Field::Device, Field::DeviceCount, Field::Precision];

/// A run of a candidate in a frame.
type FramedRun = (FrameKey, u32, ShareKey, f64, usize);

impl Ranked {
    /// The frame of one measure; `None` where no row has it.
    fn of(
        stores: &Stores,
        values: &SharedValues,
        hits: HitColumns,
        (metric, measure): (Metric, Measure),
        kind: &Candidates,
    ) -> Result<Option<Self>, QueryError> {
        if metric.direction() == Direction::Neutral || hits.values(metric).iter().all(|value| value.is_nan()) {
            return Ok(None);
        }
        let layers = LayerSizes::read(stores, values, &[&hits])?;
        let is_one = |parts: &PartNumbers| values.count(Field::DeviceCount, parts).is_none_or(|count| count == 1);
        let measured = hits.values(metric);
        let has_one = (0..hits.len()).any(|hit| measured[hit].is_finite() && is_one(&hits.parts(hit)));
        let one_device = kind.one_device && has_one && measure != Measure::Derived(Derived::ThroughputPerDevice);
        let identities = ShareKeys::of(values, &kind.identity);
        let class = values.column(Aspect::Fact(Fact::Class)).filter(|_| kind.varied.contains(&Field::Device));
        let keys = ComparisonKeys::new(values, metric, &kind.varied);
        // What runs on a device has the device in common; what a device runs is its own choice.
        let held = if kind.varied.contains(&Field::Device) { &[][..] } else { ON_ONE_DEVICE };
        let is_free = |field: &Field| kind.by_cost && *field == Field::Network;
        let of_task = TASK.iter().chain(held).filter(|field| !kind.varied.contains(field) && !is_free(field));
        let of_task: Vec<Aspect> = of_task.map(|field| Aspect::Field(*field)).collect();
        let tasks = ShareKeys::of(values, &of_task);
        let is_layer = of_layers(values);
        let naming: Vec<(Part, &AspectColumn)> =
            kind.identity.iter().filter_map(|aspect| Some((aspect.part()?, values.column(*aspect)?))).collect();
        let is_named =
            |parts: &PartNumbers| naming.iter().any(|(part, column)| column.number(parts[*part as usize]) > 0);
        let mut runs: Vec<FramedRun> = Vec::new();
        for (hit, &value) in measured.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let parts = hits.parts(hit);
            let candidate = identities.key(&parts);
            if !is_named(&parts) || !values.stands(&parts) || one_device && !is_one(&parts) {
                continue;
            }
            let Some(key) = keys.key(values, &parts, layers.number(hits.row(hit))) else { continue };
            let class = class.map_or(0, |column| column.number(parts[Part::Setup as usize]));
            runs.push((FrameKey::Alike(key), class, candidate, value, hit));
        }
        let of: NumberMap<ShareKey, ()> = runs.iter().map(|run| (run.2, ())).collect();
        let lower = measure.direction() == Direction::Lower;
        let is_of_work = kind.names_work && kind.varied.as_slice() == [Field::Device];
        let enough = if is_of_work { ENOUGH } else { NEARLY };
        let (mut chosen, mut own_best) = (self::chosen(values, &hits, &runs, (lower, enough)), false);
        let few = chosen.len();
        // Alike rows of a few say little where far more did the same task, each in its own setting.
        if few < MANY && of.len() >= FAR_MORE * few || kind.by_cost {
            let is_of_task = |run: &&FramedRun| {
                let parts = hits.parts(run.4);
                let workload = parts[Part::Workload as usize] as usize;
                !is_layer.get(workload).copied().unwrap_or_default() && !values.is_extreme(&parts)
            };
            let of_task = |run: &FramedRun| (FrameKey::Task(tasks.key(&hits.parts(run.4))), run.1, run.2, run.3, run.4);
            let by_task: Vec<FramedRun> = runs.iter().filter(is_of_task).map(of_task).collect();
            let wider = self::chosen(values, &hits, &by_task, (lower, NEARLY));
            if wider.len() >= FAR_MORE * few || kind.by_cost {
                (chosen, own_best) = (wider, true);
            }
        }
        let is_known = chosen.values().flatten().all(|(_, hit)| {
            keys.key(values, &hits.parts(*hit), layers.number(hits.row(*hit))).is_some_and(|key| key.is_known())
        });
        let frame = chosen.into_values().map(|runs| Candidate::of(&hits, runs, lower)).collect();
        Ok(Some(Self {
            hits,
            metric,
            measure,
            frame,
            own_best,
            is_known,
            of: of.len(),
            counts_devices: !kind.varied.contains(&Field::DeviceCount),
        }))
    }

    /// What the ranking comes to.
    fn conclude(
        &self,
        stores: &Stores,
        question: &Question,
        values: &SharedValues,
        kind: &Candidates,
        outcome: &mut Outcome,
    ) -> Result<(), QueryError> {
        let end = question.order.as_ref().map_or(End::Best, |order| order.end);
        let lower = self.measure.direction() == Direction::Lower;
        let largest_first = match end {
            End::Best => !lower,
            End::Worst => lower,
            End::Most => true,
            End::Least => false,
        };
        let order = |a: f64, b: f64| if largest_first { b.total_cmp(&a) } else { a.total_cmp(&b) };
        let mut possible = Possible::new(stores, values);
        let mut impossible = 0;
        let mut ranked: Vec<(f64, usize, &Candidate)> = Vec::new();
        let mut all: Vec<&Candidate> = self.frame.iter().collect();
        all.sort_by(|a, b| order(a.value(), b.value()));
        for (at, candidate) in all.into_iter().enumerate() {
            for (value, hit) in &candidate.settings {
                let parts = self.hits.parts(*hit);
                if at >= CHECKED || possible.is_possible(&parts, self.measure, *value)? {
                    ranked.push((*value, *hit, candidate));
                    break;
                }
                impossible += 1;
            }
        }
        ranked.sort_by(|a, b| order(a.0, b.0));
        let many = ranked.len();
        ranked.truncate(question.take.unwrap_or(MOST).max(1));
        let parts: Vec<PartNumbers> =
            ranked.iter().flat_map(|(.., candidate)| candidate.hits.iter().map(|hit| self.hits.parts(*hit))).collect();
        let frame = shared(values, &parts, &kind.varied);
        let rows: Vec<u64> = ranked.iter().map(|(_, hit, _)| self.hits.row(*hit)).collect();
        let ids = RowIds::default().of(stores, &rows)?;
        for ((value, hit, candidate), id) in ranked.iter().zip(ids) {
            let own: Vec<PartNumbers> = candidate.hits.iter().map(|hit| self.hits.parts(*hit)).collect();
            let mut entry = self.entry(values, kind, (*value, *hit), id);
            entry.n = own.len();
            entry.under.clone_from(&frame);
            entry.sources = sources(values, &own);
            let mut range: Vec<f64> = candidate.hits.iter().map(|hit| self.hits.values(self.metric)[*hit]).collect();
            range.sort_by(f64::total_cmp);
            if let [low, .., high] = range.as_slice() {
                (entry.low, entry.high) = (Some(rounded(*low)), Some(rounded(*high)));
            }
            outcome.entries.push(entry);
        }
        self.decide(outcome);
        let first = ranked.first().map(|(value, hit, _)| (*value, *hit));
        if let Some(first) = first
            && (end != End::Worst || kind.names_work)
        {
            outcome.remarks.extend(self.higher_elsewhere(stores, values, kind, first, &order, &mut possible)?);
        }
        if self.own_best {
            outcome.remarks.push(Remark::OwnBest);
        } else if !self.is_known {
            let unstated = |field: &Field| match (field, parts.first()) {
                (_, None) => false,
                (Field::BatchSize, Some(parts)) => values.batch(parts).is_none(),
                (field, Some(parts)) => values.number(Aspect::Field(*field), parts) == 0,
            };
            let fields = NEEDED.iter().copied().filter(|field| !kind.varied.contains(field) && unstated(field));
            let source = parts.first().map(|parts| values.source(parts).to_owned()).unwrap_or_default();
            outcome.remarks.push(Remark::UnstatedSetting { source, fields: fields.collect() });
        }
        if self.of > self.frame.len() {
            outcome.remarks.push(Remark::Unranked { candidates: self.of - many });
        }
        if impossible > 0 {
            outcome.remarks.push(Remark::AbovePeak { rows: impossible });
        }
        Ok(())
    }

    /// What one row says of its candidate.
    fn entry(&self, values: &SharedValues, kind: &Candidates, (value, hit): (f64, usize), id: String) -> Entry {
        let parts = self.hits.parts(hit);
        Entry {
            subjects: kind.subjects(values, &parts),
            quantity: self.measure.key().to_owned(),
            value: Some(EntryValue::Number(rounded(value))),
            unit: unit(self.measure, values.text(Aspect::Field(Field::Counts), &parts)),
            n: 1,
            under: shared(values, [&parts], &kind.varied),
            measurements: vec![id],
            sources: sources(values, [&parts]),
            ..Entry::default()
        }
    }

    /// The first is decided where its values do not overlap those of the second.
    fn decide(&self, outcome: &mut Outcome) {
        let ends = |entry: &Entry| match entry.value {
            Some(EntryValue::Number(value)) => (entry.low.unwrap_or(value), entry.high.unwrap_or(value)),
            _ => (f64::NAN, f64::NAN),
        };
        if let [first, second, ..] = outcome.entries.as_mut_slice() {
            let (own, other) = (ends(first), ends(second));
            first.is_decided = own.0 > other.1 || own.1 < other.0;
        }
    }

    /// The row that is before the first of a ranking, in whatever setting: of the same kind of items, and one that its hardware can give.
    fn higher_elsewhere(
        &self,
        stores: &Stores,
        values: &SharedValues,
        kind: &Candidates,
        (first, first_hit): (f64, usize),
        order: &impl Fn(f64, f64) -> Ordering,
        possible: &mut Possible<'_>,
    ) -> Result<Option<Remark>, QueryError> {
        /// So many results are looked at, each of which may be one that no hardware can give.
        const LOOKED_AT: usize = 60;
        let own = self.hits.parts(first_hit);
        let is_layer = of_layers(values);
        let layer =
            |parts: &PartNumbers| is_layer.get(parts[Part::Workload as usize] as usize).copied().unwrap_or_default();
        let devices = |parts: &PartNumbers| values.count(Field::DeviceCount, parts).unwrap_or(1);
        let is_open =
            |parts: &PartNumbers| values.text(Aspect::Field(Field::Division), parts) == Some(Division::Open.into());
        let is_like = |parts: &PartNumbers| {
            values.stands(parts)
                && (!self.counts_devices || devices(parts) == devices(&own))
                && layer(parts) == layer(&own)
                && values.is_extreme(parts) == values.is_extreme(&own)
                && is_open(parts) == is_open(&own)
                && item_counted(values, parts) == item_counted(values, &own)
        };
        let before = |value: f64| value > 0.0 && order(value, first) == Ordering::Less;
        let measured = self.hits.values(self.metric).iter().enumerate();
        let better = measured.filter(|(_, value)| before(**value));
        let place = |value: f64| if order(1.0, 2.0) == Ordering::Less { -value } else { value };
        // Most are never looked at, so that they need no order.
        let mut better: BinaryHeap<Placed> =
            better.map(|(hit, value)| Placed { place: place(*value), value: *value, hit }).collect();
        let mut looked_at = 0;
        while let Some(Placed { value, hit, .. }) = better.pop().filter(|_| looked_at < LOOKED_AT) {
            if !is_like(&self.hits.parts(hit)) {
                continue;
            }
            looked_at += 1;
            let parts = self.hits.parts(hit);
            if !kind.subjects(values, &parts).is_empty() && possible.is_possible(&parts, self.measure, value)? {
                let ids = RowIds::default().of(stores, &[self.hits.row(hit)])?;
                let entry = self.entry(values, kind, (value, hit), ids.into_iter().next().unwrap_or_default());
                return Ok(Some(Remark::HigherElsewhere { entry: Box::new(entry) }));
            }
        }
        Ok(None)
    }
}

impl Candidate {
    /// The values of a candidate: the median of the repetitions of each setting, the best first.
    fn of(hits: &HitColumns, runs: Vec<(f64, usize)>, lower: bool) -> Self {
        let of_candidate = runs.iter().map(|(_, hit)| *hit).collect();
        let mut settings: BTreeMap<PartNumbers, Runs> = BTreeMap::new();
        for (value, hit) in runs {
            settings.entry(hits.parts(hit)).or_default().push(value, hit);
        }
        let middle = |mut runs: Runs| {
            let run = runs.middle(hits)?;
            let (_, hit) = runs.0.get((runs.0.len() - 1) / 2)?;
            Some((run.value, *hit))
        };
        let mut settings: Vec<(f64, usize)> = settings.into_values().filter_map(middle).collect();
        settings.sort_by(|a, b| if lower { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        Self { settings, hits: of_candidate }
    }

    fn value(&self) -> f64 {
        self.settings.first().map_or(f64::NAN, |(value, _)| *value)
    }
}

/// The runs of the frame that weighs most, by candidate: the number of candidates, less for each year and for an open division;
/// percentiles come last. Of frames with enough of that weight the one with the best value is taken.
fn chosen(
    values: &SharedValues,
    hits: &HitColumns,
    runs: &[FramedRun],
    (lower, enough): (bool, f64),
) -> BTreeMap<ShareKey, Vec<(f64, usize)>> {
    let years = values.column(Aspect::Fact(Fact::Year));
    let years = years.map_or_else(Vec::new, |column| column.of_shares(|year| year?.parse::<f64>().ok()));
    let year = |hit: usize| years.get(hits.part(hit, Part::Setup) as usize).copied().flatten();
    let mut frames: NumberMap<(FrameKey, u32), (NumberMap<ShareKey, usize>, f64)> = NumberMap::default();
    for (key, class, candidate, value, hit) in runs {
        let value = if lower { value.recip() } else { *value };
        let (candidates, best) = frames.entry((*key, *class)).or_default();
        candidates.entry(*candidate).or_insert(*hit);
        *best = best.max(value);
    }
    let newest = runs.iter().filter_map(|run| year(run.4)).fold(f64::NEG_INFINITY, f64::max);
    let weighed = |(key, (candidates, best)): (&(FrameKey, u32), &FrameCandidates)| {
        let hit = candidates.values().copied().min().unwrap_or_default();
        let parts = hits.parts(hit);
        let open = values.text(Aspect::Field(Field::Division), &parts) == Some(Division::Open.into());
        let of_age = year(hit).map_or(1.0, |year| LEFT_AFTER_A_YEAR.powf(newest - year));
        let weight = candidates.len() as f64 * of_age * if open { LEFT_IF_OPEN } else { 1.0 };
        Weighed { key: *key, is_middle: !values.is_extreme(&parts), weight, many: candidates.len(), best: *best, hit }
    };
    let mut weighed: Vec<Weighed> = frames.iter().map(weighed).collect();
    weighed.sort_by(|a, b| b.is_middle.cmp(&a.is_middle).then(b.weight.total_cmp(&a.weight)).then(a.hit.cmp(&b.hit)));
    let mut chosen: BTreeMap<ShareKey, Vec<(f64, usize)>> = BTreeMap::new();
    let Some(first) = weighed.first() else { return chosen };
    let is_near = |frame: &&Weighed| {
        frame.is_middle == first.is_middle && frame.weight >= enough * first.weight && frame.many >= FEW.min(first.many)
    };
    let near = weighed.iter().filter(is_near).max_by(|a, b| a.best.total_cmp(&b.best));
    let taken = near.unwrap_or(first).key;
    for (key, class, candidate, value, hit) in runs {
        if (*key, *class) == taken {
            chosen.entry(*candidate).or_default().push((*value, *hit));
        }
    }
    chosen
}

/// What speaks for a frame.
struct Weighed {
    key: (FrameKey, u32),
    is_middle: bool,
    weight: f64,
    many: usize,
    /// The best value, the larger the better.
    best: f64,
    hit: usize,
}

/// A value by its place in an order, the first the greatest.
#[derive(PartialEq)]
struct Placed {
    place: f64,
    value: f64,
    hit: usize,
}

impl Eq for Placed {}

impl Ord for Placed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.total_cmp(&other.place).then(other.hit.cmp(&self.hit))
    }
}

impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Which workloads are single layers.
fn of_layers(values: &SharedValues) -> Vec<bool> {
    let Some(column) = values.column(Aspect::Fact(Fact::Task)) else { return Vec::new() };
    let of = |task: Option<&str>| ComparisonFacts { task: task.map(str::to_owned), ..ComparisonFacts::default() };
    column.of_shares(|task| of(task).is_of_layers())
}

/// What is better than something that is named, or worse: how many times as good each candidate is over pairs of rows that are alike in
/// all else.
fn beyond_reference(
    stores: &Stores,
    question: &Question,
    beyond: &Beyond,
    (values, kind): (&SharedValues, &Candidates),
) -> Result<Outcome, QueryError> {
    let wanted: Vec<Quantity> =
        question.order.iter().map(|order| order.by.clone()).chain(question.wants.clone()).collect();
    let by = By::ladder(&wanted).swap_remove(0);
    let of = |terms: &[Term]| -> Result<HitColumns, QueryError> {
        let terms = question.subject.terms.iter().chain(terms).cloned().collect();
        hits_of(stores, values, &Filter { terms }, &by)
    };
    let reference = of(&beyond.than.terms)?;
    let others = of(&[])?;
    let others = others.kept(|hit| reference.rows().binary_search(&others.row(hit)).is_err());
    let identities = ShareKeys::of(values, &kind.identity);
    let sizes = Sizes::of_layers(stores, values, &[&others, &reference])?;
    let mut comparison = Comparison::new(stores, values, &sizes, &kind.varied, &by);
    let mut paired: BTreeMap<ShareKey, Vec<MatchedPair>> = BTreeMap::new();
    for metric in by.metrics() {
        let of_metric = pairs_of_each(values, &kind.varied, (&others, &reference), metric, &identities);
        for (candidate, pairs) in of_metric {
            paired.entry(candidate).or_insert(pairs);
        }
    }
    let all: HashSet<ShareKey> = (0..others.len()).map(|hit| identities.key(&others.parts(hit))).collect();
    let mut outcome = Outcome { ask: Ask::Rank, ..Outcome::default() };
    let unpaired = all.len() - paired.len();
    let than = subjects_of(&beyond.than);
    let mut entries: Vec<(f64, Entry)> = Vec::new();
    for pairs in paired.into_values() {
        let subjects = kind.subjects(values, &pairs[0].subject.parts);
        let entry = comparison.ratio(&subjects, &than, &pairs.iter().collect::<Vec<_>>(), 5)?;
        if let Some(EntryValue::Number(ratio)) = entry.value {
            entries.push((if beyond.better { ratio } else { ratio.recip() }, entry));
        }
    }
    entries.retain(|(ratio, entry)| *ratio > 1.0 && !entry.subjects.is_empty());
    entries.sort_by(|a, b| b.0.total_cmp(&a.0));
    entries.truncate(question.take.unwrap_or(MOST));
    outcome.entries = entries.into_iter().map(|(_, entry)| entry).collect();
    if unpaired > 0 {
        outcome.remarks.push(Remark::Unranked { candidates: unpaired });
    }
    Ok(outcome)
}

/// The pairs of each candidate with a reference: the best run of each with one key.
fn pairs_of_each(
    values: &SharedValues,
    varied: &[Field],
    (others, reference): (&HitColumns, &HitColumns),
    metric: Metric,
    identities: &ShareKeys,
) -> BTreeMap<ShareKey, Vec<MatchedPair>> {
    let keys = ComparisonKeys::new(values, metric, varied);
    let direction = metric.direction();
    let is_layer = of_layers(values);
    let framed = |hits: &HitColumns, hit: usize, value: f64| -> Option<(ComparisonKey, Run)> {
        let parts = hits.parts(hit);
        let layer = is_layer.get(parts[Part::Workload as usize] as usize).copied().unwrap_or_default();
        let counts = value > 0.0 && !layer && values.stands(&parts) && !values.is_extreme(&parts);
        let key = counts.then(|| keys.key(values, &parts, 0)).flatten()?;
        Some((key, Run { row: hits.row(hit), parts, value }))
    };
    let mut named: NumberMap<ComparisonKey, Run> = NumberMap::default();
    for (hit, &value) in reference.values(metric).iter().enumerate() {
        let Some((key, run)) = framed(reference, hit, value) else { continue };
        let known = named.entry(key).or_insert(run);
        if gain(direction, value, known.value) > 1.0 {
            *known = run;
        }
    }
    let mut best: NumberMap<(ComparisonKey, ShareKey), Run> = NumberMap::default();
    for (hit, &value) in others.values(metric).iter().enumerate() {
        let Some((key, run)) = framed(others, hit, value).filter(|(key, _)| named.contains_key(key)) else { continue };
        let known = best.entry((key, identities.key(&run.parts))).or_insert(run);
        if gain(direction, value, known.value) > 1.0 {
            *known = run;
        }
    }
    let mut paired: BTreeMap<ShareKey, Vec<MatchedPair>> = BTreeMap::new();
    for ((key, candidate), subject) in best {
        let Some(baseline) = named.get(&key).copied() else { continue };
        let ratio = gain(direction, subject.value, baseline.value);
        let all = vec![subject.parts, baseline.parts];
        paired.entry(candidate).or_default().push(MatchedPair { metric, ratio, subject, baseline, all });
    }
    paired.values_mut().for_each(|pairs| pairs.sort_by_key(|pair| pair.subject.row));
    paired
}

/// The candidates of a frame, each with a hit, and the best value.
type FrameCandidates = (NumberMap<ShareKey, usize>, f64);

#[cfg(test)]
mod tests {
    use crate::ask::execute::{EntryValue, Outcome, Remark, execute};
    use crate::ask::parse::parse;
    use crate::model::Field;
    use crate::stores::sample::Sample;

    fn outcome(rows: &str, question: &str) -> Outcome {
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", rows)]);
        let question = parse(question, &sample.stores.database).unwrap();
        execute(&sample.stores, &question).unwrap()
    }

    /// Each candidate with its value.
    fn order(outcome: &Outcome) -> Vec<(String, f64)> {
        let number = |value: &Option<EntryValue>| match value {
            Some(EntryValue::Number(number)) => *number,
            _ => f64::NAN,
        };
        let entries = outcome.entries.iter();
        entries.map(|entry| (entry.subjects["device"].to_string(), number(&entry.value))).collect()
    }

    fn elsewhere(outcome: &Outcome) -> Option<f64> {
        outcome.remarks.iter().find_map(|remark| match remark {
            Remark::HigherElsewhere { entry } => match entry.value {
                Some(EntryValue::Number(value)) => Some(value),
                _ => None,
            },
            _ => None,
        })
    }

    const ROWS: &str = r#"
[[table]]
columns = ["device", "device-count", "batch-size", "throughput-per-s"]
rows = [
  ["nova", 1, 16, 200], ["core", 1, 16, 100], ["ember", 1, 16, 300],
  ["core", 1, 64, 400], ["nova", 8, 16, 1500],
]
"#;

    #[test]
    fn one_device_each_in_the_frame_of_most_with_the_row_that_beats_the_first() {
        let told = outcome(ROWS, "of:device best:speed stage:eval ask:rank");
        let expected = [("ember", 300.0), ("nova", 200.0), ("core", 100.0)];
        assert_eq!(order(&told), expected.map(|(device, value)| (device.to_owned(), value)));
        assert_eq!(elsewhere(&told), Some(400.0), "eight devices are no better device");
        assert_eq!(told.entries[0].under["batch-size"].as_ref().map(ToString::to_string).as_deref(), Some("16"));
        let worst = outcome(ROWS, "of:device worst:speed network:deepnet-50 take:1 ask:rank");
        assert_eq!(order(&worst), [("core".to_owned(), 100.0)]);
    }

    #[test]
    fn rows_of_one_source_that_leave_the_same_unstated_are_one_setting() {
        let rows = r#"
[[table]]
columns = ["device", "batch-size", "label", "throughput-per-s"]
rows = [
  ["nova", 16, "a", 200], ["core", 16, "b", 100], ["ember", 16, "c", 90],
  ["nova", "", "d", 900], ["core", "", "e", 800], ["ember", "", "f", 700],
]
"#;
        let told = outcome(rows, "of:device best:speed network:deepnet-50 ask:rank");
        assert_eq!(order(&told)[0], ("nova".to_owned(), 900.0));
        let unstated = Remark::UnstatedSetting { source: "paper-2020".to_owned(), fields: vec![Field::BatchSize] };
        assert!(told.remarks.contains(&unstated), "{:?}", told.remarks);
        assert_eq!(elsewhere(&told), None);
    }

    #[test]
    fn what_is_beyond_a_reference_is_by_pairs_alone() {
        let rows = r#"
[[table]]
columns = ["device", "batch-size", "throughput-per-s"]
rows = [["nova", 8, 200], ["core", 8, 100], ["nova", 16, 450], ["core", 16, 100], ["ember", 32, 900]]
"#;
        let told = outcome(rows, "of:device faster-than:(device:core) ask:rank");
        assert_eq!((order(&told), told.entries[0].n), (vec![("nova".to_owned(), 3.0)], 2));
        assert!(told.remarks.contains(&Remark::Unranked { candidates: 1 }), "{:?}", told.remarks);
        assert!(
            order(&outcome(rows, "of:device faster-than:(device:nova) ask:rank")).iter().all(|(_, ratio)| *ratio > 1.0)
        );
    }

    #[test]
    fn a_latency_is_better_where_it_is_lower() {
        let rows = "[[table]]\ncolumns = [\"device\", \"latency-ms\"]\nrows = [[\"nova\", 4], [\"core\", 9], [\"ember\", 2]]\n";
        let told = outcome(rows, "of:device best:latency-ms ask:rank");
        assert_eq!(order(&told)[0], ("ember".to_owned(), 2.0));
    }
}

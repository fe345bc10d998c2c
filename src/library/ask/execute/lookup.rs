//! Looks up measured numbers: rows are grouped by network and stage; each group has a range and a best row.

use std::cmp::Reverse;
use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};

use super::condition::{condition, rows_meeting};
use super::key::subject;
use super::measure::{By, Possible, SPEED_METRICS};
use super::outcome::{Entry, EntryValue, Outcome, Remark, Subjects};
use super::plan::{hits_of, rows_asked};
use super::spread::{in_order, stated};
use super::under::{RowIds, item_counted};
use crate::ask::hits::{HitColumns, NumberMap, PartNumbers, Run, SharedValues};
use crate::ask::parse::{Ask, Filter, Is, Key, Quantity, Question, Result, Span, Term, Test};
use crate::model::{Aspect, Direction, Facet, Fact, Field, Measure, Metric, Network};
use crate::stores::Stores;
use crate::values::EntityKind;

/// Metrics beside speed that rows may state; shown if the question names no metric.
const BESIDES: &[&[Metric]] = {
    use Metric::*;
    &[
        &[TimePerOutputTokenMs, TimeToFirstTokenMs, Accuracy, ErrorRate],
        &[ItemsPerJoule, EnergyPerItemJ, PowerW, EnergyJ, CostUsd],
        &[Mfu, Speedup, EfficiencyRatio, MemoryMib],
    ]
};

/// Fields that distinguish the best row from the others of its group, where their values differ.
const DISTINGUISHING_FIELDS: &[&[Field]] = {
    use Field::*;
    &[
        &[Device, DeviceCount, Precision, Quantization, BatchSize, Scenario, Dataset, Framework, FrameworkVersion],
        &[SequenceLength, InputLength, OutputLength, Mode, Partition, Statistic],
    ]
};

/// The MLPerf division in which the network may differ from the one its category names.
const OPEN: &str = "open";

/// The groups of the named network come first, unless all groups together have more than this many times as many rows.
const MAX_ROWS_FACTOR: usize = 5;

/// Maximum number of groups that get an entry.
const MOST_GROUPS: usize = 12;

/// Maximum number of measurement ids in an entry.
const NAMED_ROWS: usize = 3;

/// Maximum number of rows moved to the head of the table.
const FIRST_ROWS: usize = 20;

/// Looks up the rows of a question by other measures, after none of its rows states a wanted one.
pub(super) fn other_measures(stores: &Stores, question: &Question) -> Result<Outcome> {
    let (mut wanted, others): (Vec<Quantity>, Vec<Quantity>) = question.wants.iter().cloned().partition(is_measure);
    wanted.extend(question.order.iter().map(|order| order.by.clone()).filter(is_measure));
    let outcome = lookup(stores, &Question { wants: others, ask: Ask::Lookup, ..question.clone() })?;
    let first = outcome.entries.first().filter(|_| !wanted.is_empty());
    let asked = By::ladder(&wanted)[0].key().to_owned();
    let instead = first.map(|entry| Remark::Instead { asked, by: entry.quantity.clone() });
    Ok(outcome.prepending(instead))
}

/// Remarks on named entities without rows, if another named entity of the kind has rows: the answer covers only that one.
fn without_rows(stores: &Stores, question: &Question) -> Result<Vec<Remark>> {
    let mut remarks = Vec::new();
    for (at, term) in question.subject.terms.iter().enumerate() {
        let Some(Test { key: key @ Key::Facet(facet), is: Is::OneOf(all) }) = term.test() else { continue };
        let is_part = |span: &&Span| {
            span.facet == facet.key() && !span.values.is_empty() && span.values.iter().all(|value| all.contains(value))
        };
        let named: Vec<&Span> = question.spans.iter().filter(is_part).collect();
        let mut lacking = Vec::new();
        for span in named.iter().filter(|_| named.len() > 1) {
            let side = Filter::of([Term::of(key.clone(), Is::OneOf(span.values.clone()))]);
            if rows_meeting(stores, &question.subject.without(at).and(&side))? == 0 {
                let alone = rows_meeting(stores, &side)?;
                lacking.push(Remark::NoRow { side, alone });
            }
        }
        if lacking.len() < named.len() {
            remarks.extend(lacking);
        }
    }
    Ok(remarks)
}

/// Looks up the rows of a question.
pub(super) fn lookup(stores: &Stores, question: &Question) -> Result<Outcome> {
    let mut outcome = Outcome::of(Ask::Lookup);
    let values = SharedValues::read(stores)?;
    let filter = rows_asked(question);
    let mut measures: Vec<Quantity> = question.wants.iter().filter(|wanted| is_measure(wanted)).cloned().collect();
    let asks_number = !measures.is_empty();
    if !asks_number {
        measures.extend(question.subject.tests().filter_map(bounded));
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut ids = RowIds::default();
    let mut stated = Vec::new();
    let mut aside: Vec<Group> = Vec::new();
    for wanted in &measures {
        for (at, by) in By::ladder(std::slice::from_ref(wanted)).into_iter().enumerate() {
            let (found, percentiles) = grouped(stores, &values, question, by)?;
            if !found.is_empty() {
                stated.push((at, wanted, found));
                aside.extend(percentiles);
                break;
            }
        }
    }
    // Energy per item comes first, because it is comparable (other energies are of whole runs); derived values after stated ones.
    stated.sort_by_key(|(at, wanted, _)| match wanted {
        Quantity::Metric(Metric::EnergyJ) => 1 + 2 * usize::from(*at > 0),
        Quantity::Metric(Metric::EnergyPerItemJ) => 2 * usize::from(*at > 0),
        _ => 0,
    });
    let is_found = |wanted: &Quantity| {
        let says = |found: &Quantity| found == wanted || is_stated_by_another(found) && is_stated_by_another(wanted);
        stated.iter().any(|(_, found, _)| says(found))
    };
    let missing: Vec<&Quantity> = measures.iter().filter(|wanted| !is_found(wanted)).collect();
    let key_of = |wanted: &Quantity| By::ladder(std::slice::from_ref(wanted))[0].key().to_owned();
    for (at, wanted, found) in stated {
        // A time to train may be stated as time to accuracy, total or epoch time, an energy as energy per item.
        let is_another = |group: &Group| group.measure.key() == found[0].measure.key();
        if at > 0 && !groups.is_empty() && (is_stated_by_another(wanted) || groups.iter().any(is_another)) {
            continue;
        }
        if at > 0 {
            let asked = key_of(wanted);
            outcome.remarks.push(Remark::Instead { asked, by: found[0].measure.key().to_owned() });
        }
        let rows: usize = found.iter().map(|group| group.of).sum();
        outcome.stating = Some(outcome.stating.unwrap_or_default() + rows);
        groups.extend(found);
    }
    let first = groups.first().map(|group| group.measure.key().to_owned());
    let instead =
        |by: &String| missing.iter().map(|one| Remark::Instead { asked: key_of(one), by: by.clone() }).collect();
    outcome.remarks.extend(first.as_ref().map_or_else(Vec::new, instead));
    if groups.is_empty() && !asks_number {
        let metrics: Vec<Metric> = SPEED_METRICS.iter().chain(BESIDES.iter().copied().flatten()).copied().collect();
        (groups, aside) = grouped(stores, &values, question, By::Metrics(metrics))?;
    }
    let above_peak = leave_out_above_peak(stores, &values, &mut groups)?;
    outcome.remarks.extend((above_peak > 0).then_some(Remark::AbovePeak(above_peak)));
    outcome.rows = first_rows(&groups);
    for group in groups.iter().take(MOST_GROUPS) {
        outcome.entries.push(group.entry(stores, &values, &mut ids)?);
    }
    if let Some(higher) = higher_elsewhere(&groups, &aside) {
        let entry = higher.entry(stores, &values, &mut ids)?;
        outcome.remarks.push(Remark::HigherElsewhere(Box::new(entry)));
    }
    outcome.remarks.extend(note_of_training(stores, &values, &groups)?);
    outcome.remarks.extend(without_rows(stores, question)?);
    let mut about_rows = Vec::new();
    for wanted in &question.wants {
        about_rows.extend(row_entry(stores, &values, &filter, wanted)?);
    }
    // Runs that failed have no number, so count the rows.
    if !asks_number && groups.is_empty() && about_rows.is_empty() {
        about_rows.extend(row_entry(stores, &values, &filter, &Quantity::Rows)?.filter(|entry| entry.n > 0));
    }
    // What is asked of the rows themselves comes before their numbers, unless the question asks for a number.
    let place = if asks_number { outcome.entries.len() } else { 0 };
    outcome.entries.splice(place..place, about_rows);
    Ok(outcome)
}

pub(super) fn is_measure(wanted: &Quantity) -> bool {
    matches!(wanted, Quantity::Speed | Quantity::Metric(_) | Quantity::Derived(_))
}

/// The catalog's note on the network, if all groups are full trainings of one network.
fn note_of_training(stores: &Stores, values: &SharedValues, groups: &[Group]) -> Result<Option<Remark>> {
    let Some(first) = groups.first().filter(|first| first.measure.basis().is_of_whole_task()) else { return Ok(None) };
    let text = first.runs.first().and_then(|run| values.text(Field::Network, &run.parts));
    let is_one = groups.iter().all(|group| group.key.network == first.key.network);
    let Some(id) = text.filter(|_| is_one) else { return Ok(None) };
    let notes = stores.database.entity::<Network>(id)?.and_then(|network| network.notes);
    Ok(notes.map(|note| Remark::CatalogNote(subject(EntityKind::Network, id), note.to_string())))
}

/// The measure that a test bounds. The answer to `latency under 2 ms` is a latency, even where rows also state a throughput.
pub(super) fn bounded(test: &Test) -> Option<Quantity> {
    match (&test.key, &test.is) {
        (Key::Aspect(Aspect::Metric(metric)), Is::Within(..)) => Some(Quantity::Metric(*metric)),
        (Key::Aspect(Aspect::Derived(derived)), Is::Within(..)) => Some(Quantity::Derived(*derived)),
        _ => None,
    }
}

fn is_stated_by_another(wanted: &Quantity) -> bool {
    let Quantity::Metric(metric) = wanted else { return false };
    matches!(metric, Metric::EpochS | Metric::EnergyJ) || metric.is_of_whole_task() && *metric != Metric::CostUsd
}

/// Rows of one measure, network, stage and item, on one device or on several.
struct Group {
    measure: Measure,
    key: GroupKey,
    /// The runs, best first.
    runs: Vec<Run>,
    /// Whether the values are percentiles or extremes.
    are_extreme: bool,
    /// Number of rows counted in this group: its own and, in the first group, those of groups without an entry.
    of: usize,
}

/// The values that the rows of a group share, as value numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct GroupKey {
    metric: usize,
    network: u32,
    stage: u32,
    /// The data set, if the metric is of a whole task.
    dataset: u32,
    /// Accuracy target, device slice, network component, what is counted, and what an energy was metered on; 0 where not relevant.
    others: [u32; 5],
    /// Whether the rules let the submitter choose the network, as those of MLPerf's open division do.
    is_open: bool,
    devices: Devices,
    scenario: u32,
}

/// On how many devices rows ran. One comes first: most people look for a number for one device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Devices {
    One,
    Unstated,
    Several,
}

impl GroupKey {
    /// The key without the device count, the division and the scenario.
    fn work(self) -> Self {
        Self { is_open: false, devices: Devices::One, scenario: 0, ..self }
    }
}

/// Groups the rows of a question by the first metric that each row states: groups of the named network first, then the largest.
/// Percentiles and extremes count only if a group has nothing else; disputed or withdrawn rows never count. The second list has the
/// groups of percentiles and maxima that were set aside.
fn grouped(stores: &Stores, values: &SharedValues, question: &Question, by: By) -> Result<(Vec<Group>, Vec<Group>)> {
    let hits = hits_of(stores, values, &rows_asked(question), &by)?;
    let metrics = by.metrics();
    let columns: Vec<&[f64]> = metrics.iter().map(|metric| hits.values(*metric)).collect();
    let mut found: NumberMap<GroupKey, [Vec<Run>; 2]> = NumberMap::default();
    let number = |field: Field, parts: &PartNumbers| values.number(field, parts);
    for hit in 0..hits.len() {
        let stated = columns.iter().position(|column| column.get(hit).is_some_and(|value| !value.is_nan()));
        let parts = hits.parts(hit);
        let Some(metric) = stated.filter(|_| values.is_in_good_standing(&parts)) else { continue };
        let is_of_task = metrics[metric].is_of_whole_task() || metrics[metric] == Metric::EpochS;
        let is_of_items = metrics[metric].is_of_items() || matches!(by, By::Derived(_));
        let key = GroupKey {
            metric,
            network: number(Field::Network, &parts),
            stage: number(Field::Stage, &parts),
            dataset: if is_of_task { number(Field::Dataset, &parts) } else { 0 },
            others: [
                if is_of_task { number(Field::AccuracyTarget, &parts) } else { 0 },
                number(Field::DeviceSlice, &parts),
                number(Field::Component, &parts),
                // Numbers that count different items do not belong in one range.
                if is_of_items { item_counted(values, &parts) } else { 0 },
                if metrics[metric].is_of_energy() { number(Field::Metered, &parts) } else { 0 },
            ],
            is_open: values.text(Field::Division, &parts) == Some(OPEN),
            scenario: number(Field::Scenario, &parts),
            devices: match values.count(Field::DeviceCount, &parts) {
                Some(2..) => Devices::Several,
                // The time of a whole task depends on the device count; elsewhere most rows that state no count are of one device.
                None if is_of_task => Devices::Unstated,
                _ => Devices::One,
            },
        };
        let [middle, extreme] = found.entry(key).or_default();
        let runs = if values.is_extreme(&parts) { extreme } else { middle };
        runs.push(Run { row: hits.row(hit), parts, value: columns[metric][hit] });
    }
    let of_key = |key: &GroupKey| (key.network, key.stage, key.devices);
    let with_middle = found.iter().filter(|(_, [middle, _])| !middle.is_empty());
    let with_middle: HashSet<(u32, u32, Devices)> = with_middle.map(|(key, _)| of_key(key)).collect();
    let (mut groups, mut aside): (Vec<Group>, Vec<Group>) = (Vec::with_capacity(found.len()), Vec::new());
    for (key, [middle, extreme]) in found {
        let are_extreme = middle.is_empty();
        let is_aside = are_extreme && with_middle.contains(&of_key(&key));
        let mut runs = if are_extreme { extreme } else { middle };
        if is_aside {
            // A minimum says nothing about the usual value.
            runs.retain(|run| values.text(Field::Statistic, &run.parts) != Some("min"));
        }
        let of = runs.len();
        let group = Group { measure: by.measure(metrics[key.metric]), key, runs, are_extreme, of };
        if is_aside { aside.push(group) } else { groups.push(group) }
    }
    let mut rows_of_work: NumberMap<GroupKey, usize> = NumberMap::default();
    for group in &groups {
        *rows_of_work.entry(group.key.work()).or_default() += group.runs.len();
    }
    let asked = networks_asked(values, question);
    let of_asked = groups.iter().filter(|group| asked.contains(&group.key.network)).map(|group| group.runs.len());
    // One or two rows with exactly the requested name do not push all rows of a revision down.
    let asked_first = of_asked.sum::<usize>() * MAX_ROWS_FACTOR >= rows_of_work.values().sum();
    // Layers sort after networks.
    let is_layer = |run: &Run| values.text(Fact::Task, &run.parts) == Some("layer");
    groups.sort_by_key(|Group { key, runs, are_extreme, .. }| {
        let rows = rows_of_work.get(&key.work()).copied().unwrap_or_default();
        let is_asked = asked_first && asked.contains(&key.network);
        let is_of_speed = SPEED_METRICS.contains(&metrics[key.metric]);
        let by_work = (!is_asked, !is_of_speed, runs.first().is_some_and(is_layer), Reverse(rows), key.work());
        (by_work, *are_extreme, key.is_open, key.devices, Reverse(runs.len()), key.scenario)
    });
    let beyond: usize = groups.iter().skip(MOST_GROUPS).map(|group| group.of).sum();
    groups.truncate(MOST_GROUPS);
    groups.iter_mut().take(1).for_each(|first| first.of += beyond);
    // A latency percentile below all means implies a mean below them too; for rates a percentile says nothing.
    aside.retain(|group| group.measure.direction() == Direction::Lower);
    for group in groups.iter_mut().chain(&mut aside) {
        let is_lower = group.measure.direction() == Direction::Lower;
        group.runs.sort_by(|a, b| in_order(a.value, b.value, !is_lower).then(a.row.cmp(&b.row)));
    }
    Ok((groups, aside))
}

/// Removes the best rows of each group while they exceed what their hardware can compute; returns how many.
fn leave_out_above_peak(stores: &Stores, values: &SharedValues, groups: &mut [Group]) -> Result<usize> {
    let mut possible = Possible::new(stores, values);
    let mut left_out = 0;
    for group in groups.iter_mut().take(MOST_GROUPS) {
        let measure = group.measure;
        let mut first = 0;
        while let Some(run) = group.runs.get(first)
            && !possible.is_possible(&run.parts, measure, run.value)?
        {
            first += 1;
        }
        // If all rows exceed the peak, their source means something else by the metric.
        if first < group.runs.len() {
            group.runs.drain(..first);
            left_out += first;
        }
    }
    Ok(left_out)
}

/// The value numbers of the networks that a question names; its variants come after them.
fn networks_asked(values: &SharedValues, question: &Question) -> Vec<u32> {
    let Some(column) = values.column(Field::Network) else { return Vec::new() };
    question.subject.names(Facet::Network).filter_map(|name| column.number_of(name)).collect()
}

impl Group {
    /// The entry of the group: its best row, with the range of all. `subjects` distinguishes this row from the others.
    fn entry(&self, stores: &Stores, values: &SharedValues, ids: &mut RowIds) -> Result<Entry> {
        let parts: Vec<PartNumbers> = self.runs.iter().map(|run| run.parts).collect();
        let Some(best) = self.runs.first() else { return Ok(Entry::default()) };
        let first = &best.parts;
        let differs = |field: &Field| {
            let own = values.value(*field, first);
            own.is_some() && parts.iter().any(|other| values.value(*field, other) != own)
        };
        let telling = DISTINGUISHING_FIELDS.concat().into_iter().filter(differs);
        let telling = [Field::Network, Field::Stage].into_iter().chain(telling);
        let subjects: Subjects =
            telling.filter_map(|field| Some((field.key().to_owned(), values.value(field, first)?))).collect();
        let mut entry = Entry::measured(values, (self.measure, stated(best.value)), &parts, &[]);
        let metered = values.value(Field::Metered, first).filter(|_| self.measure.basis().is_of_energy());
        entry.under.extend(metered.map(|metered| (Field::Metered.key().to_owned(), Some(metered))));
        entry.under.retain(|key, _| !subjects.contains_key(key));
        let last = self.runs.last().filter(|_| self.runs.len() > 1);
        let rows: Vec<u64> = self.runs.iter().take(NAMED_ROWS).map(|run| run.row).collect();
        Ok(Entry {
            subjects,
            low: last.map(|last| stated(last.value.min(best.value))),
            high: last.map(|last| stated(last.value.max(best.value))),
            measurements: ids.of(stores, &rows)?,
            ..entry
        })
    }

    /// Whether the best row of this group is better than the best row of another.
    fn beats(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.runs.first(), other.runs.first()) else { return false };
        match self.measure.direction() {
            Direction::Lower => own.value < others.value,
            Direction::Higher => own.value > others.value,
            Direction::Neutral => false,
        }
    }
}

/// The best group that beats the first in the same work: on another device count, or by percentiles that were set `aside`.
fn higher_elsewhere<'g>(groups: &'g [Group], aside: &'g [Group]) -> Option<&'g Group> {
    let (first, others) = groups.split_first()?;
    // For a whole task another network counts as well: it may reach the goal in less time.
    let is_task = first.measure.basis().is_of_whole_task();
    let is_of_work = |other: &&Group| {
        let (own, others) = (first.key.work(), other.key.work());
        let same = if is_task { (own.stage, own.dataset) == (others.stage, others.dataset) } else { own == others };
        same && other.measure == first.measure
    };
    let better = others.iter().chain(aside).filter(is_of_work).filter(|other| other.beats(first));
    better.reduce(|best, other| if other.beats(best) { other } else { best })
}

/// The rows that come first in the table: the best of each group in turn, then the second of each, and so on.
fn first_rows(groups: &[Group]) -> Vec<u64> {
    let of_place = |place: usize| groups.iter().take(MOST_GROUPS).filter_map(move |of| Some(of.runs.get(place)?.row));
    let rows: IndexSet<u64> = (0..FIRST_ROWS).flat_map(of_place).collect();
    rows.into_iter().take(FIRST_ROWS).collect()
}

/// The answer to a question about the rows themselves: which values a field has, how many rows or sources there are.
fn row_entry(stores: &Stores, values: &SharedValues, filter: &Filter, wanted: &Quantity) -> Result<Option<Entry>> {
    let aspect = match wanted {
        Quantity::Rows => return Ok(Some(Entry::row_count(Subjects::new(), rows_meeting(stores, filter)?))),
        Quantity::Sources => Aspect::Source,
        Quantity::Field(field) => Aspect::Field(*field),
        _ => return Ok(None),
    };
    let Some(part) = aspect.part() else { return Ok(None) };
    let hits = HitColumns::of(stores, &condition(stores, filter)?, &[])?;
    // `SharedValues` only has the columns that comparisons need, so read this one from the database.
    let column = stores.database.aspect(aspect)?;
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    let mut parts: Vec<PartNumbers> = Vec::new();
    for hit in 0..hits.len() {
        if let Some(value) = column.of(hits.part(hit, part)) {
            *counts.entry(value).or_default() += 1;
            parts.push(hits.parts(hit));
        }
    }
    if counts.is_empty() {
        return Ok(None);
    }
    counts.sort_by(|one, rows, other, others| others.cmp(rows).then(one.cmp(other)));
    let named: Vec<String> = counts.keys().map(|value| (*value).to_owned()).collect();
    let counts = *wanted == Quantity::Sources;
    let value = if counts { EntryValue::Number(named.len() as f64) } else { EntryValue::List(named) };
    let quantity = if counts { "sources" } else { aspect.key() }.to_owned();
    Ok(Some(Entry { quantity, value: Some(value), ..Entry::resting_on(values, &parts, &[]) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::execute::{asked, outcome};
    use crate::ask::parse::Term;
    use crate::stores::sample::{Sample, table};

    const ROWS: (&str, &str) = (
        "network stage precision batch-size throughput-per-s",
        r#"["deepnet-50", "eval", "fp32", 16, 100], ["deepnet-50", "eval", "fp16", 16, 400],
        ["deepnet-50", "eval", "fp16", 32, 450], ["deepnet-50", "train", "fp32", 16, 30]"#,
    );

    #[test]
    fn the_first_entry_is_the_best_row_with_the_range_of_its_group() {
        let sample = Sample::of(&[("paper-2020", &table(ROWS.0, ROWS.1))]);
        let outcome = asked(&sample, "network:deepnet-50 ask:lookup");
        assert_eq!(outcome.entries.len(), 2);
        let first = &outcome.entries[0];
        assert_eq!((first.number(), first.low, first.high), (Some(450.0), Some(100.0), Some(450.0)));
        assert_eq!((first.n, first.unit.as_deref()), (3, Some("images/s")));
        let told: Vec<String> = first.subjects.iter().map(|(key, value)| format!("{key}:{value}")).collect();
        assert_eq!(told, ["network:deepnet-50", "stage:eval", "precision:fp16", "batch-size:32"]);
        assert_eq!(outcome.rows.len(), 4, "the best row of each group, then the others");
        let best = sample.stores.database.measurements(&outcome.rows[..1]).unwrap();
        assert_eq!(Some(best[0].id()), first.measurements.first().map(String::as_str));
    }

    #[test]
    fn a_metric_that_rows_lack_gives_way_to_another_of_the_same() {
        let outcome = outcome(ROWS, "stage:train show:device-throughput-per-s,rows");
        assert_eq!(outcome.entries[0].quantity, "throughput-per-device");
        assert!(outcome.remarks.iter().any(|remark| matches!(remark, Remark::Instead { .. })), "{:?}", outcome.remarks);
        assert_eq!(outcome.entries[1].number(), Some(1.0), "rows");
    }

    #[test]
    fn several_devices_are_a_group_of_their_own_and_their_better_row_is_said() {
        let rows = r#"[1, "a", 100], [1, "b", 120], [8, "c", 900], [4, "d", 500]"#;
        let outcome = outcome(("device-count label throughput-per-s", rows), "network:deepnet-50 ask:lookup");
        assert_eq!(outcome.entries[0].number(), Some(120.0));
        let Some(Remark::HigherElsewhere(entry)) = outcome.remarks.first() else { panic!("{:?}", outcome.remarks) };
        assert_eq!((entry.number(), entry.n), (Some(900.0), 2));
    }

    #[test]
    fn what_nothing_meets_gives_way_and_the_subject_never() {
        let relaxed = outcome(ROWS, "device:nova precision:int8 ask:lookup");
        assert!(matches!(relaxed.remarks.first(), Some(Remark::Relaxed(..))), "{:?}", relaxed.remarks);
        let device = Term::of(Facet::Device, Is::OneOf(vec!["nova".to_owned()]));
        assert_eq!(relaxed.relaxed, Some(Filter { terms: vec![device] }));
        let nothing = outcome(ROWS, "device:core ask:lookup");
        assert!(matches!(nothing.remarks.first(), Some(Remark::NoRow { .. })) && nothing.rows.is_empty());
    }

    #[test]
    fn rows_that_do_not_state_what_is_asked_for_are_counted() {
        let rows = table("precision throughput-per-s", r#"["", 1], ["fp16", 2]"#);
        let sample = Sample::without("precision = \"fp32\"\n", &[("paper-2020", &rows)]);
        let remarks = asked(&sample, "precision:fp16 device:nova").remarks;
        assert!(remarks.contains(&Remark::Unstated(Key::Facet(Facet::Precision), 1)), "{remarks:?}");
    }
}

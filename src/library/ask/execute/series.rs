//! Values along an axis: series of rows that are alike in everything else, and comparisons between the values of an axis.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Bound;

use indexmap::IndexSet;

use super::Outcome;
use super::condition::condition;
use super::key::{aspect_of, subjects_of};
use super::measure::{By, SPEED_METRICS};
use super::outcome::{Entry, Remark, Subjects};
use super::pair::{MatchedPair, Runs, gain, middle};
use super::ratio::{Comparison, leave_out_far};
use super::sizes::Sizes;
use super::spread::{in_order, rounded};
use super::under::{RowIds, shared};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, Run, SharedValues};
use crate::ask::parse::{Ask, Filter, Is, Question, Result, Term};
use crate::model::{Aspect, Derived, Direction, Field, FieldType, Metric, Value};
use crate::rows::by_value;
use crate::stores::Stores;
use crate::values::Precision;

/// Maximum number of lines of a figure, and of values compared on an axis without an order.
const MOST_LINES: usize = 12;
const MOST_PLACES: usize = 8;

/// Throughput counts as flat from the first place that reaches this share of the series' best.
const FLAT: f64 = 0.9;

/// The fields that may differ if each device count has its own batch size.
const OWN_BATCH: &[Field] = &[Field::DeviceCount, Field::BatchSize, Field::BatchSizeGlobal, Field::FrameworkVersion];

/// Series only contain whole networks.
const NO_LAYER: u32 = 0;

/// The values of a question along its axis.
pub(super) fn series(stores: &Stores, question: &Question) -> Result<Outcome> {
    let axis = question.along.unwrap_or(Aspect::Field(Field::BatchSize));
    let is_of_axis = |term: &Term| term.test().is_some_and(|test| aspect_of(&test.key) == Some(axis));
    let subject = question.subject.only(|term| !is_of_axis(term));
    let places: Vec<Is> = question.subject.only(is_of_axis).tests().map(|test| test.is.clone()).collect();
    let mut lines: Vec<(Subjects, Filter)> =
        question.sides.iter().map(|side| (subjects_of(side), subject.and(side))).collect();
    if lines.is_empty() {
        lines.push((Subjects::new(), subject));
    }
    let line = question.lines.as_ref().and_then(aspect_of);
    let is_fact = |aspect: &Aspect| if let Aspect::Fact(fact) = aspect { Some(*fact) } else { None };
    let fact = [axis].iter().chain(&line).find_map(is_fact);
    let values = SharedValues::read_with(stores, fact)?;
    let mut outcome = Outcome::of(Ask::Along);
    let (mut heads, mut rest) = (Vec::new(), Vec::new());
    for (subjects, filter) in &lines {
        let condition = condition(stores, filter)?;
        let ladder = By::ladder(&question.wants);
        let mut found = Vec::new();
        for by in &ladder {
            let hits = by.hits(stores, &values, &condition)?;
            for (line, hits) in by_line(&values, hits, line, subjects) {
                let sizes = Sizes::of_layers(stores, &values, &[&hits])?;
                let (values, names) = (&values, names_in_order(&values, axis));
                let along = Along { stores, values, hits: &hits, sizes: &sizes, by, axis, places: &places, names };
                let mut entries = along.entries(&mut outcome.remarks)?;
                for entry in &mut entries {
                    for (key, value) in line.iter().rev() {
                        entry.subjects.shift_insert(0, key.clone(), value.clone());
                    }
                }
                found.extend((!entries.is_empty()).then_some(entries));
            }
            if !found.is_empty() {
                break;
            }
        }
        if found.is_empty() {
            outcome.remarks.push(no_series(&values, &ladder[0].hits(stores, &values, &condition)?, axis));
        }
        for mut entries in found {
            heads.push(entries.remove(0));
            rest.extend(entries);
        }
    }
    // Without an order the lines stay in the order found.
    if let Some(order) = &question.order {
        let number = |entry: &Entry| entry.number().unwrap_or(f64::NAN);
        heads.sort_by(|a, b| in_order(number(a), number(b), order.end.is_largest(Direction::Higher)));
    }
    outcome.entries = [heads, rest].concat();
    outcome.remarks.dedup();
    Ok(outcome)
}

/// Splits rows into lines, those with the most rows first.
fn by_line(values: &SharedValues, hits: HitColumns, by: Option<Aspect>, of: &Subjects) -> Vec<(Subjects, HitColumns)> {
    let Some(aspect) = by else { return vec![(of.clone(), hits)] };
    let number = |text: &str| values.column(aspect).and_then(|column| column.number_of(text));
    let mut lines: Vec<(&str, usize)> = rows_by_text(values, &hits, aspect).into_iter().collect();
    lines.sort_by_key(|(text, rows)| (Reverse(*rows), number(text)));
    let line = |(text, _): (&str, usize)| {
        let (number, mut subjects) = (number(text), of.clone());
        subjects.extend(at(aspect.key(), text));
        (subjects, hits.filtered(|parts| Some(values.number(aspect, parts)) == number))
    };
    lines.into_iter().take(MOST_LINES).map(line).collect()
}

/// How many rows state each value of an aspect.
fn rows_by_text<'v>(values: &'v SharedValues, hits: &HitColumns, aspect: Aspect) -> BTreeMap<&'v str, usize> {
    let mut rows = BTreeMap::new();
    for text in (0..hits.len()).filter_map(|hit| values.text(aspect, &hits.parts(hit))) {
        *rows.entry(text).or_default() += 1;
    }
    rows
}

/// A remark with the values that rows state, if no two rows are alike except for the axis.
fn no_series(values: &SharedValues, hits: &HitColumns, axis: Aspect) -> Remark {
    let rows = rows_by_text(values, hits, axis).into_iter();
    let mut rows: Vec<(String, usize)> = rows.map(|(text, rows)| (text.to_owned(), rows)).collect();
    rows.sort_by_key(|(_, rows)| Reverse(*rows));
    rows.truncate(MOST_PLACES);
    Remark::NoSeries { axis: axis.key().to_owned(), values: rows }
}

/// The values of an axis whose names have an order, such as versions, in that order.
fn names_in_order(values: &SharedValues, axis: Aspect) -> IndexSet<String> {
    let is_named = matches!(axis, Aspect::Field(field) if is_ordered(field) && field.kind() != FieldType::Count);
    let column = values.column(axis).filter(|_| is_named);
    let mut names: IndexSet<String> = column.iter().flat_map(|column| column.values().map(str::to_owned)).collect();
    names.sort_by(|a, b| by_value(axis, Some(a), Some(b)));
    names
}

/// Whether the values of a field have an order.
fn is_ordered(field: Field) -> bool {
    let is_number = matches!(field.kind(), FieldType::Count | FieldType::Number);
    is_number || field.is_version() || field.heading() == "version" || ORDERED_TEXT_FIELDS.contains(&field)
}

/// Text fields that have an order.
const ORDERED_TEXT_FIELDS: &[Field] = &[Field::InputShape, Field::Cuda, Field::Cudnn, Field::Driver];

/// The median run at each place of the axis.
type Series = BTreeMap<i64, Run>;

/// Rows along an axis, and how to compare them.
struct Along<'a> {
    stores: &'a Stores,
    values: &'a SharedValues,
    hits: &'a HitColumns,
    sizes: &'a Sizes,
    by: &'a By,
    axis: Aspect,
    /// The question's conditions on the axis.
    places: &'a [Is],
    /// The names on the axis in order, such as versions; their index is the place.
    names: IndexSet<String>,
}

impl Along<'_> {
    /// The entries along the axis, most important first.
    fn entries(&self, remarks: &mut Vec<Remark>) -> Result<Vec<Entry>> {
        match self.axis {
            Aspect::Field(Field::DeviceCount | Field::Hosts) => self.scaling(remarks),
            Aspect::Field(Field::BatchSize | Field::BatchSizeGlobal) => {
                self.along_numbers(&[Field::BatchSize, Field::BatchSizeGlobal], remarks)
            }
            Aspect::Field(field) if is_ordered(field) => self.along_numbers(&[field], remarks),
            Aspect::Field(field) => self.along_names(field, remarks),
            _ => Ok(Vec::new()),
        }
    }

    /// The values of the axis that the question names.
    fn named(&self) -> Vec<String> {
        let number = |is: &Is| is.single().map(|number| number.to_string()).into_iter().collect();
        let values = |is: &Is| if let Is::OneOf(values) = is { values.clone() } else { number(is) };
        self.places.iter().flat_map(values).collect()
    }

    /// Whether the question's conditions include a place.
    fn is_asked(&self, place: i64) -> bool {
        self.places.iter().all(|is| match is {
            Is::OneOf(values) => values.iter().any(|value| *value == self.name(place)),
            Is::Within(low, high) => std::ops::RangeBounds::contains(&(*low, *high), &(place as f64)),
            Is::Stated => true,
        })
    }

    /// The numeric place of a row on the axis.
    fn place(&self, parts: &PartNumbers) -> Option<i64> {
        match self.axis {
            Aspect::Field(Field::BatchSize) => self.values.batch(parts),
            Aspect::Field(Field::Hosts) => self.values.count(Field::DeviceCount, parts),
            Aspect::Field(field) if field.kind() == FieldType::Count => self.values.count(field, parts),
            other => Some(self.names.get_index_of(self.values.text(other, parts)?)? as i64),
        }
    }

    /// The name of a place.
    fn name(&self, place: i64) -> String {
        let name = usize::try_from(place).ok().and_then(|place| self.names.get_index(place));
        name.cloned().unwrap_or_else(|| place.to_string())
    }

    /// A place as the subject of an entry.
    fn at(&self, place: i64) -> Subjects {
        at(self.axis.key(), &self.name(place))
    }

    /// The series of a metric over the wanted places, longest first; rows of a series may differ only in `varied`.
    fn series(&self, metric: Metric, varied: &[Field], is_wanted: impl Fn(i64) -> bool) -> Vec<Series> {
        let keys = ComparisonKeys::new(self.values, metric, varied);
        let mut all: NumberMap<ComparisonKey, BTreeMap<i64, Runs>> = NumberMap::default();
        for run in self.hits.measured(metric).filter(|run| run.value > 0.0) {
            let counts = self.values.is_in_good_standing(&run.parts) && !self.values.is_extreme(&run.parts);
            let key = counts.then(|| keys.key(self.values, &run.parts, NO_LAYER)).flatten();
            if let (Some(key), Some(place)) = (key, self.place(&run.parts).filter(|place| is_wanted(*place))) {
                all.entry(key).or_default().entry(place).or_default().push(run);
            }
        }
        let of_places = |places: BTreeMap<i64, Runs>| -> Series {
            places.into_iter().filter_map(|(place, mut runs)| Some((place, middle(&mut runs)?))).collect()
        };
        let mut series: Vec<Series> = all.into_values().map(of_places).filter(|series| series.len() > 1).collect();
        series.sort_by_key(|series| (Reverse(series.len()), series.first_key_value().map(|(_, run)| run.row)));
        series
    }

    /// How throughput scales with the device count: the efficiency of each count relative to the base, and the longest series.
    fn scaling(&self, remarks: &mut Vec<Remark>) -> Result<Vec<Entry>> {
        // `16 to 256 GPUs` and `16 vs 256` use 16 as the base.
        let low = self.places.iter().find_map(|is| match is {
            Is::Within(Bound::Included(low), Bound::Included(high)) if low < high => Some(*low as i64),
            _ => None,
        });
        let named = self.named().iter().filter_map(|name| name.parse().ok()).min().filter(|_| self.named().len() > 1);
        let base = low.or(named).unwrap_or(1);
        for metric in self.by.metrics().into_iter().filter(|metric| SPEED_METRICS.contains(metric)) {
            let from_base = |varied: &[Field]| {
                let mut series = self.series(metric, varied, |_| true);
                series.retain(|series| series.contains_key(&base));
                let mut steps: BTreeMap<i64, Vec<MatchedPair>> = BTreeMap::new();
                for series in &series {
                    let one = series[&base];
                    for (place, many) in series.iter().filter(|(place, _)| **place > base && self.is_asked(**place)) {
                        let share = base as f64 / *place as f64;
                        steps.entry(*place).or_default().push(pair_of(metric, *many, one, share));
                    }
                }
                (series, steps)
            };
            let (mut series, mut steps) = from_base(&[Field::DeviceCount]);
            // The time to a target covers the whole run, in which more devices usually use smaller batches.
            if metric == Metric::TimeToAccuracyS {
                let (at_any_batch, more) = from_base(OWN_BATCH);
                if more.len() > steps.len() {
                    remarks.push(Remark::OwnSetting(OWN_BATCH[1..].to_vec()));
                    (series, steps) = (at_any_batch, more);
                }
            }
            let far: usize = steps.values_mut().map(leave_out_far).sum();
            let most = steps.values().map(Vec::len).max().unwrap_or_default();
            // The headline is the largest device count that has at least half as many pairs as the best supported one.
            let telling = steps.iter().rev().find(|(_, pairs)| 2 * pairs.len() >= most);
            let Some(telling) = telling.map(|(place, _)| *place) else { continue };
            remarks.extend((far > 0).then_some(Remark::FarFromOthers(far)));
            let mut entries = Vec::new();
            let mut comparison = self.comparison(&[Field::DeviceCount]);
            let devices = |count: i64| at(Field::DeviceCount.key(), &count.to_string());
            for (place, pairs) in &steps {
                let pairs: Vec<&MatchedPair> = pairs.iter().collect();
                let ratio = comparison.ratio(&devices(*place), &devices(base), &pairs, 5)?;
                let quantity = Derived::ScalingEfficiency.key().to_owned();
                entries.insert(if *place == telling { 0 } else { entries.len() }, Entry { quantity, ..ratio });
            }
            if let Some(longest) = series.first() {
                let is_shown = |place: i64| place == base || place > base && self.is_asked(place);
                let longest: Series =
                    longest.iter().filter(|(place, _)| is_shown(**place)).map(|(a, b)| (*a, *b)).collect();
                entries.extend(self.values_of(&longest, metric, &[Field::DeviceCount])?);
            }
            return Ok(entries);
        }
        Ok(Vec::new())
    }

    fn comparison<'c>(&'c self, varied: &'c [Field]) -> Comparison<'c> {
        let Self { stores, values, sizes, by, .. } = *self;
        Comparison { stores, values, sizes, varied, by, ids: RowIds::default(), strata: None }
    }

    /// How a metric changes along an ordered axis. For batch sizes, where the longest series becomes flat; otherwise how each place
    /// compares with the one before it over all series. Then the values of the longest series.
    fn along_numbers(&self, varied: &[Field], remarks: &mut Vec<Remark>) -> Result<Vec<Entry>> {
        for metric in self.by.metrics() {
            // A single named place is compared with its neighbours.
            let names_one = self.named().len() == 1;
            let series = self.series(metric, varied, |place| names_one || self.is_asked(place));
            let Some(longest) = series.first() else { continue };
            let of_batch = varied.contains(&Field::BatchSize);
            let mut entries = match of_batch {
                true => self.where_flat(longest, metric, varied)?.into_iter().collect(),
                false => self.steps(&series, metric, varied)?,
            };
            if of_batch || longest.len() > 2 || entries.is_empty() {
                entries.extend(self.values_of(longest, metric, varied)?);
            }
            remarks.extend(if of_batch { self.better_elsewhere(longest, metric, varied)? } else { None });
            return Ok(entries);
        }
        Ok(Vec::new())
    }

    /// The best run of the same work at a wanted place, if it is clearly better than all of the series.
    fn better_elsewhere(&self, series: &Series, metric: Metric, varied: &[Field]) -> Result<Option<Remark>> {
        /// Smaller gains are not worth a remark.
        const LEAST_GAIN: f64 = 1.05;
        const SAME_WORK: [Field; 7] = {
            use Field::{Component, Counts, DeviceCount, InputShape, Network, SequenceLength, Stage};
            [Network, Stage, Component, Counts, DeviceCount, InputShape, SequenceLength]
        };
        let better = |a: &Run, b: &Run| gain(metric.direction(), a.value, b.value).total_cmp(&1.0);
        let Some(best) = series.values().copied().max_by(better) else { return Ok(None) };
        let work = |run: &Run| SAME_WORK.map(|field| self.values.number(field, &run.parts));
        let counts = |run: &Run| {
            run.value > 0.0
                && self.values.is_in_good_standing(&run.parts)
                && !self.values.is_extreme(&run.parts)
                && self.place(&run.parts).is_some_and(|place| self.is_asked(place))
                && work(run) == work(&best)
        };
        let top = self.hits.measured(metric).filter(counts).max_by(better);
        let top = top.filter(|top| gain(metric.direction(), top.value, best.value) > LEAST_GAIN);
        let Some((top, place)) = top.and_then(|top| Some((top, self.place(&top.parts)?))) else { return Ok(None) };
        let value = (self.by.measure(metric), rounded(top.value));
        let mut subjects = self.at(place);
        for field in [Field::Network, Field::Device] {
            subjects.extend(self.values.value(field, &top.parts).map(|value| (field.key().to_owned(), value)));
        }
        let measurements = RowIds::default().of(self.stores, &[top.row])?;
        let measured = Entry::measured(self.values, value, &[top.parts], varied);
        Ok(Some(Remark::HigherElsewhere(Box::new(Entry { subjects, measurements, ..measured }))))
    }

    /// The ratio to the first place where a series becomes flat; the last place if it keeps growing.
    fn where_flat(&self, series: &Series, metric: Metric, varied: &[Field]) -> Result<Option<Entry>> {
        let Some((&first, &one)) = series.first_key_value() else { return Ok(None) };
        let times = |run: &Run| gain(metric.direction(), run.value, one.value);
        let best = series.values().map(times).fold(0.0, f64::max);
        let flat = series.iter().find(|(_, run)| times(run) >= FLAT * best).filter(|(place, _)| **place != first);
        let Some((place, run)) = flat.or_else(|| series.last_key_value()) else { return Ok(None) };
        let pair = pair_of(metric, *run, one, 1.0);
        self.comparison(varied).ratio(&self.at(*place), &self.at(first), &[&pair], 1).map(Some)
    }

    /// Compares each place with the one before, over all series that have both; for named places also the last with the first.
    fn steps(&self, series: &[Series], metric: Metric, varied: &[Field]) -> Result<Vec<Entry>> {
        let is_named = self.named().len() > 1;
        let mut steps: BTreeMap<(i64, i64), Vec<MatchedPair>> = BTreeMap::new();
        for series in series {
            let places: Vec<(i64, Run)> = series.iter().map(|(place, run)| (*place, *run)).collect();
            let ends = places.first().zip(places.last()).filter(|_| is_named && places.len() > 2);
            let neighbours = places.windows(2).map(|pair| (&pair[0], &pair[1]));
            for ((low, one), (high, other)) in neighbours.chain(ends) {
                if self.named().len() != 1 || self.is_asked(*low) || self.is_asked(*high) {
                    steps.entry((*low, *high)).or_default().push(pair_of(metric, *other, *one, 1.0));
                }
            }
        }
        let mut steps: Vec<((i64, i64), Vec<MatchedPair>)> = steps.into_iter().collect();
        steps.sort_by_key(|(places, pairs)| (Reverse(pairs.len()), *places));
        steps.truncate(MOST_PLACES);
        let mut comparison = self.comparison(varied);
        let entry = |((low, high), pairs): ((i64, i64), Vec<MatchedPair>)| {
            let pairs = comparison.usual(pairs, &mut Vec::new());
            comparison.ratio(&self.at(high), &self.at(low), &pairs.iter().collect::<Vec<_>>(), 3)
        };
        steps.into_iter().map(entry).collect()
    }

    /// The measured values along one series.
    fn values_of(&self, series: &Series, metric: Metric, varied: &[Field]) -> Result<Vec<Entry>> {
        let parts: Vec<PartNumbers> = series.values().map(|run| run.parts).collect();
        let under = shared(self.values, &parts, varied);
        let rows: Vec<u64> = series.values().map(|run| run.row).collect();
        let ids = RowIds::default().of(self.stores, &rows)?;
        let entry = |((place, run), id): ((&i64, &Run), String)| {
            let value = (self.by.measure(metric), rounded(run.value));
            let measured = Entry::measured(self.values, value, &[run.parts], varied);
            Entry { subjects: self.at(*place), under: under.clone(), measurements: vec![id], ..measured }
        };
        Ok(series.iter().zip(ids).map(entry).collect())
    }

    /// Compares the values of an axis without an order: the named ones with each other, otherwise each with the usual one.
    fn along_names(&self, field: Field, remarks: &mut Vec<Remark>) -> Result<Vec<Entry>> {
        let axis = Aspect::Field(field);
        let rows = rows_by_text(self.values, self.hits, axis);
        let metrics = self.by.metrics();
        let varied = [field];
        let mut comparison = self.comparison(&varied);
        // The entries of each compared pair of values.
        let mut found: Vec<Vec<Entry>> = Vec::new();
        for (own, other) in opposites(field, &rows, &self.named()) {
            // The rows that state one of the wanted values, or rows that state none if nothing is wanted.
            let rows_of = |wanted: &[String], parts: &PartNumbers| match self.values.text(axis, parts) {
                Some(text) => wanted.iter().any(|value| value == text),
                None => wanted.is_empty(),
            };
            let [first, second] = [&own, &other].map(|wanted| self.hits.filtered(|parts| rows_of(wanted, parts)));
            // A value that is not stated may be anything; within one source it is the source's default.
            let pairs = comparison.pairs(&first, &second, &metrics, other.is_empty());
            let pairs = comparison.usual(pairs, remarks);
            let place = |values: &[String]| values.first().map_or_else(Subjects::new, |value| at(axis.key(), value));
            if !pairs.is_empty() {
                found.push(comparison.entries(&place(&own), &place(&other), &pairs)?);
            }
        }
        if self.named().len() < 2 {
            found.sort_by_key(|entries| Reverse(entries.first().map_or(0, |entry| entry.n)));
        }
        let heads: Vec<Entry> = found.iter_mut().map(|entries| entries.remove(0)).collect();
        // The details after the headlines come from the first comparison that has any.
        let rest = found.into_iter().find(|entries| !entries.is_empty());
        Ok(heads.into_iter().chain(rest.unwrap_or_default()).collect())
    }
}

/// A pair of two runs; the ratio is multiplied by a factor.
fn pair_of(metric: Metric, subject: Run, baseline: Run, factor: f64) -> MatchedPair {
    let ratio = gain(metric.direction(), subject.value, baseline.value) * factor;
    MatchedPair { metric, ratio, subject, baseline, all: vec![subject.parts, baseline.parts] }
}

/// A place on an axis, as subjects of an entry.
fn at(key: &str, place: &str) -> Subjects {
    let value = place.parse().map_or_else(|_| Value::Text(place.into()), Value::Count);
    Subjects::from([(key.to_owned(), value)])
}

/// Which values of an axis without an order to compare: the named ones with each other; short number formats with full ones; other
/// values with the usual one, and with rows of the same source that state none.
fn opposites(field: Field, rows: &BTreeMap<&str, usize>, named: &[String]) -> Vec<(Vec<String>, Vec<String>)> {
    if field == Field::Precision {
        return precision_pairs(rows, named);
    }
    let alone = |value: &str| vec![value.to_owned()];
    let is_named = |value: &&str| named.iter().any(|named| named == value);
    let mut values: Vec<&str> = rows.keys().copied().collect();
    values.sort_by(|a, b| by_value(Aspect::Field(field), Some(a), Some(b)));
    if named.len() > 1 {
        values.retain(is_named);
        return values.windows(2).map(|pair| (alone(pair[1]), alone(pair[0]))).collect();
    }
    let subjects = || values.iter().filter(|value| named.is_empty() || is_named(value)).take(MOST_PLACES);
    let usual = rows.iter().filter(|(value, _)| !is_named(value)).max_by_key(|(_, rows)| **rows);
    let against_usual = usual.into_iter().flat_map(|(usual, _)| {
        let others = subjects().filter(move |value| *value != usual);
        others.map(move |value| (alone(value), alone(usual)))
    });
    against_usual.chain(subjects().map(|value| (alone(value), Vec::new()))).collect()
}

/// Short formats against fp32, and integers also against fp16; each includes the recipes that compute in it.
fn precision_pairs(rows: &BTreeMap<&str, usize>, named: &[String]) -> Vec<(Vec<String>, Vec<String>)> {
    use Precision::{Bf16, Fp8, Fp16, Fp32, Fp64, Int4, Int8, Tf32};
    let recipes = |precision: Precision| -> Vec<String> {
        [precision].into_iter().chain(precision.also_meant()).map(|recipe| recipe.to_string()).collect()
    };
    let is_there = |precision: &Precision| recipes(*precision).iter().any(|recipe| rows.contains_key(recipe.as_str()));
    let is_named = |precision: &Precision| named.contains(&precision.to_string());
    let against = [(Fp32, &[Fp16, Bf16, Tf32, Int8][..]), (Fp16, &[Int8, Fp8, Int4]), (Fp32, &[Fp64, Fp8])];
    let against = against.into_iter().flat_map(|(other, own)| own.iter().map(move |own| (*own, other)));
    let wanted = |(own, other): &(Precision, Precision)| {
        let is_asked = match named.len() {
            0 => true,
            1 => is_named(own) || is_named(other) && *other == Fp32,
            _ => is_named(own) && is_named(other),
        };
        is_asked && is_there(own) && is_there(other)
    };
    against.filter(wanted).map(|(own, other)| (recipes(own), recipes(other))).collect()
}

#[cfg(test)]
mod tests {
    use crate::ask::execute::{Outcome, Remark, outcome};

    /// The place and value of each entry of a quantity.
    fn points(outcome: &Outcome, key: &str, quantity: &str) -> Vec<(String, f64)> {
        let entries = outcome.entries.iter().filter(|entry| entry.quantity == quantity);
        entries.map(|entry| (entry.subjects[key].to_string(), entry.number().unwrap_or(f64::NAN))).collect()
    }

    #[test]
    fn several_devices_against_one_all_else_being_equal() {
        let rows = "[1, 16, 100], [2, 16, 180], [4, 16, 300], [8, 32, 900]";
        let rows = ("device-count batch-size throughput-per-s", rows);
        let found = outcome(rows, "network:deepnet-50 along:device-count ask:along");
        let efficiency = points(&found, "device-count", "scaling-efficiency");
        assert_eq!(efficiency, [("4".to_owned(), 0.75), ("2".to_owned(), 0.9)]);
        let values = points(&found, "device-count", "throughput-per-s");
        assert_eq!(values.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [100.0, 180.0, 300.0]);
    }

    #[test]
    fn along_the_batch_the_first_entry_is_where_it_is_flat() {
        let rows = ("batch-size throughput-per-s", "[1, 10], [4, 40], [16, 95], [64, 100]");
        let all = outcome(rows, "network:deepnet-50 along:batch-size ask:along");
        assert_eq!(points(&all, "batch-size", "speed-up")[0], ("16".to_owned(), 9.5));
        assert_eq!(points(&all, "batch-size", "throughput-per-s").len(), 4);
        let between = outcome(rows, "network:deepnet-50 along:batch-size batch-size:4..16 ask:along");
        assert_eq!(points(&between, "batch-size", "throughput-per-s").len(), 2);
    }

    #[test]
    fn short_formats_against_full_ones_and_one_line_for_each_device() {
        let rows = r#"["nova", "fp32", 100], ["nova", "amp-fp16", 300], ["core", "fp32", 50], ["core", "fp16", 75]"#;
        let rows = ("device precision throughput-per-s", rows);
        let lines =
            points(&outcome(rows, "network:deepnet-50 along:precision lines:device ask:along"), "device", "speed-up");
        assert!(lines.contains(&("nova".to_owned(), 3.0)) && lines.contains(&("core".to_owned(), 1.5)), "{lines:?}");
    }

    #[test]
    fn named_places_are_set_against_each_other_and_nothing_along_an_axis_is_a_remark() {
        let rows = ("input-shape throughput-per-s", r#"["3x64x64", 100], ["3x128x128", 25], ["3x256x256", 5]"#);
        let named = outcome(rows, "along:input-shape input-shape:3x64x64,3x256x256 ask:along");
        assert_eq!(points(&named, "input-shape", "speed-up"), [("3x256x256".to_owned(), 0.05)]);
        let nothing = outcome(rows, "along:threads ask:along").remarks;
        assert!(nothing.iter().any(|remark| matches!(remark, Remark::NoSeries { .. })), "{nothing:?}");
    }
}

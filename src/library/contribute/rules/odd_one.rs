//! Rows that are the only exception to a rule that the other rows of their source follow.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use strum::VariantArray as _;

use super::copied_or_exchanged;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample, hash_of};
use crate::model::{Code, Field, Measurement, Metric, Severity, Tier, Value};
use crate::reading::Located;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(323),
    title: "the one row that says otherwise",
    severity: Severity::Warning,
    page: "In a source some facts follow from others: a network is trained to one accuracy, a container has one version of CUDA, a system of a label one number of devices, a spelling one data set. Where that holds for every network (container, system ...) of the source but for a single row, that row most often has a digit or a neighbour's value. Which facts follow from which is read off the source: at least eight kinds of rows must agree among themselves, and have several values. That one spelling is one device, network, framework or data set, and one description of what was timed one stage, holds in every source: four other rows of the file, or eight of the source, are enough. An input that no other row, no network and no data set has is told, too, where the network has another; and so is a value that one row has and whose digits are those of many rows in another order, or one digit more or less. Where the accuracy of a network is the same with every batch in all settings of a source but one, that one has a slip of a digit. Where no two values of six digits are equal in a file but those of two rows next to each other, of another device or network, one is a copy of the other; so is a row all of whose metrics, three or more, are those of a row nearby. Where rows have the number of devices and the batch of three times as many others the other way round, they are exchanged; where two values near each other are in the opposite order to those of eight other pairs of rows that differ in the same way, and would be like them with the values exchanged, they are exchanged; and where the number in `device-raw` is one multiple of the devices in all rows but one, that one has another count. A source that is right about its one row is excepted with the reason.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "[[run]]\nbatch-size = 16",
        "[[run]]\ninput-shape = \"3x242x242\"\nbatch-size = 16",
    ),
    check: Check::Rows(find),
};

/// A key by which rows are grouped; other fields may depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Of(Field),
    /// The label without its last part, the network name: `closed; Oracle; 8xBM.GPU.H200.8; bert`.
    System,
    File,
}

const KINDS: &[Kind] = &[
    Kind::Of(Field::NetworkRaw),
    Kind::Of(Field::Network),
    Kind::Of(Field::DeviceRaw),
    Kind::Of(Field::FrameworkRaw),
    Kind::Of(Field::Container),
    Kind::Of(Field::DatasetRaw),
    Kind::Of(Field::Instance),
    Kind::Of(Field::Host),
    Kind::System,
    Kind::File,
];

impl Kind {
    fn of(self, row: &Located<Measurement>) -> Option<&str> {
        match self {
            Self::Of(field) => row.get().text(field),
            Self::System => Some(row.get().text(Field::Label)?.rsplit_once("; ")?.0),
            Self::File => row.file().path.to_str(),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Of(field) => format!("this `{field}`"),
            Self::System => "this system".to_owned(),
            Self::File => "this file".to_owned(),
        }
    }
}

/// Fields that depend on no key, in addition to remarks, raw names and sample statistics.
const FREE: &[Field] = &[
    Field::Timed,
    Field::Label,
    Field::BatchSize,
    Field::BatchSizeGlobal,
    Field::MicroBatchSize,
    Field::Division,
    Field::Availability,
    Field::MeanOutputLength,
    Field::Outcome,
    Field::Setting,
    Field::Partition,
];

/// Evidence required before a dependency counts as a rule: groups without exception, groups of at least [`MANY`] rows among them,
/// distinct values, and rows in the group of the exception. Fewer agree by chance.
const FEWEST_AGREEING: usize = 8;
const FEWEST_OF_MANY: usize = 4;
const MANY: usize = 4;
const FEWEST_VALUES: usize = 3;
const FEWEST_ROWS: usize = 5;

/// Raw spellings and descriptions, with the fields that they determine in every source.
const SPELLED: &[(Field, &[Field])] = &[
    (Field::DeviceRaw, &[Field::Device]),
    (Field::NetworkRaw, &[Field::Network, Field::InputShape, Field::WeightFormat]),
    (Field::FrameworkRaw, &[Field::Framework, Field::FrameworkVersion]),
    (Field::DatasetRaw, &[Field::Dataset, Field::Data]),
    (Field::Instance, &[Field::Device]),
    (Field::Quantization, &[Field::Precision, Field::WeightFormat]),
    (Field::Timed, &[Field::Stage, Field::Counts, Field::Statistic]),
    (Field::Container, &[Field::FrameworkVersion]),
];

/// Selects a part of a source; rows with equal results are in the same part.
type Part = fn(&Located<Measurement>) -> Option<&str>;

/// Parts of a source within which a spelling has one meaning, and the minimum number of other rows with it. An open
/// division may run a different network under the same name.
const PARTS: &[(Part, usize)] =
    &[(|row| row.file().path.to_str(), 4), (|row| row.get().text(Field::Division).or(Some("")), 8)];

/// Several rows of a spelling are odd if this number of times as many have another value.
const TIMES_AS_MANY: usize = 10;

/// The rows whose spelling comes with another field value than in nearly all other rows.
fn spelled<'l>(rows: &'l [Located<Measurement>], of_source: &[usize]) -> Vec<(usize, Field, Kind, &'l Value, usize)> {
    let mut told = Vec::new();
    for (part, fewest) in PARTS {
        let mut said: HashMap<_, GroupValues<'_>> = HashMap::new();
        for at in of_source {
            let (row, part) = (rows[*at].get(), part(&rows[*at]));
            for (spelling, fields) in SPELLED {
                let Some(text) = row.text(*spelling) else { continue };
                for (field, value) in fields.iter().filter_map(|field| Some((*field, row.get(*field)?))) {
                    let key = (part, *spelling, text, field);
                    said.entry(key)
                        .and_modify(|said| said.add(value, *at))
                        .or_insert_with(|| GroupValues::new(value, *at));
                }
            }
        }
        told.extend(said.into_iter().filter_map(|((_, spelling, _, field), said)| {
            let (at, usual, others) = said.odd(*fewest, TIMES_AS_MANY)?;
            Some((at, field, Kind::Of(spelling), usual, others))
        }));
    }
    told
}

/// What the groups of a source show about a field.
#[derive(Default)]
struct Learned<'l> {
    agreeing: usize,
    of_many: usize,
    values: BTreeSet<String>,
    /// The only exception: its row, the value of the other rows in its group, and their number.
    odd: Option<(usize, &'l Value, usize)>,
    broken: bool,
}

/// The values of one field in one group.
struct GroupValues<'l> {
    first: (&'l Value, usize, usize),
    second: Option<(&'l Value, usize, usize)>,
    more: bool,
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    find_shapes(context, found);
    find_unaffected(context, found);
    copied_or_exchanged::find(context, found);
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        sources.entry(row.get().source().as_str()).or_default().push(at);
    }
    let sources: Vec<Vec<usize>> = sources.into_values().collect();
    let of_source = |of_source: &Vec<usize>| {
        let mut all: Vec<_> = KINDS.iter().flat_map(|kind| odd(rows, of_source, *kind)).collect();
        all.extend(spelled(rows, of_source));
        all
    };
    let mut slipped: Vec<_> = sources.par_iter().flat_map_iter(|of_source| slips(rows, of_source)).collect();
    slipped.sort_unstable();
    for (at, field, usual, others) in slipped {
        let row = IndexedRow { at, row: &rows[at] };
        let value = row.get().get(field).map(ToString::to_string).unwrap_or_default();
        let message = format!("`{field}` is {value} in this row alone, and {usual} in {others} rows of the source");
        found.in_row(&row, field.key(), message, "a slip of a digit?");
    }
    let mut told: Vec<_> = sources.par_iter().flat_map_iter(of_source).collect();
    told.sort_by_key(|(at, field, kind, ..)| (*at, *field, *kind));
    told.dedup_by_key(|(at, field, ..)| (*at, *field));
    for (at, field, kind, usual, others) in told {
        let row = IndexedRow { at, row: &rows[at] };
        let value = row.get().get(field).map(ToString::to_string).unwrap_or_default();
        let message = format!("`{field}` is {value} here, and {usual} in {others} other rows of {}", kind.words());
        let finding = found.in_row(&row, field.key(), message, "unlike the other rows of its kind");
        if let Kind::Of(kind) = kind {
            finding.beside([kind.key().into()], "what they have in common");
        }
    }
}

/// Metrics that a field does not affect, except in a source that trains with several batch sizes.
const UNAFFECTED: &[(Metric, Field)] = &[
    (Metric::Accuracy, Field::BatchSize),
    (Metric::Accuracy, Field::Concurrency),
    (Metric::ErrorRate, Field::BatchSize),
];

/// The rows of a setting and their values.
type OfSetting = Vec<(usize, f64)>;

/// Minimum number of settings in which a metric is constant, per setting in which it is not.
const FEWEST_SAME: usize = 20;

/// Reports values that differ between rows which differ only in the batch, if other settings have equal values.
fn find_unaffected(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    for (metric, axis) in UNAFFECTED {
        let mut settings: BTreeMap<(&str, u64), OfSetting> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(value) = row.get().metric(*metric).filter(|_| row.get().get(*axis).is_some()) else { continue };
            let setting = context.setting_but_for(at, &[*axis]);
            settings.entry((row.get().source().as_str(), setting)).or_default().push((at, value.value()));
        }
        let mut sources: BTreeMap<&str, (usize, Vec<OfSetting>)> = BTreeMap::new();
        for ((source, _), of_setting) in settings.into_iter().filter(|(_, rows)| rows.len() > 1) {
            let (same, differing) = sources.entry(source).or_default();
            match of_setting.iter().all(|(_, value)| *value == of_setting[0].1) {
                true => *same += 1,
                false => differing.push(of_setting),
            }
        }
        for (same, differing) in sources.into_values().filter(|(same, all)| *same >= FEWEST_SAME * all.len().max(1)) {
            for of_setting in differing {
                let odd = odd_value(rows, &of_setting, *metric);
                let Some((at, value)) = odd.map(|odd| of_setting[odd]) else { continue };
                let Some(other) = of_setting.iter().find(|(_, other)| *other != value) else { continue };
                let row = IndexedRow { at, row: &rows[at] };
                let message = format!(
                    "`{metric}` is {value}, and {} with another {axis}; in {same} other settings of the source it is the same",
                    other.1
                );
                let finding = found.in_row(&row, metric.key(), message, "does not depend on this field elsewhere");
                finding.related(&rows[other.0], "the other row");
            }
        }
    }
}

/// The rarest value of a setting; of two values, the one farther from the network's other rows.
fn odd_value(rows: &[Located<Measurement>], of_setting: &[(usize, f64)], metric: Metric) -> Option<usize> {
    let first = rows[of_setting[0].0].get();
    let is_like = |other: &Measurement| {
        other.source() == first.source()
            && [Field::Network, Field::Dataset].iter().all(|field| other.get(*field) == first.get(*field))
    };
    let of_setting_at = |at: usize| of_setting.iter().any(|(own, _)| *own == at);
    let like = rows.iter().enumerate().filter(|(at, row)| !of_setting_at(*at) && is_like(row.get()));
    let like: Vec<f64> = like.filter_map(|(_, row)| Some(row.get().metric(metric)?.value())).collect();
    let apart = |value: f64| like.iter().map(|other| (other - value).abs()).fold(f64::INFINITY, f64::min);
    let times = |value: f64| of_setting.iter().filter(|(_, other)| *other == value).count();
    (0..of_setting.len()).max_by(|a, b| {
        let (a, b) = (of_setting[*a].1, of_setting[*b].1);
        times(b).cmp(&times(a)).then(apart(a).total_cmp(&apart(b)))
    })
}

/// Minimum number of rows with the usual value before a row with transposed digits counts as a typo. Counts need more,
/// since any digits are possible.
const USUAL_TEXT: usize = 5;
const USUAL_NUMBER: usize = 20;

/// Fields with arbitrary values, whose digits prove nothing.
const IN_ANY_STEPS: &[Field] = &[Field::BatchSizeGlobal, Field::Concurrency, Field::N];

/// Rows with a probable typing error: index, field, the usual value and its number of rows.
fn slips(rows: &[Located<Measurement>], of_source: &[usize]) -> Vec<(usize, Field, String, usize)> {
    let mut counts: HashMap<u64, (usize, usize, Field)> = HashMap::new();
    for at in of_source {
        for (field, value) in rows[*at].get().fields() {
            if !field.is_remark() && !IN_ANY_STEPS.contains(field) && !matches!(value, Value::Number(_)) {
                counts.entry(hash_of(*field, value)).or_insert((0, *at, *field)).0 += 1;
            }
        }
    }
    let mut told = Vec::new();
    for (_, at, field) in counts.values().filter(|(count, ..)| *count == 1) {
        let Some(value) = rows[*at].get().get(*field) else { continue };
        let is_count = matches!(value, Value::Count(_));
        let usual = |other: String| {
            let value = match is_count {
                true => Value::Count(other.parse().ok().filter(|_| !other.starts_with('0'))?),
                false => Value::Text(other.as_str().into()),
            };
            let (count, ..) = counts.get(&hash_of(*field, &value))?;
            (*count >= if is_count { USUAL_NUMBER } else { USUAL_TEXT }).then_some((other, *count))
        };
        if let Some((other, count)) = other_digits(&value.to_string(), is_count).into_iter().find_map(usual) {
            told.push((*at, *field, other, count));
        }
    }
    told
}

/// All texts that differ by two transposed digits, and for counts by a zero at the end.
fn other_digits(text: &str, is_count: bool) -> Vec<String> {
    let bytes = text.as_bytes();
    let exchanged = (1..bytes.len()).filter(|at| bytes[at - 1].is_ascii_digit() && bytes[*at].is_ascii_digit());
    let mut all: Vec<String> = exchanged
        .filter(|at| bytes[at - 1] != bytes[*at])
        .map(|at| format!("{}{}{}{}", &text[..at - 1], &text[at..=at], &text[at - 1..at], &text[at + 1..]))
        .collect();
    if is_count {
        all.extend(text.strip_suffix('0').filter(|shorter| shorter.len() > 1).map(ToOwned::to_owned));
        all.push(format!("{text}0"));
    }
    all
}

/// Reports square image sizes that occur only once, if the network also has another size.
fn find_shapes(context: &LintContext<'_>, found: &mut Findings) {
    let (rows, catalog) = (&context.loaded.rows, &context.loaded.catalog);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut of_networks: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for row in rows {
        if let Some(shape) = row.get().text(Field::InputShape) {
            *seen.entry(shape).or_default() += 1;
            of_networks.entry(row.get().text(Field::Network).unwrap_or_default()).or_default().insert(shape);
        }
    }
    let of_catalog = catalog.networks.values().map(|network| (network.id.as_str(), &network.input_shape));
    let of_catalog =
        of_catalog.chain(catalog.datasets.values().map(|dataset| (dataset.id.as_str(), &dataset.input_shape)));
    let known: HashMap<String, &str> =
        of_catalog.filter_map(|(id, shape)| Some((shape.as_ref()?.to_string(), id))).collect();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(shape), Some(network)) = (measurement.text(Field::InputShape), measurement.text(Field::Network))
        else {
            continue;
        };
        let entry = || catalog.networks.get(network).is_some_and(|network| network.input_shape.is_some());
        let has_other = || of_networks.get(network).is_some_and(|shapes| shapes.len() > 1) || entry();
        if seen.get(shape) == Some(&1)
            && measurement
                .input_shape()
                .is_some_and(|shape| matches!(shape.extents(), [3, height, width] if height == width))
            && !known.contains_key(shape)
            && has_other()
        {
            let message = format!(
                "no other row has an input of {shape}, and other rows of `{network}`, or its entry, have another"
            );
            found.in_row(&IndexedRow { at, row }, Field::InputShape.key(), message, "a digit?");
        }
    }
}

/// The exceptions for one key: index, field, key, the usual value and its number of rows.
fn odd<'l>(
    rows: &'l [Located<Measurement>],
    of_source: &[usize],
    kind: Kind,
) -> Vec<(usize, Field, Kind, &'l Value, usize)> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in of_source {
        if let Some(own) = kind.of(&rows[*at]) {
            groups.entry(own).or_default().push(*at);
        }
    }
    if groups.len() <= FEWEST_AGREEING {
        return Vec::new();
    }
    // Indexed by field, because this visits every field of every row for each key.
    let is_free: Vec<bool> = Field::VARIANTS.iter().map(|field| is_free(*field, kind)).collect();
    let mut learned: Vec<Learned<'_>> = Field::VARIANTS.iter().map(|_| Learned::default()).collect();
    let mut said: Vec<Option<GroupValues<'_>>> = Field::VARIANTS.iter().map(|_| None).collect();
    for group in groups.values().filter(|group| group.len() > 1) {
        for at in group {
            for (field, value) in rows[*at].get().fields() {
                let index = *field as usize;
                if is_free[index] || learned[index].broken {
                    continue;
                }
                match &mut said[index] {
                    Some(said) => said.add(value, *at),
                    None => said[index] = Some(GroupValues::new(value, *at)),
                }
            }
        }
        for (said, learned) in said.iter_mut().zip(&mut learned) {
            if let Some(said) = said.take() {
                learned.add(&said);
            }
        }
    }
    let laws = Field::VARIANTS.iter().zip(learned).filter(|(_, learned)| learned.is_law());
    laws.filter_map(|(field, learned)| learned.odd.map(|(at, usual, others)| (at, *field, kind, usual, others)))
        .collect()
}

/// Whether a field does not depend on a key. A host can have any number of devices.
fn is_free(field: Field, kind: Kind) -> bool {
    FREE.contains(&field)
        || field.is_remark()
        || field.tier() == Tier::Disclosure
        || field.key().ends_with("-raw") && field != Field::DatasetRaw
        || kind == Kind::Of(field)
        || kind == Kind::Of(Field::Host) && field == Field::DeviceCount
}

impl<'l> GroupValues<'l> {
    fn new(value: &'l Value, at: usize) -> Self {
        Self { first: (value, 1, at), second: None, more: false }
    }

    /// The first row with the rarer of two values: its index, the usual value and its number of rows. That is at least `fewest`, and,
    /// if several rows have the rarer value, at least `times` as many.
    fn odd(&self, fewest: usize, times: usize) -> Option<(usize, &'l Value, usize)> {
        let (value, count, at) = self.first;
        let (other, others, other_at) = self.second.filter(|_| !self.more)?;
        let is_odd = |few: usize, many: usize| many >= fewest && (few == 1 || few.saturating_mul(times) <= many);
        match () {
            () if is_odd(others, count) => Some((other_at, value, count)),
            () if is_odd(count, others) => Some((at, other, others)),
            () => None,
        }
    }

    fn add(&mut self, value: &'l Value, at: usize) {
        if self.first.0 == value {
            self.first.1 += 1;
            return;
        }
        match &mut self.second {
            None => self.second = Some((value, 1, at)),
            Some(second) if second.0 == value => second.1 += 1,
            Some(_) => self.more = true,
        }
    }
}

impl<'l> Learned<'l> {
    fn is_law(&self) -> bool {
        !self.broken
            && self.agreeing >= FEWEST_AGREEING
            && self.of_many >= FEWEST_OF_MANY
            && self.values.len() >= FEWEST_VALUES
    }

    fn add(&mut self, said: &GroupValues<'l>) {
        let (value, count, _) = said.first;
        if said.second.is_some() {
            let odd = said.odd(FEWEST_ROWS - 1, usize::MAX);
            self.broken = self.broken || odd.is_none_or(|odd| self.odd.replace(odd).is_some());
        } else if count > 1 {
            self.agreeing += 1;
            self.of_many += usize::from(count >= MANY);
            if self.values.len() < FEWEST_VALUES {
                self.values.insert(value.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_accuracies_the_one_that_no_other_row_is_near_is_odd() {
        let file = std::sync::Arc::new(crate::model::SourceFile::new("x", ""));
        let row = |accuracy: &str| {
            let fields = vec![(Field::Network, Value::Text("resnet-50".into()))];
            let metrics = [(Metric::Accuracy, accuracy.parse().unwrap())].into_iter().collect();
            Located::new(Measurement::new("x".parse().unwrap(), fields, metrics), &file, 0..0)
        };
        let rows = [row("0.618"), row("0.816"), row("0.814")];
        let odd = |of_setting: &[(usize, f64)]| odd_value(&rows, of_setting, Metric::Accuracy);
        assert_eq!(odd(&[(0, 0.618), (1, 0.816)]), Some(0));
        assert_eq!(odd(&[(1, 0.816), (0, 0.618)]), Some(1));
    }

    #[test]
    fn one_row_among_many_is_odd_and_two_values_of_several_rows_are_no_law() {
        let [usual, other] = ["9.0", "9.1"].map(|text| Value::Text(text.into()));
        let said = |values: &[&'static str]| {
            let mut said: Option<GroupValues<'_>> = None;
            for (at, value) in values.iter().enumerate() {
                let value = if *value == "9.0" { &usual } else { &other };
                match &mut said {
                    Some(said) => said.add(value, at),
                    None => said = Some(GroupValues::new(value, at)),
                }
            }
            let mut learned = Learned::default();
            learned.add(&said.unwrap());
            (learned.broken, learned.odd.map(|(at, value, others)| (at, value.clone(), others)))
        };
        assert_eq!(said(&["9.0", "9.0", "9.1", "9.0", "9.0"]), (false, Some((2, usual.clone(), 4))));
        assert_eq!(said(&["9.1", "9.0", "9.0", "9.0", "9.0"]), (false, Some((0, usual.clone(), 4))));
        assert_eq!(said(&["9.0", "9.0", "9.1", "9.1", "9.0"]), (true, None));
        assert_eq!(said(&["9.0", "9.0"]), (false, None));
    }

    #[test]
    fn digits_are_exchanged_with_their_neighbours() {
        assert_eq!(other_digits("510.47", false), ["150.47", "501.47", "510.74"]);
        assert_eq!(other_digits("160", true), ["610", "106", "16", "1600"]);
    }
}

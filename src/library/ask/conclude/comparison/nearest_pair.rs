//! Where no pair matches: the two rows that are nearest, what each measured, and what keeps them apart.

use std::collections::{BTreeMap, HashSet};

use strum::VariantArray as _;

use crate::ask::conclude::basis::evidence::{FRAME, spread_out};
use crate::ask::conclude::basis::matched_pairs::Run;
use crate::ask::conclude::basis::wording::item_counted;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::comparability::{Criterion, compared};
use crate::model::{Aspect, Field, Metric, Part};
use crate::rows::EntityCache;
use crate::stores::Stores;
use crate::values::Division;

/// So many different setups of each side are looked at, evenly spread.
const MOST: usize = 200;

/// The two rows that differ least.
#[derive(Debug, Clone)]
pub(super) struct NearestPair {
    /// What both measured.
    pub metric: Metric,
    /// The subject's row.
    pub subject: Run,
    /// The baseline's.
    pub baseline: Run,
    /// The fields in which they differ, in the order in which they are told.
    pub differs: Vec<Field>,
    /// The machines in which they ran, where one side ran the same in several.
    pub hosts: Option<(String, String)>,
    /// What decides that they are no pair.
    pub verdict: String,
}

/// Why no two rows of two sides can stand side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NothingShared {
    /// They state no metric in common.
    Metric,
    /// They ran no network in common: a row of one says nothing about a row of the other.
    Network,
    /// No row of one side stands as it was published: nothing rests on what was disputed or retracted.
    Standing,
    /// What they ran in common was timed in other stages, or counted in other things: no two numbers are of one kind.
    Kind,
}

/// What rows of both sides have in common before anything else is looked at, the most telling first; what no two rows share is
/// passed over. Items of different kinds, and percentiles and means, are no numbers to be set side by side.
const COMMON: &[Field] = &[
    Field::Network,
    Field::Counts,
    Field::Stage,
    Field::ComputeUnit,
    Field::Device,
    Field::DeviceSlice,
    Field::Statistic,
    Field::Scenario,
    Field::Division,
    Field::DeviceCount,
    Field::SequenceLength,
    Field::InputShape,
    Field::Precision,
    Field::BatchSize,
];

/// What weighs more than other fields when rows are set side by side.
const WEIGHTS: &[(Field, u32)] = &[
    (Field::Network, 8),
    (Field::Counts, 8),
    (Field::Stage, 6),
    (Field::ComputeUnit, 6),
    (Field::Device, 4),
    (Field::Division, 4),
    (Field::DeviceCount, 4),
    (Field::SequenceLength, 3),
    (Field::Precision, 2),
];

/// What goes with a device in a comparison and yet tells two numbers apart: the cores of one chip and the neural unit of another.
const PARTS_OF_DEVICE: &[Field] = &[Field::ComputeUnit, Field::DeviceSlice];

/// The two rows that differ least, or what the sides would have to share first.
pub(super) fn nearest_pair(
    stores: &Stores,
    values: &SharedValues,
    subject: &HitColumns,
    baseline: &HitColumns,
    metrics: &[Metric],
    varied: &[Field],
) -> Result<Result<NearestPair, NothingShared>, QueryError> {
    let mut lacking = NothingShared::Metric;
    let has_fallen = |hits: &HitColumns| (0..hits.len()).all(|hit| !values.stands(&hits.parts(hit)));
    if has_fallen(subject) || has_fallen(baseline) {
        return Ok(Err(NothingShared::Standing));
    }
    let goes_with = |field: Field| !PARTS_OF_DEVICE.contains(&field) && varied.iter().any(|of| field.varies_with(*of));
    let varies = |field: Field| varied.contains(&field) || goes_with(field);
    for &metric in metrics {
        let (mut own, mut other) = (candidates(values, subject, metric), candidates(values, baseline, metric));
        if own.is_empty() || other.is_empty() {
            continue;
        }
        if !varies(Field::Network) && !own.is_empty() && !other.is_empty() && !shares_network(values, &own, &other) {
            lacking = NothingShared::Network;
            continue;
        }
        if !keep_kind(values, &mut own, &mut other, metric, &varies) {
            lacking = if lacking == NothingShared::Network { lacking } else { NothingShared::Kind };
            continue;
        }
        let Some((a, b)) = nearest_of(values, (&own, &other), &varies) else { continue };
        let rows = stores.database.measurements(&[a.row, b.row])?;
        let joined = EntityCache::default().join(&stores.database, rows)?;
        let [own, other] = joined.as_slice() else { continue };
        // What goes with that which is compared keeps no two rows apart; threads do.
        let is_free = |field: &Field| varied.contains(field) || goes_with(*field) && *field != Field::Threads;
        let relaxed: Vec<Criterion> = Field::VARIANTS.iter().copied().filter(is_free).map(Criterion::Field).collect();
        let verdict = compared(&[own.compared_row(), other.compared_row()], metric, &relaxed).to_string();
        // What decides is told; circumstances and what is compared are not why there is no pair.
        let verdict = [", with caveats", ", never ranked", "; relaxed"]
            .iter()
            .fold(verdict.as_str(), |text, part| text.split(part).next().unwrap_or(text))
            .to_owned();
        let verdict = match verdict.strip_prefix("comparable") {
            Some("") => "alike in all that both state".to_owned(),
            Some(rest) if rest.starts_with(" with caveats") => "circumstances differ, or are not stated".to_owned(),
            Some(_) => verdict,
            None => match verdict.strip_prefix("unknown ") {
                Some(fields) => {
                    format!("not comparable because not both state it: {}", fields.trim_matches(['[', ']']))
                }
                None => verdict,
            },
        };
        let apart = |field: Field| match field {
            Field::BatchSize => values.batch(&a.parts) != values.batch(&b.parts),
            _ => {
                let number = |parts| values.number(Aspect::Field(field), parts);
                number(&a.parts) != number(&b.parts)
            }
        };
        // What of a chip ran says most.
        let told = PARTS_OF_DEVICE.iter().chain(FRAME).copied();
        let differs = told.filter(|field| !varies(*field) && apart(*field)).collect();
        // Machines hardly ever are the same, and say something where one side ran the same in several of them.
        let hosts = stores.database.aspect(Aspect::Field(Field::Host))?;
        let host = |run: &Run| hosts.of(run.parts[Part::Setup as usize]);
        let several = [(subject, &a), (baseline, &b)].into_iter().any(|(hits, run)| {
            let others = candidates(values, hits, metric).into_iter().filter(|other| is_same_work(values, other, run));
            others.filter_map(|other| host(&other)).any(|other| Some(other) != host(run))
        });
        let differ = several && !varied.contains(&Field::Host) && host(&a) != host(&b);
        let told = |run: &Run| host(run).unwrap_or("not stated").to_owned();
        let hosts = differ.then(|| (told(&a), told(&b)));
        return Ok(Ok(NearestPair { metric, subject: a, baseline: b, differs, verdict, hosts }));
    }
    Ok(Err(lacking))
}

/// Whether two rows are of the same work on the same device.
fn is_same_work(values: &SharedValues, one: &Run, other: &Run) -> bool {
    let number = |field: Field, run: &Run| values.number(Aspect::Field(field), &run.parts);
    [Field::Network, Field::Stage, Field::Device, Field::DeviceCount]
        .into_iter()
        .all(|field| number(field, one) == number(field, other))
}

/// The two rows that differ least: on one part of their chips, unless that leaves no device that both ran on.
fn nearest_of(
    values: &SharedValues,
    (own, other): (&[Run], &[Run]),
    varies: &impl Fn(Field) -> bool,
) -> Option<(Run, Run)> {
    let nearest = |later: &[Field]| {
        let is_first = |field: &&Field| !later.contains(field);
        let common = COMMON.iter().filter(is_first).chain(later).copied().filter(|field| !varies(*field));
        let (mut own, mut other) = (own.to_vec(), other.to_vec());
        keep_common(values, &mut own, &mut other, &common.collect::<Vec<Field>>());
        least_apart(values, &spread_out(&own, MOST), &spread_out(&other, MOST), varies)
    };
    let device = |run: &Run| values.number(Aspect::Field(Field::Device), &run.parts);
    let of_one_unit = nearest(&[])?;
    if varies(Field::Device) || device(&of_one_unit.0) == device(&of_one_unit.1) {
        return Some(of_one_unit);
    }
    nearest(&[Field::ComputeUnit])
}

/// What a number is of: two of different kinds are not nearer to each other for all else that they share. What a rate counts
/// belongs to it as well.
const KIND: &[Field] = &[Field::Network, Field::Stage];

/// The time for all of a data set says something beside that for the same one alone.
const OF_DATA: &[Metric] = &[Metric::EpochS, Metric::TotalS, Metric::TimeToAccuracyS];

/// Keeps the rows of both sides that are of one kind; whether there are any.
fn keep_kind(
    values: &SharedValues,
    own: &mut Vec<Run>,
    other: &mut Vec<Run>,
    metric: Metric,
    varies: &impl Fn(Field) -> bool,
) -> bool {
    let counted = metric.items_per().is_some() && !varies(Field::Counts);
    let kind = |row: &Run| -> Vec<u32> {
        let data = OF_DATA.contains(&metric).then_some(&Field::Dataset);
        let fields = KIND.iter().chain(data).filter(|field| !varies(**field));
        let fields = fields.map(|field| values.number(Aspect::Field(*field), &row.parts));
        fields.chain(counted.then(|| item_counted(values, &row.parts))).collect()
    };
    let of_own: HashSet<Vec<u32>> = own.iter().map(kind).collect();
    other.retain(|row| of_own.contains(&kind(row)));
    let of_other: HashSet<Vec<u32>> = other.iter().map(kind).collect();
    own.retain(|row| of_other.contains(&kind(row)));
    !own.is_empty()
}

/// Whether some row of both sides is of the same network.
fn shares_network(values: &SharedValues, own: &[Run], other: &[Run]) -> bool {
    let network = |row: &Run| values.number(Aspect::Field(Field::Network), &row.parts);
    let of_own: HashSet<u32> = own.iter().map(network).collect();
    other.iter().map(network).any(|number| of_own.contains(&number))
}

/// Keeps the rows of both sides that have these fields in common, the first before the others; those are passed over that no two
/// rows share which share all before.
fn keep_common(values: &SharedValues, own: &mut Vec<Run>, other: &mut Vec<Run>, fields: &[Field]) {
    let mut shared: Vec<Field> = Vec::with_capacity(fields.len());
    for &field in fields {
        shared.push(field);
        let key = |row: &Run| -> Vec<u32> {
            shared.iter().map(|field| values.number(Aspect::Field(*field), &row.parts)).collect()
        };
        let of_own: HashSet<Vec<u32>> = own.iter().map(key).collect();
        let both: HashSet<Vec<u32>> = other.iter().map(key).filter(|key| of_own.contains(key)).collect();
        if both.is_empty() {
            shared.pop();
            continue;
        }
        own.retain(|row| both.contains(&key(row)));
        other.retain(|row| both.contains(&key(row)));
    }
}

/// Of all pairs the one that differs least, by the weights of the fields.
fn least_apart(
    values: &SharedValues,
    own: &[Run],
    other: &[Run],
    varies: impl Fn(Field) -> bool,
) -> Option<(Run, Run)> {
    let weighed: Vec<(Field, u32)> = FRAME
        .iter()
        .chain(&[Field::Counts])
        .chain(PARTS_OF_DEVICE)
        .filter(|field| !varies(**field))
        .map(|field| (*field, WEIGHTS.iter().find(|(of, _)| of == field).map_or(1, |(_, weight)| *weight)))
        .collect();
    // Each number is looked up once for a row, not once for a pair.
    let rows = |rows: &[Run]| -> Vec<WeighedRow> {
        let of_row = |row: &Run| WeighedRow {
            source: values.number(Aspect::Source, &row.parts),
            numbers: weighed.iter().map(|(field, _)| values.number(Aspect::Field(*field), &row.parts)).collect(),
            sizes: SIZES.map(|field| values.count(field, &row.parts).map(|size| (size.max(1) as f64).log2())),
            is_open: values.text(Aspect::Field(Field::Division), &row.parts) == Some(Division::Open.into()),
        };
        rows.iter().map(of_row).collect()
    };
    let (of_own, of_other) = (rows(own), rows(other));
    let distance = |a: &WeighedRow, b: &WeighedRow| -> u32 {
        // What is not stated is alike within one source alone.
        let apart = |(own, other): (&u32, &u32)| own != other || *own == 0 && a.source != b.source;
        let fields = a.numbers.iter().zip(&b.numbers).zip(&weighed).filter(|(pair, _)| apart(*pair));
        let fields: u32 = fields.map(|(_, (_, weight))| weight).sum();
        // Of two sizes that differ the nearer one is nearer.
        let doublings = a.sizes.iter().zip(&b.sizes).filter_map(|(a, b)| Some((a.as_ref()? - b.as_ref()?).abs()));
        fields + doublings.sum::<f64>() as u32 + u32::from(a.is_open) + u32::from(b.is_open)
    };
    let pairs = own.iter().zip(&of_own).flat_map(|a| other.iter().zip(&of_other).map(move |b| (a, b)));
    let nearest = pairs.min_by_key(|((a, of_a), (b, of_b))| (distance(of_a, of_b), a.row, b.row));
    nearest.map(|((a, _), (b, _))| (*a, *b))
}

/// What is a size, of which some are nearer to each other than others.
const SIZES: [Field; 3] = [Field::DeviceCount, Field::SequenceLength, Field::BatchSize];

/// A row as it is weighed against others.
struct WeighedRow {
    source: u32,
    /// The numbers of what it states in the fields that weigh.
    numbers: Vec<u32>,
    /// How often each of its sizes doubles one.
    sizes: [Option<f64>; SIZES.len()],
    /// A result of the open division is that of a network and rules of one's own: it stands beside another one only where there is
    /// no other.
    is_open: bool,
}

/// Different rows with a value, the first of each that share everything.
fn candidates(values: &SharedValues, hits: &HitColumns, metric: Metric) -> Vec<Run> {
    let mut different: BTreeMap<PartNumbers, Run> = BTreeMap::new();
    for (hit, &value) in hits.values(metric).iter().enumerate() {
        let parts = hits.parts(hit);
        if !value.is_nan() && values.stands(&parts) {
            different.entry(parts).or_insert(Run { row: hits.row(hit), parts, value });
        }
    }
    different.into_values().collect()
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;

    #[test]
    fn as_many_devices_are_nearer_than_one_format_and_closed_results_than_open_ones() {
        let rows = r#"
[[table]]
columns = ["device", "device-count", "precision", "division", "label", "throughput-per-s"]
rows = [
  ["nova", 8, "fp16", "closed", "a", 800],
  ["nova", 1, "int8", "closed", "b", 90],
  ["nova", 1, "int8", "open", "c", 95],
  ["core", 1, "fp16", "closed", "d", 50],
  ["core", 1, "fp8", "open", "e", 55],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        assert!(told.text.starts_with("Nova with 90 images/s and Core with 50 images/s"), "{}", told.text);
        assert!(told.text.contains("they differ in precision (int8 against fp16)."), "{}", told.text);
    }

    #[test]
    fn the_rates_of_several_devices_and_of_one_are_told_with_the_share_of_each() {
        let rows = r#"
[[table]]
columns = ["device", "device-count", "throughput-per-s"]
rows = [["nova", 8, 800], ["core", 1, 50]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        let first = "8 x Nova with 800 images/s (100 for each device, divided) and 1 x Core with 50 images/s";
        assert!(told.text.starts_with(first), "{}", told.text);
        assert!(told.text.contains("devices (8 against 1)"), "{}", told.text);
    }

    #[test]
    fn the_machine_is_told_where_one_side_ran_the_same_in_several() {
        let rows = r#"
[[table]]
columns = ["device", "host", "statistic", "latency-ms"]
rows = [
  ["nova", "small board", "mean", 15],
  ["nova", "large server", "mean", 10],
  ["core", "other server", "p90", 13],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        assert!(told.text.contains("host ("), "{}", told.text);
        let alone = rows.replace("  [\"nova\", \"large server\", \"mean\", 10],\n", "");
        let sample = Sample::of(&[("paper-2020", &alone)]);
        let told = sample.conclude(&sample.versus("", &["device:nova", "device:core"]));
        assert!(!told.text.contains("host ("), "{}", told.text);
    }
}

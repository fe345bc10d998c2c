//! Finds values in another unit than the rest of their file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::comparability::nearest_factors;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample, level_of};
use crate::model::{Code, Field, Metric, Severity};
use crate::values::EntityId;
use crate::values::text::and_list;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(414),
    title: "a value in another unit than its file",
    severity: Severity::Warning,
    page: "Memory, power, energy, cost and long times of one file (memory and power also of one device in a source) lie close to each other: the nearest other value is less than twenty times as much, of a time fifteen, of power five times. One that is farther off is in GiB among MiB, in cents among dollars, in minutes or in mW. Rows with one network on one device, or with one label and input, lie as close together for their kind of value, so do networks with one label on one device (within 300 times), and so do trainings to an accuracy by their time multiplied by their devices; over all sources no training takes an eighth of what every other one of its network and target takes on such devices. Nor is an accuracy that a training aims at one that no other row of its network has, or one minus that of all other trainings of its network: then it is the error rate, as is an accuracy outside the range of the file's other networks if one minus it is inside; and no accuracy is far from that of all other rows of its network, data set and number of answers. Nor do most values of a file lie far from those of the source's other files for the same network, stage and device: then its whole column is in another unit.",
    sample: Sample::edited("measurements/imagined-2018/epochs.toml", "301]", "5.0]"),
    check: Check::Rows(find),
};

/// Metrics compared within a file, and the factor to the nearest other value that is too far. Rates and latencies vary
/// more and are compared by [`ALIKE`].
const METRICS: &[(Metric, f64)] = &[
    (Metric::MemoryMib, FAR),
    (Metric::PowerW, FAR),
    (Metric::CostUsd, FAR),
    (Metric::EnergyJ, FAR),
    (Metric::EpochS, FAR_TIME),
    (Metric::TotalS, FAR_TIME),
    (Metric::TimeToAccuracyS, FAR_TIME),
    (Metric::Gflops, FAR),
    (Metric::DeviceGflops, FAR),
    (Metric::BandwidthGbPerS, FAR),
    (Metric::ItemsPerJoule, FAR),
    (Metric::EnergyPerRequestJ, FAR),
    (Metric::TimePerOutputTokenMs, FAR),
    (Metric::InterTokenLatencyMs, FAR),
    (Metric::DeviceThroughputPerS, FAR),
    // Queues of requests grow with the load, so the values vary more.
    (Metric::TimeToFirstTokenMs, 100.0),
];

/// Metrics compared among the rows of a source that share some fields: the factor to the nearest other value that is
/// too far, and the fields. The nearest values in the repository's knowledge base are about half as far.
const ALIKE: &[(Metric, f64, &[Field])] = &[
    (Metric::LatencyMs, 300.0, &[Field::Network, Field::Label, Field::InputShape, Field::Stage]),
    (Metric::LatencyMs, 30.0, &[Field::Network, Field::Label, Field::Stage, Field::Device, Field::Setting]),
    (Metric::ThroughputPerS, 150.0, &[Field::Network, Field::Counts, Field::Stage, Field::Device]),
    (Metric::ThroughputPerS, 40.0, &[Field::Network, Field::Label, Field::Stage, Field::Device, Field::Setting]),
    (Metric::EnergyPerItemJ, 20.0, &[Field::Network, Field::Counts, Field::Stage]),
    (Metric::TimeToAccuracyS, 12.0, &[Field::Network, Field::Division]),
    (Metric::Accuracy, 3.0, &[Field::Network, Field::Dataset, Field::Stage, Field::TopK]),
];

/// Like [`ALIKE`] for whole networks of any kind on one device. In the repository's knowledge base the nearest other
/// values are up to 51 times (latency) and 207 times (throughput) off.
const ON_DEVICE: &[(Metric, f64, &[Field])] = &[
    (Metric::LatencyMs, 300.0, &[Field::Device, Field::Stage, Field::Label]),
    (Metric::ThroughputPerS, 500.0, &[Field::Device, Field::Stage, Field::Label]),
];

/// Minimum number of rows with the same fields.
const FEWEST_ALIKE: usize = 4;
const FEWEST_ON_DEVICE: usize = 3;

/// Metrics that are also compared over all files of a source, because a file may hold few values of one device.
const OF_DEVICES: &[Metric] = &[Metric::MemoryMib, Metric::PowerW];

/// A group of rows whose values are compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group<'l> {
    File(&'l Path),
    /// Rows of one source, on one device, with the same kind of meter.
    Device(&'l str, &'l str, &'l str),
}

/// Maximum factor to the nearest other value in a file; no value in the repository's knowledge base reaches it.
const FAR: f64 = 20.0;
/// The same for long durations, of which none reaches fifteen.
const FAR_TIME: f64 = 15.0;
/// Minimum number of values to compare.
const FEWEST: usize = 5;
/// Minimum number of durations to detect one that is stated in minutes, about sixty times off.
const FEWEST_TIMES: usize = 3;
const SIXTY: std::ops::RangeInclusive<f64> = 40.0..=90.0;
/// The same for powers of one device: the nearest other is never 2.5 times off.
const FAR_POWER: f64 = 5.0;
const FEWEST_POWERS: usize = 3;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    targets(context, found);
    complements(context, found);
    other_accuracies(context, found);
    whole_columns(context, found);
    let mut told = BTreeSet::new();
    for kind in ALIKE {
        alike(context, *kind, FEWEST_ALIKE, &mut told, found);
    }
    for kind in ON_DEVICE {
        alike(context, *kind, FEWEST_ON_DEVICE, &mut told, found);
    }
    too_short(context, &told, found);
    for (metric, far) in METRICS {
        let mut files: BTreeMap<Group<'_>, Vec<(usize, f64)>> = BTreeMap::new();
        for (at, row) in context.loaded.rows.iter().enumerate() {
            let measurement = row.get();
            let value = measurement.metric(*metric).map(|value| value.value()).filter(|value| *value > 0.0);
            if let Some(value) = value.filter(|_| context.is_undisputed(measurement)) {
                files.entry(Group::File(&row.file().path)).or_default().push((at, value));
                if let Some(device) = measurement.text(Field::Device).filter(|_| OF_DEVICES.contains(metric)) {
                    let metered = measurement.text(Field::Metered).unwrap_or_default();
                    let group = Group::Device(measurement.source().as_str(), device, metered);
                    let each = if *metric == Metric::PowerW { measurement.devices() as f64 } else { 1.0 };
                    files.entry(group).or_default().push((at, value / each));
                }
            }
        }
        let mut told: BTreeSet<usize> = BTreeSet::new();
        for (group, rows) in files {
            // The power of one device varies little.
            let is_power = *metric == Metric::PowerW && matches!(group, Group::Device(..));
            let (fewest, far) = if is_power { (FEWEST_POWERS, FAR_POWER) } else { (FEWEST, *far) };
            let is_time = matches!(metric, Metric::EpochS | Metric::TotalS | Metric::TimeToAccuracyS);
            if rows.len() < if is_time { FEWEST_TIMES } else { fewest } {
                continue;
            }
            let values: Vec<f64> = rows.iter().map(|(_, value)| *value).collect();
            for ((at, _), factor) in rows.iter().zip(nearest_factors(&values)) {
                let is_minutes = is_time && SIXTY.contains(&factor);
                if (factor > far && rows.len() >= fewest || is_minutes) && told.insert(*at) {
                    let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                    let Some(value) = row.get().metric(*metric) else { continue };
                    let among = match group {
                        Group::File(_) => "of its file",
                        Group::Device(..) => "on this device in this source",
                    };
                    let message = format!("`{metric}` is {value}, {factor:.0} times off the nearest {among}");
                    let finding = found.in_row(&row, metric.key(), message, "in another unit?");
                    if is_minutes {
                        finding.help("minutes or hours taken for seconds?");
                    }
                }
            }
        }
    }
}

/// Rows, by index, with their values.
type OfSetting = Vec<(usize, f64)>;

/// A source, and the hashes of the fields that its rows share.
type Common<'l> = (&'l str, [u64; 5]);

/// Reports rows whose value is far off that of every row of the source with the same fields.
fn alike(
    context: &LintContext<'_>,
    (metric, far, fields): (Metric, f64, &[Field]),
    fewest: usize,
    told: &mut BTreeSet<(usize, Metric)>,
    found: &mut Findings,
) {
    let of_any_network = !fields.contains(&Field::Network);
    let mut groups: BTreeMap<Common<'_>, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let value = measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0);
        let needed: &[Field] = if of_any_network { &[Field::Device] } else { &[Field::Network, Field::Label] };
        let is_named = |field: &Field| !needed.contains(field) || measurement.get(*field).is_some();
        let counts = || {
            fields.iter().all(is_named)
                && context.is_undisputed(measurement)
                && (!of_any_network || context.is_whole_network(measurement))
        };
        if let Some(value) = value.filter(|_| counts()) {
            let mut common = [0; 5];
            for (own, field) in common.iter_mut().zip(fields) {
                *own = level_of(measurement, *field);
            }
            // More devices reach an accuracy in less time, so the time of all devices is compared.
            let each = if metric == Metric::TimeToAccuracyS { measurement.devices() as f64 } else { 1.0 };
            // For accuracies, the odds of right to wrong are compared.
            let value = if metric == Metric::Accuracy { value / (1.0 - value).max(1e-4) } else { value };
            groups.entry((measurement.source().as_str(), common)).or_default().push((at, value * each));
        }
    }
    for rows in groups.into_values().filter(|rows| rows.len() >= fewest) {
        let values: Vec<f64> = rows.iter().map(|(_, value)| *value).collect();
        for ((at, _), factor) in rows.iter().zip(nearest_factors(&values)).filter(|(_, factor)| *factor > far) {
            let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
            let Some(value) = row.get().metric(metric).filter(|_| told.insert((*at, metric))) else { continue };
            let names: Vec<&str> = fields.iter().map(|field| field.key()).collect();
            let of = if metric == Metric::Accuracy { ": of the shares of right and wrong" } else { "" };
            let message = format!(
                "`{metric}` is {value}, {factor:.0} times off the nearest of the source's rows with the same {}{of}",
                and_list(&names)
            );
            found.in_row(&row, metric.key(), message, "in another unit, or a digit?");
        }
    }
}

/// Minimum number of accuracies of other networks, and the factor above which one is outside their range.
const FEWEST_ACCURACIES: usize = 4;
const OUTSIDE: f64 = 1.5;

/// Reports accuracies far outside the range of the file's other networks on the same data set, while one minus them is inside.
fn complements(context: &LintContext<'_>, found: &mut Findings) {
    const COMMON: &[Field] = &[Field::Dataset, Field::Stage, Field::TopK, Field::Timed];
    let mut groups: BTreeMap<(&Path, Vec<u64>), OfSetting> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let Some(value) = row.get().metric(Metric::Accuracy) else { continue };
        let common = COMMON.iter().map(|field| level_of(row.get(), *field)).collect();
        groups.entry((&row.file().path, common)).or_default().push((at, value.value()));
    }
    for rows in groups.into_values().filter(|rows| rows.len() > FEWEST_ACCURACIES) {
        for (at, value) in &rows {
            let own = &context.loaded.rows[*at];
            let is_other = |(other, _): &&(usize, f64)| {
                level_of(context.loaded.rows[*other].get(), Field::Network) != level_of(own.get(), Field::Network)
            };
            let others = || rows.iter().filter(is_other).map(|(_, value)| *value);
            let (least, most) = (others().fold(f64::INFINITY, f64::min), others().fold(0.0, f64::max));
            let is_outside = *value * OUTSIDE < least || *value > most * OUTSIDE;
            if others().count() >= FEWEST_ACCURACIES && is_outside && (least..=most).contains(&(1.0 - value)) {
                let message = format!("`accuracy` is {value}, that of the file's other networks {least} to {most}");
                let row = IndexedRow { at: *at, row: own };
                found.in_row(
                    &row,
                    Metric::Accuracy.key(),
                    message,
                    format!("the error rate? {:.4} are right then", 1.0 - value),
                );
            }
        }
    }
}

/// Minimum distance of a deviating accuracy, and minimum number of rows of any source for one network and data set: the
/// nearest is never farther off than 0.02 in the repository's data.
const FAR_ACCURACY: f64 = 0.08;
const FEWEST_OF_NETWORK: usize = 4;

/// Reports accuracies that no other row of any source comes near, for the same network, data set and number of answers.
fn other_accuracies(context: &LintContext<'_>, found: &mut Findings) {
    let mut groups: BTreeMap<[u64; 3], OfSetting> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate().filter(|(_, row)| context.is_undisputed(row.get())) {
        let measurement = row.get();
        let Some(value) = measurement.metric(Metric::Accuracy) else { continue };
        if [Field::Network, Field::Dataset].iter().all(|field| measurement.get(*field).is_some()) {
            let answers = u64::try_from(measurement.count(Field::TopK).unwrap_or(1)).unwrap_or_default();
            let common = [level_of(measurement, Field::Network), level_of(measurement, Field::Dataset), answers];
            groups.entry(common).or_default().push((at, value.value()));
        }
    }
    for mut rows in groups.into_values().filter(|rows| rows.len() >= FEWEST_OF_NETWORK) {
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        for (place, (at, value)) in rows.iter().enumerate() {
            let before = place.checked_sub(1).map_or(f64::INFINITY, |before| value - rows[before].1);
            let behind = rows.get(place + 1).map_or(f64::INFINITY, |behind| behind.1 - value);
            if before.min(behind) > FAR_ACCURACY {
                let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                let (least, most) =
                    if place == 0 { (rows[1].1, rows[rows.len() - 1].1) } else { (rows[0].1, rows[place - 1].1) };
                let message =
                    format!("`accuracy` is {value}, and {least} to {most} in other rows of the network and data set");
                found.in_row(&row, Metric::Accuracy.key(), message, "of another network, or of more answers (top 5)?");
            }
        }
    }
}

/// How a file is compared with the other files of its source: the fields that two rows must share, and the factor above which the
/// lower quartile of its distances to them is reported. The largest in the repository's data are 13, 36, 38 and 76.
const COLUMNS: &[(f64, &[Field])] = &[
    (20.0, &[Field::Network, Field::Label, Field::Stage, Field::Device, Field::Timed]),
    (50.0, &[Field::Network, Field::Stage, Field::Device]),
    (60.0, &[Field::Network, Field::Label, Field::Stage, Field::Counts, Field::Timed, Field::Framework]),
    (120.0, &[Field::Network, Field::Stage, Field::Timed, Field::Framework]),
];

/// Minimum number of values of a file to compare its column.
const FEWEST_OF_COLUMN: usize = 4;

/// A file, one of its rows, and a value or factor.
type OfFile<'l> = (&'l Path, usize, f64);

/// Reports files whose values of a metric are far from those of the source's other files: with a whole column in another unit, no
/// value is far from the others of its own file.
fn whole_columns(context: &LintContext<'_>, found: &mut Findings) {
    let mut columns: BTreeMap<(&str, Metric), Vec<OfFile<'_>>> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate().filter(|(_, row)| context.is_undisputed(row.get())) {
        let metrics = row.get().metrics().iter();
        for (metric, value) in metrics.filter(|(metric, value)| !metric.is_of_quality() && value.value() > 0.0) {
            let column = columns.entry((row.get().source().as_str(), *metric)).or_default();
            column.push((&row.file().path, at, value.value()));
        }
    }
    for ((_, metric), values) in columns {
        let mut told: BTreeSet<&Path> = BTreeSet::new();
        for (far, fields) in COLUMNS {
            for (path, first, factor) in far_files(context, &values, fields).into_iter().filter(|of| of.2 > *far) {
                if told.insert(path) {
                    let row = IndexedRow { at: first, row: &context.loaded.rows[first] };
                    let names: Vec<&str> = fields.iter().map(|field| field.key()).collect();
                    let message = format!(
                        "most values of `{metric}` in this file are {factor:.0} times or more off those of the source's other files with the same {}",
                        and_list(&names)
                    );
                    found
                        .in_row(&row, metric.key(), message, "is the whole column in another unit?")
                        .help("a time in `…-ms` is in milliseconds, a memory in MiB; the others may be wrong, too");
                }
            }
        }
    }
}

/// For each file with enough rows comparable to rows in other files: its first such row, and the lower quartile of the
/// factors to the nearest of them.
fn far_files<'l>(context: &LintContext<'l>, values: &[OfFile<'l>], fields: &[Field]) -> Vec<OfFile<'l>> {
    let mut groups: BTreeMap<Vec<u64>, Vec<(f64, &Path, usize)>> = BTreeMap::new();
    for (path, at, value) in values {
        let measurement = context.loaded.rows[*at].get();
        let common = fields.iter().map(|field| level_of(measurement, *field)).collect();
        groups.entry(common).or_default().push((*value, *path, *at));
    }
    let mut files: BTreeMap<&Path, (usize, Vec<f64>)> = BTreeMap::new();
    for mut group in groups.into_values() {
        group.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut off = vec![f64::INFINITY; group.len()];
        // Keeps the two latest values of different files, once upwards and once downwards.
        for is_upwards in [true, false] {
            let mut last: [Option<(f64, &Path)>; 2] = [None, None];
            for step in 0..group.len() {
                let at = if is_upwards { step } else { group.len() - 1 - step };
                let (value, path, _) = group[at];
                if let Some((other, _)) = last.into_iter().flatten().find(|(_, other)| *other != path) {
                    off[at] = off[at].min((value / other).max(other / value));
                }
                if last[0].is_none_or(|(_, own)| own != path) {
                    last[1] = last[0];
                }
                last[0] = Some((value, path));
            }
        }
        for ((_, path, at), off) in group.iter().zip(off).filter(|(_, off)| off.is_finite()) {
            let file = files.entry(path).or_insert((*at, Vec::new()));
            file.0 = file.0.min(*at);
            file.1.push(off);
        }
    }
    files.retain(|_, (_, off)| off.len() >= FEWEST_OF_COLUMN);
    let quarter = |(path, (first, mut off)): (_, (usize, Vec<f64>))| {
        off.sort_by(f64::total_cmp);
        (path, first, off[(off.len() - 1) / 4])
    };
    files.into_iter().map(quarter).collect()
}

/// Minimum factor below the others; in the repository's knowledge base no training takes less than a sixth of the shortest.
const FAR_BELOW: f64 = 8.0;

/// With this many others on devices of one family, compare only with them; otherwise with those on all devices.
const FEWEST_OF_FAMILY: usize = 2;

/// A training to an accuracy target: its row, the family of its device, and the device-seconds.
type Training = (usize, Option<EntityId>, f64);

/// Reports trainings to an accuracy target that take far fewer device-seconds than all others with the same network,
/// data set and target.
fn too_short(context: &LintContext<'_>, told: &BTreeSet<(usize, Metric)>, found: &mut Findings) {
    let metric = Metric::TimeToAccuracyS;
    let mut groups: BTreeMap<[u64; 3], Vec<Training>> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let Some(time) = measurement.metric(metric).filter(|_| context.is_undisputed(measurement)) else { continue };
        let Some(devices) = measurement.count(Field::DeviceCount) else { continue };
        let device = measurement.text(Field::Device).and_then(|device| device.parse().ok());
        let family = device.and_then(|device| context.loaded.catalog.device_lineage(&device).pop());
        let common = [Field::Network, Field::Dataset, Field::AccuracyTarget].map(|field| level_of(measurement, field));
        groups.entry(common).or_default().push((at, family, time.value() * devices as f64));
    }
    for rows in groups.into_values() {
        for (at, family, own) in &rows {
            let others = || rows.iter().filter(|(other, ..)| other != at);
            let of_family = || others().filter(|(_, other, _)| other == family);
            let is_known = of_family().count() >= FEWEST_OF_FAMILY;
            let least = |least: f64, (.., other): &Training| least.min(*other);
            let least = if is_known { of_family().fold(f64::MAX, least) } else { others().fold(f64::MAX, least) };
            if least < f64::MAX && own * FAR_BELOW < least && !told.contains(&(*at, metric)) {
                let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                let message = format!(
                    "{own:.0} s of all devices together, {:.0} times less than any other training to this accuracy",
                    least / own
                );
                let finding = found.in_row(&row, metric.key(), message, "minutes or hours taken for seconds?");
                finding.beside([Field::DeviceCount.key().into()], "or so many devices?");
            }
        }
    }
}

/// Tolerance for equal accuracies, below the last digit of any target.
const EQUAL: f64 = 1e-6;

/// Minimum number of other files that agree on the targets of a network.
const FEWEST_FILES: usize = 4;

/// Reports targets that no other row has, or that are one minus the target in every other file for the network.
fn targets(context: &LintContext<'_>, found: &mut Findings) {
    let mut networks: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let target = measurement.number(Field::AccuracyTarget).map(|target| target.value());
        if let (Some(target), Some(network)) = (target, measurement.text(Field::Network)) {
            networks.entry(network).or_default().push((at, target));
        }
    }
    let path = |at: usize| context.loaded.rows[at].file().path.as_path();
    for rows in networks.into_values() {
        for (at, target) in &rows {
            let in_others = |wanted: f64| {
                rows.iter().any(|(other, target)| (target - wanted).abs() < EQUAL && path(*other) != path(*at))
            };
            let others: BTreeSet<&Path> =
                rows.iter().map(|(other, _)| path(*other)).filter(|other| *other != path(*at)).collect();
            let is_alone = !rows.iter().any(|(other, own)| other != at && (own - target).abs() < EQUAL);
            if is_alone && others.len() >= FEWEST_FILES && !in_others(1.0 - target) {
                let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                let message =
                    format!("a target of {target}, which no other row of this network in {} files has", others.len());
                found.in_row(&row, Field::AccuracyTarget.key(), message, "a digit?");
            }
            if in_others(1.0 - target) && !in_others(*target) {
                let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                let message = format!("a target of {target}, where others ask for {:.4}", 1.0 - target);
                found.in_row(&row, Field::AccuracyTarget.key(), message, "the error rate?");
            }
        }
    }
}

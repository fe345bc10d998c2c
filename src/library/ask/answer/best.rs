//! Marks the best values of an answer, each among the measurements comparable with it.

use std::collections::{BTreeSet, HashMap};

use strum::VariantArray as _;

use crate::comparability::{AllowedAxes, RankAmong, RankedRow, Spread, ranks};
use crate::model::physics::{DeviceLimits, items_per_second, operations_of_row, peak_allowance};
use crate::model::{Field, Measurement, Metric, Network};
use crate::rows::{JoinedCatalog, JoinedRow};
use crate::values::EntityId;

/// The fields in which rows may differ when the best is marked; a framework includes its version, a device its place.
const COMPARED: &[Field] = &[Field::Device, Field::Framework];
/// The fields that must be stated, so that no row wins by something unknown. A batch may be per device or global.
const DECISIVE: &[&[Field]] = &[
    &[Field::Network],
    &[Field::Stage],
    &[Field::DeviceCount],
    &[Field::Precision],
    &[Field::BatchSize, Field::BatchSizeGlobal],
];
/// The fields that rows of one group of the page share.
const GROUP: &[Field] = &[Field::Network, Field::Dataset, Field::Stage, Field::Scenario, Field::Counts];

/// Records in each row of an answer which of its metrics are the best among comparable rows.
///
/// Devices and frameworks are compared, all else being equal and stated: network, stage, precision, batch, device count.
/// In a group of rows at most one is marked for a metric: if several are best, each among different rows, or if the known
/// dispersion does not distinguish them, a reader could not see what each is better than. Rows that were disputed, superseded or
/// retracted are skipped, and so are values beyond what the device can do.
pub(super) fn mark_best(measurements: &mut [JoinedRow], catalog: &JoinedCatalog) {
    let mut best: Vec<Vec<Metric>> = vec![Vec::new(); measurements.len()];
    let eligible =
        |at: &usize| measurements[*at].recorded().is_in_good_standing() && states_what_decides(&measurements[*at]);
    let eligible: Vec<usize> = (0..measurements.len()).filter(eligible).collect();
    // Frameworks use different quantisations, but none is better for it, so only rows with the same one are compared.
    let mut alike: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
    for at in eligible {
        alike.entry(measurements[at].recorded().text(Field::Quantization)).or_default().push(at);
    }
    let known = KnownLimits::of(measurements, catalog);
    for &metric in Metric::VARIANTS {
        let winners = alike.values().flat_map(|rows| best_of((measurements, rows), metric, &known));
        let mut of_groups: HashMap<Vec<Option<&str>>, Vec<usize>> = HashMap::new();
        for at in winners {
            let group = GROUP.iter().map(|field| measurements[at].recorded().text(*field)).collect();
            of_groups.entry(group).or_default().push(at);
        }
        for at in of_groups.into_values().filter(|winners| winners.len() == 1).flatten() {
            best[at].push(metric);
        }
    }
    for (measurement, best) in measurements.iter_mut().zip(best) {
        measurement.set_best(best);
    }
}

/// The physical limits on the values of rows.
struct KnownLimits<'c> {
    /// The limits of each device in the rows; a family has those of its most capable members.
    devices: HashMap<String, DeviceLimits>,
    networks: HashMap<&'c str, &'c Network>,
}

impl<'c> KnownLimits<'c> {
    fn of(rows: &[JoinedRow], catalog: &'c JoinedCatalog) -> Self {
        let mut devices: HashMap<String, DeviceLimits> = HashMap::new();
        for device in rows.iter().filter_map(|row| row.recorded().text(Field::Device)) {
            if devices.contains_key(device) {
                continue;
            }
            let members = catalog.devices.iter().filter(|member| {
                member.id.as_str() == device
                    || member.variant_of.as_ref().is_some_and(|family| family.as_str() == device)
            });
            devices.insert(device.to_owned(), DeviceLimits::of(members));
        }
        Self { devices, networks: catalog.networks.iter().map(|network| (network.id.as_str(), network)).collect() }
    }
}

/// The rows that have the best value of a metric, each among the rows comparable with it.
fn best_of((measurements, eligible): (&[JoinedRow], &[usize]), metric: Metric, known: &KnownLimits<'_>) -> Vec<usize> {
    let ranked = eligible.iter().filter_map(|at| {
        let row = &measurements[*at];
        let (value, _) = row.metric(metric)?;
        // If too little is known to compute the utilisation, the row is accepted.
        if utilisation(row.recorded(), metric, value.value(), known).is_some_and(|utilisation| utilisation > 1.0) {
            return None;
        }
        let spread = Spread::of(row.recorded(), metric);
        Some((*at, RankedRow { row: row.compared_row(), value: value.value(), spread }))
    });
    let (places, ranked_rows): (Vec<usize>, Vec<RankedRow<'_>>) = ranked.unzip();
    if ranked_rows.len() < 2 {
        return Vec::new();
    }
    let ranked = ranks(&ranked_rows, metric.direction(), metric, AllowedAxes::Only(COMPARED), &[]);
    // A median and a mean are comparable, but the best must not depend on which of them a source states.
    let mut statistics: HashMap<usize, BTreeSet<&str>> = HashMap::new();
    for (at, place) in places.iter().zip(&ranked) {
        if let (Some(place), Some(statistic)) = (place, measurements[*at].recorded().text(Field::Statistic)) {
            statistics.entry(place.best).or_default().insert(statistic);
        }
    }
    let is_of_one = |place: &RankAmong| statistics.get(&place.best).is_none_or(|stated| stated.len() < 2);
    let ranked: Vec<Option<RankAmong>> = ranked.into_iter().map(|place| place.filter(is_of_one)).collect();
    let ranked = places.into_iter().zip(ranked);
    ranked.filter(|(_, place)| place.is_some_and(|place| place.is_best())).map(|(at, _)| at).collect()
}

fn states_what_decides(row: &JoinedRow) -> bool {
    DECISIVE.iter().all(|fields| fields.iter().any(|field| row.recorded().get(*field).is_some()))
}

/// The fraction of its devices' peak that the value of a row implies.
fn utilisation(row: &Measurement, metric: Metric, value: f64, known: &KnownLimits<'_>) -> Option<f64> {
    let devices = row.count(Field::DeviceCount).unwrap_or(1);
    let rate = match metric {
        Metric::ThroughputPerS => value,
        Metric::LatencyMs => {
            let of_one = row.count(Field::BatchSize).and_then(|batch| batch.checked_mul(devices));
            items_per_second(row.count(Field::BatchSizeGlobal).or(of_one).unwrap_or(1), value)?
        }
        _ => return None,
    };
    let (peak, format) = known.devices.get(row.text(Field::Device)?)?.peak(row.precision())?;
    let network = *known.networks.get(row.text(Field::Network)?)?;
    let lineage = [Some(&network.id), network.variant_of.as_ref(), network.family.as_ref()];
    let names: Vec<&str> = lineage.into_iter().flatten().map(EntityId::as_str).collect();
    let input = row.text(Field::InputShape).and_then(|shape| shape.parse().ok());
    let counts = row.text(Field::Counts).and_then(|word| word.parse().ok());
    let operations = operations_of_row(network, row.text(Field::Stage)?.parse().ok()?, counts, input.as_ref())?;
    Some(rate * operations / 1e12 / (peak * devices as f64 * peak_allowance(format, &names)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    const ALIKE: [(Field, &str); 4] =
        [(Field::Network, "resnet-50"), (Field::Stage, "eval"), (Field::Precision, "fp16"), (Field::Statistic, "mean")];

    /// A row measured on one device with batch 8, with the fields of [`ALIKE`] unless `others` replaces them.
    fn row(source: &str, device: &str, others: &[(Field, &str)], latency: &str) -> JoinedRow {
        let own = ALIKE.iter().filter(|(field, _)| others.iter().all(|(other, _)| other != field));
        let mut fields: Vec<(Field, Value)> =
            own.chain(others).map(|(field, value)| (*field, Value::Text((*value).into()))).collect();
        fields.push((Field::Device, Value::Text(device.into())));
        fields.push((Field::DeviceCount, Value::Count(1)));
        if others.iter().all(|(field, _)| *field != Field::BatchSize) {
            fields.push((Field::BatchSize, Value::Count(8)));
        }
        fields.retain(|(_, value)| value.to_string() != "");
        let metrics = vec![(Metric::LatencyMs, latency.parse().unwrap())];
        Measurement::new(source.parse().unwrap(), fields.into_iter().collect(), metrics).into()
    }

    fn best_of(rows: &[JoinedRow]) -> Vec<bool> {
        let mut rows = rows.to_vec();
        mark_best(&mut rows, &JoinedCatalog::default());
        rows.iter().map(|row| row.is_best(Metric::LatencyMs)).collect()
    }

    #[test]
    fn the_best_is_found_within_what_can_be_compared() {
        let train = [(Field::Stage, "train")];
        let [x, y] = [row("a", "x", &[], "2.0"), row("a", "y", &[], "3.0")];
        let rows = [x, y, row("a", "x", &train, "1.0"), row("a", "y", &train, "9.0")];
        assert_eq!(best_of(&rows), [true, false, true, false]);
    }

    #[test]
    fn nobody_wins_by_another_precision_or_by_what_is_not_stated() {
        let fp32 = [(Field::Precision, "fp32")];
        let unknown = [(Field::Precision, "")];
        assert_eq!(best_of(&[row("a", "x", &[], "2.0"), row("a", "y", &fp32, "3.0")]), [false, false]);
        assert_eq!(best_of(&[row("a", "x", &unknown, "2.0"), row("a", "y", &unknown, "3.0")]), [false, false]);
        let median = [(Field::Statistic, "median")];
        assert_eq!(best_of(&[row("a", "x", &median, "2.0"), row("a", "y", &[], "3.0")]), [false, false]);
        let p99 = [(Field::Statistic, "p99")];
        assert_eq!(best_of(&[row("a", "x", &[], "2.0"), row("a", "y", &p99, "3.0")]), [false, false]);
    }

    #[test]
    fn what_was_retracted_is_never_best() {
        let retracted = [(Field::Standing, "retracted")];
        let rows = [row("a", "x", &retracted, "1.0"), row("a", "y", &[], "2.0"), row("a", "z", &[], "3.0")];
        assert_eq!(best_of(&rows), [false, true, false]);
        assert_eq!(best_of(&rows[..2]), [false, false], "nobody is left to be better than");
    }

    #[test]
    fn a_group_has_one_best_or_none() {
        let fp32 = [(Field::Precision, "fp32")];
        let [x, y] = [row("a", "x", &[], "2.0"), row("a", "y", &[], "3.0")];
        let rows = [x, y, row("a", "x", &fp32, "4.0"), row("a", "y", &fp32, "5.0")];
        assert_eq!(best_of(&rows), [false; 4], "a reader could not see among which each is best");
        let alike = [row("a", "x", &[], "2.0"), row("a", "y", &[], "2.0"), row("a", "z", &[], "3.0")];
        assert_eq!(best_of(&alike), [false; 3]);
        assert_eq!(best_of(&alike[..1]), [false]);
    }
}

//! What rows are compared by: the metrics or derived measure of a question, the fallbacks for each, and the check against the
//! hardware peak: a result above the dense peak is a failed run and is not ranked.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::ask::hits::{CombinedNumbers, HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::ask::parse::{Key, Quantity, Question, Result};
use crate::model::physics::{DeviceLimits, items_per_second, operations_of_row, peak_allowance};
use crate::model::{
    Aspect, CatalogInputs, Dataset, Derived, Device, Facet, Field, Measure, Metric, Network, NumberFormat, Part, Value,
};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::{Decimal, EntityKind};

/// The metrics compared if the question names none; the usual metric comes first.
pub(in crate::ask) const SPEED_METRICS: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::LatencyMs,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::DeviceThroughputPerS,
    Metric::MeanLatencyMs,
    Metric::Gflops,
    Metric::BandwidthGbPerS,
];

/// Metrics per item, which are comparable across batch sizes; a latency is that of a whole batch.
pub(super) const AT_ANY_BATCH: &[Metric] = {
    use Metric::*;
    &[ThroughputPerS, DeviceThroughputPerS, EpochS, ItemsPerJoule, EnergyPerItemJ]
};

/// What rows are compared by in one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ask) enum By {
    /// Equivalent metrics, the usual one first.
    Metrics(Vec<Metric>),
    /// A measure computed from metrics and the catalog.
    Derived(Derived),
}

impl By {
    /// The measures for the wanted quantities, followed by their fallbacks for rows that state too little; tried in this order.
    pub fn ladder(wanted: &[Quantity]) -> Vec<Self> {
        let speed = || Self::Metrics(SPEED_METRICS.to_vec());
        let mut ladder: Vec<Self> = Vec::new();
        // A speed named beside another measure only says what that measure counts: `tokens/s per watt`.
        let is_speed = |quantity: &&Quantity| {
            matches!(quantity, Quantity::Metric(metric) if SPEED_METRICS.contains(metric))
                || **quantity == Quantity::Speed
        };
        let mut wanted: Vec<&Quantity> = wanted.iter().collect();
        wanted.sort_by_key(is_speed);
        for quantity in wanted {
            let measure = match quantity {
                Quantity::Derived(Derived::ScalingEfficiency) | Quantity::Speed => None,
                Quantity::Metric(metric) => Some(Measure::Metric(*metric)),
                Quantity::Derived(derived) => Some(Measure::Derived(*derived)),
                _ => continue,
            };
            if let Some(measure) = measure {
                ladder.extend([measure].iter().chain(instead_of(measure)).map(|measure| Self::of(*measure)));
            }
            // Any metric of speed can tell how many times as fast something is.
            if is_speed(&quantity) || measure.is_none() {
                ladder.push(speed());
            }
        }
        if ladder.is_empty() {
            ladder.push(speed());
        }
        ladder
    }

    /// Like [`ladder`](Self::ladder), but instances use their own price instead of that of their devices.
    pub fn ladder_of(question: &Question, wanted: &[Quantity]) -> Vec<Self> {
        let lists = question.of == Some(Key::Facet(Facet::Instance));
        let is_of_instances = lists || question.sides.iter().any(|side| side.has(Facet::Instance));
        let mut ladder = Self::ladder(wanted);
        let rented = |by: &&mut Self| is_of_instances && **by == Self::Derived(Derived::ItemsPerDollar);
        ladder.iter_mut().filter(rented).for_each(|by| *by = Self::Derived(Derived::ItemsPerInstanceDollar));
        ladder
    }

    /// If this is the list of speeds, adds token latencies for rows that state no speed. Each metric is paired only with itself.
    pub fn and_tokens(self) -> Self {
        match self {
            Self::Metrics(speeds) if speeds == SPEED_METRICS => {
                Self::Metrics([SPEED_METRICS, &[Metric::TimePerOutputTokenMs, Metric::TimeToFirstTokenMs]].concat())
            }
            other => other,
        }
    }

    fn of(measure: Measure) -> Self {
        match measure {
            Measure::Metric(metric) => Self::Metrics(vec![metric]),
            Measure::Derived(derived) => Self::Derived(derived),
        }
    }

    /// The metrics whose comparison rules apply.
    pub fn metrics(&self) -> Vec<Metric> {
        match self {
            Self::Metrics(metrics) => metrics.clone(),
            Self::Derived(derived) => vec![derived.basis()],
        }
    }

    /// The measure whose values are stored in the column of a metric.
    pub fn measure(&self, metric: Metric) -> Measure {
        match self {
            Self::Metrics(_) => Measure::Metric(metric),
            Self::Derived(derived) => Measure::Derived(*derived),
        }
    }

    /// Whether a value is comparable across device counts: per device, per joule or per dollar.
    pub fn is_of_any_count(&self) -> bool {
        use Derived::{ItemsPerDollar, ItemsPerInstanceDollar, ItemsPerTdpJoule, ThroughputPerDevice};
        match self {
            Self::Derived(derived) => {
                matches!(derived, ThroughputPerDevice | ItemsPerDollar | ItemsPerInstanceDollar | ItemsPerTdpJoule)
            }
            Self::Metrics(metrics) => {
                self.is_of_whole_systems() || metrics.iter().all(|metric| *metric == Metric::DeviceThroughputPerS)
            }
        }
    }

    /// Whether the measurement includes the host: one small card in a server does worse than eight.
    pub fn is_of_whole_systems(&self) -> bool {
        let of_energy = |metric: &Metric| matches!(metric, Metric::ItemsPerJoule | Metric::EnergyPerItemJ);
        matches!(self, Self::Metrics(metrics) if metrics.iter().all(of_energy))
    }

    /// The key of the first measure.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Metrics(metrics) => metrics.first().map_or("", |metric| metric.key()),
            Self::Derived(derived) => derived.key(),
        }
    }

    /// The rows that match a condition, with values; a derived measure is stored in the column of its basis metric.
    pub fn hits(&self, stores: &Stores, values: &SharedValues, condition: &Condition) -> Result<HitColumns> {
        let hits = HitColumns::of(stores, condition, self.needs())?;
        let Self::Derived(derived) = self else { return Ok(hits) };
        let of_hits = derived_values(stores, values, &hits, *derived)?;
        Ok(hits.with_values(derived.basis(), of_hits))
    }

    /// The metrics that must be read to compute the values.
    pub fn needs(&self) -> &[Metric] {
        match self {
            Self::Metrics(metrics) => metrics,
            Self::Derived(derived) => derived.needs(),
        }
    }
}

/// The fallbacks for a measure that rows do not state, nearest first. First equivalent metrics: batch latency for mean query
/// latency, energy for power; then measures derived from others. A derived measure with unknown inputs falls back too: board power
/// for the drawn power, board price for rent, the whole training for one epoch.
fn instead_of(measure: Measure) -> &'static [Measure] {
    use Derived::*;
    use Measure::{Derived as D, Metric as M};
    match measure {
        M(Metric::LatencyMs) => &[M(Metric::MeanLatencyMs), D(TimePerItemMs)],
        M(Metric::MeanLatencyMs) => &[M(Metric::LatencyMs), D(TimePerItemMs)],
        M(Metric::PowerW) => &[M(Metric::EnergyJ), M(Metric::EnergyPerItemJ), M(Metric::ItemsPerJoule)],
        M(Metric::EnergyJ) => &[
            M(Metric::EnergyPerRequestJ),
            M(Metric::ItemsPerJoule),
            M(Metric::PowerW),
            D(OutputTokenEnergyJ),
            D(TargetTdpEnergyJ),
            D(ItemsPerTdpJoule),
        ],
        M(Metric::EnergyPerItemJ) => &[M(Metric::ItemsPerJoule), D(OutputTokenEnergyJ), D(ItemTdpEnergyJ)],
        M(Metric::ItemsPerJoule) => &[M(Metric::EnergyPerItemJ), D(ItemsPerTdpJoule)],
        M(Metric::EfficiencyRatio) => &[D(ItemsPerTdpJoule)],
        M(Metric::DeviceThroughputPerS) => &[D(ThroughputPerDevice)],
        M(Metric::Mfu) => &[D(PeakFraction)],
        M(Metric::CostUsd) => &[D(CostToAccuracyUsd), D(ItemsPerDollar), D(RatePerLaunchUsd)],
        M(Metric::EpochS) => &[D(EpochTimeS)],
        D(EpochEnergyJ) => &[D(EpochTdpEnergyJ), D(ItemsPerTdpJoule)],
        D(ItemsPerDollar) => &[D(RatePerLaunchUsd)],
        D(CostPerEpochUsd) => &[D(CostToAccuracyUsd), M(Metric::CostUsd)],
        D(CostToAccuracyUsd) => &[M(Metric::CostUsd)],
        _ => &[],
    }
}

/// The value numbers of a row in some aspects, combined into one number for each part.
pub(in crate::ask) type ShareKey = PartNumbers;

/// The keys of all shares by some aspects, so that rows are grouped without reading a value twice.
#[derive(Debug)]
pub(in crate::ask) struct ShareKeys {
    numbers: [Vec<u32>; 4],
}

impl ShareKeys {
    /// Computes the keys by these aspects.
    pub fn of(values: &SharedValues, aspects: &[Aspect]) -> Self {
        let of_part = |part: Part| {
            let own = aspects.iter().filter(|aspect| aspect.part() == Some(part));
            let columns: Vec<_> = own.filter_map(|aspect| values.column(*aspect)).collect();
            CombinedNumbers::of_columns(&columns).into_numbers()
        };
        Self { numbers: [Part::Setup, Part::Workload, Part::Protocol, Part::Batch].map(of_part) }
    }

    /// The key of a row.
    pub fn key(&self, parts: &PartNumbers) -> ShareKey {
        let mut key = ShareKey::default();
        for ((number, share), numbers) in key.iter_mut().zip(parts).zip(&self.numbers) {
            *number = numbers.get(*share as usize).copied().unwrap_or_default();
        }
        key
    }
}

/// The values of a derived measure, one for each hit; NaN if an input is unknown.
pub(in crate::ask) fn derived_values(
    stores: &Stores,
    values: &SharedValues,
    hits: &HitColumns,
    measure: Derived,
) -> Result<Vec<f64>> {
    // Rows with equal inputs have the same factor, whatever else their shares state.
    let inputs: Vec<Aspect> = measure.inputs().iter().copied().map(Aspect::Field).collect();
    let keys = ShareKeys::of(values, &inputs);
    let mut factors: NumberMap<ShareKey, Option<f64>> = NumberMap::default();
    // A number that rows state individually is not in a share; it is the whole divisor.
    let own = measure.own_number().map(|field| stores.index.numbers_of(field, hits.rows()));
    let own = own.transpose()?.unwrap_or_default();
    let mut derived = Vec::with_capacity(hits.len());
    for hit in 0..hits.len() {
        let rate = hits.values(measure.rate()).get(hit).copied().unwrap_or(f64::NAN);
        let factor = if rate.is_nan() {
            None
        } else if let Some(own) = own.get(hit) {
            Some(own.recip()).filter(|factor| factor.is_finite())
        } else {
            let parts = hits.parts(hit);
            let key = keys.key(&parts);
            match factors.get(&key) {
                Some(factor) => *factor,
                None => *factors.entry(key).or_insert(factor(stores, values, measure, &parts)?),
            }
        };
        let power = hits.values(Metric::PowerW).get(hit).copied().filter(|power| !power.is_nan());
        derived.push(factor.and_then(|factor| measure.value(factor, rate, power)).unwrap_or(f64::NAN));
    }
    Ok(derived)
}

/// The factor that converts a row's metric to a measure; `None` if an input is unknown.
fn factor(stores: &Stores, values: &SharedValues, measure: Derived, parts: &PartNumbers) -> Result<Option<f64>> {
    let (inputs, store) = (measure.inputs(), &stores.database);
    let text = |field: Field| values.text(field, parts).filter(|_| inputs.contains(&field));
    let device = text(Field::Device).map(|id| device_with_kin(stores, id)).transpose()?.flatten();
    // On a device with TF32 units it is unknown whether fp32 work used them, and so which peak applies.
    let is_tf32 = |device: &Device| device.peak_tflops.contains_key(&NumberFormat::Tf32Tensor);
    let is_open = measure == Derived::PeakFraction && text(Field::Precision) == Some("fp32");
    if is_open && device.as_ref().is_some_and(is_tf32) {
        return Ok(None);
    }
    let network: Option<Network> = text(Field::Network).map(|id| store.entity(id)).transpose()?.flatten();
    let dataset: Option<Dataset> = text(Field::Dataset).map(|id| store.entity(id)).transpose()?.flatten();
    let catalog = CatalogInputs { device: device.as_ref(), network: network.as_ref(), dataset: dataset.as_ref() };
    let stated = inputs.iter().filter_map(|field| Some((*field, values.value(*field, parts)?)));
    let stated: Vec<(Field, Value)> = stated.collect();
    Ok(catalog.factor(measure, |field| stated.iter().find(|(of, _)| *of == field).map(|(_, value)| value)))
}

/// The members of a device family.
pub(super) fn members_of(stores: &Stores, id: &str) -> Result<Vec<Device>> {
    let mut members = Vec::new();
    for member in stores.database.descendants(EntityKind::Device, id)? {
        members.extend(stores.database.entity::<Device>(&member)?);
    }
    Ok(members)
}

/// A device. A family gets the TDP and launch price on which all its members agree; a member gets the offers of its family, as an
/// offer of "a V100" is for one of its members.
fn device_with_kin(stores: &Stores, id: &str) -> Result<Option<Device>> {
    let Some(mut family) = stores.database.entity::<Device>(id)? else { return Ok(None) };
    let mut parent = family.variant_of.clone();
    while let Some(id) = parent {
        let Some(kin) = stores.database.entity::<Device>(id.as_str())? else { break };
        family.cloud.extend(kin.cloud);
        parent = kin.variant_of;
    }
    if family.tdp_w.is_none() || family.launch_price_usd.is_none() {
        let members = members_of(stores, id)?;
        let of_all = |read: fn(&Device) -> Option<Decimal>| -> Option<Decimal> {
            let stated: Vec<Decimal> = members.iter().filter_map(read).collect();
            stated.first().filter(|first| stated.iter().all(|other| other.value() == first.value())).copied()
        };
        family.tdp_w = family.tdp_w.or_else(|| of_all(|member| member.tdp_w));
        family.launch_price_usd = family.launch_price_usd.or_else(|| of_all(|member| member.launch_price_usd));
    }
    Ok(Some(family))
}

/// Checks values against the peaks of devices; each limit is computed once.
pub(in crate::ask) struct Possible<'p> {
    stores: &'p Stores,
    values: &'p SharedValues,
    /// Limits by the numbers of device, network and precision.
    limits: HashMap<[u32; 3], Option<Limit>>,
}

/// The network, the device peak, and how many times the peak the method of the network may appear to reach.
type Limit = (Network, f64, f64);

impl<'p> Possible<'p> {
    /// Creates an empty cache; limits are read on demand.
    pub fn new(stores: &'p Stores, values: &'p SharedValues) -> Self {
        Self { stores, values, limits: HashMap::new() }
    }

    /// Whether a value is within the peak of the row's devices; true if too little is known to tell.
    pub fn is_possible(&mut self, parts: &PartNumbers, measure: Measure, value: f64) -> Result<bool> {
        let key = [Field::Device, Field::Network, Field::Precision].map(|field| self.values.number(field, parts));
        let limit = match self.limits.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(limit(self.stores, self.values, parts)?),
        };
        let devices = self.values.count(Field::DeviceCount, parts).unwrap_or(1);
        let rate = match measure {
            Measure::Derived(Derived::PeakFraction) => {
                return Ok(value <= limit.as_ref().map_or(1.0, |(.., allowance)| *allowance));
            }
            Measure::Metric(Metric::ThroughputPerS) => Some(value),
            Measure::Derived(Derived::ThroughputPerDevice) => Some(value * devices as f64),
            Measure::Derived(Derived::TimePerItemMs) => Some(1000.0 / value),
            Measure::Metric(Metric::LatencyMs) => {
                // Without a stated batch size, assume one item.
                let of_all = self.values.count(Field::BatchSizeGlobal, parts);
                let batch = of_all.or_else(|| self.values.batch(parts)?.checked_mul(devices)).unwrap_or(1);
                items_per_second(batch, value)
            }
            _ => None,
        };
        // The fraction of the devices' peak that an item rate implies.
        let share = rate.zip(limit.as_ref()).and_then(|(rate, (network, peak, allowance))| {
            let text = |field: Field| self.values.text(field, parts);
            let counts = text(Field::Counts).and_then(|word| word.parse().ok());
            let input = text(Field::InputShape).and_then(|shape| shape.parse().ok());
            let operations = operations_of_row(network, text(Field::Stage)?.parse().ok()?, counts, input.as_ref())?;
            Some(rate * operations / 1e12 / (peak * devices as f64 * allowance))
        });
        Ok(share.is_none_or(|share| share <= 1.0))
    }
}

/// The limit for a row's device and network; for a device family, that of its fastest member.
fn limit(stores: &Stores, values: &SharedValues, parts: &PartNumbers) -> Result<Option<Limit>> {
    let text = |field: Field| values.text(field, parts);
    let (Some(device), Some(id)) = (text(Field::Device), text(Field::Network)) else { return Ok(None) };
    let Some(network) = stores.database.entity::<Network>(id)? else { return Ok(None) };
    let precision = text(Field::Precision).and_then(|precision| precision.parse().ok());
    let lineage = stores.database.ancestors(EntityKind::Network, id)?;
    let peak = DeviceLimits::of(members_of(stores, device)?.iter()).peak(precision);
    Ok(peak.map(|(peak, format)| (network, peak, peak_allowance(format, &lineage))))
}

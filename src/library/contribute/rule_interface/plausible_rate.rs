//! The compute rate that a measurement implies for its device, and the mistakes that would explain an implausible one.

use std::sync::LazyLock;

use regex::Regex;

use super::context::LintContext;
use super::findings::Finding;
use crate::model::physics::{
    OPERATIONS_PER_MULTIPLY_ADD, forward_passes, items_per_second, operations_of_row, peak_allowance,
};
use crate::model::{Dataset, Field, Measurement, Metric, NumberFormat};
use crate::values::text::or_list;
use crate::values::{Counted, EntityKind, HardwareClass, Stage};

/// The use of its device that a row implies.
#[derive(Debug, Clone)]
pub(in crate::contribute) struct Claim {
    /// Utilisation as a fraction of the dense peak (1 = all of it).
    pub utilisation: f64,
    /// Achieved rate in 10^12 operations per second over all devices; a multiply-add is two operations.
    pub achieved: f64,
    /// The peak that the utilisation refers to, TFLOP/s of one device.
    pub peak: f64,
    pub format: NumberFormat,
    /// Number of devices; 1 if the row does not state it.
    pub devices: f64,
    /// Items in the batches of all devices; 1 if the row does not state it.
    pub batch: f64,
    /// Allowed multiple of the nominal peak, for clocks above nominal and algorithms with fewer multiplications.
    pub allowance: f64,
    /// The key of the metric that implies it.
    pub key: &'static str,
}

/// Maximum clock over the nominal boost clock. Boards exceed it if heat and power allow; data sheets do not say how far.
const BOOST: f64 = 1.15;

/// Fraction of the parameters that compute. Up to a quarter may be embeddings, of which a token only looks up one row.
const COMPUTED: f64 = 0.75;

/// Items per second, as stated or derived from batch and latency, with the key it comes from.
pub(in crate::contribute) fn rate(m: &Measurement) -> Option<(f64, &'static str)> {
    if let Some(throughput) = m.metric(Metric::ThroughputPerS) {
        return Some((throughput.value(), Metric::ThroughputPerS.key()));
    }
    let latency = m.metric(Metric::LatencyMs)?.value();
    Some((items_per_second(m.items_in_batch()?, latency)?, Metric::LatencyMs.key()))
}

/// Items per second of a training epoch over a whole data set.
fn rate_of_epoch(dataset: &Dataset, m: &Measurement) -> Option<(f64, &'static str)> {
    let time = m.metric(Metric::EpochS)?.value();
    let items = dataset.train_size.filter(|_| m.stage() == Some(Stage::Train) && time > 0.0)?;
    Some((items as f64 / time, Metric::EpochS.key()))
}

/// The use of the device that the row implies, if network, device and row state enough.
pub(in crate::contribute) fn claim(context: &LintContext<'_>, m: &Measurement) -> Option<Claim> {
    let limits = context.limits.get(m.text(Field::Device)?)?;
    let (peak, format) = limits.peak(m.precision())?;
    let catalog = &context.loaded.catalog;
    let dataset = m.text(Field::Dataset).and_then(|id| catalog.datasets.get(id));
    let (rate, key) = rate(m).or_else(|| rate_of_epoch(dataset?, m))?;
    let network = catalog.networks.get(m.text(Field::Network)?)?;
    let of_dataset = || dataset?.input_shape.clone().filter(|_| key == Metric::EpochS.key());
    let input = m.input_shape().or_else(of_dataset);
    let stage = m.stage()?;
    // Training on a sequence takes at least the work of its tokens.
    let (counts, items) = match (m.counts(), m.count(Field::SequenceLength)) {
        (Some(Counted::Sequence), Some(tokens)) if stage == Stage::Train => {
            (Some(Counted::Token), tokens as f64 * COMPUTED)
        }
        (counts, _) => (counts, 1.0),
    };
    let operations = items * operations_of_row(network, stage, counts, input.as_ref())?;
    let devices = m.devices() as f64;
    let achieved = rate * operations / 1e12;
    let batch = m.items_in_batch().unwrap_or(1) as f64;
    let device = context.loaded.catalog.devices.get(m.text(Field::Device)?)?;
    let boost = if device.class == HardwareClass::Gpu { BOOST } else { 1.0 };
    let allowance = boost * peak_allowance(format, context.network_lineage(network.id.as_str()));
    Some(Claim { utilisation: achieved / (peak * devices), achieved, peak, format, devices, batch, allowance, key })
}

/// The claim of a row that times a matrix product in a stated format; its label states the sizes: `M 5124, N 700, K 2048`.
pub(in crate::contribute) fn claim_of_product(context: &LintContext<'_>, m: &Measurement) -> Option<Claim> {
    static SIZES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bM (\d+), N (\d+), K (\d+)").expect("the pattern is tested"));
    let sizes = SIZES.captures(m.text(Field::Label)?)?;
    let size = |at: usize| sizes[at].parse::<f64>().ok();
    let (peak, format) = context.limits.get(m.text(Field::Device)?)?.peak(Some(m.precision()?))?;
    let seconds = m.metric(Metric::LatencyMs)?.value() / 1e3;
    let achieved = OPERATIONS_PER_MULTIPLY_ADD * size(1)? * size(2)? * size(3)? / seconds / 1e12;
    let key = Metric::LatencyMs.key();
    let utilisation = achieved / peak;
    Some(Claim { utilisation, achieved, peak, format, devices: 1.0, batch: 1.0, allowance: BOOST, key })
}

/// Records the facts that the claim depends on: the device's peak, and the work and size of the network.
pub(in crate::contribute) fn judged(finding: &mut Finding, claim: &Claim, m: &Measurement) {
    let peak = format!("peak-tflops.{}", claim.format);
    finding
        .rests_on(EntityKind::Device, m.text(Field::Device), peak)
        .rests_on(EntityKind::Network, m.text(Field::Network), "multiply-adds-g")
        .rests_on(EntityKind::Network, m.text(Field::Network), "input-shape")
        .rests_on(EntityKind::Network, m.text(Field::Network), "parameters-m");
    if m.count(Field::BatchSize).is_some_and(|batch| batch > 1) {
        finding.beside([Field::BatchSize.key().into()], "with this batch");
    }
}

/// Plausible utilisation of a real run.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.02..=0.75;

/// The mistakes that would explain the claim because undoing them gives a plausible utilisation, in words.
pub(in crate::contribute) fn slips(claim: &Claim, m: &Measurement) -> Option<String> {
    let train = m.stage() == Some(Stage::Train);
    let latency = claim.key == Metric::LatencyMs.key();
    let epoch = claim.key == Metric::EpochS.key();
    let mut slips: Vec<(f64, String)> = Vec::new();
    if claim.batch > 1.0 && latency {
        slips.push((1.0 / claim.batch, format!("the time is that of one item, not of the batch of {}", claim.batch)));
    }
    if claim.batch > 1.0 && !latency && !epoch {
        slips.push((claim.batch, format!("the throughput counts batches of {}, not items", claim.batch)));
        slips.push((1.0 / claim.batch, format!("the throughput was multiplied by the batch of {} twice", claim.batch)));
    }
    if train {
        slips.push((
            1.0 / forward_passes(Stage::Train),
            "only the forward pass was timed, not forward and backward".to_owned(),
        ));
    }
    slips.push((
        1.0 / OPERATIONS_PER_MULTIPLY_ADD,
        "operations stand for multiply-adds in the network's entry".to_owned(),
    ));
    for devices in [2.0, 4.0, 8.0, 16.0] {
        if claim.devices == 1.0 {
            slips.push((1.0 / devices, format!("the figure is that of {devices} devices")));
        } else if claim.devices == devices {
            slips.push((devices, format!("the figure is that of one of the {devices} devices")));
        }
    }
    match latency {
        true => {
            slips.push((1e-3, "the time is in seconds, not milliseconds".to_owned()));
            slips.push((1e3, "the time is in microseconds, not milliseconds".to_owned()));
        }
        false if epoch => {
            slips.push((1.0 / 60.0, "the time is in minutes, not seconds".to_owned()));
            slips.push((1.0 / 3600.0, "the time is in hours, not seconds".to_owned()));
            slips.push((1e3, "the time is in milliseconds, not seconds".to_owned()));
        }
        false => slips.push((1e-3, "the throughput is per 1000 seconds, or a time in ms was taken for s".to_owned())),
    }
    slips.push((2.0, "the device's peak is the sparse one, twice the dense".to_owned()));
    let too_much = claim.utilisation > 0.85;
    let explaining: Vec<String> = slips
        .into_iter()
        .filter(|(factor, _)| (*factor < 1.0) == too_much || *factor == 2.0 && !too_much)
        .filter(|(factor, _)| PLAUSIBLE.contains(&(claim.utilisation * factor)))
        .map(|(_, slip)| slip)
        .collect();
    (!explaining.is_empty()).then(|| or_list(&explaining))
}

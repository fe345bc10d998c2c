//! What a measurement claims that its device did, and which slip would explain the difference.

use super::context::LintContext;
use crate::model::physics::{OPERATIONS_PER_MULTIPLY_ADD, forward_passes, items_per_second, operations_per_item};
use crate::model::{Field, Measurement, Metric, NumberFormat};
use crate::values::text::or_list;
use crate::values::{Counted, Shape, Stage};

/// What a row claims about the use of its device.
#[derive(Debug, Clone)]
pub(in crate::contribute) struct Claim {
    /// Share of the dense peak, 1 is all of it.
    pub utilisation: f64,
    /// 10^12 operations a second, all devices together; a multiply-add is two.
    pub achieved: f64,
    /// The peak it is a share of, TFLOP/s, one device.
    pub peak: f64,
    pub format: NumberFormat,
    /// Devices, 1 where the row does not say.
    pub devices: f64,
    /// Items in all batches, 1 where the row does not say.
    pub batch: f64,
    /// How many times the direct method's work a run may claim, because its method needs fewer multiplications.
    pub allowance: f64,
    /// The key whose value claims it.
    pub key: &'static str,
}

/// Families whose convolutions are nearly all 3x3 with stride 1.
const BY_WINOGRAD: &[&str] = &["vgg", "alexnet"];

/// Winograd's minimal filtering makes 2x2 results of a 3x3 convolution from 4x4 inputs with 16 multiplications, the direct
/// method with 4 x 9. cuDNN and neon use it in plain formats.
const WINOGRAD: f64 = 36.0 / 16.0;

/// Items a second: as stated, else those of the batches in the latency. With the key that says it.
pub(in crate::contribute) fn rate(m: &Measurement) -> Option<(f64, &'static str)> {
    if let Some(throughput) = m.metric(Metric::ThroughputPerS) {
        return Some((throughput.value(), Metric::ThroughputPerS.key()));
    }
    let latency = m.metric(Metric::LatencyMs)?.value();
    Some((items_per_second(m.items_in_batch()?, latency)?, Metric::LatencyMs.key()))
}

/// What the row claims, where network, device and row say enough.
pub(in crate::contribute) fn claim(context: &LintContext<'_>, m: &Measurement) -> Option<Claim> {
    let limits = context.limits.get(m.text(Field::Device)?)?;
    let (peak, format) = limits.peak(m.precision())?;
    let (rate, key) = rate(m)?;
    let operations = operations(context, m)?;
    let devices = m.devices() as f64;
    let achieved = rate * operations / 1e12;
    let batch = m.items_in_batch().unwrap_or(1) as f64;
    let network = m.entity(Field::Network)?;
    let lineage = context.loaded.catalog.network_lineage(&network);
    let plain = !format.is_on_matrix_unit();
    let filtered = plain && lineage.iter().any(|family| BY_WINOGRAD.contains(&family.as_str()));
    let allowance = if filtered { WINOGRAD } else { 1.0 };
    Some(Claim { utilisation: achieved / (peak * devices), achieved, peak, format, devices, batch, allowance, key })
}

/// Operations for one item. What is not said to be counted is images, and a query asks for one sample at least.
fn operations(context: &LintContext<'_>, m: &Measurement) -> Option<f64> {
    let network = context.loaded.catalog.networks.get(m.text(Field::Network)?)?;
    let counts = match m.counts() {
        None => Counted::Image,
        Some(Counted::Query) => Counted::Sample,
        Some(counts) => counts,
    };
    let input_scale = network.input_shape.as_ref().and_then(|own| scale_of(m.input_shape().as_ref(), own));
    operations_per_item(network, m.stage()?, counts, input_scale)
}

/// The work at an input over that at the network's own: that of convolutions grows with the area, that of other layers
/// may not.
fn scale_of(measured: Option<&Shape>, own: &Shape) -> Option<f64> {
    let area = |shape: &Shape| match shape.extents() {
        [_, height, width] => Some(f64::from(*height) * f64::from(*width)),
        _ => None,
    };
    match measured {
        Some(shape) if shape != own => Some(area(shape)? / area(own)?),
        _ => Some(1.0),
    }
}

/// Utilisations that a real run may have.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.02..=0.75;

/// Which slip would bring the claim to a plausible use of the device, in words.
pub(in crate::contribute) fn slips(claim: &Claim, m: &Measurement) -> Option<String> {
    let train = m.stage() == Some(Stage::Train);
    let latency = claim.key == Metric::LatencyMs.key();
    let mut slips: Vec<(f64, String)> = Vec::new();
    if claim.batch > 1.0 && latency {
        slips.push((1.0 / claim.batch, format!("the time is that of one item, not of the batch of {}", claim.batch)));
    }
    if claim.batch > 1.0 && !latency {
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

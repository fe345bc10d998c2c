//! What a device can do at most, what a measurement claims that it did, and which slip would explain the difference.

use std::collections::BTreeMap;

use super::context::LintContext;
use crate::model::physics::{
    OPERATIONS_PER_MULTIPLY_ADD, formats_of, forward_passes, items_per_second, operations_per_item,
};
use crate::model::{Device, Field, Measurement, Metric, NumberFormat};
use crate::values::text::or_list;
use crate::values::{Counted, Precision, Shape, Stage};

/// The limits of a device, or the widest limits among the members of a family.
#[derive(Debug, Clone, Default)]
pub(in crate::contribute) struct Limits {
    peaks: BTreeMap<NumberFormat, f64>,
    /// Whether a member has matrix units.
    tensor: bool,
    pub memory_gib: Option<f64>,
    pub tdp_w: Option<f64>,
}

impl Limits {
    pub fn of<'d>(devices: impl Iterator<Item = &'d Device>) -> Self {
        let mut limits = Self::default();
        let wider = |old: &mut Option<f64>, new: Option<f64>| {
            *old = old.iter().copied().chain(new).reduce(f64::max);
        };
        for device in devices {
            for (format, peak) in &device.peak_tflops {
                let widest = limits.peaks.entry(*format).or_insert(0.0);
                *widest = widest.max(peak.value());
            }
            limits.tensor |= device.tensor_cores.is_some();
            wider(&mut limits.memory_gib, device.memory_gib.map(|gib| gib.value()));
            wider(&mut limits.tdp_w, device.tdp_w.map(|watts| watts.value()));
        }
        limits
    }

    /// The highest dense rate (TFLOP/s) at which a recipe may compute, and its format; `None` when it is not known.
    ///
    /// Without a stated precision every format counts.
    pub fn peak(&self, precision: Option<Precision>) -> Option<(f64, NumberFormat)> {
        use NumberFormat::*;
        let (own, also) = match precision {
            None => {
                (&[Int8Tensor, Fp32][..], &[Fp16, Fp16Tensor, Bf16Tensor, Tf32Tensor, Fp8Tensor, Int8, Int4Tensor][..])
            }
            Some(precision) => (formats_of(precision), faster_formats(precision)),
        };
        // Where there are matrix units, their rate in the format must be known; only late ones compute in fp64.
        let unit = own.iter().find(|format| format.is_on_matrix_unit() && **format != Fp64Tensor);
        if self.tensor && unit.is_some_and(|unit| !self.peaks.contains_key(unit)) {
            return None;
        }
        let known = |formats: &[NumberFormat]| -> Vec<(f64, NumberFormat)> {
            formats.iter().filter_map(|format| Some((*self.peaks.get(format)?, *format))).collect()
        };
        let own = known(own);
        if own.is_empty() {
            return None;
        }
        own.into_iter().chain(known(also)).max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The rate of one format, TFLOP/s.
    pub fn rate(&self, format: NumberFormat) -> Option<f64> {
        self.peaks.get(&format).copied()
    }
}

/// Formats other than its own in which a run of a recipe may compute, so that it may be faster than its own peak.
///
/// A short format may be stored and computed in fp32, and fp32 is computed in TF32 by default where there is TF32 (cuDNN's
/// convolutions since Ampere).
fn faster_formats(precision: Precision) -> &'static [NumberFormat] {
    use NumberFormat::{Fp16Tensor, Fp32, Tf32Tensor};
    match precision {
        Precision::Fp32 => &[Tf32Tensor],
        Precision::Fp16 | Precision::AmpFp16 => &[Fp32],
        Precision::Bf16 | Precision::AmpBf16 => &[Fp16Tensor, Fp32],
        _ => &[],
    }
}

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

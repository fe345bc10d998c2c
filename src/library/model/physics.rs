//! The arithmetic that relates networks, devices and measurements; each concept is defined once.

use std::collections::BTreeMap;

use crate::model::device::{Device, NumberFormat};
use crate::model::network::Network;
use crate::values::{Counted, Precision, Shape, Stage};

/// Bytes of one number. A mixed recipe may keep its weights in the short format only.
pub fn bytes_of(precision: Precision) -> f64 {
    match precision {
        Precision::Fp64 => 8.0,
        Precision::Fp32 | Precision::Tf32 => 4.0,
        Precision::Fp16 | Precision::Bf16 | Precision::AmpFp16 | Precision::AmpBf16 | Precision::Int16 => 2.0,
        Precision::Fp8 | Precision::Mxfp8 | Precision::Int8 | Precision::Uint8 => 1.0,
        Precision::Fp4 | Precision::Mxfp4 | Precision::Nvfp4 | Precision::Int4 | Precision::Uint4 => 0.5,
        Precision::Binary => 0.125,
    }
}

/// The first llama.cpp recipe whose name starts with `name`, and its bits per weight including the scales.
///
/// Sources: README of `tools/quantize`, ggml-org/llama.cpp, commit 311c2c9f (Llama 3.1 8B); `Q4_0` to `Q5_1` are from the table
/// of its README of 2023 (LLaMA 7B).
pub fn bits_of_recipe(name: &str) -> Option<(&'static str, f64)> {
    const BITS: [(&str, f64); 27] = [
        ("Q4_K_M", 4.8944),
        ("Q4_K_S", 4.6672),
        ("Q4_0", 4.5),
        ("Q4_1", 5.0),
        ("IQ4_XS", 4.4597),
        ("IQ4_NL", 4.6818),
        ("Q5_K_M", 5.7036),
        ("Q5_K_S", 5.5704),
        ("Q5_0", 5.5),
        ("Q5_1", 6.0),
        ("Q6_K", 6.5633),
        ("Q8_0", 8.5008),
        ("Q3_K_L", 4.2979),
        ("Q3_K_S", 3.6429),
        ("IQ3_M", 3.7628),
        ("IQ3_S", 3.6606),
        ("IQ3_XS", 3.4977),
        ("IQ3_XXS", 3.2548),
        ("Q2_K", 3.1593),
        ("Q2_K_S", 2.9697),
        ("IQ2_M", 2.9294),
        ("IQ2_S", 2.7403),
        ("IQ2_XS", 2.5882),
        ("IQ2_XXS", 2.3824),
        ("IQ1_M", 2.1460),
        ("IQ1_S", 2.0042),
        ("F16", 16.0005),
    ];
    let name = name.to_uppercase();
    BITS.into_iter().find(|(recipe, _)| !name.is_empty() && recipe.starts_with(&name))
}

/// Whether the counted item is one input of an image network, whose multiply-adds the catalog states.
///
/// Tokens and sequences are not: their work depends on their length. A query may contain several samples.
pub fn is_one_image(counts: Counted) -> bool {
    matches!(counts, Counted::Image | Counted::Sample | Counted::Frame | Counted::Inference)
}

/// Whether the counted item is one sample of a data set, so that an epoch has as many items as the data set has samples.
///
/// Frames are not: speech networks count the frames of a sample.
pub fn is_one_sample(counts: Counted) -> bool {
    is_one_image(counts) && counts != Counted::Frame
}

/// The number formats in which a recipe computes, the matrix unit's first; empty where no device has a stated peak.
pub fn formats_of(precision: Precision) -> &'static [NumberFormat] {
    use NumberFormat::*;
    match precision {
        Precision::Fp64 => &[Fp64Tensor, Fp64],
        Precision::Fp32 => &[Fp32],
        Precision::Tf32 => &[Tf32Tensor],
        Precision::Fp16 | Precision::AmpFp16 => &[Fp16Tensor, Fp16],
        Precision::Bf16 | Precision::AmpBf16 => &[Bf16Tensor, Bf16],
        Precision::Fp8 | Precision::Mxfp8 => &[Fp8Tensor],
        Precision::Int8 | Precision::Uint8 => &[Int8Tensor, Int8],
        Precision::Int4 | Precision::Uint4 => &[Int4Tensor],
        Precision::Fp4 | Precision::Mxfp4 | Precision::Nvfp4 | Precision::Int16 | Precision::Binary => &[],
    }
}

/// The dense peak of a recipe on a device, TFLOP/s (TOP/s for integers), and the number format of that peak.
///
/// This is the matrix unit's peak where the device has one for the recipe, because the vendors' libraries use it by
/// default: also for fp64 (A100 and later), where the plain units have half its rate, and for int4, which only matrix
/// units support. The exception is fp32, which a matrix unit computes only as TF32, a different recipe.
pub fn dense_peak(device: &Device, precision: Precision) -> Option<(NumberFormat, f64)> {
    let known = |format: &NumberFormat| Some((*format, device.peak_tflops.get(format)?.value()));
    formats_of(precision).iter().find_map(known).filter(|(_, peak)| *peak > 0.0)
}

/// The limits of a device, or the highest limits among the members of a family.
#[derive(Debug, Clone, Default)]
pub struct DeviceLimits {
    peaks: BTreeMap<NumberFormat, f64>,
    /// Whether a member has matrix units.
    tensor: bool,
    /// Memory, GiB.
    pub memory_gib: Option<f64>,
    /// Thermal design power, W.
    pub tdp_w: Option<f64>,
    /// Memory bandwidth, 10^9 byte/s.
    pub bandwidth: Option<f64>,
}

impl DeviceLimits {
    /// The limits of one device, or the highest of several.
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
            wider(&mut limits.bandwidth, device.bandwidth_gb_per_s.map(|bandwidth| bandwidth.value()));
        }
        limits
    }

    /// The highest dense rate (TFLOP/s) at which a recipe may compute, and its format; `None` when it is unknown.
    ///
    /// Without a stated precision, every format counts.
    pub fn peak(&self, precision: Option<Precision>) -> Option<(f64, NumberFormat)> {
        use NumberFormat::*;
        let (own, also) = match precision {
            None => {
                (&[Int8Tensor, Fp32][..], &[Fp16, Fp16Tensor, Bf16Tensor, Tf32Tensor, Fp8Tensor, Int8, Int4Tensor][..])
            }
            Some(precision) => (formats_of(precision), faster_formats(precision)),
        };
        // On devices with matrix units, their rate in the format must be known; only recent matrix units compute in fp64.
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

    /// The highest rate of any format, TFLOP/s.
    pub fn highest_peak(&self) -> Option<f64> {
        self.peaks.values().copied().reduce(f64::max)
    }

    /// The rate of one format, TFLOP/s.
    pub fn rate(&self, format: NumberFormat) -> Option<f64> {
        self.peaks.get(&format).copied()
    }
}

/// Formats other than its own in which a run of a recipe may compute, so that it may exceed its own peak.
///
/// A short format may be stored but computed in fp32, and fp32 is computed in TF32 by default where TF32 exists
/// (cuDNN's convolutions since Ampere).
fn faster_formats(precision: Precision) -> &'static [NumberFormat] {
    use NumberFormat::{Fp16Tensor, Fp32, Tf32Tensor};
    match precision {
        Precision::Fp32 => &[Tf32Tensor],
        Precision::Fp16 | Precision::AmpFp16 => &[Fp32],
        Precision::Bf16 | Precision::AmpBf16 => &[Fp16Tensor, Fp32],
        _ => &[],
    }
}

/// Operations of one multiply-add: the multiplication and the addition.
pub const OPERATIONS_PER_MULTIPLY_ADD: f64 = 2.0;

/// A backward pass computes the gradients of activations and of weights: each takes as much work as the forward pass
/// (Chowdhery et al. 2022, PaLM, appendix B).
const BACKWARD_IN_FORWARD_PASSES: f64 = 2.0;

/// The work of a stage in forward passes: a training step is one forward and one backward pass.
///
/// The weight update and the recomputation of activations are not counted, as in model FLOPs utilisation (PaLM).
pub fn forward_passes(stage: Stage) -> f64 {
    match stage {
        Stage::Eval | Stage::Forward | Stage::Prefill | Stage::Decode => 1.0,
        Stage::Backward => BACKWARD_IN_FORWARD_PASSES,
        Stage::Train => 1.0 + BACKWARD_IN_FORWARD_PASSES,
    }
}

/// Passes of a training step that trains only adapters: forward, and backward for the inputs. The network's weights are
/// frozen (Hu et al. 2021, LoRA, arXiv:2106.09685), so the pass for their gradients is omitted.
pub const PASSES_OF_ADAPTERS: f64 = 2.0;

/// Operations that a network spends on one item; `None` where the catalog or the measurement does not state enough.
///
/// `input_scale` is the work at the measured input over that at the network's own input, `None` where unknown. A token
/// of a language model takes one multiply-add for each parameter that it passes (PaLM, appendix B, without attention).
pub fn operations_per_item(network: &Network, stage: Stage, counts: Counted, input_scale: Option<f64>) -> Option<f64> {
    let multiply_adds = match stage {
        Stage::Prefill | Stage::Decode | Stage::Train if counts == Counted::Token => {
            network.active_parameters_m.or(network.parameters_m)?.value() * 1e6
        }
        Stage::Prefill | Stage::Decode => return None,
        _ if is_one_image(counts) => input_scale? * network.multiply_adds_g?.value() * 1e9,
        _ => return None,
    };
    Some(forward_passes(stage) * OPERATIONS_PER_MULTIPLY_ADD * multiply_adds)
}

/// Families whose convolutions are nearly all 3x3 with stride 1.
const BY_WINOGRAD: &[&str] = &["vgg", "alexnet"];

/// Winograd's minimal filtering computes 2x2 results of a 3x3 convolution from 4x4 inputs with 16 multiplications; the
/// direct method takes 4 x 9. cuDNN and neon use it in plain formats.
const WINOGRAD: f64 = 36.0 / 16.0;

/// The factor by which a run may exceed the peak because its method needs fewer multiplications than the direct one, in
/// which work is counted; `lineage` is the network and its families.
pub fn peak_allowance(format: NumberFormat, lineage: &[impl AsRef<str>]) -> f64 {
    let filtered = lineage.iter().any(|family| BY_WINOGRAD.contains(&family.as_ref()));
    if filtered && !format.is_on_matrix_unit() { WINOGRAD } else { 1.0 }
}

/// Operations for one item of a row. Where nothing says what is counted, it is images; a query contains at least one sample.
pub fn operations_of_row(
    network: &Network,
    stage: Stage,
    counts: Option<Counted>,
    input: Option<&Shape>,
) -> Option<f64> {
    let counts = match counts {
        None => Counted::Image,
        Some(Counted::Query) => Counted::Sample,
        Some(counts) => counts,
    };
    let input_scale = network.input_shape.as_ref().and_then(|own| scale_of(input, own));
    operations_per_item(network, stage, counts, input_scale)
}

/// The work at an input over that at the network's own: for convolutions it grows with the area, for other layers it
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

/// Items per second for batches of `batch` items that take `latency_ms` each, one after the other: the throughput where
/// none is stated. `None` where the time is not above 0.
pub fn items_per_second(batch: i64, latency_ms: f64) -> Option<f64> {
    (latency_ms > 0.0).then(|| batch as f64 * 1000.0 / latency_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(peaks: serde_json::Value) -> Device {
        let body = serde_json::json!({
            "id": "nova-100", "name": "Nova 100", "aliases": [], "class": "gpu", "pci_ids": [], "peak_tflops": peaks,
            "sources": [], "reported": {}, "cloud": []
        });
        serde_json::from_value(body).unwrap()
    }

    #[test]
    fn the_peak_is_the_matrix_units_where_there_is_one() {
        let old = device(serde_json::json!({ "fp64": 7.0, "fp32": 14.0, "fp16": 28.0 }));
        let new = device(serde_json::json!({
            "fp64": 9.7, "fp64_tensor": 19.5, "fp32": 19.5, "tf32_tensor": 156.0, "int4_tensor": 1248.0
        }));
        assert_eq!(dense_peak(&old, Precision::Fp64), Some((NumberFormat::Fp64, 7.0)));
        assert_eq!(dense_peak(&new, Precision::Fp64), Some((NumberFormat::Fp64Tensor, 19.5)));
        assert_eq!(dense_peak(&new, Precision::Fp32), Some((NumberFormat::Fp32, 19.5)), "TF32 is another recipe");
        assert_eq!(dense_peak(&new, Precision::Int4), Some((NumberFormat::Int4Tensor, 1248.0)));
        assert_eq!(dense_peak(&old, Precision::AmpFp16), Some((NumberFormat::Fp16, 28.0)));
        assert_eq!(dense_peak(&old, Precision::Tf32), None);
    }

    fn network() -> Network {
        let body = serde_json::json!({
            "id": "net", "name": "Net", "aliases": [], "input_shape": "3x224x224", "parameters_m": 60.0,
            "multiply_adds_g": 5.0, "sources": []
        });
        serde_json::from_value(body).unwrap()
    }

    #[test]
    fn a_training_step_is_a_forward_and_a_backward_pass() {
        assert_eq!(forward_passes(Stage::Train), forward_passes(Stage::Forward) + forward_passes(Stage::Backward));
        assert_eq!(forward_passes(Stage::Train), 3.0);
    }

    #[test]
    fn operations_are_those_of_one_item() {
        let of = |stage, counts, scale| operations_per_item(&network(), stage, counts, scale);
        assert_eq!(of(Stage::Eval, Counted::Image, Some(1.0)), Some(10e9));
        assert_eq!(of(Stage::Train, Counted::Sample, Some(2.0)), Some(60e9));
        assert_eq!(of(Stage::Eval, Counted::Image, None), None, "the input is another one");
        assert_eq!(of(Stage::Decode, Counted::Token, None), Some(120e6), "each weight is used once a token");
        assert_eq!(of(Stage::Train, Counted::Token, None), Some(360e6), "three passes");
        assert_eq!(of(Stage::Eval, Counted::Token, Some(1.0)), None);
        assert_eq!(of(Stage::Prefill, Counted::Sequence, Some(1.0)), None, "how long is it?");
    }

    #[test]
    fn a_throughput_is_what_a_batch_holds_over_its_time() {
        assert_eq!(items_per_second(16, 92.9).map(|rate| rate.round()), Some(172.0));
        assert_eq!(items_per_second(16, 0.0), None);
    }
}

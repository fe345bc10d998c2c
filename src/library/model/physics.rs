//! The arithmetic between networks, devices and measurements: operations, peaks, bytes and rates, each defined once.

use super::device::{Device, NumberFormat};
use super::network::Network;
use crate::values::{Counted, Precision, Stage};

/// Operations of one multiply-add: the multiplication and the addition.
pub const OPERATIONS_PER_MULTIPLY_ADD: f64 = 2.0;

/// A backward pass computes the gradients of the activations and those of the weights: each as much work as the forward
/// pass (Chowdhery et al. 2022, PaLM, appendix B).
const BACKWARD_IN_FORWARD_PASSES: f64 = 2.0;

/// What a stage computes, in forward passes: a training step is one forward and one backward pass.
///
/// The weight update and the recomputation of activations are not counted, as in model FLOPs utilisation (PaLM).
pub fn forward_passes(stage: Stage) -> f64 {
    match stage {
        Stage::Eval | Stage::Forward | Stage::Prefill | Stage::Decode => 1.0,
        Stage::Backward => BACKWARD_IN_FORWARD_PASSES,
        Stage::Train => 1.0 + BACKWARD_IN_FORWARD_PASSES,
    }
}

/// Whether one of what is counted is one input of a network of images, whose multiply-adds the catalog states.
///
/// A token or a sequence is not: its work depends on its length. A query may ask for several samples.
pub fn is_one_image(counts: Counted) -> bool {
    matches!(counts, Counted::Image | Counted::Sample | Counted::Frame | Counted::Inference)
}

/// Whether one of what is counted is one sample of a data set, so that a pass over the set has as many of them.
///
/// A frame is not: networks of speech count the frames of a sample.
pub fn is_one_sample(counts: Counted) -> bool {
    is_one_image(counts) && counts != Counted::Frame
}

/// Operations that a network spends on one item; `None` where the catalog or the measurement does not say enough.
///
/// `input_scale` is the work at the input that was measured over that at the network's own input, `None` where it is not
/// known. A token of a language model takes one multiply-add for each parameter (PaLM, appendix B, without attention).
pub fn operations_per_item(network: &Network, stage: Stage, counts: Counted, input_scale: Option<f64>) -> Option<f64> {
    let multiply_adds = match stage {
        Stage::Prefill | Stage::Decode if counts == Counted::Token => network.parameters_m?.value() * 1e6,
        Stage::Prefill | Stage::Decode => return None,
        _ if is_one_image(counts) => input_scale? * network.multiply_adds_g?.value() * 1e9,
        _ => return None,
    };
    Some(forward_passes(stage) * OPERATIONS_PER_MULTIPLY_ADD * multiply_adds)
}

/// The number formats in which a recipe computes, that of the matrix unit first; empty where no device has a stated peak.
pub fn formats_of(precision: Precision) -> &'static [NumberFormat] {
    use NumberFormat::*;
    match precision {
        Precision::Fp64 => &[Fp64Tensor, Fp64],
        Precision::Fp32 => &[Fp32],
        Precision::Tf32 => &[Tf32Tensor],
        Precision::Fp16 | Precision::AmpFp16 => &[Fp16Tensor, Fp16],
        Precision::Bf16 | Precision::AmpBf16 => &[Bf16Tensor, Bf16],
        Precision::Fp8 => &[Fp8Tensor],
        Precision::Int8 => &[Int8Tensor, Int8],
        Precision::Int4 => &[Int4Tensor],
        Precision::Binary => &[],
    }
}

/// The dense peak of a recipe on a device, TFLOP/s (TOP/s for integers), and the number format that it is the peak of.
///
/// It is the peak of the matrix unit where the device has one for the recipe, because the vendors' libraries use it without
/// being asked: for fp64 too (A100 and later), where the plain units have half its rate, and for int4, which has no other
/// unit. The exception is fp32, which a matrix unit only computes as TF32: that is another recipe.
pub fn dense_peak(device: &Device, precision: Precision) -> Option<(NumberFormat, f64)> {
    let known = |format: &NumberFormat| Some((*format, device.peak_tflops.get(format)?.value()));
    formats_of(precision).iter().find_map(known).filter(|(_, peak)| *peak > 0.0)
}

/// Bytes of one number. A mixed recipe may hold its weights in the short format alone.
pub fn bytes_of(precision: Precision) -> f64 {
    match precision {
        Precision::Fp64 => 8.0,
        Precision::Fp32 | Precision::Tf32 => 4.0,
        Precision::Fp16 | Precision::Bf16 | Precision::AmpFp16 | Precision::AmpBf16 => 2.0,
        Precision::Fp8 | Precision::Int8 => 1.0,
        Precision::Int4 => 0.5,
        Precision::Binary => 0.125,
    }
}

/// Items a second where a batch of so many items takes so many milliseconds, one batch after the other: what a throughput
/// is derived from where none is stated. `None` where the time is not above 0.
pub fn items_per_second(batch: i64, latency_ms: f64) -> Option<f64> {
    (latency_ms > 0.0).then(|| batch as f64 * 1000.0 / latency_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        let body = serde_json::json!({
            "id": "net", "name": "Net", "aliases": [], "input_shape": "3x224x224", "parameters_m": 60.0,
            "multiply_adds_g": 5.0, "sources": []
        });
        serde_json::from_value(body).unwrap()
    }

    fn device(peaks: serde_json::Value) -> Device {
        let body = serde_json::json!({
            "id": "nova-100", "name": "Nova 100", "aliases": [], "class": "gpu", "pci_ids": [], "peak_tflops": peaks,
            "sources": [], "reported": {}, "cloud": []
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
        assert_eq!(of(Stage::Eval, Counted::Token, Some(1.0)), None);
        assert_eq!(of(Stage::Prefill, Counted::Sequence, Some(1.0)), None, "how long is it?");
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

    #[test]
    fn a_throughput_is_what_a_batch_holds_over_its_time() {
        assert_eq!(items_per_second(16, 92.9).map(|rate| rate.round()), Some(172.0));
        assert_eq!(items_per_second(16, 0.0), None);
    }
}

//! What a device can do at most: its peaks, its memory, its power.

use std::collections::BTreeMap;

use super::dense_peak::formats_of;
use crate::model::device::{Device, NumberFormat};
use crate::values::Precision;

/// The limits of a device, or the widest limits among the members of a family.
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
    /// Those of a device, or the widest of several.
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

    /// The highest rate of any format, TFLOP/s.
    pub fn highest_peak(&self) -> Option<f64> {
        self.peaks.values().copied().reduce(f64::max)
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

//! The dense peak of a numeric recipe on a device.

use crate::model::device::{Device, NumberFormat};
use crate::values::Precision;

/// The number formats in which a recipe computes, that of the matrix unit first; empty where no device has a stated peak.
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

/// The dense peak of a recipe on a device, TFLOP/s (TOP/s for integers), and the number format that it is the peak of.
///
/// It is the peak of the matrix unit where the device has one for the recipe, because the vendors' libraries use it without
/// being asked: for fp64 too (A100 and later), where the plain units have half its rate, and for int4, which has no other
/// unit. The exception is fp32, which a matrix unit only computes as TF32: that is another recipe.
pub fn dense_peak(device: &Device, precision: Precision) -> Option<(NumberFormat, f64)> {
    let known = |format: &NumberFormat| Some((*format, device.peak_tflops.get(format)?.value()));
    formats_of(precision).iter().find_map(known).filter(|(_, peak)| *peak > 0.0)
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
}

//! How much memory a number takes.

use crate::values::Precision;

/// Bytes of one number. A mixed recipe may hold its weights in the short format alone.
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

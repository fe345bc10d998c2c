//! Numeric recipes.

#![expect(missing_docs, reason = "strum's `into_str` comes without")]

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// The numeric recipe of a run, a closed list: plain formats and the two mixed-precision recipes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Precision {
    /// 64-bit floating point.
    Fp64,
    /// 32-bit floating point.
    Fp32,
    /// NVIDIA's TensorFloat-32: fp32 with products of a 10-bit mantissa.
    Tf32,
    /// 16-bit floating point.
    Fp16,
    /// 16-bit floating point with the exponent range of fp32.
    Bf16,
    /// 8-bit floating point.
    Fp8,
    /// 8-bit floating point with a power-of-two scale for each 32 values (OCP Microscaling, MXFP8).
    Mxfp8,
    /// 4-bit floating point (E2M1), with any scales.
    Fp4,
    /// 4-bit floating point with a power-of-two scale for each 32 values (OCP Microscaling, MXFP4).
    Mxfp4,
    /// 4-bit floating point with an fp8 scale for each 16 values (NVIDIA's NVFP4).
    Nvfp4,
    /// 16-bit integers, even if the weights are stored in a shorter format.
    Int16,
    /// 8-bit integers.
    Int8,
    /// Unsigned 8-bit integers.
    Uint8,
    /// 4-bit integers.
    Int4,
    /// Unsigned 4-bit integers.
    Uint4,
    /// One bit.
    Binary,
    /// Mixed precision: fp32 and fp16.
    AmpFp16,
    /// Mixed precision: fp32 and bf16.
    AmpBf16,
}

impl Precision {
    /// The mixed-precision recipe that computes in this format, if any.
    ///
    /// A query for `fp16` also matches `amp-fp16`; the answer says so.
    pub fn mixed_counterpart(self) -> Option<Self> {
        match self {
            Self::Fp16 => Some(Self::AmpFp16),
            Self::Bf16 => Some(Self::AmpBf16),
            _ => None,
        }
    }

    /// The format that a query for this one also matches: the mixed recipe, and for `int8` the unsigned integers, in
    /// which some sources store weights quantised to `int8`.
    pub fn also_meant(self) -> Option<Self> {
        match self {
            Self::Int8 => Some(Self::Uint8),
            other => other.mixed_counterpart(),
        }
    }

    /// Whether two formats take part (weights in fp32, products in a shorter format).
    pub fn is_mixed(self) -> bool {
        matches!(self, Self::AmpFp16 | Self::AmpBf16)
    }

    /// Other common spellings.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::Fp64 => &["float64", "double precision", "64-bit"],
            Self::Fp32 => &["float32", "float", "single precision", "full precision", "32-bit"],
            Self::Tf32 => &["tensorfloat32"],
            Self::Fp16 => &["float16", "half", "half precision", "16-bit"],
            Self::Bf16 => &["bfloat16"],
            Self::Fp8 => &["float8"],
            Self::Fp4 => &["float4"],
            Self::Mxfp8 => &["microscaling fp8"],
            Self::Nvfp4 => &["nv-fp4"],
            Self::Mxfp4 => &["microscaling fp4"],
            Self::Int16 => &["16-bit integer", "i16", "w8a16"],
            Self::Int8 => &["8-bit integer", "i8"],
            Self::Uint8 => &["unsigned 8-bit integer", "u8"],
            Self::Int4 => &["4-bit integer", "i4"],
            Self::Uint4 => &["unsigned 4-bit integer", "u4"],
            Self::Binary => &["1-bit", "binarized", "binarised"],
            Self::AmpFp16 => &["mixed precision", "amp", "mixed fp16"],
            Self::AmpBf16 => &["mixed bf16"],
        }
    }
}

//! Precisions: which format weights and inputs have, and whether products are computed in a shorter one.

use tch::{Device, Kind};

use crate::failure::WorkerFailure;
use crate::libtorch;

/// What a precision means for tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComputeRecipe {
    /// Format of weights and inputs.
    pub kind: Kind,
    /// The shorter format of automatic mixed precision.
    pub autocast: Option<Kind>,
}

/// The precisions that some device computes in.
const PRECISIONS: &[&str] = &["fp64", "fp32", "tf32", "bf16", "fp16", "amp-bf16", "amp-fp16"];

impl ComputeRecipe {
    /// The precisions that a device computes in.
    pub fn precisions(device: Device) -> impl Iterator<Item = &'static str> {
        PRECISIONS.iter().copied().filter(move |precision| Self::of(precision, device).is_ok())
    }

    /// Reads a precision's word, for a device.
    pub fn of(precision: &str, device: Device) -> Result<Self, WorkerFailure> {
        let plain = |kind| Self { kind, autocast: None };
        let recipe = match precision {
            "fp64" => plain(Kind::Double),
            "fp32" | "tf32" => plain(Kind::Float),
            "bf16" => plain(Kind::BFloat16),
            "fp16" => plain(Kind::Half),
            "amp-bf16" => Self { kind: Kind::Float, autocast: Some(Kind::BFloat16) },
            "amp-fp16" => Self { kind: Kind::Float, autocast: Some(Kind::Half) },
            other => return Err(WorkerFailure::unsupported(format!("libtorch has no plain kernels for {other}"))),
        };
        if precision == "tf32" && device == Device::Cpu {
            return Err(WorkerFailure::unsupported("TF32 is a format of GPUs; the CPU has none"));
        }
        Ok(recipe)
    }

    /// Tells CUDA's libraries, before they are loaded, whether fp32 products may use TF32: fp32 forbids it everywhere
    /// (cuDNN would use it by default), tf32 allows it everywhere (cuBLAS would not).
    pub fn announce(precision: &str) {
        let (variable, value) = match precision {
            "tf32" => ("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "1"),
            _ => ("NVIDIA_TF32_OVERRIDE", "0"),
        };
        // SAFETY: the worker has one thread, and libtorch has not run yet.
        unsafe { std::env::set_var(variable, value) };
    }

    /// Whether training scales its loss, so that small gradients do not vanish in a format of short range.
    pub fn scales_gradients(self) -> bool {
        self.autocast == Some(Kind::Half)
    }

    /// Runs a forward pass, in mixed precision where that is the recipe.
    pub fn apply<T>(self, device: Device, pass: impl FnOnce() -> T) -> T {
        let Some(format) = self.autocast else { return pass() };
        libtorch::set_autocast(device, format, true);
        let result = pass();
        libtorch::set_autocast(device, format, false);
        libtorch::clear_autocast();
        result
    }
}

//! The fields of a measurement row that describe how libtorch computes, keyed as in measurement files.

use std::collections::BTreeMap;

use tch::{Device, Kind};

use crate::libtorch;
use crate::precision::ComputeRecipe;

/// Version of tch, the Rust bindings of libtorch.
const TCH: &str = "0.24.0";

/// Value of `reduced-precision` when no shorter format is allowed.
const NOT_ALLOWED: &str = "not allowed";

/// Name and version of this program.
pub const WORKER: &str = concat!("dlbench-runner ", env!("CARGO_PKG_VERSION"));

/// Fields that apply to all iterations of a network (or TorchScript file) on a device in a precision.
pub fn fields(device: Device, precision: &str, recipe: ComputeRecipe, is_module: bool) -> BTreeMap<String, String> {
    let on_gpu = device.is_cuda();
    let kernels = if on_gpu { libtorch::gpu_kernels() } else { cpu_kernels(&libtorch::build_configuration()) };
    let benchmark = || libtorch::benchmarks_cudnn().map(|on| if on { "on" } else { "off" }.to_owned());
    let stated = [
        ("mode", Some(if is_module { "TorchScript" } else { "eager" }.to_owned())),
        ("api-language", Some("Rust".to_owned())),
        ("kernel-library", kernels),
        ("software", Some(format!("{WORKER}, tch {TCH}"))),
        ("cudnn-benchmark", on_gpu.then(benchmark).flatten()),
        ("reduced-precision", reduced(device, precision, recipe)),
    ];
    stated.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// Versions of oneDNN and MKL, from libtorch's description of its build.
fn cpu_kernels(configuration: &str) -> Option<String> {
    let version = |name: &str| {
        let (_, rest) = configuration.split_once(name)?;
        let version: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        (!version.is_empty()).then_some(version)
    };
    let found = [("oneDNN", version("MKL-DNN v")), ("MKL", version("Math Kernel Library Version "))];
    let named: Vec<String> =
        found.into_iter().filter_map(|(name, version)| Some(format!("{name} {}", version?))).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// What the current libtorch settings allow to be computed in a shorter format than the recipe's: accumulation of products, or TF32
/// where requested. [`ComputeRecipe::announce`] forbids TF32 everywhere else.
fn reduced(device: Device, precision: &str, recipe: ComputeRecipe) -> Option<String> {
    if precision == "tf32" {
        return Some("TF32 in products and convolutions".to_owned());
    }
    let may = match (recipe.autocast.unwrap_or(recipe.kind), device.is_cuda()) {
        (Kind::Half, on_gpu) => libtorch::sums_in_half(on_gpu)?.then_some("fp16 sums of products"),
        (Kind::BFloat16, true) => libtorch::sums_in_bfloat16()?.then_some("bf16 sums of products"),
        (Kind::Float, false) => {
            (!libtorch::computes_float32_exactly()?).then_some("float32 products by float32_matmul_precision")
        }
        _ => None,
    };
    Some(may.unwrap_or(NOT_ALLOWED).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_are_named_with_the_versions_that_libtorch_tells() {
        let text = "  - Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build 20240605\n  - Intel(R) MKL-DNN v3.10.2 (Git Hash f1)\n";
        assert_eq!(cpu_kernels(text).as_deref(), Some("oneDNN 3.10.2, MKL 2024.2"));
        assert_eq!(cpu_kernels("GCC 13.3"), None);
    }

    #[test]
    fn tch_is_the_one_that_the_lock_file_has() {
        let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
        assert!(lock.contains(&format!("name = \"tch\"\nversion = \"{TCH}\"")));
    }
}

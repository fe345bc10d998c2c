//! How many cores a chip of each generation of TPUs has: slices of some are called by cores, and rows count chips.

/// TensorCores of a TPU chip by the name of its generation; `None` of an unknown one. The names of slices count them (`v4-8` is
/// four chips, `v5litepod-8` eight). Source: the table of system characteristics of github.com/AI-Hypercomputer/xpk; of v2 and v3,
/// cloud.google.com/tpu/docs/v3.
pub fn cores_of_tpu_chip(name: &str) -> Option<u32> {
    let one = ["v5e", "v5lite", "v6e", "trillium"];
    let two = ["v2", "v3", "v4", "v5p", "tpu7x"];
    if one.iter().any(|generation| name.contains(generation)) {
        Some(1)
    } else {
        two.iter().any(|generation| name.contains(generation)).then_some(2)
    }
}

//! The arithmetic that a row claims: operations of one of its items, and how much of the direct method's work it may claim.

use super::operations::operations_per_item;
use crate::model::device::NumberFormat;
use crate::model::network::Network;
use crate::values::{Counted, Shape, Stage};

/// Families whose convolutions are nearly all 3x3 with stride 1.
const BY_WINOGRAD: &[&str] = &["vgg", "alexnet"];

/// Winograd's minimal filtering makes 2x2 results of a 3x3 convolution from 4x4 inputs with 16 multiplications, the direct
/// method with 4 x 9. cuDNN and neon use it in plain formats.
const WINOGRAD: f64 = 36.0 / 16.0;

/// How many times the direct method's work a run may claim, because its method needs fewer multiplications; `lineage` is
/// the network and its families.
pub fn peak_allowance(format: NumberFormat, lineage: &[impl AsRef<str>]) -> f64 {
    let filtered = lineage.iter().any(|family| BY_WINOGRAD.contains(&family.as_ref()));
    if filtered && !format.is_on_matrix_unit() { WINOGRAD } else { 1.0 }
}

/// Operations for one item of a row. What is not said to be counted is images, and a query asks for one sample at least.
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

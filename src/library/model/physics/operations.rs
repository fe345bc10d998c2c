//! What a network computes: operations of an item, passes of a stage.

use super::counted::is_one_image;
use crate::model::network::Network;
use crate::values::{Counted, Stage};

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

/// Operations that a network spends on one item; `None` where the catalog or the measurement does not say enough.
///
/// `input_scale` is the work at the input that was measured over that at the network's own input, `None` where it is not
/// known. A token of a language model takes one multiply-add for each parameter that it passes (PaLM, appendix B, without
/// attention).
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
}

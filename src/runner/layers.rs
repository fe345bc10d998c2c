//! The building blocks of the networks, each a closure over its weights, and detection of the attention kernel in use.

use std::cell::Cell;

use tch::Tensor;
use tch::nn::{Init, Path};

use crate::count;

/// A layer or network: maps an input and whether it is being trained to an output.
pub type Forward = Box<dyn Fn(&Tensor, bool) -> Tensor>;

/// The momentum of the running statistics in PyTorch's normalisation layers.
const MOMENTUM: f64 = 0.1;

/// Options of a convolution besides its channels and kernel.
#[derive(Debug, Clone, Copy)]
pub struct Conv {
    pub stride: i64,
    pub padding: [i64; 2],
    pub groups: i64,
    pub bias: bool,
}

impl Conv {
    /// Stride 1, with bias, padded by `padding` on each side.
    pub fn padded(padding: i64) -> Self {
        Self { stride: 1, padding: [padding; 2], groups: 1, bias: true }
    }

    pub fn stride(self, stride: i64) -> Self {
        Self { stride, ..self }
    }

    pub fn groups(self, groups: i64) -> Self {
        Self { groups, ..self }
    }

    pub fn no_bias(self) -> Self {
        Self { bias: false, ..self }
    }
}

/// A two-dimensional convolution; `kernel` is height and width.
pub fn conv(p: Path, from: i64, to: i64, kernel: [i64; 2], has: Conv) -> Forward {
    let fan_in = from / has.groups * kernel[0] * kernel[1];
    let bound = 1.0 / (fan_in as f64).sqrt();
    let weight = p.var("weight", &[to, from / has.groups, kernel[0], kernel[1]], uniform(bound));
    let bias = has.bias.then(|| p.var("bias", &[to], uniform(bound)));
    Box::new(move |x, _| {
        let y = x.conv2d(&weight, bias.as_ref(), [has.stride; 2], has.padding, [1, 1], has.groups);
        count::multiply_adds(|| y.numel() as i64 * fan_in);
        y
    })
}

/// A fully connected layer.
pub fn linear(p: Path, from: i64, to: i64) -> Forward {
    let bound = 1.0 / (from as f64).sqrt();
    let weight = p.var("weight", &[to, from], uniform(bound));
    let bias = p.var("bias", &[to], uniform(bound));
    Box::new(move |x, _| {
        let y = x.linear(&weight, Some(&bias));
        count::multiply_adds(|| y.numel() as i64 * from);
        y
    })
}

/// Batch normalisation over the channels.
pub fn batch_norm(p: Path, channels: i64, epsilon: f64) -> Forward {
    let weight = p.ones("weight", &[channels]);
    let bias = p.zeros("bias", &[channels]);
    let mean = p.zeros_no_train("running_mean", &[channels]);
    let variance = p.ones_no_train("running_var", &[channels]);
    Box::new(move |x, train| {
        x.batch_norm(Some(&weight), Some(&bias), Some(&mean), Some(&variance), train, MOMENTUM, epsilon, true)
    })
}

/// Layer normalisation over the last dimension.
pub fn layer_norm(p: Path, width: i64, epsilon: f64) -> Forward {
    let weight = p.ones("weight", &[width]);
    let bias = p.zeros("bias", &[width]);
    Box::new(move |x, _| x.layer_norm([width], Some(&weight), Some(&bias), epsilon, true))
}

/// Convolution without bias, batch normalisation, then `activation`.
pub fn conv_norm(
    p: Path,
    from: i64,
    to: i64,
    kernel: [i64; 2],
    has: Conv,
    epsilon: f64,
    activation: fn(Tensor) -> Tensor,
) -> Forward {
    let conv = conv(&p / "conv", from, to, kernel, has.no_bias());
    let norm = batch_norm(&p / "bn", to, epsilon);
    Box::new(move |x, train| activation(norm(&conv(x, train), train)))
}

/// Applies the parts in sequence.
pub fn chain(parts: Vec<Forward>) -> Forward {
    Box::new(move |x, train| {
        let mut parts = parts.iter();
        let first = parts.next().map_or_else(|| x.shallow_clone(), |part| part(x, train));
        parts.fold(first, |y, part| part(&y, train))
    })
}

/// A layer without weights.
pub fn step(f: impl Fn(&Tensor) -> Tensor + 'static) -> Forward {
    Box::new(move |x, _| f(x))
}

/// In-place ReLU, as in PyTorch's networks.
pub fn relu(mut x: Tensor) -> Tensor {
    x.relu_()
}

/// No activation.
pub fn identity(x: Tensor) -> Tensor {
    x
}

/// Max pooling.
pub fn max_pool(kernel: i64, stride: i64, padding: i64, ceil: bool) -> Forward {
    step(move |x| x.max_pool2d([kernel; 2], [stride; 2], [padding; 2], [1, 1], ceil))
}

/// Dropout with probability `p` during training.
pub fn dropout(p: f64) -> Forward {
    Box::new(move |x, train| x.dropout(p, train))
}

/// Global average pooling, flattened to one row per sample.
pub fn global_mean() -> Forward {
    step(|x| x.adaptive_avg_pool2d([1, 1]).flatten(1, -1))
}

/// Flattens to one row per sample.
pub fn flatten() -> Forward {
    step(|x| x.flatten(1, -1))
}

/// Uniform between `-bound` and `bound`, as PyTorch initialises its layers.
fn uniform(bound: f64) -> Init {
    Init::Uniform { lo: -bound, up: bound }
}

thread_local! {
    static RECORDED_KERNEL: Cell<Option<Choice>> = const { Cell::new(None) };
}

/// The attention kernels seen since [`attention_kernel`] started recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// No attention so far.
    None,
    /// One kernel computed all attention; its number in `at::SDPBackend`.
    One(i64),
    /// Several kernels.
    Several,
}

/// Records which kernel an attention will use; `kernel` is called only while [`attention_kernel`] is recording.
pub fn record_attention_kernel(kernel: impl FnOnce() -> i64) {
    let choice = match RECORDED_KERNEL.get() {
        None => return,
        Some(Choice::None) => Choice::One(kernel()),
        Some(Choice::One(one)) if one == kernel() => Choice::One(one),
        Some(_) => Choice::Several,
    };
    RECORDED_KERNEL.set(Some(choice));
}

/// Runs `pass` and returns PyTorch's name of its attention kernel; `None` if it has no attention or uses several kernels.
pub fn attention_kernel(pass: impl FnOnce()) -> Option<&'static str> {
    RECORDED_KERNEL.set(Some(Choice::None));
    pass();
    match RECORDED_KERNEL.take() {
        // ATen/SDPBackend.h of libtorch 2.11.0.
        Some(Choice::One(0)) => Some("math"),
        Some(Choice::One(1)) => Some("flash"),
        Some(Choice::One(2)) => Some("memory-efficient"),
        Some(Choice::One(3)) => Some("cuDNN"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kernel_of_all_attentions_is_told() {
        assert_eq!(
            attention_kernel(|| [1, 1].into_iter().for_each(|kernel| record_attention_kernel(|| kernel))),
            Some("flash")
        );
        assert_eq!(
            attention_kernel(|| [1, 0].into_iter().for_each(|kernel| record_attention_kernel(|| kernel))),
            None,
            "which one it was nobody can say"
        );
        assert_eq!(attention_kernel(|| ()), None);
        record_attention_kernel(|| panic!("nobody looks"));
    }
}

//! The building blocks of the networks: each is a closure over its weights.

use tch::Tensor;
use tch::nn::{Init, Path};

use crate::count;

/// A layer or network: input and whether it is being trained, to output.
pub type Forward = Box<dyn Fn(&Tensor, bool) -> Tensor>;

/// The normalisation momentum of PyTorch's layers.
const MOMENTUM: f64 = 0.1;

/// What a convolution has beside its channels and kernel.
#[derive(Debug, Clone, Copy)]
pub struct Conv {
    pub stride: i64,
    pub padding: [i64; 2],
    pub groups: i64,
    pub bias: bool,
}

impl Conv {
    /// With bias, in steps of 1, padded by `padding` at each side.
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

/// A two-dimensional convolution with a kernel of height and width.
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

/// Convolution without bias, batch normalisation, and rectification where wanted.
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

/// One after the other.
pub fn chain(parts: Vec<Forward>) -> Forward {
    Box::new(move |x, train| {
        let mut parts = parts.iter();
        let first = parts.next().map_or_else(|| x.shallow_clone(), |part| part(x, train));
        parts.fold(first, |y, part| part(&y, train))
    })
}

/// A step without weights.
pub fn step(f: impl Fn(&Tensor) -> Tensor + 'static) -> Forward {
    Box::new(move |x, _| f(x))
}

/// Rectification in place, as PyTorch's networks do it.
pub fn relu(mut x: Tensor) -> Tensor {
    x.relu_()
}

/// No activation.
pub fn identity(x: Tensor) -> Tensor {
    x
}

/// Pooling by the maximum.
pub fn max_pool(kernel: i64, stride: i64, padding: i64, ceil: bool) -> Forward {
    step(move |x| x.max_pool2d([kernel; 2], [stride; 2], [padding; 2], [1, 1], ceil))
}

/// Dropout with probability `p` while training.
pub fn dropout(p: f64) -> Forward {
    Box::new(move |x, train| x.dropout(p, train))
}

/// The mean over each channel, flattened to one row a sample.
pub fn global_mean() -> Forward {
    step(|x| x.adaptive_avg_pool2d([1, 1]).flatten(1, -1))
}

/// One row a sample.
pub fn flatten() -> Forward {
    step(|x| x.flatten(1, -1))
}

/// Even between `-bound` and `bound`, which is what PyTorch's layers begin with.
fn uniform(bound: f64) -> Init {
    Init::Uniform { lo: -bound, up: bound }
}

//! The nodes of a network as calls of candle: its layers where it has them.

use std::collections::HashMap;

use candle_core::{Module as _, ModuleT as _, Result, Tensor};
use candle_nn::{BatchNorm, Conv2d, Conv2dConfig, Linear};

use crate::onnx_file::{Node, Numbers};

/// What is computed of the inputs that are no weights, in their order.
pub type Operation = Box<dyn Fn(&[Tensor]) -> Result<Tensor>>;

/// Begin and end of the padding of an axis.
type Padding = (usize, usize);

/// The weights of a network by their names.
type Held<'h> = HashMap<&'h str, &'h Numbers>;

/// The operation of a node, with its weights.
///
/// # Errors
///
/// When this worker does not have it.
pub fn operation(node: &Node, held: &Held<'_>) -> std::result::Result<Operation, String> {
    if node.word("auto_pad").is_some_and(|word| !matches!(word, "NOTSET" | "VALID" | "")) {
        return Err(format!("{} with a padding that follows from the input", node.op));
    }
    let weight = |at: usize| -> std::result::Result<Option<Tensor>, String> {
        let name = node.inputs.get(at).filter(|name| !name.is_empty());
        name.and_then(|name| held.get(name.as_str())).map(|numbers| numbers.tensor()).transpose()
    };
    let needed = |at: usize| weight(at)?.ok_or_else(|| format!("{} whose weights are computed", node.op));
    let told = |error: candle_core::Error| format!("{}: {error}", node.op);
    Ok(match node.op.as_str() {
        "Conv" => {
            let (padding, stride, dilation) = (pairs(node, "pads")?, ints(node, "strides")?, ints(node, "dilations")?);
            let one = |[height, width]: [usize; 2], what: &str| match height == width {
                true => Ok(height),
                false => Err(format!("a convolution with another {what} across than down")),
            };
            let config = Conv2dConfig {
                stride: one(stride, "step")?,
                dilation: one(dilation, "gap")?,
                groups: node.int("group", 1).unsigned_abs() as usize,
                ..Conv2dConfig::default()
            };
            // candle pads all sides alike.
            let alike = [padding[0].1, padding[1].0, padding[1].1].iter().all(|pad| *pad == padding[0].0);
            if alike {
                let layer = Conv2d::new(needed(1)?, weight(2)?, Conv2dConfig { padding: padding[0].0, ..config });
                Box::new(move |x| layer.forward(&x[0]))
            } else {
                let layer = Conv2d::new(needed(1)?, weight(2)?, config);
                Box::new(move |x| layer.forward(&with_zeros(&x[0], padding)?))
            }
        }
        "BatchNormalization" if node.int("training_mode", 0) == 0 => {
            let (scale, epsilon) = (needed(1)?, f64::from(node.float("epsilon", 1e-5)));
            let features = scale.elem_count();
            let layer = BatchNorm::new(features, needed(3)?, needed(4)?, scale, needed(2)?, epsilon).map_err(told)?;
            Box::new(move |x| layer.forward_t(&x[0], false))
        }
        "Gemm" if node.int("transA", 0) == 0 && node.float("alpha", 1.0) == 1.0 && node.float("beta", 1.0) == 1.0 => {
            let weights = needed(1)?;
            let weights = match node.int("transB", 0) {
                0 => weights.t().and_then(|weights| weights.contiguous()).map_err(told)?,
                _ => weights,
            };
            let layer = Linear::new(weights, weight(2)?);
            Box::new(move |x| layer.forward(&x[0]))
        }
        "MaxPool" => {
            let pool = Pooling::of(node)?;
            // What lies at the edge is in every window that the padding is in: it does not change the greatest.
            Box::new(move |x| {
                let [down, across] = pool.padding(&x[0])?;
                let padded = x[0].pad_with_same(2, down.0, down.1)?.pad_with_same(3, across.0, across.1)?;
                padded.max_pool2d_with_stride(pool.extents, pool.strides)
            })
        }
        "AveragePool" => {
            let pool = Pooling::of(node)?;
            let is_padded = pool.pads.iter().any(|pad| *pad != (0, 0));
            if pool.rounds_up || is_padded && node.int("count_include_pad", 0) == 0 {
                return Err("a mean over windows of several sizes".to_owned());
            }
            Box::new(move |x| with_zeros(&x[0], pool.pads)?.avg_pool2d_with_stride(pool.extents, pool.strides))
        }
        "GlobalAveragePool" => Box::new(|x| x[0].mean_keepdim((2, 3))),
        "ReduceMean" => {
            let named = node.inputs.get(1).and_then(|name| held.get(name.as_str())).and_then(|numbers| numbers.whole());
            let axes = named.unwrap_or_else(|| node.ints("axes").to_vec());
            if !matches!(axes.as_slice(), [2, 3] | [-2, -1] | [-1, -2]) {
                return Err("a mean over other axes than height and width".to_owned());
            }
            match node.int("keepdims", 1) {
                0 => Box::new(|x| x[0].mean((2, 3))),
                _ => Box::new(|x| x[0].mean_keepdim((2, 3))),
            }
        }
        "Flatten" if node.int("axis", 1) == 1 => Box::new(|x| x[0].flatten_from(1)),
        "Concat" => {
            let axis = node.int("axis", 1);
            let axis = usize::try_from(axis).map_err(|_| "parts joined along an axis that is counted from the last")?;
            Box::new(move |x| Tensor::cat(x, axis))
        }
        "Add" if node.inputs.iter().all(|name| !held.contains_key(name.as_str())) => {
            Box::new(|x| x[0].broadcast_add(&x[1]))
        }
        "Mul" if node.inputs.iter().all(|name| !held.contains_key(name.as_str())) => {
            Box::new(|x| x[0].broadcast_mul(&x[1]))
        }
        "Relu" => Box::new(|x| x[0].relu()),
        "Sigmoid" => Box::new(|x| candle_nn::ops::sigmoid(&x[0])),
        "Clip" => {
            let limit = |at: usize, none: f32| -> std::result::Result<f32, String> {
                let limit = weight(at)?.map(|limit| limit.flatten_all().and_then(|one| one.get(0)));
                limit.map_or(Ok(none), |limit| limit.and_then(|limit| limit.to_scalar()).map_err(told))
            };
            let (low, high) = (limit(1, f32::NEG_INFINITY)?, limit(2, f32::INFINITY)?);
            Box::new(move |x| x[0].clamp(low, high))
        }
        "HardSigmoid" => {
            let (alpha, beta) = (f64::from(node.float("alpha", 0.2)), f64::from(node.float("beta", 0.5)));
            Box::new(move |x| hard_sigmoid(&x[0], alpha, beta))
        }
        "HardSwish" => Box::new(|x| x[0].mul(&hard_sigmoid(&x[0], 1.0 / 6.0, 0.5)?)),
        "Dropout" | "Identity" => Box::new(|x| Ok(x[0].clone())),
        other => return Err(format!("this worker has no operation {other} like that of the network")),
    })
}

fn hard_sigmoid(x: &Tensor, alpha: f64, beta: f64) -> Result<Tensor> {
    x.affine(alpha, beta)?.clamp(0f32, 1f32)
}

/// Zeros around height and width.
fn with_zeros(x: &Tensor, [down, across]: [Padding; 2]) -> Result<Tensor> {
    x.pad_with_zeros(2, down.0, down.1)?.pad_with_zeros(3, across.0, across.1)
}

/// A window that moves over height and width.
struct Pooling {
    extents: (usize, usize),
    strides: (usize, usize),
    pads: [Padding; 2],
    rounds_up: bool,
}

impl Pooling {
    fn of(node: &Node) -> std::result::Result<Self, String> {
        if node.ints("dilations").iter().any(|gap| *gap != 1) {
            return Err("pooling with gaps".to_owned());
        }
        let ([height, width], [down, across]) = (ints(node, "kernel_shape")?, ints(node, "strides")?);
        let (pads, rounds_up) = (pairs(node, "pads")?, node.int("ceil_mode", 0) != 0);
        Ok(Self { extents: (height, width), strides: (down, across), pads, rounds_up })
    }

    /// The padding of an input: where the last window may reach over the end, so much more.
    fn padding(&self, x: &Tensor) -> Result<[Padding; 2]> {
        let (_, _, height, width) = x.dims4()?;
        if !self.rounds_up {
            return Ok(self.pads);
        }
        let of = |size: usize, extent: usize, stride: usize, (begin, end): Padding| {
            let mut steps = (size + begin + end - extent).div_ceil(stride);
            // No window lies in the padding alone.
            if steps * stride >= size + begin {
                steps -= 1;
            }
            (begin, end.max((steps * stride + extent).saturating_sub(size + begin)))
        };
        let down = of(height, self.extents.0, self.strides.0, self.pads[0]);
        Ok([down, of(width, self.extents.1, self.strides.1, self.pads[1])])
    }
}

/// An attribute with a number for height and one for width; 1 where it is not stated.
fn ints(node: &Node, name: &str) -> std::result::Result<[usize; 2], String> {
    match node.ints(name) {
        [] => Ok([1, 1]),
        [height, width] => Ok([height, width].map(|number| number.unsigned_abs() as usize)),
        _ => Err(format!("{} over other than two axes", node.op)),
    }
}

/// An attribute that has the begins of both axes and then the ends; 0 where it is not stated.
fn pairs(node: &Node, name: &str) -> std::result::Result<[Padding; 2], String> {
    let pad = |number: &i64| number.unsigned_abs() as usize;
    match node.ints(name) {
        [] => Ok([(0, 0); 2]),
        [top, left, bottom, right] => Ok([(pad(top), pad(bottom)), (pad(left), pad(right))]),
        _ => Err(format!("{} over other than two axes", node.op)),
    }
}

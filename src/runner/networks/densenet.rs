//! DenseNet (Huang et al. 2016): every layer of a block sees the outputs of all before it.

use tch::Tensor;
use tch::nn::Path;

use super::network::{CLASSES, IMAGE, Network};
use crate::layers::{Conv, Forward, batch_norm, chain, conv, conv_norm, global_mean, linear, max_pool, relu, step};

pub(super) const NETWORKS: &[Network] = &[
    Network::image("densenet-121", IMAGE, CLASSES, |p, _| densenet(p, 32, 64, [6, 12, 24, 16])),
    Network::image("densenet-161", IMAGE, CLASSES, |p, _| densenet(p, 48, 96, [6, 12, 36, 24])),
    Network::image("densenet-169", IMAGE, CLASSES, |p, _| densenet(p, 32, 64, [6, 12, 32, 32])),
    Network::image("densenet-201", IMAGE, CLASSES, |p, _| densenet(p, 32, 64, [6, 12, 48, 32])),
];

const EPSILON: f64 = 1e-5;

/// Channels of the 1x1 convolution of a layer, in growth rates.
const BOTTLENECK: i64 = 4;

fn densenet(p: &Path, growth: i64, stem: i64, depths: [usize; 4]) -> Forward {
    let mut parts = vec![
        conv_norm(p / "stem", 3, stem, [7; 2], Conv::padded(3).stride(2), EPSILON, relu),
        max_pool(3, 2, 1, false),
    ];
    let mut channels = stem;
    for (block, depth) in depths.into_iter().enumerate() {
        parts.push(dense_block(&(p / block), channels, growth, depth));
        channels += growth * depth as i64;
        if block + 1 < depths.len() {
            let p = p / "transition" / block;
            parts.push(norm_relu(&p / "norm", channels));
            parts.push(conv(&p / "conv", channels, channels / 2, [1; 2], Conv::padded(0).no_bias()));
            parts.push(step(|x| x.avg_pool2d([2, 2], [2, 2], [0, 0], false, true, None)));
            channels /= 2;
        }
    }
    parts.extend([norm_relu(p / "norm", channels), global_mean(), linear(p / "classifier", channels, CLASSES)]);
    chain(parts)
}

fn dense_block(p: &Path, from: i64, growth: i64, depth: usize) -> Forward {
    let layers: Vec<Forward> = (0..depth)
        .map(|at| {
            let p = p / at;
            let channels = from + growth * at as i64;
            chain(vec![
                norm_relu(&p / "norm1", channels),
                conv(&p / "conv1", channels, BOTTLENECK * growth, [1; 2], Conv::padded(0).no_bias()),
                norm_relu(&p / "norm2", BOTTLENECK * growth),
                conv(&p / "conv2", BOTTLENECK * growth, growth, [3; 2], Conv::padded(1).no_bias()),
            ])
        })
        .collect();
    Box::new(move |x, train| {
        let mut outputs = vec![x.shallow_clone()];
        for layer in &layers {
            let y = layer(&Tensor::cat(&outputs, 1), train);
            outputs.push(y);
        }
        Tensor::cat(&outputs, 1)
    })
}

fn norm_relu(p: Path, channels: i64) -> Forward {
    let norm = batch_norm(p, channels, EPSILON);
    Box::new(move |x, train| relu(norm(x, train)))
}

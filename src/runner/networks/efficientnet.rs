//! EfficientNet B0 to B7 (Tan & Le 2019) as torchvision has them.

use tch::Tensor;
use tch::nn::Path;

use super::network::{CLASSES, Network};
use crate::layers::{Conv, Forward, chain, conv, conv_norm, dropout, global_mean, identity, linear};

pub(super) const NETWORKS: &[Network] = &[
    Network::image("efficientnet-b0", &[3, 224, 224], CLASSES, |p, _| efficientnet(p, 1.0, 1.0, 0.2, 1e-5)),
    Network::image("efficientnet-b1", &[3, 240, 240], CLASSES, |p, _| efficientnet(p, 1.0, 1.1, 0.2, 1e-5)),
    Network::image("efficientnet-b2", &[3, 260, 260], CLASSES, |p, _| efficientnet(p, 1.1, 1.2, 0.3, 1e-5)),
    Network::image("efficientnet-b3", &[3, 300, 300], CLASSES, |p, _| efficientnet(p, 1.2, 1.4, 0.3, 1e-5)),
    Network::image("efficientnet-b4", &[3, 380, 380], CLASSES, |p, _| efficientnet(p, 1.4, 1.8, 0.4, 1e-5)),
    Network::image("efficientnet-b5", &[3, 456, 456], CLASSES, |p, _| efficientnet(p, 1.6, 2.2, 0.4, 1e-3)),
    Network::image("efficientnet-b6", &[3, 528, 528], CLASSES, |p, _| efficientnet(p, 1.8, 2.6, 0.5, 1e-3)),
    Network::image("efficientnet-b7", &[3, 600, 600], CLASSES, |p, _| efficientnet(p, 2.0, 3.1, 0.5, 1e-3)),
];

/// The chance that the last block is left out for a sample in training; earlier ones have proportionally less.
const STOCHASTIC_DEPTH: f64 = 0.2;

/// Stages of B0 (table 1 of the paper): expansion, kernel, stride, channels, layers.
const STAGES: [[i64; 5]; 7] = [
    [1, 3, 1, 16, 1],
    [6, 3, 2, 24, 2],
    [6, 5, 2, 40, 2],
    [6, 3, 2, 80, 3],
    [6, 5, 1, 112, 3],
    [6, 5, 2, 192, 4],
    [6, 3, 1, 320, 1],
];

fn silu(mut x: Tensor) -> Tensor {
    x.silu_()
}

/// Scaled channels: the nearest multiple of 8, at least nine tenths of what was asked for.
fn scaled(channels: i64, width: f64) -> i64 {
    let wanted = channels as f64 * width;
    let near = ((wanted + 4.0) as i64 / 8 * 8).max(8);
    if (near as f64) < 0.9 * wanted { near + 8 } else { near }
}

fn efficientnet(p: &Path, width: f64, depth: f64, drop: f64, epsilon: f64) -> Forward {
    let mut from = scaled(32, width);
    let mut parts = vec![conv_norm(p / "stem", 3, from, [3; 2], Conv::padded(1).stride(2), epsilon, silu)];
    let repeats = |layers: i64| (layers as f64 * depth).ceil() as i64;
    let blocks: i64 = STAGES.iter().map(|stage| repeats(stage[4])).sum();
    let mut block = 0;
    for (stage, [expansion, kernel, stride, channels, layers]) in STAGES.into_iter().enumerate() {
        let to = scaled(channels, width);
        for at in 0..repeats(layers) {
            let skipped = STOCHASTIC_DEPTH * block as f64 / blocks as f64;
            let stride = if at == 0 { stride } else { 1 };
            parts.push(inverted_residual(&(p / stage / at), [from, to], expansion, kernel, stride, skipped, epsilon));
            from = to;
            block += 1;
        }
    }
    let last = from * 4;
    parts.extend([
        conv_norm(p / "last", from, last, [1; 2], Conv::padded(0), epsilon, silu),
        global_mean(),
        dropout(drop),
        linear(p / "fc", last, CLASSES),
    ]);
    chain(parts)
}

fn inverted_residual(
    p: &Path,
    [from, to]: [i64; 2],
    expansion: i64,
    kernel: i64,
    stride: i64,
    skipped: f64,
    epsilon: f64,
) -> Forward {
    let hidden = scaled(from * expansion, 1.0);
    let mut parts = Vec::new();
    if expansion != 1 {
        parts.push(conv_norm(p / "expand", from, hidden, [1; 2], Conv::padded(0), epsilon, silu));
    }
    let depthwise = Conv::padded(kernel / 2).stride(stride).groups(hidden);
    parts.push(conv_norm(p / "depthwise", hidden, hidden, [kernel; 2], depthwise, epsilon, silu));
    parts.push(squeeze_excitation(&(p / "se"), hidden, (from / 4).max(1)));
    parts.push(conv_norm(p / "project", hidden, to, [1; 2], Conv::padded(0), epsilon, identity));
    let body = chain(parts);
    let shortcut = stride == 1 && from == to;
    Box::new(move |x, train| {
        let y = body(x, train);
        if !shortcut {
            return y;
        }
        if train && skipped > 0.0 {
            let kept = 1.0 - skipped;
            let noise = Tensor::empty([y.size()[0], 1, 1, 1], (y.kind(), y.device())).bernoulli_float_(kept) / kept;
            return y * noise + x;
        }
        y + x
    })
}

fn squeeze_excitation(p: &Path, channels: i64, squeezed: i64) -> Forward {
    let down = conv(p / "down", channels, squeezed, [1; 2], Conv::padded(0));
    let up = conv(p / "up", squeezed, channels, [1; 2], Conv::padded(0));
    Box::new(move |x, train| {
        let scale = x.adaptive_avg_pool2d([1, 1]);
        let scale = up(&silu(down(&scale, train)), train).sigmoid();
        scale * x
    })
}

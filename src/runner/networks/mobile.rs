//! Networks for mobile devices: MobileNet, ShuffleNet, SqueezeNet, EfficientNet.

use tch::Tensor;
use tch::nn::Path;

use super::network::{CLASSES, IMAGE, Network};
use crate::layers::{
    Conv, Forward, chain, conv, conv_norm, dropout, global_mean, identity, linear, max_pool, relu, step,
};

pub(super) const MOBILE_NETWORKS: &[Network] = &[
    Network::image("mobilenet-v2", IMAGE, CLASSES, |p, _| mobilenet_v2(p)),
    Network::image("shufflenet-v2-x0.5", IMAGE, CLASSES, |p, _| shufflenet(p, [48, 96, 192, 1024])),
    Network::image("shufflenet-v2-x1.0", IMAGE, CLASSES, |p, _| shufflenet(p, [116, 232, 464, 1024])),
    Network::image("shufflenet-v2-x1.5", IMAGE, CLASSES, |p, _| shufflenet(p, [176, 352, 704, 1024])),
    Network::image("shufflenet-v2-x2.0", IMAGE, CLASSES, |p, _| shufflenet(p, [244, 488, 976, 2048])),
    Network::image("squeezenet-1.0", IMAGE, CLASSES, |p, _| squeezenet_1_0(p)),
    Network::image("squeezenet-1.1", IMAGE, CLASSES, |p, _| squeezenet_1_1(p)),
];

const EPSILON: f64 = 1e-5;

/// In place, as in PyTorch's network: a copy of every activation costs as much as the convolution before it.
fn relu6(mut x: Tensor) -> Tensor {
    x.relu6_()
}

/// MobileNet v2 of width 1 (Sandler et al. 2018, table 2).
fn mobilenet_v2(p: &Path) -> Forward {
    let mut parts = vec![conv_norm(p / "stem", 3, 32, [3; 2], Conv::padded(1).stride(2), EPSILON, relu6)];
    let mut from = 32;
    // Expansion, channels, repeats, stride of the first repeat.
    let rows: [[i64; 4]; 7] =
        [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2], [6, 320, 1, 1]];
    for (row, [expansion, to, repeats, stride]) in rows.into_iter().enumerate() {
        for at in 0..repeats {
            parts.push(inverted_residual(&(p / row / at), from, to, if at == 0 { stride } else { 1 }, expansion));
            from = to;
        }
    }
    parts.extend([
        conv_norm(p / "last", 320, 1280, [1; 2], Conv::padded(0), EPSILON, relu6),
        global_mean(),
        dropout(0.2),
        linear(p / "fc", 1280, CLASSES),
    ]);
    chain(parts)
}

fn inverted_residual(p: &Path, from: i64, to: i64, stride: i64, expansion: i64) -> Forward {
    let hidden = from * expansion;
    let mut parts = Vec::new();
    if expansion != 1 {
        parts.push(conv_norm(p / "expand", from, hidden, [1; 2], Conv::padded(0), EPSILON, relu6));
    }
    let depthwise = Conv::padded(1).stride(stride).groups(hidden);
    parts.push(conv_norm(p / "depthwise", hidden, hidden, [3; 2], depthwise, EPSILON, relu6));
    parts.push(conv_norm(p / "project", hidden, to, [1; 2], Conv::padded(0), EPSILON, identity));
    let body = chain(parts);
    let shortcut = stride == 1 && from == to;
    Box::new(move |x, train| if shortcut { body(x, train) + x } else { body(x, train) })
}

/// ShuffleNet v2; `widths` are the channels after the three stages and the last convolution (Ma et al. 2018, table 5).
fn shufflenet(p: &Path, widths: [i64; 4]) -> Forward {
    let mut parts =
        vec![conv_norm(p / "stem", 3, 24, [3; 2], Conv::padded(1).stride(2), EPSILON, relu), max_pool(3, 2, 1, false)];
    let mut from = 24;
    for (stage, (to, repeats)) in widths.into_iter().zip([4, 8, 4]).enumerate() {
        for at in 0..repeats {
            parts.push(shuffle_unit(&(p / stage / at), from, to, at == 0));
            from = to;
        }
    }
    parts.extend([
        conv_norm(p / "last", from, widths[3], [1; 2], Conv::padded(0), EPSILON, relu),
        global_mean(),
        linear(p / "fc", widths[3], CLASSES),
    ]);
    chain(parts)
}

fn shuffle_unit(p: &Path, from: i64, to: i64, reduce: bool) -> Forward {
    let half = to / 2;
    let stride = if reduce { 2 } else { 1 };
    let depthwise = |p: Path, channels: i64| {
        let has = Conv::padded(1).stride(stride).groups(channels);
        conv_norm(p, channels, channels, [3; 2], has, EPSILON, identity)
    };
    let pointwise = |p: Path, from: i64| conv_norm(p, from, half, [1; 2], Conv::padded(0), EPSILON, relu);
    let left = reduce.then(|| chain(vec![depthwise(p / "l1", from), pointwise(p / "l2", from)]));
    let right = chain(vec![
        pointwise(p / "r1", if reduce { from } else { half }),
        depthwise(p / "r2", half),
        pointwise(p / "r3", half),
    ]);
    Box::new(move |x, train| {
        let joined = match &left {
            Some(left) => Tensor::cat(&[left(x, train), right(x, train)], 1),
            None => {
                let parts = x.chunk(2, 1);
                Tensor::cat(&[parts[0].shallow_clone(), right(&parts[1], train)], 1)
            }
        };
        let size = joined.size();
        let grouped = joined.view([size[0], 2, size[1] / 2, size[2], size[3]]);
        grouped.transpose(1, 2).contiguous().view([size[0], size[1], size[2], size[3]])
    })
}

fn fire(p: Path, from: i64, squeeze: i64, expand: i64) -> Forward {
    let squeezed = conv(&p / "squeeze", from, squeeze, [1; 2], Conv::padded(0));
    let one = conv(&p / "one", squeeze, expand, [1; 2], Conv::padded(0));
    let three = conv(&p / "three", squeeze, expand, [3; 2], Conv::padded(1));
    Box::new(move |x, train| {
        let s = relu(squeezed(x, train));
        Tensor::cat(&[relu(one(&s, train)), relu(three(&s, train))], 1)
    })
}

fn squeezenet(p: &Path, stem: Forward, before: [&[[i64; 3]]; 3]) -> Forward {
    let mut parts = vec![stem, step(|x| relu(x.shallow_clone())), max_pool(3, 2, 0, true)];
    let mut at = 0;
    for (group, fires) in before.into_iter().enumerate() {
        for &[from, squeeze, expand] in fires {
            parts.push(fire(p / "fire" / at, from, squeeze, expand));
            at += 1;
        }
        if group < 2 {
            parts.push(max_pool(3, 2, 0, true));
        }
    }
    parts.extend([
        dropout(0.5),
        conv(p / "classifier", 512, CLASSES, [1; 2], Conv::padded(0)),
        step(|x| relu(x.shallow_clone())),
        global_mean(),
    ]);
    chain(parts)
}

/// SqueezeNet 1.0 (Iandola et al. 2016, table 1). Per fire module: input, squeezed and half the expanded channels.
fn squeezenet_1_0(p: &Path) -> Forward {
    let stem = conv(p / "stem", 3, 96, [7; 2], Conv::padded(0).stride(2));
    squeezenet(
        p,
        stem,
        [
            &[[96, 16, 64], [128, 16, 64], [128, 32, 128]],
            &[[256, 32, 128], [256, 48, 192], [384, 48, 192], [384, 64, 256]],
            &[[512, 64, 256]],
        ],
    )
}

/// SqueezeNet 1.1: a smaller stem and earlier pooling.
fn squeezenet_1_1(p: &Path) -> Forward {
    let stem = conv(p / "stem", 3, 64, [3; 2], Conv::padded(0).stride(2));
    squeezenet(
        p,
        stem,
        [
            &[[64, 16, 64], [128, 16, 64]],
            &[[128, 32, 128], [256, 32, 128]],
            &[[256, 48, 192], [384, 48, 192], [384, 64, 256], [512, 64, 256]],
        ],
    )
}

pub(super) const EFFICIENTNET_NETWORKS: &[Network] = &[
    Network::image("efficientnet-b0", &[3, 224, 224], CLASSES, |p, _| efficientnet(p, 1.0, 1.0, 0.2, 1e-5)),
    Network::image("efficientnet-b1", &[3, 240, 240], CLASSES, |p, _| efficientnet(p, 1.0, 1.1, 0.2, 1e-5)),
    Network::image("efficientnet-b2", &[3, 260, 260], CLASSES, |p, _| efficientnet(p, 1.1, 1.2, 0.3, 1e-5)),
    Network::image("efficientnet-b3", &[3, 300, 300], CLASSES, |p, _| efficientnet(p, 1.2, 1.4, 0.3, 1e-5)),
    Network::image("efficientnet-b4", &[3, 380, 380], CLASSES, |p, _| efficientnet(p, 1.4, 1.8, 0.4, 1e-5)),
    Network::image("efficientnet-b5", &[3, 456, 456], CLASSES, |p, _| efficientnet(p, 1.6, 2.2, 0.4, 1e-3)),
    Network::image("efficientnet-b6", &[3, 528, 528], CLASSES, |p, _| efficientnet(p, 1.8, 2.6, 0.5, 1e-3)),
    Network::image("efficientnet-b7", &[3, 600, 600], CLASSES, |p, _| efficientnet(p, 2.0, 3.1, 0.5, 1e-3)),
];

/// The probability that training skips the last block for a sample; earlier blocks have proportionally less.
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

/// Scales a channel count to the nearest multiple of 8 that is at least nine tenths of the exact product.
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
            parts.push(efficientnet_inverted_residual(
                &(p / stage / at),
                [from, to],
                expansion,
                kernel,
                stride,
                skipped,
                epsilon,
            ));
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

fn efficientnet_inverted_residual(
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

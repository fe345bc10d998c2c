//! Plain, residual and dense convolutional networks.

use tch::Tensor;
use tch::nn::Path;

use super::network::{CLASSES, IMAGE, Network};
use crate::layers::{
    Conv, Forward, batch_norm, chain, conv, conv_norm, dropout, flatten, global_mean, identity, linear, max_pool, relu,
    step,
};

pub(super) const PLAIN_NETWORKS: &[Network] = &[
    Network::image("lenet", &[1, 32, 32], 10, lenet),
    Network::image("benchm-dl-mnist-cnn", &[1, 28, 28], 10, mnist_cnn),
    Network::image("alexnet-owt", IMAGE, CLASSES, alexnet),
    Network::image("vgg-11", IMAGE, CLASSES, |p, _| vgg(p, [1, 1, 2, 2, 2])),
    Network::image("vgg-13", IMAGE, CLASSES, |p, _| vgg(p, [2, 2, 2, 2, 2])),
    Network::image("vgg-16", IMAGE, CLASSES, |p, _| vgg(p, [2, 2, 3, 3, 3])),
    Network::image("vgg-19", IMAGE, CLASSES, |p, _| vgg(p, [2, 2, 4, 4, 4])),
];

fn rectified() -> Forward {
    Box::new(|x, _| relu(x.shallow_clone()))
}

/// LeNet-5 as it is built today: the layers of LeCun et al. 1998, with ReLU and max pooling, and with each map of the second
/// convolution connected to all maps.
fn lenet(p: &Path, _: &[i64]) -> Forward {
    chain(vec![
        conv(p / "c1", 1, 6, [5; 2], Conv::padded(0)),
        rectified(),
        max_pool(2, 2, 0, false),
        conv(p / "c3", 6, 16, [5; 2], Conv::padded(0)),
        rectified(),
        max_pool(2, 2, 0, false),
        flatten(),
        linear(p / "c5", 400, 120),
        rectified(),
        linear(p / "f6", 120, 84),
        rectified(),
        linear(p / "out", 84, 10),
    ])
}

/// The network of benchm-dl's cnn-mnist (source szilard-2017).
fn mnist_cnn(p: &Path, _: &[i64]) -> Forward {
    chain(vec![
        conv(p / "conv1", 1, 32, [4; 2], Conv::padded(0)),
        rectified(),
        max_pool(2, 2, 0, false),
        conv(p / "conv2", 32, 16, [3; 2], Conv::padded(0)),
        rectified(),
        max_pool(2, 2, 0, false),
        dropout(0.2),
        flatten(),
        linear(p / "dense1", 400, 128),
        rectified(),
        linear(p / "dense2", 128, 64),
        rectified(),
        linear(p / "dense3", 64, 10),
    ])
}

/// AlexNet of "One weird trick", as implemented in torchvision.
fn alexnet(p: &Path, _: &[i64]) -> Forward {
    chain(vec![
        conv(p / 0, 3, 64, [11; 2], Conv::padded(2).stride(4)),
        rectified(),
        max_pool(3, 2, 0, false),
        conv(p / 3, 64, 192, [5; 2], Conv::padded(2)),
        rectified(),
        max_pool(3, 2, 0, false),
        conv(p / 6, 192, 384, [3; 2], Conv::padded(1)),
        rectified(),
        conv(p / 8, 384, 256, [3; 2], Conv::padded(1)),
        rectified(),
        conv(p / 10, 256, 256, [3; 2], Conv::padded(1)),
        rectified(),
        max_pool(3, 2, 0, false),
        step(|x| x.adaptive_avg_pool2d([6, 6])),
        flatten(),
        dropout(0.5),
        linear(p / "fc1", 256 * 36, 4096),
        rectified(),
        dropout(0.5),
        linear(p / "fc2", 4096, 4096),
        rectified(),
        linear(p / "fc3", 4096, CLASSES),
    ])
}

/// VGG; `depths` are the convolutions in each of its five stages (Simonyan & Zisserman 2014, table 1).
fn vgg(p: &Path, depths: [usize; 5]) -> Forward {
    let mut parts = Vec::new();
    let mut from = 3;
    for (stage, (depth, to)) in depths.into_iter().zip([64, 128, 256, 512, 512]).enumerate() {
        for layer in 0..depth {
            parts.push(conv(p / stage / layer, from, to, [3; 2], Conv::padded(1)));
            parts.push(rectified());
            from = to;
        }
        parts.push(max_pool(2, 2, 0, false));
    }
    parts.extend([
        step(|x| x.adaptive_avg_pool2d([7, 7])),
        flatten(),
        linear(p / "fc1", 512 * 49, 4096),
        rectified(),
        dropout(0.5),
        linear(p / "fc2", 4096, 4096),
        rectified(),
        dropout(0.5),
        linear(p / "fc3", 4096, CLASSES),
    ]);
    chain(parts)
}

pub(super) const RESNET_NETWORKS: &[Network] = &[
    Network::image("resnet-18", IMAGE, CLASSES, |p, _| resnet(p, [2, 2, 2, 2], Block::Basic)),
    Network::image("resnet-34", IMAGE, CLASSES, |p, _| resnet(p, [3, 4, 6, 3], Block::Basic)),
    Network::image("resnet-50", IMAGE, CLASSES, |p, _| resnet(p, [3, 4, 6, 3], Block::StrideFirst)),
    Network::image("resnet-50-v1.5", IMAGE, CLASSES, |p, _| resnet(p, [3, 4, 6, 3], Block::StrideSecond)),
    Network::image("resnet-101", IMAGE, CLASSES, |p, _| resnet(p, [3, 4, 23, 3], Block::StrideFirst)),
    Network::image("resnet-101-v1.5", IMAGE, CLASSES, |p, _| resnet(p, [3, 4, 23, 3], Block::StrideSecond)),
    Network::image("resnet-152", IMAGE, CLASSES, |p, _| resnet(p, [3, 8, 36, 3], Block::StrideFirst)),
    Network::image("resnet-152-v1.5", IMAGE, CLASSES, |p, _| resnet(p, [3, 8, 36, 3], Block::StrideSecond)),
];

const EPSILON: f64 = 1e-5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Basic,
    StrideFirst,
    StrideSecond,
}

fn resnet(p: &Path, depths: [usize; 4], block: Block) -> Forward {
    let mut parts =
        vec![conv_norm(p / "stem", 3, 64, [7; 2], Conv::padded(3).stride(2), EPSILON, relu), max_pool(3, 2, 1, false)];
    let mut from = 64;
    let expansion = if block == Block::Basic { 1 } else { 4 };
    for (stage, (depth, width)) in depths.into_iter().zip([64, 128, 256, 512]).enumerate() {
        for at in 0..depth {
            let stride = if at == 0 && stage > 0 { 2 } else { 1 };
            parts.push(residual(&(p / stage / at), from, width, stride, block));
            from = width * expansion;
        }
    }
    parts.extend([global_mean(), linear(p / "fc", from, CLASSES)]);
    chain(parts)
}

fn residual(p: &Path, from: i64, width: i64, stride: i64, block: Block) -> Forward {
    let (body, to) = match block {
        Block::Basic => {
            let body = chain(vec![
                conv_norm(p / 1, from, width, [3; 2], Conv::padded(1).stride(stride), EPSILON, relu),
                conv_norm(p / 2, width, width, [3; 2], Conv::padded(1), EPSILON, identity),
            ]);
            (body, width)
        }
        Block::StrideFirst | Block::StrideSecond => {
            let (first, second) = if block == Block::StrideFirst { (stride, 1) } else { (1, stride) };
            let body = chain(vec![
                conv_norm(p / 1, from, width, [1; 2], Conv::padded(0).stride(first), EPSILON, relu),
                conv_norm(p / 2, width, width, [3; 2], Conv::padded(1).stride(second), EPSILON, relu),
                conv_norm(p / 3, width, width * 4, [1; 2], Conv::padded(0), EPSILON, identity),
            ]);
            (body, width * 4)
        }
    };
    let shortcut = (stride != 1 || from != to)
        .then(|| conv_norm(p / "shortcut", from, to, [1; 2], Conv::padded(0).stride(stride), EPSILON, identity));
    Box::new(move |x, train| {
        let mut y = body(x, train);
        match &shortcut {
            Some(shortcut) => y += shortcut(x, train),
            None => y += x,
        }
        relu(y)
    })
}

pub(super) const DENSENET_NETWORKS: &[Network] = &[
    Network::image("densenet-121", IMAGE, CLASSES, |p, _| densenet(p, 32, 64, [6, 12, 24, 16])),
    Network::image("densenet-161", IMAGE, CLASSES, |p, _| densenet(p, 48, 96, [6, 12, 36, 24])),
    Network::image("densenet-169", IMAGE, CLASSES, |p, _| densenet(p, 32, 64, [6, 12, 32, 32])),
    Network::image("densenet-201", IMAGE, CLASSES, |p, _| densenet(p, 32, 64, [6, 12, 48, 32])),
];

/// Channels of the 1x1 convolution of a layer, in multiples of the growth rate.
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

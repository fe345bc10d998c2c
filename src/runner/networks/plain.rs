//! Networks that are one chain: LeNet, AlexNet, VGG, and the MNIST network of benchm-dl.

use tch::nn::Path;

use super::network::{CLASSES, IMAGE, Network};
use crate::layers::{Conv, Forward, chain, conv, dropout, flatten, linear, max_pool, relu, step};

pub(super) const NETWORKS: &[Network] = &[
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

/// LeNet-5 as it is built today: the layers of LeCun et al. 1998, each map of the second convolution seeing all maps,
/// rectified, with maximum pooling.
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

/// AlexNet of "One weird trick" as torchvision has it.
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

/// VGG with so many convolutions in each of its five stages (Simonyan & Zisserman 2014, table 1).
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

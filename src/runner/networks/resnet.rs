//! ResNet (He et al. 2015), with the stride of a downsampling bottleneck in its 3x3 convolution (v1.5) or its first 1x1
//! convolution (the paper).

use tch::nn::Path;

use super::network::{CLASSES, IMAGE, Network};
use crate::layers::{Conv, Forward, chain, conv_norm, global_mean, identity, linear, max_pool, relu};

pub(super) const NETWORKS: &[Network] = &[
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

//! Inception and Xception.

use tch::Tensor;
use tch::nn::Path;

use super::network::{CLASSES, IMAGE, LARGE, Network};
use crate::layers::{
    Conv, Forward, batch_norm, chain, conv, conv_norm, dropout, global_mean, identity, linear, max_pool, relu, step,
};

pub(super) const INCEPTION_NETWORKS: &[Network] = &[
    Network::image("googlenet", IMAGE, CLASSES, |p, _| googlenet(p)),
    Network::image("inception-v3", LARGE, CLASSES, |p, _| inception_v3(p)),
];

const EPSILON: f64 = 1e-3;

fn inception_conv(p: Path, from: i64, to: i64, kernel: [i64; 2], stride: i64, padding: [i64; 2]) -> Forward {
    conv_norm(p, from, to, kernel, Conv { stride, padding, groups: 1, bias: false }, EPSILON, relu)
}

/// A convolution that preserves height and width.
fn same(p: Path, from: i64, to: i64, kernel: [i64; 2]) -> Forward {
    inception_conv(p, from, to, kernel, 1, kernel.map(|extent| extent / 2))
}

/// Runs all branches on the same input and concatenates their outputs along the channels.
fn join(branches: Vec<Forward>) -> Forward {
    Box::new(move |x, train| Tensor::cat(&branches.iter().map(|branch| branch(x, train)).collect::<Vec<_>>(), 1))
}

fn googlenet(p: &Path) -> Forward {
    let mut parts = vec![
        inception_conv(p / "conv1", 3, 64, [7; 2], 2, [3; 2]),
        max_pool(3, 2, 0, true),
        same(p / "conv2", 64, 64, [1; 2]),
        same(p / "conv3", 64, 192, [3; 2]),
        max_pool(3, 2, 0, true),
    ];
    // Channels per block: 1x1, 3x3 reduced, 3x3, second 3x3 reduced, second 3x3, pooled (table 1 of the paper).
    let blocks: [&[[i64; 6]]; 3] = [
        &[[64, 96, 128, 16, 32, 32], [128, 128, 192, 32, 96, 64]],
        &[
            [192, 96, 208, 16, 48, 64],
            [160, 112, 224, 24, 64, 64],
            [128, 128, 256, 24, 64, 64],
            [112, 144, 288, 32, 64, 64],
            [256, 160, 320, 32, 128, 128],
        ],
        &[[256, 160, 320, 32, 128, 128], [384, 192, 384, 48, 128, 128]],
    ];
    let mut from = 192;
    for (stage, widths) in blocks.into_iter().enumerate() {
        for (at, [one, reduce3, three, reduce5, five, pooled]) in widths.iter().copied().enumerate() {
            let p = p / "inception" / stage / at;
            parts.push(join(vec![
                same(&p / "one", from, one, [1; 2]),
                chain(vec![same(&p / "r3", from, reduce3, [1; 2]), same(&p / "three", reduce3, three, [3; 2])]),
                // torchvision, like the original weights in TensorFlow, has 3x3 where the paper has 5x5.
                chain(vec![same(&p / "r5", from, reduce5, [1; 2]), same(&p / "five", reduce5, five, [3; 2])]),
                chain(vec![max_pool(3, 1, 1, true), same(&p / "pool", from, pooled, [1; 2])]),
            ]));
            from = one + three + five + pooled;
        }
        match stage {
            0 => parts.push(max_pool(3, 2, 0, true)),
            1 => parts.push(max_pool(2, 2, 0, true)),
            _ => {}
        }
    }
    parts.extend([global_mean(), dropout(0.2), linear(p / "fc", from, CLASSES)]);
    chain(parts)
}

fn inception_v3(p: &Path) -> Forward {
    chain(vec![
        inception_conv(p / "1a", 3, 32, [3; 2], 2, [0; 2]),
        inception_conv(p / "2a", 32, 32, [3; 2], 1, [0; 2]),
        same(p / "2b", 32, 64, [3; 2]),
        max_pool(3, 2, 0, false),
        same(p / "3b", 64, 80, [1; 2]),
        inception_conv(p / "4a", 80, 192, [3; 2], 1, [0; 2]),
        max_pool(3, 2, 0, false),
        block_a(&(p / "5b"), 192, 32),
        block_a(&(p / "5c"), 256, 64),
        block_a(&(p / "5d"), 288, 64),
        block_b(&(p / "6a"), 288),
        block_c(&(p / "6b"), 128),
        block_c(&(p / "6c"), 160),
        block_c(&(p / "6d"), 160),
        block_c(&(p / "6e"), 192),
        block_d(&(p / "7a")),
        block_e(&(p / "7b"), 1280),
        block_e(&(p / "7c"), 2048),
        global_mean(),
        dropout(0.5),
        linear(p / "fc", 2048, CLASSES),
    ])
}

fn pooled(p: Path, from: i64, to: i64) -> Forward {
    let pool = step(|x| x.avg_pool2d([3; 2], [1; 2], [1; 2], false, true, None));
    chain(vec![pool, same(p, from, to, [1; 2])])
}

fn block_a(p: &Path, from: i64, pool: i64) -> Forward {
    join(vec![
        same(p / "one", from, 64, [1; 2]),
        chain(vec![same(p / "five1", from, 48, [1; 2]), same(p / "five2", 48, 64, [5; 2])]),
        chain(vec![
            same(p / "three1", from, 64, [1; 2]),
            same(p / "three2", 64, 96, [3; 2]),
            same(p / "three3", 96, 96, [3; 2]),
        ]),
        pooled(p / "pool", from, pool),
    ])
}

fn block_b(p: &Path, from: i64) -> Forward {
    join(vec![
        inception_conv(p / "three", from, 384, [3; 2], 2, [0; 2]),
        chain(vec![
            same(p / "double1", from, 64, [1; 2]),
            same(p / "double2", 64, 96, [3; 2]),
            inception_conv(p / "double3", 96, 96, [3; 2], 2, [0; 2]),
        ]),
        max_pool(3, 2, 0, false),
    ])
}

fn block_c(p: &Path, width: i64) -> Forward {
    join(vec![
        same(p / "one", 768, 192, [1; 2]),
        chain(vec![
            same(p / "seven1", 768, width, [1; 2]),
            same(p / "seven2", width, width, [1, 7]),
            same(p / "seven3", width, 192, [7, 1]),
        ]),
        chain(vec![
            same(p / "double1", 768, width, [1; 2]),
            same(p / "double2", width, width, [7, 1]),
            same(p / "double3", width, width, [1, 7]),
            same(p / "double4", width, width, [7, 1]),
            same(p / "double5", width, 192, [1, 7]),
        ]),
        pooled(p / "pool", 768, 192),
    ])
}

fn block_d(p: &Path) -> Forward {
    join(vec![
        chain(vec![same(p / "three1", 768, 192, [1; 2]), inception_conv(p / "three2", 192, 320, [3; 2], 2, [0; 2])]),
        chain(vec![
            same(p / "seven1", 768, 192, [1; 2]),
            same(p / "seven2", 192, 192, [1, 7]),
            same(p / "seven3", 192, 192, [7, 1]),
            inception_conv(p / "seven4", 192, 192, [3; 2], 2, [0; 2]),
        ]),
        max_pool(3, 2, 0, false),
    ])
}

fn block_e(p: &Path, from: i64) -> Forward {
    let split = |p: Path| join(vec![same(&p / "wide", 384, 384, [1, 3]), same(&p / "high", 384, 384, [3, 1])]);
    join(vec![
        same(p / "one", from, 320, [1; 2]),
        chain(vec![same(p / "three1", from, 384, [1; 2]), split(p / "three2")]),
        chain(vec![
            same(p / "double1", from, 448, [1; 2]),
            same(p / "double2", 448, 384, [3; 2]),
            split(p / "double3"),
        ]),
        pooled(p / "pool", from, 192),
    ])
}

pub(super) const XCEPTION_NETWORKS: &[Network] = &[Network::image("xception", LARGE, CLASSES, xception)];

fn xception(p: &Path, _: &[i64]) -> Forward {
    let mut parts = vec![
        conv_norm(p / "stem1", 3, 32, [3; 2], Conv::padded(0).stride(2), EPSILON, relu),
        conv_norm(p / "stem2", 32, 64, [3; 2], Conv::padded(0), EPSILON, relu),
        // The stem already ends in a ReLU, so the first block starts without one.
        reducing(&(p / "entry1"), 64, [128, 128], false),
        reducing(&(p / "entry2"), 128, [256, 256], true),
        reducing(&(p / "entry3"), 256, [728, 728], true),
    ];
    parts.extend((0..8).map(|at| middle(&(p / "middle" / at))));
    parts.extend([
        reducing(&(p / "exit"), 728, [728, 1024], true),
        separable(&(p / "exit1"), 1024, 1536, false),
        rectified(),
        separable(&(p / "exit2"), 1536, 2048, false),
        rectified(),
        global_mean(),
        linear(p / "fc", 2048, CLASSES),
    ]);
    chain(parts)
}

fn rectified() -> Forward {
    Box::new(|x, _| relu(x.shallow_clone()))
}

/// A depthwise convolution, a pointwise one, and batch normalisation; preceded by a ReLU if `rectify`.
fn separable(p: &Path, from: i64, to: i64, rectify: bool) -> Forward {
    let body = chain(vec![
        conv(p / "depthwise", from, from, [3; 2], Conv::padded(1).groups(from).no_bias()),
        conv(p / "pointwise", from, to, [1; 2], Conv::padded(0).no_bias()),
        batch_norm(p / "bn", to, EPSILON),
    ]);
    // Not in place: the shortcut needs the unmodified input.
    Box::new(move |x, train| if rectify { body(&x.relu(), train) } else { body(x, train) })
}

fn reducing(p: &Path, from: i64, to: [i64; 2], rectify: bool) -> Forward {
    let body = chain(vec![
        separable(&(p / 1), from, to[0], rectify),
        separable(&(p / 2), to[0], to[1], true),
        max_pool(3, 2, 1, false),
    ]);
    let shortcut = conv_norm(p / "shortcut", from, to[1], [1; 2], Conv::padded(0).stride(2), EPSILON, identity);
    Box::new(move |x, train| body(x, train) + shortcut(x, train))
}

fn middle(p: &Path) -> Forward {
    let body = chain((0..3).map(|at| separable(&(p / at), 728, 728, true)).collect());
    Box::new(move |x, train| body(x, train) + x)
}

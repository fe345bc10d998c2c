//! Xception (Chollet 2016): depthwise separable convolutions with shortcuts.

use tch::nn::Path;

use super::network::{CLASSES, LARGE, Network};
use crate::layers::{Conv, Forward, batch_norm, chain, conv, conv_norm, global_mean, identity, linear, max_pool, relu};

pub(super) const NETWORKS: &[Network] = &[Network::image("xception", LARGE, CLASSES, xception)];

const EPSILON: f64 = 1e-3;

fn xception(p: &Path, _: &[i64]) -> Forward {
    let mut parts = vec![
        conv_norm(p / "stem1", 3, 32, [3; 2], Conv::padded(0).stride(2), EPSILON, relu),
        conv_norm(p / "stem2", 32, 64, [3; 2], Conv::padded(0), EPSILON, relu),
        // The stem is rectified already, so the first block begins without.
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

/// A convolution of each channel alone, one across them, and normalisation; rectified in front where wanted.
fn separable(p: &Path, from: i64, to: i64, rectify: bool) -> Forward {
    let body = chain(vec![
        conv(p / "depthwise", from, from, [3; 2], Conv::padded(1).groups(from).no_bias()),
        conv(p / "pointwise", from, to, [1; 2], Conv::padded(0).no_bias()),
        batch_norm(p / "bn", to, EPSILON),
    ]);
    // Not in place: the shortcut needs the input as it was.
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

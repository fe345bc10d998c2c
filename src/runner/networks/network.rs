//! The description of a network: how to build it, its input, and its training loss; and the networks of a single layer.

use std::cell::RefCell;

use tch::Tensor;
use tch::nn::{Init, Path};

use crate::count;
use crate::layers::{Conv, Forward, conv, step};

/// The content of one input sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Real numbers; the sample's shape gives the extents.
    Features,
    /// Token ids below the given vocabulary size.
    Tokens(i64),
}

/// The training loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Cross-entropy against one label per sample, with this number of classes.
    Classes(i64),
    /// Cross-entropy against the next token at every position, with this vocabulary size.
    NextToken(i64),
    /// The mean square of the output, for networks without a task.
    MeanSquare,
}

/// A network: how to build it, its input and its loss.
pub struct Network {
    /// The id in the catalog.
    pub id: &'static str,
    /// The default shape of one sample.
    pub shape: &'static [i64],
    /// The content of one sample.
    pub input: Input,
    /// The unit that a batch size counts: `image`, `sequence` or `sample`.
    pub counts: &'static str,
    /// The training loss.
    pub loss: Loss,
    /// Creates the weights under a path, for samples of the given shape.
    pub build: fn(&Path, &[i64]) -> Forward,
}

impl Network {
    /// An image classifier.
    pub(super) const fn image(
        id: &'static str,
        shape: &'static [i64],
        classes: i64,
        build: fn(&Path, &[i64]) -> Forward,
    ) -> Self {
        Self { id, shape, input: Input::Features, counts: "image", loss: Loss::Classes(classes), build }
    }

    /// A network that maps numbers to numbers and has no task of its own; trained on the mean square of its output.
    pub(super) const fn plain(
        id: &'static str,
        shape: &'static [i64],
        counts: &'static str,
        build: fn(&Path, &[i64]) -> Forward,
    ) -> Self {
        Self { id, shape, input: Input::Features, counts, loss: Loss::MeanSquare, build }
    }
}

/// The usual input shape of ImageNet networks.
pub(super) const IMAGE: &[i64] = &[3, 224, 224];

/// The input shape of the Inception networks.
pub(super) const LARGE: &[i64] = &[3, 299, 299];

/// Number of ImageNet classes.
pub(super) const CLASSES: i64 = 1000;

pub(super) const NETWORKS: &[Network] = &[
    // The five layers of convnet-benchmarks (source soumith-2017), without padding.
    Network::plain("convnet-layer-l1", &[3, 128, 128], "image", |p, _| convolution(p, 3, 96, 11)),
    Network::plain("convnet-layer-l2", &[64, 64, 64], "image", |p, _| convolution(p, 64, 128, 9)),
    Network::plain("convnet-layer-l3", &[128, 32, 32], "image", |p, _| convolution(p, 128, 128, 9)),
    Network::plain("convnet-layer-l4", &[128, 16, 16], "image", |p, _| convolution(p, 128, 128, 7)),
    Network::plain("convnet-layer-l5", &[384, 13, 13], "image", |p, _| convolution(p, 384, 384, 3)),
    Network::plain("dlbench-matrix-product-2048", &[2048], "sample", matrix_product),
    Network::plain("dlbench-lstm-cell-512", &[512], "sample", lstm_cell),
    Network::plain(MEMORY_COPY, &[1 << 20], "sample", |_, _| memory_copy()),
];

/// The memory-bandwidth probe: a sample is 2^20 numbers, each read once and written once.
pub const MEMORY_COPY: &str = "dlbench-memory-copy";

/// Copies into one reused buffer, so that only reading and writing is timed.
fn memory_copy() -> Forward {
    let to = RefCell::new(None::<Tensor>);
    step(move |x| {
        let mut to = to.borrow_mut();
        let to = match to.take().filter(|to| to.size() == x.size()) {
            Some(kept) => to.insert(kept),
            None => to.insert(x.zeros_like()),
        };
        to.copy_(x);
        to.shallow_clone()
    })
}

fn convolution(p: &Path, from: i64, to: i64, kernel: i64) -> Forward {
    conv(p / "conv", from, to, [kernel; 2], Conv::padded(0))
}

/// Multiplies rows (the batch) by a square matrix.
fn matrix_product(p: &Path, shape: &[i64]) -> Forward {
    let width = shape[0];
    let matrix = p.var("matrix", &[width, width], Init::Randn { mean: 0.0, stdev: 0.02 });
    Box::new(move |x, _| {
        let y = x.matmul(&matrix);
        count::multiply_adds(|| y.numel() as i64 * width);
        y
    })
}

/// One LSTM step from a zero state.
fn lstm_cell(p: &Path, shape: &[i64]) -> Forward {
    let units = shape[0];
    let bound = 1.0 / (units as f64).sqrt();
    let init = Init::Uniform { lo: -bound, up: bound };
    let (w_ih, w_hh) = (p.var("w_ih", &[4 * units, units], init), p.var("w_hh", &[4 * units, units], init));
    let (b_ih, b_hh) = (p.var("b_ih", &[4 * units], init), p.var("b_hh", &[4 * units], init));
    Box::new(move |x, _| {
        let batch = x.size()[0];
        count::multiply_adds(|| batch * 8 * units * units);
        let state = || Tensor::zeros([batch, units], (x.kind(), x.device()));
        let biases = (Some(b_ih.shallow_clone()), Some(b_hh.shallow_clone()));
        x.lstm_cell(&[state(), state()], &w_ih, &w_hh, biases.0, biases.1).0
    })
}

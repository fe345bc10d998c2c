//! A network: how to build it, what it takes, and what training minimises.

use tch::nn::Path;

use crate::layers::Forward;

/// What one sample of the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Real numbers of the given extents.
    Features,
    /// Whole numbers below the given count: words of a vocabulary.
    Tokens(i64),
}

/// What training minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Cross-entropy against one label a sample, of so many classes.
    Classes(i64),
    /// Cross-entropy against the next word at every place.
    NextToken(i64),
    /// The mean square of the output, for networks without a task.
    MeanSquare,
}

/// A network: how to build it and what it takes.
pub struct Network {
    /// The id in the catalog.
    pub id: &'static str,
    /// The extents of one sample, unless others are asked for.
    pub shape: &'static [i64],
    /// What one sample is.
    pub input: Input,
    /// What a batch counts: `image`, `sequence` or `sample`.
    pub counts: &'static str,
    /// What training minimises.
    pub loss: Loss,
    /// Lays the weights under a path; the extents of a sample are given.
    pub build: fn(&Path, &[i64]) -> Forward,
}

impl Network {
    /// A classifier of images.
    pub(super) const fn image(
        id: &'static str,
        shape: &'static [i64],
        classes: i64,
        build: fn(&Path, &[i64]) -> Forward,
    ) -> Self {
        Self { id, shape, input: Input::Features, counts: "image", loss: Loss::Classes(classes), build }
    }

    /// What maps numbers to numbers.
    pub(super) const fn plain(
        id: &'static str,
        shape: &'static [i64],
        counts: &'static str,
        build: fn(&Path, &[i64]) -> Forward,
    ) -> Self {
        Self { id, shape, input: Input::Features, counts, loss: Loss::MeanSquare, build }
    }
}

/// The usual crop of ImageNet.
pub(super) const IMAGE: &[i64] = &[3, 224, 224];

/// The crop of the Inception networks.
pub(super) const LARGE: &[i64] = &[3, 299, 299];

/// Classes of ImageNet.
pub(super) const CLASSES: i64 = 1000;

//! What is counted in a batch and by a throughput: what is one image, what one sample.

use crate::values::Counted;

/// Whether one of what is counted is one input of a network of images, whose multiply-adds the catalog states.
///
/// A token or a sequence is not: its work depends on its length. A query may ask for several samples.
pub fn is_one_image(counts: Counted) -> bool {
    matches!(counts, Counted::Image | Counted::Sample | Counted::Frame | Counted::Inference)
}

/// Whether one of what is counted is one sample of a data set, so that a pass over the set has as many of them.
///
/// A frame is not: networks of speech count the frames of a sample.
pub fn is_one_sample(counts: Counted) -> bool {
    is_one_image(counts) && counts != Counted::Frame
}

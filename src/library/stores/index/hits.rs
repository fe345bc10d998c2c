//! The result of a search for measurements: the total, one page of rows, and counts by share.

use strum::VariantArray;

use crate::model::Part;

/// The measurements that meet a condition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// How many there are.
    pub total: usize,
    /// The rows of the page that was asked for.
    pub rows: Vec<u64>,
    /// How many have each setup, workload, protocol and batch, over all of them.
    pub shares: ShareCounts,
}

/// How many measurements have each setup, workload, protocol and batch.
pub type ShareCounts = [Vec<u32>; Part::VARIANTS.len()];

//! What the evidence says of a row and another source's: known beside the files, as the stores must be built for it.

/// A row whose value others contradict.
#[derive(Debug, Clone, PartialEq)]
pub struct RowContradiction {
    /// The row's id.
    pub row: String,
    /// The id of another source's row; `None` where the value is far from what its setting and its device predict.
    pub other: Option<String>,
    /// The key of the metric.
    pub metric: String,
    /// The row's value.
    pub value: f64,
    /// That of the other row, or what is predicted.
    pub other_value: f64,
    /// How many times apart they are.
    pub factor: f64,
    /// How many times would be usual.
    pub usual: f64,
    /// In which circumstances the rows differ, in words.
    pub differs: String,
}

//! Counts the multiply-adds of a forward pass while it runs.

use std::cell::Cell;

thread_local! {
    static COUNTED: Cell<Option<i64>> = const { Cell::new(None) };
}

/// Adds an operation's multiply-adds; `cost` is called only while [`count_during`] is counting, so timed passes pay nothing.
pub fn multiply_adds(cost: impl FnOnce() -> i64) {
    if let Some(sum) = COUNTED.get() {
        COUNTED.set(Some(sum + cost()));
    }
}

/// Runs `pass` and returns the multiply-adds of its convolutions, matrix products and attention.
///
/// Normalisation, activations and pooling are not counted, as in the published figures.
pub fn count_during(pass: impl FnOnce()) -> i64 {
    COUNTED.set(Some(0));
    pass();
    COUNTED.take().unwrap_or(0)
}

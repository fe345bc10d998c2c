//! Which day it is.

use dlbench::values::Date;

/// Today in UTC, so that a run or a citation has the same date wherever it is read; `None` with a clock far off.
pub(super) fn today() -> Option<Date> {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string().parse().ok()
}

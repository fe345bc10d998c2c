//! Words of other languages that say something else in front of a number than elsewhere: `vor 2015`.

/// Words of other languages that say in front of a year on which side of it, and something else elsewhere.
pub(super) const IN_FRONT_OF_YEARS: &[(&str, &str)] = &[
    ("vor", "before"),
    ("nach", "after"),
    ("ab", "since"),
    ("seit", "since"),
    ("bis", "until"),
    ("avant", "before"),
    ("après", "after"),
    ("depuis", "since"),
    ("antes de", "before"),
    ("después de", "after"),
    ("despues de", "after"),
    ("depois de", "after"),
    ("desde", "since"),
    ("hasta", "until"),
    ("até", "until"),
    ("prima del", "before"),
    ("dopo il", "after"),
    ("dal", "since"),
];

/// Words in front of a number that say when something was, and are something else in front of other words: `vor 2015`.
pub(super) const BEFORE_NUMBERS: &[(&str, &str)] = &[
    ("vor", "before"),
    ("nach", "after"),
    ("ab", "since"),
    ("bis", "until"),
    ("avant", "before"),
    ("après", "after"),
    ("dès", "since"),
];

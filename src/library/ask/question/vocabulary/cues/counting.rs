//! Numbers of devices in words, and what is counted.

/// Numbers in words.
pub(in crate::ask::question) const COUNTS: &[(&str, i64)] = &[
    ("single", 1),
    ("one", 1),
    ("dual", 2),
    ("two", 2),
    ("three", 3),
    ("quad", 4),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("eight", 8),
    ("ten", 10),
    ("sixteen", 16),
];

/// What is counted when devices are.
pub(in crate::ask::question) const DEVICE_NOUNS: &[&str] = &[
    "gpu",
    "gpus",
    "device",
    "devices",
    "card",
    "cards",
    "accelerator",
    "accelerators",
    "chip",
    "chips",
    "tpus",
    "boards",
    "pieces",
];

//! Words for rows, as distinct from what they are of.

/// What an entity without rows has none of.
pub(in crate::ask::question) const MEASUREMENTS: &[&str] = &[
    "measurement",
    "measurements",
    "benchmark",
    "benchmarks",
    "result",
    "results",
    "numbers",
    "row",
    "rows",
    "data",
    "figures",
];

/// What was done where there is a row.
pub(in crate::ask::question) const MEASURED: &[&str] = &["measured", "benchmarked", "tested", "ran", "run"];

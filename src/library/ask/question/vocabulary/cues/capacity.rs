//! Words that ask whether something can be run at all, and how much of what is possible is reached.

/// Words that ask what is possible.
pub(in crate::ask::question) const POSSIBLE: &[&str] = &["can", "could", "will"];

/// What a device does with a network that fits in its memory.
pub(in crate::ask::question) const RUNNING: &[&str] = &["run", "handle", "load", "hold", "host"];

/// Those of them that ask for its memory alone.
pub(in crate::ask::question) const HOLDING: &[&str] = &["hold", "load"];

/// Words that ask for a share of what is named behind them, and need no other word to say what is meant.
pub(in crate::ask::question) const OF_SHARES: &[&str] =
    &["fraction", "share", "percent", "percentage", "portion", "close", "closest", "near", "nearest"];

/// Words for what is done to a peak.
pub(in crate::ask::question) const OF_REACHING: &[&str] =
    &["reached", "reachable", "attained", "attain", "attains", "theoretical", "utilised", "utilized"];

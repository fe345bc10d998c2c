//! Words for what an entity is today: newest, maintained, abandoned, of low power.

use crate::ask::question::vocabulary::meaning::{Cue, Meaning};

/// Phrases and what they mean.
pub(super) const PHRASES: &[(Meaning, &[&str])] = &[
    (Meaning::Cue(Cue::Newest), &["latest", "newest", "most recent", "most recently released"]),
    (
        Meaning::Cue(Cue::Maintained),
        &[
            "maintained",
            "still maintained",
            "actively maintained",
            "active",
            "still active",
            "actively developed",
            "still developed",
            "still supported",
            "still alive",
            "still used",
            "still in use",
            "in development",
            "under development",
            "still being developed",
            "still being maintained",
        ],
    ),
    (
        Meaning::Cue(Cue::Abandoned),
        &[
            "abandoned",
            "dead",
            "deprecated",
            "discontinued",
            "unmaintained",
            "end of life",
            "end-of-life",
            "eol",
            "no longer maintained",
            "no longer developed",
            "no longer supported",
            "not maintained",
            "not maintained anymore",
            "not maintained any more",
            "stop development",
            "stopped development",
            "stop being developed",
            "stopped being developed",
            "end development",
            "end of development",
            "development stop",
            "development end",
            "development ended",
        ],
    ),
    (Meaning::Cue(Cue::LowPower), &["low power", "low-power", "low energy", "low wattage"]),
];

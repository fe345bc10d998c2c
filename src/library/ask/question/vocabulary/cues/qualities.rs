//! Words for what a survey grades and compares, and for qualities that nobody states here.

use crate::ask::question::vocabulary::meaning::{Cue, Meaning, StaticQuantity};
use crate::model::Metric;

use Meaning::NotKept;

/// Phrases and what they mean.
pub(super) const PHRASES: &[(Meaning, &[&str])] = &[
    (
        Meaning::Cue(Cue::Grades),
        &["grades", "grade", "graded", "all grades", "rating", "ratings", "rated", "qualitative metrics"],
    ),
    (
        Meaning::Cue(Cue::Principles),
        &[
            "principles",
            "principles of benchmarking",
            "benchmarking principles",
            "seven principles",
            "principles of benchmarks",
        ],
    ),
    (
        Meaning::Cue(Cue::Survey),
        &[
            "survey",
            "the survey",
            "survey's",
            "survey say",
            "survey says",
            "survey think",
            "survey thinks",
            "according to the survey",
        ],
    ),
    (
        Meaning::AsksFor(StaticQuantity::Criteria),
        &[
            "criteria",
            "criterion",
            "how many criteria",
            "how many metrics",
            "which metrics",
            "what metrics",
            "which criteria",
            "what criteria",
            "how many qualitative metrics",
            "evaluation criteria",
            "framework metrics",
            "hardware metrics",
            "metrics of the survey",
            "survey metrics",
            "12 metrics",
            "7 metrics",
        ],
    ),
    // Qualities that nobody grades here: what is graded instead.
    (
        NotKept(Some(StaticQuantity::Criteria)),
        &[
            "easy to learn",
            "easier to learn",
            "easiest to learn",
            "easy to use",
            "easier to use",
            "easiest to use",
            "ease of use",
            "usability",
            "user friendly",
            "user-friendly",
            "beginner friendly",
            "beginner-friendly",
            "learning curve",
            "documentation",
            "well documented",
            "community size",
            "popularity",
            "modelling capability",
            "modeling capability",
            "easy to program",
            "easier to program",
            "easiest to program",
            "hard to program",
            "programmability",
            "easy to debug",
            "ease of debugging",
        ],
    ),
    (
        NotKept(Some(StaticQuantity::Metric(Metric::EnergyJ))),
        &["carbon footprint", "co2", "co2 emissions", "carbon emissions", "carbon"],
    ),
    (
        NotKept(None),
        &[
            "popular",
            "most popular",
            "real time factor",
            "real-time factor",
            "rtf",
            "perplexity",
            "temperature",
            "fan noise",
            "noise level",
            "resale value",
        ],
    ),
];

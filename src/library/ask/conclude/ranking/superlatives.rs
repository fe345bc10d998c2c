//! What a superlative means for a measure: which value comes first, and the word in front of it.

use crate::ask::conclude::basis::wording::name_of;
use crate::ask::question::Superlative;
use crate::model::{Derived, Direction, Measure, Metric};

/// Whether the largest value comes first.
pub(super) fn largest_first(superlative: Superlative, measure: Measure) -> bool {
    let higher = measure.direction() != Direction::Lower;
    match superlative {
        Superlative::Best => higher,
        Superlative::Worst => !higher,
        Superlative::Most => true,
        Superlative::Least => false,
        // Many items for a dollar are cheap.
        Superlative::Cheapest => higher,
    }
}

/// The word in front of the first: `Fastest`, `Highest throughput`.
pub(super) fn in_front(superlative: Superlative, measure: Measure) -> String {
    let name = name_of(measure);
    let of_speed = matches!(
        measure,
        Measure::Metric(
            Metric::ThroughputPerS | Metric::LatencyMs | Metric::EpochS | Metric::TotalS | Metric::TimeToAccuracyS
        ) | Measure::Derived(Derived::ThroughputPerDevice | Derived::TimePerItemMs)
    );
    let per_joule =
        matches!(measure, Measure::Metric(Metric::ItemsPerJoule) | Measure::Derived(Derived::ItemsPerTdpJoule));
    let of_cost = matches!(measure, Measure::Metric(Metric::CostUsd) | Measure::Derived(Derived::CostToAccuracyUsd));
    match superlative {
        Superlative::Best | Superlative::Most if per_joule => "Most energy-efficient".to_owned(),
        Superlative::Best | Superlative::Cheapest if measure == Measure::Derived(Derived::ItemsPerDollar) => {
            "Most for the dollar".to_owned()
        }
        Superlative::Best | Superlative::Cheapest if measure == Measure::Derived(Derived::RatePerLaunchUsd) => {
            "Fastest for its launch price".to_owned()
        }
        Superlative::Best | Superlative::Least | Superlative::Cheapest if of_cost => "Cheapest".to_owned(),
        Superlative::Best if of_speed => "Fastest".to_owned(),
        Superlative::Worst if of_speed => "Slowest".to_owned(),
        Superlative::Best => format!("Best {name}"),
        Superlative::Worst => format!("Worst {name}"),
        Superlative::Most => format!("Highest {name}"),
        Superlative::Least => format!("Lowest {name}"),
        Superlative::Cheapest => format!("Cheapest by {name}"),
    }
}

//! The metrics, measures and facts that a question is about.

use crate::ask::question::{Clause, Quantity, Question, ReadAs, Superlative};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Measure, Metric};
use crate::stores::index::Condition;

/// What is compared where nothing is named, the usual measure first.
const OF_SPEED: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::LatencyMs,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
    Metric::DeviceThroughputPerS,
    Metric::Gflops,
    Metric::BandwidthGbPerS,
];

/// The metrics that a question asks for by their names, else those of speed.
pub(in crate::ask::conclude) fn metrics_of(question: &Question) -> Vec<Metric> {
    let named: Vec<Metric> = question
        .wanted
        .quantities
        .iter()
        .filter_map(|quantity| match quantity {
            Quantity::Metric(metric) => Some(*metric),
            _ => None,
        })
        .collect();
    if named.is_empty() { OF_SPEED.to_vec() } else { named }
}

/// Metrics with the others of speed behind one of them: how many times as fast something is either tells.
pub(in crate::ask::conclude) fn with_other_speeds(mut metrics: Vec<Metric>) -> Vec<Metric> {
    if metrics.iter().any(|metric| matches!(metric, Metric::ThroughputPerS | Metric::LatencyMs)) {
        let others: Vec<Metric> = OF_SPEED.iter().copied().filter(|metric| !metrics.contains(metric)).collect();
        metrics.extend(others);
    }
    metrics
}

/// What rows state of the same where they do not state this metric: a latency of a batch, or that of a query on average; energy
/// for power, and the other way round.
pub(in crate::ask::conclude) fn stated_instead(metric: Metric) -> &'static [Metric] {
    match metric {
        Metric::LatencyMs => &[Metric::MeanLatencyMs],
        Metric::MeanLatencyMs => &[Metric::LatencyMs],
        Metric::PowerW => &[Metric::EnergyJ, Metric::EnergyPerItemJ, Metric::ItemsPerJoule],
        Metric::EnergyJ => &[Metric::EnergyPerRequestJ, Metric::ItemsPerJoule, Metric::PowerW],
        Metric::EnergyPerItemJ => &[Metric::ItemsPerJoule],
        Metric::ItemsPerJoule => &[Metric::EnergyPerItemJ, Metric::PowerW],
        _ => &[],
    }
}

/// What follows from other metrics where rows do not state this one, the nearest first.
pub(in crate::ask::conclude) fn derivable(metric: Metric) -> &'static [Derived] {
    match metric {
        Metric::ItemsPerJoule | Metric::EfficiencyRatio => &[Derived::ItemsPerTdpJoule],
        Metric::EnergyPerItemJ => &[Derived::OutputTokenEnergyJ, Derived::ItemTdpEnergyJ],
        Metric::EnergyJ => &[Derived::TargetTdpEnergyJ, Derived::ItemsPerTdpJoule],
        Metric::DeviceThroughputPerS => &[Derived::ThroughputPerDevice],
        Metric::Mfu => &[Derived::PeakFraction],
        Metric::LatencyMs | Metric::MeanLatencyMs => &[Derived::TimePerItemMs],
        Metric::CostUsd => &[Derived::CostToAccuracyUsd, Derived::ItemsPerDollar],
        Metric::EpochS => &[Derived::EpochTimeS],
        _ => &[],
    }
}

/// What a derived measure gives way to where too little is known for it: what a board may draw for what it drew, the price of
/// a board for its rent, the whole training for an epoch of it, and its time where nobody says what it cost.
pub(in crate::ask::conclude) fn derived_instead(measure: Derived) -> &'static [Measure] {
    match measure {
        Derived::EpochEnergyJ => {
            &[Measure::Derived(Derived::EpochTdpEnergyJ), Measure::Derived(Derived::ItemsPerTdpJoule)]
        }
        Derived::ItemsPerDollar => &[Measure::Derived(Derived::RatePerLaunchUsd)],
        Derived::CostPerEpochUsd => &[
            Measure::Derived(Derived::CostToAccuracyUsd),
            Measure::Metric(Metric::CostUsd),
            Measure::Metric(Metric::EpochS),
            Measure::Metric(Metric::TimeToAccuracyS),
            Measure::Metric(Metric::ThroughputPerS),
        ],
        Derived::CostToAccuracyUsd => &[Measure::Metric(Metric::TimeToAccuracyS)],
        _ => &[],
    }
}

/// The metrics and derived measures that a question asks for by their names, in its order.
pub(in crate::ask::conclude) fn measures_named(question: &Question) -> Vec<Measure> {
    let named = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Metric(metric) => Some(Measure::Metric(*metric)),
        Quantity::Derived(derived) => Some(Measure::Derived(*derived)),
        _ => None,
    });
    named.collect()
}

/// What a question ranks by: what it names, else cost for what is cheap, else speed; nothing where it asks for the most or
/// the least of something that is not understood.
pub(in crate::ask::conclude) fn ranking_measures(question: &Question) -> Vec<Measure> {
    let mut named = measures_named(question);
    // Few boards are known to be rented out: what they cost when they were new is the next thing to price.
    if named.contains(&Measure::Derived(Derived::ItemsPerDollar)) {
        named.push(Measure::Derived(Derived::RatePerLaunchUsd));
    }
    // Fewer sources say of how many epochs a training was than what it cost.
    if named.contains(&Measure::Derived(Derived::CostPerEpochUsd)) {
        named.push(Measure::Derived(Derived::CostToAccuracyUsd));
    }
    if !named.is_empty() {
        return named;
    }
    match question.wanted.superlative {
        Some(Superlative::Cheapest) => vec![
            Measure::Metric(Metric::CostUsd),
            Measure::Derived(Derived::CostToAccuracyUsd),
            Measure::Derived(Derived::ItemsPerDollar),
            Measure::Derived(Derived::RatePerLaunchUsd),
        ],
        Some(Superlative::Least) => Vec::new(),
        // The most of something that nobody understood is no speed: `most sold gpu`.
        Some(Superlative::Most) if !question.ignored.is_empty() => Vec::new(),
        _ => metrics_of(question).into_iter().map(Measure::Metric).collect(),
    }
}

/// The fact that a question asks for, where it asks for no measure.
pub(in crate::ask::conclude) fn fact_named(question: &Question) -> Option<Fact> {
    if !measures_named(question).is_empty() {
        return None;
    }
    question.wanted.quantities.iter().find_map(|quantity| match quantity {
        Quantity::Fact(fact) if fact.unit().is_some() || *fact == Fact::Price => Some(*fact),
        _ => None,
    })
}

/// The fact that a superlative alone asks for: the cheapest device is that of the lowest price, the smallest network that of
/// the fewest parameters.
pub(in crate::ask::conclude) fn fact_of_superlative(question: &Question, candidates: Aspect) -> Option<Fact> {
    let of_rows = [Field::Network, Field::Stage, Field::Framework, Field::Dataset];
    let is_of_rows = |read_as: &ReadAs| {
        read_as.facet == Aspect::Source.key() || of_rows.iter().any(|field| field.key() == read_as.facet)
    };
    let is_named = !question.wanted.quantities.is_empty() || question.read_as().any(is_of_rows);
    match (candidates, question.wanted.superlative?) {
        _ if is_named => None,
        (Aspect::Field(Field::Device), Superlative::Cheapest) => Some(Fact::LaunchPrice),
        (Aspect::Field(Field::Network), Superlative::Least | Superlative::Most) => Some(Fact::Parameters),
        _ => None,
    }
}

/// What measurements must be like, whether or not they have the metric that is asked for.
pub(in crate::ask::conclude) fn with_or_without_metric(question: &Question) -> Condition {
    let is_of_metric = |clause: &&Clause| {
        !clause.readings.is_empty()
            && clause.readings.iter().all(|reading| reading.read_as.facet == Facet::Metric.key())
    };
    let kept = question.clauses.iter().filter(|clause| !is_of_metric(clause));
    Condition::All(kept.map(|clause| clause.condition.clone()).collect())
}

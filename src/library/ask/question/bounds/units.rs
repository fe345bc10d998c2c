//! Units behind numbers, by the words for them, and what is compared in them.

use crate::ask::question::vocabulary::plain;
use crate::model::{Aspect, Fact, FactType, Metric};
use crate::values::Unit;

/// What a number is compared with where only its unit says so.
pub(super) const BY_UNIT: &[Aspect] = &[
    Aspect::Fact(Fact::Memory),
    Aspect::Metric(Metric::LatencyMs),
    Aspect::Fact(Fact::Tdp),
    Aspect::Fact(Fact::Bandwidth),
    Aspect::Metric(Metric::ThroughputPerS),
    Aspect::Fact(Fact::LaunchPrice),
    Aspect::Metric(Metric::EnergyJ),
    Aspect::Fact(Fact::Process),
    Aspect::Metric(Metric::Accuracy),
    Aspect::Fact(Fact::PeakFp32),
    Aspect::Fact(Fact::BoostClock),
    Aspect::Metric(Metric::TimeToAccuracyS),
    Aspect::Fact(Fact::Parameters),
    Aspect::Fact(Fact::MultiplyAdds),
];

/// Units in words.
const UNIT_WORDS: &[(&str, &str)] = &[
    ("milliseconds", "ms"),
    ("millisecond", "ms"),
    ("msec", "ms"),
    ("microseconds", "us"),
    ("seconds", "s"),
    ("second", "s"),
    ("secs", "s"),
    ("minutes", "min"),
    ("minute", "min"),
    ("mins", "min"),
    ("hour", "h"),
    ("hrs", "h"),
    ("day", "d"),
    ("watt", "w"),
    ("joule", "j"),
    ("millijoules", "mj"),
    ("millijoule", "mj"),
    ("gigabytes", "gb"),
    ("gigabyte", "gb"),
    ("gigs", "gb"),
    ("gig", "gb"),
    ("megabytes", "mb"),
    ("dollars", "usd"),
    ("dollar", "usd"),
    ("bucks", "usd"),
    ("images per second", "images/s"),
    ("images a second", "images/s"),
    ("img per second", "images/s"),
    ("images/sec", "images/s"),
    ("img/sec", "images/s"),
    ("frames per second", "fps"),
    ("tokens per second", "tokens/s"),
    ("tokens/sec", "tokens/s"),
    ("samples per second", "samples/s"),
    ("percent", "%"),
    ("millions", "million"),
    ("mio", "million"),
    ("billions", "billion"),
];

/// Quantities besides those of [`BY_UNIT`] whose units may stand behind a number.
const OTHER_UNITS: &[Aspect] = &[Aspect::Metric(Metric::MemoryMib), Aspect::Metric(Metric::TotalS)];

/// The words of `million images per hour`.
pub(in crate::ask::question) const LONGEST_UNIT: usize = 4;

/// The unit that words begin with: how many of them, and how it is written shortly.
pub(in crate::ask::question) fn unit_at(words: &[&str]) -> Option<(usize, String)> {
    (1..=LONGEST_UNIT.min(words.len())).rev().find_map(|length| {
        let unit = words[..length].iter().map(|word| plain(word)).collect::<Vec<_>>().join(" ");
        let unit =
            UNIT_WORDS.iter().find(|(word, _)| *word == unit).map_or(unit.as_str(), |(_, unit)| *unit).to_owned();
        let mut known = BY_UNIT.iter().chain(OTHER_UNITS).filter_map(|aspect| unit_of(*aspect));
        known.any(|of| of.is_called(&unit)).then_some((length, unit))
    })
}

/// Whether a word is the unit of what a size can be stated of.
pub(in crate::ask::question) fn is_unit(word: &str) -> bool {
    unit_at(&[word]).is_some()
}

/// The unit in which an aspect is compared.
pub(in crate::ask::question) fn unit_of(aspect: Aspect) -> Option<Unit> {
    match aspect {
        Aspect::Metric(metric) => Some(metric.unit()),
        Aspect::Derived(measure) => Some(measure.unit()),
        Aspect::Fact(fact) => match fact.value_type() {
            FactType::Number(unit) => Some(unit),
            FactType::Date => Some(Unit::Count),
            _ => None,
        },
        Aspect::Field(_) if aspect.is_numeric() => Some(Unit::Count),
        _ => None,
    }
}

//! Limits on a quotient: `under 10 joules per image`, `above 20 fps per watt`. What stands behind the `per` belongs to the
//! limit; a limit on the first half alone would be another one.

use std::ops::Bound;

use super::filters::Bounds;
use super::vocabulary::{StaticQuantity, plain};
use crate::model::{Aspect, Derived, Fact, Metric};

/// What a network finishes one after the other.
const ITEMS: &[&str] =
    &["image", "inference", "frame", "sample", "sequence", "token", "query", "item", "img", "picture", "sentence"];

/// What energy is told in.
const OF_ENERGY: &[&str] = &["watt", "w", "joule", "j"];

/// Words between the `per` and what is counted, and how many they are: `per million images`.
const COUNTS: &[(&str, f64)] = &[
    ("single", 1.0),
    ("one", 1.0),
    ("thousand", 1e3),
    ("1k", 1e3),
    ("1000", 1e3),
    ("kilo", 1e3),
    ("million", 1e6),
    ("1m", 1e6),
    ("1000000", 1e6),
    ("billion", 1e9),
];

/// What a limit on a quotient comes to.
pub(super) enum Quotient {
    /// A limit on a quantity.
    Of(StaticQuantity, Bounds),
    /// One that no row can be held against.
    Unknown,
}

/// The quotient that a limit on the first half is part of, and how many of the words behind it say so.
pub(super) fn quotient(aspect: Aspect, bounds: Bounds, behind: &[&str]) -> Option<(usize, Quotient)> {
    let per = behind.first().map(|word| plain(word)).filter(|word| word == "per" || word == "/" || word == "a")?;
    let count = |word: &&str| COUNTS.iter().find(|(name, _)| *name == plain(word)).map(|(_, count)| *count);
    let counted: Vec<f64> = behind[1..].iter().map_while(count).collect();
    let (counts, items) = (counted.len(), counted.iter().product::<f64>());
    let noun = singular(&plain(behind.get(1 + counts)?));
    let is_item = ITEMS.contains(&noun.as_str());
    let taken = 2 + counts;
    let per_joule = StaticQuantity::Metric(Metric::ItemsPerJoule);
    match aspect {
        // The time, memory and power of a device are those of what it runs.
        _ if per == "a" && !is_item => None,
        Aspect::Metric(Metric::EnergyJ) if is_item && counts == 0 => {
            Some((taken, Quotient::Of(per_joule, inverted(bounds, 1.0))))
        }
        Aspect::Metric(Metric::CostUsd) | Aspect::Fact(Fact::LaunchPrice) if is_item => {
            Some((taken, Quotient::Of(StaticQuantity::Derived(Derived::ItemsPerDollar), inverted(bounds, items))))
        }
        // An image a second for each watt is an image for each joule.
        Aspect::Metric(Metric::ThroughputPerS) if OF_ENERGY.contains(&noun.as_str()) && counts == 0 => {
            Some((taken, Quotient::Of(per_joule, bounds)))
        }
        // A latency is per batch, and a person's image is mostly a batch of one; a second per epoch is an epoch's time.
        Aspect::Metric(Metric::LatencyMs | Metric::EpochS) => None,
        // `per GPU` is how rows of several are read.
        Aspect::Metric(Metric::ThroughputPerS) if !is_item && !OF_ENERGY.contains(&noun.as_str()) => None,
        _ => Some((taken, Quotient::Unknown)),
    }
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
    }
}

/// Less than ten joules for an item are more than a tenth of an item for a joule.
fn inverted((low, high): Bounds, items: f64) -> Bounds {
    let inverse = |bound: Bound<f64>| match bound {
        Bound::Included(value) if value > 0.0 => Bound::Included(items / value),
        Bound::Excluded(value) if value > 0.0 => Bound::Excluded(items / value),
        _ => Bound::Unbounded,
    };
    (inverse(high), inverse(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(aspect: Aspect, bounds: Bounds, behind: &str) -> Option<(usize, Option<(StaticQuantity, Bounds)>)> {
        let words: Vec<&str> = behind.split(' ').collect();
        quotient(aspect, bounds, &words).map(|(taken, quotient)| match quotient {
            Quotient::Of(quantity, bounds) => (taken, Some((quantity, bounds))),
            Quotient::Unknown => (taken, None),
        })
    }

    #[test]
    fn what_stands_behind_the_per_belongs_to_the_limit() {
        let below = |value| (Bound::Unbounded, Bound::Excluded(value));
        let above = |value| (Bound::Excluded(value), Bound::Unbounded);
        let (energy, speed) = (Aspect::Metric(Metric::EnergyJ), Aspect::Metric(Metric::ThroughputPerS));
        let per_joule = StaticQuantity::Metric(Metric::ItemsPerJoule);
        assert_eq!(read(energy, below(10.0), "per image resnet"), Some((2, Some((per_joule, above(0.1))))));
        assert_eq!(read(speed, above(20.0), "per watt"), Some((2, Some((per_joule, above(20.0))))));
        assert_eq!(read(energy, below(10.0), "per epoch"), Some((2, None)));
        let price = Aspect::Fact(Fact::LaunchPrice);
        let per_dollar = StaticQuantity::Derived(Derived::ItemsPerDollar);
        assert_eq!(read(price, below(2.0), "per million images"), Some((3, Some((per_dollar, above(500_000.0))))));
        assert_eq!(read(speed, above(20.0), "per gpu"), None);
        assert_eq!(read(speed, above(20.0), "on a T4"), None);
    }
}

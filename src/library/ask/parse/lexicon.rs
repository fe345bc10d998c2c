//! The lexicon: each phrase of `lexicon.toml` with its typed meaning, compiled into one sorted table.

use strum::IntoStaticStr;

use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};

use super::question::{End, Key, Quantity};
use crate::values::text::normalise;

/// The sections of the lexicon. A phrase in several sections is tried in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    /// A value of a filter.
    Value,
    /// A quantity that can be asked for.
    Quantity,
    /// The order of candidates.
    Order,
    /// A comparative: `faster`.
    Comparative,
    /// A kind of thing that can be listed.
    Kind,
    /// A link between two things.
    Link,
    /// A word that introduces an axis, or names one.
    Axis,
    /// A bound next to a number.
    Bound,
    /// A negation of a condition.
    Not,
    /// A word that says what kind of question it is.
    Ask,
    /// A topic that the knowledge base does not cover.
    NotKept,
    /// A unit, recognised only next to a number.
    Unit,
    /// The default baseline of a value.
    Baseline,
    /// A number written as a word.
    Number,
    /// A filler word without meaning.
    Filler,
}

/// Phrase, section, meaning; sorted by phrase and section.
static PHRASES: &[(&str, Section, &str)] = include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

/// Every phrase, normalised.
#[cfg(test)]
pub(super) fn phrases() -> impl Iterator<Item = &'static str> {
    PHRASES.iter().map(|(phrase, ..)| *phrase)
}

/// A phrase has at most this many words.
pub(super) const LONGEST_PHRASE: usize = 7;

/// The meanings of a normalised phrase, in section order.
pub(super) fn meanings(normal: &str) -> &'static [(&'static str, Section, &'static str)] {
    let from = PHRASES.partition_point(|(phrase, ..)| *phrase < normal);
    let count = PHRASES[from..].iter().take_while(|(phrase, ..)| *phrase == normal).count();
    &PHRASES[from..from + count]
}

/// The only phrase that is one edit away from a long misspelt word: `latancy`, `througput`.
pub(super) fn nearest_phrase(normal: &str) -> Option<&'static str> {
    /// Shorter words are too similar to each other.
    const SHORTEST: usize = 6;
    let is_telling = |section: &Section| {
        use Section::{Ask, Comparative, Order, Quantity, Value};
        matches!(section, Quantity | Order | Comparative | Value | Ask)
    };
    let long = PHRASES.iter().filter(|(phrase, section, _)| phrase.len() >= SHORTEST && is_telling(section));
    let near = long.filter(|(phrase, ..)| {
        phrase.starts_with(normal.get(..1).unwrap_or_default())
            && phrase.len().abs_diff(normal.len()) <= 1
            && strsim::osa_distance(phrase, normal) == 1
    });
    let mut near: Vec<&str> = near.map(|(phrase, ..)| *phrase).collect();
    near.dedup();
    match near.as_slice() {
        [only] if normal.len() >= SHORTEST => Some(only),
        _ => None,
    }
}

/// The meaning of a phrase in one section.
pub(super) fn meaning(normal: &str, section: Section) -> Option<&'static str> {
    meanings(normal).iter().find(|(_, of, _)| *of == section).map(|(.., meaning)| *meaning)
}

/// Whether a phrase names a topic that the knowledge base does not cover.
pub fn is_out_of_scope(phrase: &str) -> bool {
    meaning(&normalise(phrase), Section::NotKept).is_some()
}

/// Whether the lexicon maps a phrase to this value. The knowledge base need not have an entry with that name.
pub(super) fn is_meant(facet: Facet, value: &str) -> bool {
    let values = |meaning: &'static str| meaning.strip_prefix(facet.key())?.strip_prefix(':');
    let mut meant = PHRASES.iter().filter(|(_, section, _)| *section == Section::Value).map(|(.., meaning)| *meaning);
    meant.any(|meaning| values(meaning).is_some_and(|values| values.split(',').any(|of| of == value)))
}

/// The default baseline of a value of a key: values separated by commas, or `-` for rows without the value.
pub(super) fn baseline(key: &Key, value: &str) -> Option<&'static str> {
    let of = |phrase: &str| meaning(&normalise(phrase), Section::Baseline);
    of(&format!("{} {value}", key.key())).or_else(|| of(key.key()))
}

/// The kind of subject of a question, which decides between the meanings of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Subject {
    /// Hardware classes, or no entity.
    Class,
    /// Devices.
    Device,
    /// Networks.
    Network,
    /// Data sets.
    Dataset,
    /// Frameworks.
    Framework,
    /// Measurements: any other combination of these.
    Rows,
}

/// Resolves a quantity's meaning (`class:memory rows:memory-mib`) for a subject, or for the nearest subject that has one.
pub(super) fn quantities(meaning: &str, subject: Subject) -> Vec<Quantity> {
    let of = |wanted: &str| {
        let mut parts = meaning.split(' ').map(|part| part.split_once(':').unwrap_or(("any", part)));
        parts.find(|(name, _)| *name == wanted).map(|(_, ids)| ids)
    };
    let order = [subject.into(), "any", "rows", "class", "device", "network", "framework", "dataset"];
    let ids = order.iter().find_map(|name| of(name)).unwrap_or_default();
    ids.split(',').flat_map(quantities_called).collect()
}

/// The first quantity to which a meaning resolves for a subject.
pub(super) fn quantity(meaning: &str, subject: Subject) -> Option<Quantity> {
    quantities(meaning, subject).into_iter().next()
}

/// Parses the end and the quantity of an order or a comparative: `least class:price rows:cost-usd`.
pub(super) fn order_of(meaning: &'static str) -> Option<(End, Option<&'static str>)> {
    let (end, by) = meaning.split_once(' ')?;
    Some((end.parse().ok()?, (by != "open").then_some(by)))
}

/// The dense peaks that `peak` means if no number format is named.
const PEAKS: [Fact; 3] = [Fact::PeakFp32, Fact::PeakFp16, Fact::PeakFp16Tensor];

fn quantities_called(id: &str) -> Vec<Quantity> {
    match id {
        "peak" => PEAKS.map(Quantity::Fact).to_vec(),
        _ => quantity_called(id).into_iter().collect(),
    }
}

/// The metrics by which classes of hardware are graded.
pub(super) const GRADED: [&str; 12] = [
    "computing-performance",
    "low-latency",
    "energy-efficiency",
    "compatibility",
    "die-size",
    "research-costs",
    "research-risks",
    "upgradability",
    "scalability",
    "chip-price",
    "ubicomp",
    "time-to-market",
];

/// Parses the id of a quantity.
pub(super) fn quantity_called(id: &str) -> Option<Quantity> {
    Some(match id {
        "speed" => Quantity::Speed,
        "rows" => Quantity::Rows,
        "sources" => Quantity::Sources,
        "principles" => Quantity::Principles,
        "criteria" => Quantity::Criteria,
        _ if GRADED.contains(&id) => Quantity::HardwareMetric(id.to_owned()),
        _ => {
            if let Some((fact, per)) = id.split_once('/') {
                return Some(Quantity::Ratio(fact.parse().ok()?, per.parse().ok()?));
            }
            let metric = id.parse().map(Quantity::Metric).ok();
            let derived = || id.parse::<Derived>().map(Quantity::Derived).ok();
            let fact = || id.parse::<Fact>().map(Quantity::Fact).ok();
            let field = || id.parse::<Field>().map(Quantity::Field).ok();
            metric.or_else(derived).or_else(fact).or_else(field)?
        }
    })
}

/// Parses the key of a filter.
pub(super) fn key_called(key: &str) -> Option<Key> {
    Some(match key {
        "rows" => Key::Rows,
        "sources" => Key::Sources,
        "text" => Key::Text,
        _ if GRADED.contains(&key) => Key::Grade(key.to_owned()),
        _ => {
            let facet = key.parse::<Facet>().map(Key::Facet).ok();
            let fact = || Fact::filter(key).map(|fact| Key::Aspect(Aspect::Fact(fact)));
            let field = || key.parse::<Field>().map(|field| Key::Aspect(Aspect::Field(field))).ok();
            let metric = || key.parse::<Metric>().map(|metric| Key::Aspect(Aspect::Metric(metric))).ok();
            let derived = || key.parse::<Derived>().map(|derived| Key::Aspect(Aspect::Derived(derived))).ok();
            facet.or_else(fact).or_else(field).or_else(metric).or_else(derived)?
        }
    })
}

/// The filter key that tests a quantity, if there is one.
pub(super) fn key_of(quantity: &Quantity) -> Option<Key> {
    Some(match quantity {
        Quantity::Speed => Key::Aspect(Aspect::Metric(Metric::ThroughputPerS)),
        Quantity::Metric(metric) => Key::Aspect(Aspect::Metric(*metric)),
        Quantity::Derived(derived) => Key::Aspect(Aspect::Derived(*derived)),
        Quantity::Fact(fact) => key_called(fact.key()).unwrap_or(Key::Aspect(Aspect::Fact(*fact))),
        Quantity::Field(field) => key_called(field.key()).unwrap_or(Key::Aspect(Aspect::Field(*field))),
        Quantity::HardwareMetric(id) => Key::Grade(id.clone()),
        Quantity::Rows => Key::Rows,
        Quantity::Sources => Key::Sources,
        Quantity::Ratio(..) | Quantity::FrameworkMetric(_) | Quantity::Principles | Quantity::Criteria => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meaning_of_the_lexicon_is_known() {
        assert!(PHRASES.is_sorted());
        for (phrase, section, meaning) in PHRASES {
            let known = match section {
                Section::Value => meaning.split_once(':').is_some_and(|(key, _)| key_called(key).is_some()),
                Section::Quantity => meaning.split(' ').all(|part| {
                    let (_, ids) = part.split_once(':').unwrap_or_default();
                    ids.split(',').all(|id| !quantities_called(id).is_empty())
                }),
                Section::Order | Section::Comparative => order_of(meaning)
                    .is_some_and(|(_, by)| by.is_none_or(|by| !quantities(by, Subject::Rows).is_empty())),
                Section::Kind => meaning.split(' ').next().is_some_and(|of| of.parse::<Facet>().is_ok()),
                Section::Number => meaning.parse::<f64>().is_ok(),
                Section::Unit => meaning.split_once(' ').is_some_and(|(_, factor)| factor.parse::<f64>().is_ok()),
                _ => true,
            };
            assert!(known, "{phrase}: {meaning}");
        }
    }

    #[test]
    fn a_quantity_means_what_its_subject_has() {
        let memory = meaning("memory", Section::Quantity).unwrap_or_default();
        assert_eq!(quantities(memory, Subject::Device), [Quantity::Fact(Fact::Memory)]);
        assert_eq!(quantities(memory, Subject::Rows), [Quantity::Metric(Metric::MemoryMib)]);
        assert_eq!(quantities(memory, Subject::Dataset), [Quantity::Metric(Metric::MemoryMib)]);
    }
}

//! Sizes in words: `at least 24 GB`, `latency < 10 ms`, `under 300W`, `more than 8 GPUs`, `less than 10M parameters`.

use std::ops::RangeBounds as _;

use super::clause::Clause;
use super::error::QueryError;
use super::filters::bounds_of;
use super::grammar::Operator;
use super::interpreter::Interpreter;
use super::vocabulary::{DEVICE_NOUNS, LONGEST_PHRASE, Meaning, StaticQuantity, meaning_of, plain};
use crate::model::{Aspect, Derived, Fact, FactType, FactValue, Field, Metric};
use crate::stores::index::Condition;
use crate::values::Unit;

/// Words that compare sizes.
const COMPARATORS: &[(&str, Operator)] = &[
    ("less than", Operator::Less),
    ("fewer than", Operator::Less),
    ("lower than", Operator::Less),
    ("smaller than", Operator::Less),
    ("cheaper than", Operator::Less),
    ("faster than", Operator::Greater),
    ("under", Operator::Less),
    ("below", Operator::Less),
    ("<", Operator::Less),
    ("at most", Operator::LessOrEqual),
    ("up to", Operator::LessOrEqual),
    ("no more than", Operator::LessOrEqual),
    ("not more than", Operator::LessOrEqual),
    ("within", Operator::LessOrEqual),
    ("<=", Operator::LessOrEqual),
    ("≤", Operator::LessOrEqual),
    ("more than", Operator::Greater),
    ("greater than", Operator::Greater),
    ("higher than", Operator::Greater),
    ("larger than", Operator::Greater),
    ("bigger than", Operator::Greater),
    ("over", Operator::Greater),
    ("above", Operator::Greater),
    ("exceeding", Operator::Greater),
    (">", Operator::Greater),
    ("at least", Operator::GreaterOrEqual),
    ("no less than", Operator::GreaterOrEqual),
    ("not less than", Operator::GreaterOrEqual),
    ("minimum of", Operator::GreaterOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("≥", Operator::GreaterOrEqual),
    ("=", Operator::Is),
];

/// What a number is compared with where only its unit says so.
const BY_UNIT: &[Aspect] = &[
    Aspect::Fact(Fact::Memory),
    Aspect::Metric(Metric::LatencyMs),
    Aspect::Fact(Fact::Tdp),
    Aspect::Fact(Fact::Bandwidth),
    Aspect::Metric(Metric::ThroughputPerS),
    Aspect::Fact(Fact::LaunchPrice),
    Aspect::Metric(Metric::EnergyJ),
    Aspect::Fact(Fact::Process),
    Aspect::Metric(Metric::Accuracy),
];

/// A size that a question states, how many words say it, and its words.
struct Size {
    aspect: Aspect,
    operator: Operator,
    number: f64,
    taken: usize,
}

impl Interpreter<'_> {
    /// The size that these words begin with, as a condition.
    pub(super) fn size(&mut self, words: &[&str]) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some(size) = size_of(words) else { return Ok(None) };
        let text = words[..size.taken].join(" ");
        let clause = self.sized(&text, size.aspect, size.operator, size.number)?;
        Ok(clause.map(|clause| (size.taken, clause)))
    }

    /// A condition on a number.
    pub(super) fn sized(
        &mut self,
        text: &str,
        aspect: Aspect,
        operator: Operator,
        number: f64,
    ) -> Result<Option<Clause>, QueryError> {
        let bounds = bounds_of(operator, number);
        let condition = match aspect {
            Aspect::Metric(metric) => Condition::Metric(metric, bounds.0, bounds.1),
            Aspect::Field(field) => self.within(field, bounds)?,
            Aspect::Fact(fact) => {
                let ids = self.stores.store.entities_with(fact.kind(), fact.key(), |value| match value {
                    FactValue::Number(number) => bounds.contains(number),
                    FactValue::Word(_) => false,
                })?;
                self.naming(fact.kind(), ids.into_iter().collect())?
            }
            _ => return Ok(None),
        };
        let sign = match operator {
            Operator::Is => ":",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
        };
        let value = format!("{sign}{number}");
        Ok(Some(Clause::of(text, aspect.key(), vec![value.clone()], format!("{}{value}", aspect.key()), condition)))
    }
}

fn size_of(words: &[&str]) -> Option<Size> {
    // `latency below 10 ms`
    if let Some((length, aspects)) = named(words) {
        let between = words[length..].iter().take(2).take_while(|word| is_between(word)).count();
        let rest = &words[length + between..];
        if let Some((sign, operator, number, taken)) = comparison(rest) {
            let read = aspects.iter().find_map(|aspect| Some((*aspect, unit_of(*aspect)?.parse(&number)?)));
            let (aspect, number) = read?;
            return Some(Size { aspect, operator, number, taken: length + between + sign + taken });
        }
    }
    // `below 10 ms latency`, `below 10 ms`
    let (sign, operator, text, taken) = comparison(words)?;
    let end = sign + taken;
    let between = words[end..].iter().take(2).take_while(|word| is_between(word)).count();
    let behind = words.get(end + between..).unwrap_or_default();
    if let Some((length, aspects)) = named(behind)
        && let Some((aspect, number)) =
            aspects.iter().find_map(|aspect| Some((*aspect, unit_of(*aspect)?.parse(&text)?)))
    {
        return Some(Size { aspect, operator, number, taken: end + between + length });
    }
    if behind.first().is_some_and(|word| DEVICE_NOUNS.contains(&plain(word).as_str())) && between == 0 {
        let number = text.parse().ok()?;
        // What is counted says its class as well: `gpus` is left to be read.
        return Some(Size { aspect: Aspect::Field(Field::DeviceCount), operator, number, taken: end });
    }
    if !text.contains(|c: char| c.is_alphabetic() || matches!(c, '$' | '%' | '/')) {
        return None;
    }
    let read = BY_UNIT.iter().find_map(|aspect| Some((*aspect, unit_of(*aspect)?.parse(&text)?)));
    let (aspect, number) = read?;
    Some(Size { aspect, operator, number, taken: end })
}

/// Words between a quantity and its size.
fn is_between(word: &str) -> bool {
    matches!(plain(word).as_str(), "of" | "is" | "a" | "in" | "with" | "must" | "be" | "are")
}

/// A comparator and a number: how many words the first takes, the sign, the number with its unit, how many words that takes.
fn comparison(words: &[&str]) -> Option<(usize, Operator, String, usize)> {
    let first = words.first()?;
    for (phrase, operator) in COMPARATORS {
        // `<10ms` is one word.
        let glued = phrase.len() < 4 && !phrase.starts_with(char::is_alphabetic);
        if let Some(rest) =
            first.strip_prefix(phrase).filter(|rest| glued && !rest.is_empty() && !rest.starts_with('='))
        {
            let words: Vec<&str> = [rest].into_iter().chain(words[1..].iter().copied().take(3)).collect();
            let (text, taken) = number_at(&words)?;
            return Some((0, *operator, text, taken));
        }
        let length = phrase.split(' ').count();
        let is =
            words.len() > length && phrase.split(' ').zip(words).all(|(one, word)| plain(word) == one || *word == one);
        if is && let Some((text, taken)) = number_at(&words[length..]) {
            return Some((length, *operator, text, taken));
        }
    }
    None
}

/// A number with its unit, in one word or several: `24GB`, `24 GB`, `1000 images per second`, `$1000`.
fn number_at(words: &[&str]) -> Option<(String, usize)> {
    let first = words.first()?.trim_end_matches([',', '?', '!', ';']).replace(',', "");
    let digits = first.trim_start_matches('$');
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || first.len() > 20 {
        return None;
    }
    if digits.parse::<f64>().is_err() {
        return Some((first, 1));
    }
    for length in (1..=3.min(words.len() - 1)).rev() {
        let unit = words[1..=length].iter().map(|word| plain(word)).collect::<Vec<_>>().join(" ");
        let unit =
            UNIT_WORDS.iter().find(|(word, _)| *word == unit).map_or(unit.as_str(), |(_, unit)| *unit).to_owned();
        let known = BY_UNIT.iter().chain(OTHER_UNITS).filter_map(|aspect| unit_of(*aspect));
        if known.into_iter().any(|of| of.names().any(|name| name == unit)) {
            return Some((format!("{first} {unit}"), 1 + length));
        }
    }
    Some((first, 1))
}

/// Units in words.
const UNIT_WORDS: &[(&str, &str)] = &[
    ("milliseconds", "ms"),
    ("millisecond", "ms"),
    ("seconds", "s"),
    ("second", "s"),
    ("minutes", "min"),
    ("watt", "w"),
    ("gigabytes", "gb"),
    ("gigabyte", "gb"),
    ("gigs", "gb"),
    ("dollars", "usd"),
    ("dollar", "usd"),
    ("images per second", "images/s"),
    ("images a second", "images/s"),
    ("img per second", "images/s"),
    ("frames per second", "fps"),
    ("tokens per second", "tokens/s"),
    ("samples per second", "samples/s"),
    ("percent", "%"),
];

/// Quantities besides those of [`BY_UNIT`] whose units may stand behind a number.
const OTHER_UNITS: &[Aspect] = &[
    Aspect::Fact(Fact::Parameters),
    Aspect::Fact(Fact::MultiplyAdds),
    Aspect::Fact(Fact::PeakFp32),
    Aspect::Fact(Fact::BoostClock),
    Aspect::Metric(Metric::MemoryMib),
    Aspect::Metric(Metric::TotalS),
];

/// The quantities that words name, and how many words.
fn named(words: &[&str]) -> Option<(usize, Vec<Aspect>)> {
    (1..=words.len().min(LONGEST_PHRASE)).rev().find_map(|length| {
        let aspects: Vec<Aspect> = match meaning_of(&words[..length])? {
            Meaning::Along(aspect) => vec![aspect],
            Meaning::AsksFor(quantity) => aspect_of(&quantity).into_iter().collect(),
            Meaning::Asks(named) => {
                let lists = [named.classes, named.devices, named.measured, named.networks];
                lists.into_iter().flatten().filter_map(aspect_of).collect()
            }
            _ => return None,
        };
        (!aspects.is_empty()).then_some((length, aspects))
    })
}

fn aspect_of(quantity: &StaticQuantity) -> Option<Aspect> {
    match quantity {
        StaticQuantity::Metric(metric) => Some(Aspect::Metric(*metric)),
        StaticQuantity::Fact(fact) => Fact::filter(fact.key()).map(Aspect::Fact),
        StaticQuantity::Derived(Derived::EpochTimeS) => Some(Aspect::Metric(Metric::EpochS)),
        _ => None,
    }
}

fn unit_of(aspect: Aspect) -> Option<Unit> {
    match aspect {
        Aspect::Metric(metric) => Some(metric.unit()),
        Aspect::Fact(fact) => match fact.value_type() {
            FactType::Number(unit) => Some(unit),
            FactType::Date => Some(Unit::Count),
            _ => None,
        },
        Aspect::Field(_) if aspect.is_numeric() => Some(Unit::Count),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_usual_form() {
        for (question, key, number, taken) in [
            ("at least 24 GB memory", "memory", 24.0, 5),
            ("latency < 10 ms resnet", "latency-ms", 10.0, 4),
            ("latency under 10ms", "latency-ms", 10.0, 3),
            ("under 300W", "tdp", 300.0, 2),
            ("less than 0.5 s", "latency-ms", 500.0, 4),
            ("more than 40GB of memory", "memory", 40.0, 5),
            ("images/s > 1000", "throughput-per-s", 1000.0, 3),
            ("more than 8 GPUs", "device-count", 8.0, 3),
            ("fewer than 10M parameters", "parameters", 10.0, 4),
            ("batch size over 64", "batch-size", 64.0, 4),
            ("<10ms", "latency-ms", 10.0, 1),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let size = size_of(&words).unwrap_or_else(|| panic!("{question}"));
            assert_eq!((size.aspect.key(), size.number, size.taken), (key, number, taken), "{question}");
        }
        for question in ["more than V100", "over the years", "under pytorch 1.0", "latency", "less than 10"] {
            let words: Vec<&str> = question.split(' ').collect();
            assert!(size_of(&words).is_none(), "{question}");
        }
    }
}

//! Sizes in words: `at least 24 GB`, `latency < 10 ms`, `under 300W`, `more than 8 GPUs`, `less than 10M parameters`.

use std::ops::{Bound, RangeBounds as _};

use super::clause::Clause;
use super::comparatives::is_comparative;
use super::comparators::{Comparison, comparison, number_at, range};
use super::error::QueryError;
use super::filters::Bounds;
use super::grammar::Operator;
use super::hints::{Asked, Mention};
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::{DerivedLimit, Quantity};
use super::quotients::{Quotient, quotient};
use super::vocabulary::{DEVICE_NOUNS, LONGEST_PHRASE, Meaning, StaticQuantity, meaning_of, plain};
use crate::model::{Aspect, Derived, Facet, Fact, FactType, FactValue, Field, Lookup as _, Metric};
use crate::stores::index::Condition;
use crate::values::Unit;
use crate::values::spelling::normalise;

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
    Aspect::Fact(Fact::PeakFp32),
    Aspect::Fact(Fact::BoostClock),
    Aspect::Metric(Metric::TimeToAccuracyS),
    Aspect::Fact(Fact::Parameters),
    Aspect::Fact(Fact::MultiplyAdds),
];

/// Quantities besides those of [`BY_UNIT`] whose units may stand behind a number.
const OTHER_UNITS: &[Aspect] = &[Aspect::Metric(Metric::MemoryMib), Aspect::Metric(Metric::TotalS)];

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
    ("billions", "billion"),
];

/// A size that a question states, and how many words say it.
struct Size {
    aspect: Aspect,
    bounds: Bounds,
    taken: usize,
}

impl Interpreter<'_> {
    /// The size that these words begin with, as a condition.
    ///
    /// A comparison with a number of nothing that can be compared is taken as well, left out, and said.
    pub(super) fn size(&mut self, words: &[&str]) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        if let Some(size) = size_of(words) {
            if self.names_product(&words[..size.taken])? {
                return Ok(None);
            }
            return self.limit_of(size, words).map(Some);
        }
        let Some((taken, Comparison::Than(..))) = comparison(words, &unit_at) else { return Ok(None) };
        // `faster than 3090`, `over 2080 Ti`, `8 or more`.
        if self.names_product(words)? {
            return Ok(None);
        }
        let named = unlimited(words, taken);
        self.leave_out(&words[..taken + named].join(" "));
        self.has_unmet_limits = true;
        Ok(Some((taken, None)))
    }

    /// A size as a condition, or left out where no row can be held against it.
    fn limit_of(&mut self, size: Size, words: &[&str]) -> Result<(usize, Option<Clause>), QueryError> {
        let whole = quotient(size.aspect, size.bounds, &words[size.taken..]);
        let taken = size.taken + whole.as_ref().map_or(0, |(behind, _)| *behind);
        let text = words[..taken].join(" ");
        let limit = match whole {
            None => Some((size.aspect, size.bounds)),
            Some((_, Quotient::Of(quantity, bounds))) => {
                let asked = Asked::Only(quantity);
                self.hints.mentions.push(Mention { text: text.clone(), asked, level: None, without: None });
                aspect_of(&quantity).map(|aspect| (aspect, bounds))
            }
            Some((_, Quotient::Unknown)) => None,
        };
        // `scaling efficiency above 90 %` is none of accuracy.
        let is_bare_share = size.aspect == Aspect::Metric(Metric::Accuracy) && named(words).is_none();
        let of_another = |mention: &Mention| {
            let of = mention.asked.quantities(Context::default());
            !of.iter().any(|quantity| matches!(quantity, Quantity::Metric(Metric::Accuracy | Metric::ErrorRate)))
        };
        let is_of_another = is_bare_share && self.hints.mentions.last().is_some_and(of_another);
        let of_scaling = |mention: &Mention| {
            mention.asked.quantities(Context::default()) == [Quantity::Derived(Derived::ScalingEfficiency)]
        };
        if let (true, Some((_, bounds))) = (is_bare_share && self.hints.mentions.last().is_some_and(of_scaling), limit)
        {
            let measure = Derived::ScalingEfficiency;
            self.hints.limits.push(DerivedLimit { text, measure, bounds });
            return Ok((taken, None));
        }
        match limit.filter(|_| !is_of_another) {
            Some((aspect, bounds)) => Ok((taken, self.sized(&text, aspect, bounds)?)),
            None => {
                self.leave_out(&text);
                self.has_unmet_limits = true;
                Ok((taken, None))
            }
        }
    }

    /// Whether a number among words is the name of a product: `faster than 3090`.
    pub(super) fn names_product(&self, words: &[&str]) -> Result<bool, QueryError> {
        let is_number = |word: &&str| plain(word).bytes().all(|byte| byte.is_ascii_digit());
        for word in words.iter().take(4).filter(|word| is_number(word)) {
            let names = self.stores.database.exact(&normalise(word))?;
            if names.iter().any(|name| matches!(name.facet, Facet::Device | Facet::Network)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A condition on a number.
    pub(super) fn sized(&mut self, text: &str, aspect: Aspect, bounds: Bounds) -> Result<Option<Clause>, QueryError> {
        let condition = match aspect {
            Aspect::Metric(metric) => Condition::Metric(metric, bounds.0, bounds.1),
            Aspect::Field(field) => self.within(field, bounds)?,
            Aspect::Fact(fact) => {
                let ids = self.stores.database.entities_with(fact.kind(), fact.key(), |value| match value {
                    FactValue::Number(number) => bounds.contains(number),
                    FactValue::Word(_) => false,
                })?;
                self.naming(fact.kind(), ids.into_iter().collect())?
            }
            Aspect::Derived(measure) => {
                // Who limits what no source states asks for it.
                let asked = Asked::Only(StaticQuantity::Derived(measure));
                let mention = Mention { text: text.to_owned(), asked, level: None, without: None };
                if self.hints.mentions.last().is_none_or(|last| last.text != mention.text) {
                    self.hints.mentions.push(mention);
                }
                self.hints.limits.push(DerivedLimit { text: text.to_owned(), measure, bounds });
                return Ok(None);
            }
            _ => {
                self.leave_out(text);
                self.has_unmet_limits = true;
                return Ok(None);
            }
        };
        let value = in_filter(bounds);
        let filter = format!("{}{value}", aspect.key());
        let shown = value.trim_start_matches(':').to_owned();
        Ok(Some(Clause::of(text, aspect.key(), vec![shown], filter, condition)))
    }
}

/// Whether words that were left out are a comparison with a number: `under 1 dollar per million images`.
pub fn is_limit(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    comparison(&words, &unit_at).is_some()
}

/// Bounds as a filter writes them behind its key.
fn in_filter(bounds: Bounds) -> String {
    match bounds {
        (Bound::Included(low), Bound::Included(high)) if low == high => format!(":{low}"),
        (Bound::Included(low), Bound::Included(high)) => format!(":{low}..{high}"),
        (Bound::Included(low), _) => format!(">={low}"),
        (Bound::Excluded(low), _) => format!(">{low}"),
        (_, Bound::Included(high)) => format!("<={high}"),
        (_, Bound::Excluded(high)) => format!("<{high}"),
        (Bound::Unbounded, Bound::Unbounded) => ":..".to_owned(),
    }
}

/// How many words behind a comparison say what is compared, although nothing can be asked of it: `1000 images per dollar`.
fn unlimited(words: &[&str], taken: usize) -> usize {
    let behind = words.get(taken..).unwrap_or_default();
    (1..=behind.len().min(3)).rev().find(|length| meaning_of(&behind[..*length]).is_some_and(is_quantity)).unwrap_or(0)
}

fn is_quantity(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Asks(_) | Meaning::AsksFor(_))
}

fn size_of(words: &[&str]) -> Option<Size> {
    // `at 30 fps` is what is to be reached.
    if plain(words.first()?) == "at"
        && let Some((taken, number)) = number_at(&words[1..], &unit_at)
        && (number.ends_with("fps") || number.ends_with("/s"))
    {
        let aspect = Aspect::Metric(Metric::ThroughputPerS);
        let bounds = Comparison::Than(Operator::GreaterOrEqual, number).bounds(Unit::PerSecond)?;
        return Some(Size { aspect, bounds, taken: 1 + taken });
    }
    let sized = |aspects: &[Aspect], compared: &Comparison, taken: usize| {
        let read = aspects.iter().find_map(|aspect| Some((*aspect, compared.bounds(unit_of(*aspect)?)?)));
        read.map(|(aspect, bounds)| Size { aspect, bounds, taken })
    };
    // `latency below 10 ms`, `a tdp of 75 W`
    if let Some((length, aspects)) = named(words) {
        let between = words[length..].iter().take(2).take_while(|word| is_between(word)).count();
        let rest = &words[length + between..];
        let at = length + between;
        let is_of_field = matches!(aspects.as_slice(), [Aspect::Field(_)]);
        let bare = || if is_of_field { range(rest, &unit_at, true) } else { None };
        if let Some((taken, compared)) = comparison(rest, &unit_at).or_else(bare) {
            return sized(&aspects, &compared, at + taken);
        }
        // A metric is hardly ever asked for by the number that it has.
        let facts: Vec<Aspect> = aspects.into_iter().filter(|aspect| matches!(aspect, Aspect::Fact(_))).collect();
        let (taken, number) = number_at(rest, &unit_at)?;
        let compared = Comparison::Than(Operator::Is, number);
        // `the price of 1080 ti` is no price of 1080.
        return if compared.has_unit() { sized(&facts, &compared, at + taken) } else { None };
    }
    // `below 10 ms latency`, `below 10 ms`
    let (end, compared) = comparison(words, &unit_at)?;
    let between = words[end..].iter().take(2).take_while(|word| is_between(word)).count();
    let behind = words.get(end + between..).unwrap_or_default();
    if let Some((length, aspects)) = named(behind)
        && let Some(size) = sized(&aspects, &compared, end + between + length)
    {
        return Some(size);
    }
    let is_count = !compared.has_unit() && between == 0;
    if is_count && behind.first().is_some_and(|word| DEVICE_NOUNS.contains(&plain(word).as_str())) {
        // What is counted says its class as well: `gpus` is left to be read.
        return sized(&[Aspect::Field(Field::DeviceCount)], &compared, end);
    }
    // `30% faster` is a ratio.
    let is_ratio = words.get(end).is_some_and(|word| is_comparative(word));
    if compared.has_unit() && !is_ratio { sized(BY_UNIT, &compared, end) } else { None }
}

/// Words between a quantity and its size.
fn is_between(word: &str) -> bool {
    matches!(plain(word).as_str(), "of" | "is" | "a" | "in" | "with" | "must" | "be" | "are" | "the")
}

/// The unit that words begin with: how many of them, and how it is written shortly.
fn unit_at(words: &[&str]) -> Option<(usize, String)> {
    (1..=3.min(words.len())).rev().find_map(|length| {
        let unit = words[..length].iter().map(|word| plain(word)).collect::<Vec<_>>().join(" ");
        let unit =
            UNIT_WORDS.iter().find(|(word, _)| *word == unit).map_or(unit.as_str(), |(_, unit)| *unit).to_owned();
        let mut known = BY_UNIT.iter().chain(OTHER_UNITS).filter_map(|aspect| unit_of(*aspect));
        known.any(|of| of.names().any(|name| name == unit)).then_some((length, unit))
    })
}

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
        StaticQuantity::Derived(measure) => Some(Aspect::Derived(*measure)),
        _ => None,
    }
}

fn unit_of(aspect: Aspect) -> Option<Unit> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_usual_form() {
        for (question, filter, taken) in [
            ("at least 24 GB memory", "memory>=24", 5),
            ("at least 24gb of vram", "memory>=24", 5),
            ("24 GB or more", "memory>=24", 4),
            ("24GB+ card", "memory>=24", 1),
            ("between 100 and 300 W", "tdp:100..300", 5),
            ("a tdp of 75 W", "", 0),
            ("price of 1080 ti", "", 0),
            ("tdp of 75 W", "tdp:75", 4),
            ("300 w or less tdp", "tdp<=300", 5),
            ("latency < 10 ms resnet", "latency-ms<10", 4),
            ("latency under 10ms", "latency-ms<10", 3),
            ("below 10ms", "latency-ms<10", 2),
            ("under 300W", "tdp<300", 2),
            ("under 300 w", "tdp<300", 3),
            ("less than 0.5 s", "latency-ms<500", 4),
            ("more than 64 gb", "memory>64", 4),
            ("more than 40GB of memory", "memory>40", 5),
            ("images/s > 1000", "throughput-per-s>1000", 3),
            ("> 30 fps", "throughput-per-s>30", 3),
            (">30 fps", "throughput-per-s>30", 2),
            ("more than 8 GPUs", "device-count>8", 3),
            ("more than 4 cards", "device-count>4", 3),
            ("8+ gpus", "device-count>=8", 1),
            ("8 or more gpus", "device-count>=8", 3),
            ("fewer than 10M parameters", "parameters<10", 4),
            ("less than 5 million parameters", "parameters<5", 5),
            ("under 1000$", "launch-price<1000", 2),
            ("under $1000", "launch-price<1000", 2),
            ("top1 > 80 %", "accuracy>0.8", 4),
            ("accuracy above 80", "accuracy>0.8", 3),
            ("batch size over 64", "batch-size>64", 4),
            ("batch size 64 to 256", "batch-size:64..256", 5),
            ("batch size 64-256 on V100", "batch-size:64..256", 3),
            ("max 75 W", "tdp<=75", 3),
            ("max 1 mJ energy", "energy-j<=0.001", 4),
            ("under 10 GMACs", "multiply-adds<10", 3),
            ("under 7b", "parameters<7000", 2),
            ("<10ms", "latency-ms<10", 1),
            ("at 30 fps", "throughput-per-s>=30", 3),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let size =
                size_of(&words).map(|size| (format!("{}{}", size.aspect.key(), in_filter(size.bounds)), size.taken));
            assert_eq!(size.unwrap_or_default(), (filter.to_owned(), taken), "{question}");
        }
        for question in ["more than V100", "over the years", "under pytorch 1.0", "latency", "less than 10"] {
            let words: Vec<&str> = question.split(' ').collect();
            assert!(size_of(&words).is_none(), "{question}");
        }
    }
}

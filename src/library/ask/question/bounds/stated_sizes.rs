//! What a question says of a size, without the knowledge base: which quantity, within which bounds, and how many words say it.

use std::ops::Bound;

use super::comparators::{comparator, comparator_behind};
use super::comparison::{BoundInWords, comparison, number_at, range};
use super::units::{BY_UNIT, unit_at, unit_of};
use crate::ask::question::comparative_words::is_comparative;
use crate::ask::question::filters::Bounds;
use crate::ask::question::grammar::Operator;
use crate::ask::question::vocabulary::{DEVICE_NOUNS, LONGEST_PHRASE, Meaning, StaticQuantity, meaning_of, plain};
use crate::model::{Aspect, Derived, Fact, Field, Metric};
use crate::values::Unit;

/// Units of times that no single batch takes, and what is compared in them.
const LONG_TIMES: &[&str] = &["min", "h", "d", "hours", "days"];
const OF_TRAININGS: &[Aspect] = &[Aspect::Metric(Metric::TimeToAccuracyS)];

/// Currencies that no price here is in.
const OTHER_CURRENCIES: &[&str] = &[
    "euro", "euros", "eur", "€", "pound", "pounds", "gbp", "£", "quid", "yen", "jpy", "yuan", "rmb", "cny", "franc",
    "francs", "chf", "rupees", "inr", "cad", "aud", "krw", "won", "zloty", "pln",
];

/// Words in front of a rate that is to be reached at least.
const REACHING: &[&str] = &[
    "at", "do", "does", "doing", "reach", "reaches", "reaching", "hit", "hits", "get", "gets", "achieve", "achieves",
    "deliver", "delivers", "manage", "manages", "handle", "handles", "sustain", "sustains", "run", "runs",
];

/// What a data set holds.
const SAMPLES: &[&str] = &["images", "pictures", "photos", "samples", "examples", "items", "sentences"];

/// A size that a question states, and how many words say it.
pub(in crate::ask::question) struct Size {
    pub aspect: Aspect,
    pub bounds: Bounds,
    pub taken: usize,
}

/// `more than one million images`, of data sets.
pub(in crate::ask::question) fn samples(words: &[&str]) -> Option<Size> {
    let (taken, compared) = comparison(words, &unit_at)?;
    let noun = words.get(taken).map(|word| plain(word)).filter(|noun| SAMPLES.contains(&noun.as_str()));
    let bounds = compared.bounds(Unit::Count).filter(|_| noun.is_some())?;
    Some(Size { aspect: Aspect::Fact(Fact::TrainSize), bounds, taken: taken + 1 })
}

/// The size that words begin with; `of_networks` tells whether networks are spoken of, and no devices.
pub(in crate::ask::question) fn size_of(words: &[&str], of_networks: bool) -> Option<Size> {
    // `at 30 fps`, `that does 1000 images per second`: what is to be reached.
    if REACHING.contains(&plain(words.first()?).as_str())
        && let Some((taken, number)) = number_at(&words[1..], &unit_at)
        && (number.ends_with("fps") || number.ends_with("/s"))
    {
        let aspect = Aspect::Metric(Metric::ThroughputPerS);
        let bounds = BoundInWords::Than(Operator::GreaterOrEqual, number).bounds(Unit::PerSecond)?;
        return Some(Size { aspect, bounds, taken: 1 + taken });
    }
    let sized = |aspects: &[Aspect], compared: &BoundInWords, taken: usize| {
        // No batch takes minutes: what does is a training.
        let aspects = if aspects == BY_UNIT && compared.is_in(LONG_TIMES) { OF_TRAININGS } else { aspects };
        let in_flops = compared.number().to_lowercase().contains("flop");
        let aspects = if in_flops { of_what_takes_them(aspects, of_networks) } else { aspects };
        let read = aspects.iter().find_map(|aspect| Some((*aspect, compared.bounds(unit_of(*aspect)?)?)));
        read.map(|(aspect, bounds)| Size { aspect, bounds, taken })
    };
    // `latency below 10 ms`, `a tdp of 75 W`
    if let Some((length, aspects)) = named(words) {
        let aspects = of_what_takes_them(&aspects, of_networks).to_vec();
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
        let compared = BoundInWords::Than(Operator::Is, number);
        // `the price of 1080 ti` is no price of 1080.
        return if compared.has_unit() { sized(&facts, &compared, at + taken) } else { None };
    }
    // `bigger than batch 32`
    if let Some((sign, operator)) = comparator(words)
        && let Some((length, field)) = field_named(&words[sign..])
        && let Some((taken, number)) = number_at(&words[sign + length..], &unit_at)
    {
        return sized(&[Aspect::Field(field)], &BoundInWords::Than(operator, number), sign + length + taken);
    }
    // `1000 classes`
    if let Some((taken, number)) = number_at(words, &unit_at)
        && let Some((length, aspects)) = named(&words[taken..])
        && aspects.contains(&Aspect::Fact(Fact::Classes))
    {
        return sized(&[Aspect::Fact(Fact::Classes)], &BoundInWords::Than(Operator::Is, number), taken + length);
    }
    // `4 GB of memory or less`
    if let Some((taken, number)) = number_at(words, &unit_at) {
        let between = words[taken..].iter().take(2).take_while(|word| is_between(word)).count();
        let behind = words.get(taken + between..).unwrap_or_default();
        let named = named(behind).and_then(|(length, aspects)| Some((length, aspects, behind.get(length..)?)));
        if let Some((length, aspects, rest)) = named
            && let Some((more, operator)) = comparator_behind(rest)
        {
            return sized(&aspects, &BoundInWords::Than(operator, number), taken + between + length + more);
        }
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

/// The numeric field that words name, and how many words.
fn field_named(words: &[&str]) -> Option<(usize, Field)> {
    if matches!(plain(words.first()?).as_str(), "batch" | "bs") {
        let says_size = words.get(1).is_some_and(|word| plain(word) == "size");
        return Some((1 + usize::from(says_size), Field::BatchSize));
    }
    let (length, aspects) = named(words)?;
    aspects.into_iter().find_map(|aspect| match aspect {
        Aspect::Field(field) if aspect.is_numeric() => Some((length, field)),
        _ => None,
    })
}

/// A network takes so many operations, where a device does so many in a second.
fn of_what_takes_them(aspects: &[Aspect], of_networks: bool) -> &[Aspect] {
    if of_networks && aspects.contains(&Aspect::Fact(Fact::PeakFp32)) {
        &[Aspect::Fact(Fact::MultiplyAdds)]
    } else {
        aspects
    }
}

/// How many words limit a price in a currency that no price here is in: `under 300 euros`, `below €300`.
pub(in crate::ask::question) fn limit_in_other_currency(words: &[&str]) -> Option<usize> {
    let (taken, compared) = comparison(words, &unit_at)?;
    let is_other = |word: &str| OTHER_CURRENCIES.contains(&word);
    if !compared.has_unit() && words.get(taken).is_some_and(|next| is_other(&plain(next))) {
        return Some(taken + 1);
    }
    let own = compared.number().to_lowercase();
    let signs = own.trim_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '));
    is_other(signs).then_some(taken)
}

/// Words between a quantity and its size.
fn is_between(word: &str) -> bool {
    matches!(plain(word).as_str(), "of" | "is" | "a" | "in" | "with" | "must" | "be" | "are" | "the")
}

/// The quantities that words name, and how many words.
pub(in crate::ask::question) fn named(words: &[&str]) -> Option<(usize, Vec<Aspect>)> {
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

pub(in crate::ask::question) fn aspect_of(quantity: &StaticQuantity) -> Option<Aspect> {
    match quantity {
        StaticQuantity::Metric(metric) => Some(Aspect::Metric(*metric)),
        StaticQuantity::Fact(fact) => Fact::filter(fact.key()).map(Aspect::Fact),
        StaticQuantity::Derived(Derived::EpochTimeS) => Some(Aspect::Metric(Metric::EpochS)),
        StaticQuantity::Derived(measure) => Some(Aspect::Derived(*measure)),
        _ => None,
    }
}

/// Bounds as a filter writes them behind its key.
pub(in crate::ask::question) fn in_filter(bounds: Bounds) -> String {
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
            ("4 gb of memory or less", "memory<=4", 6),
            ("24 GB memory or more", "memory>=24", 5),
            ("16-24 GB memory", "memory:16..24", 3),
            ("16 GB memory or a T4", "", 0),
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
            ("less than 10 min", "time-to-accuracy-s<600", 4),
            ("under two hours", "time-to-accuracy-s<7200", 3),
            ("four or more gpus", "device-count>=4", 3),
            ("max 64 accelerators", "device-count<=64", 2),
            ("bigger than batch 32", "batch-size>32", 4),
            ("no more than batch size 32", "batch-size<=32", 6),
            ("1000 classes", "classes:1000", 2),
            ("max 64 accelerator throughput", "", 0),
            ("max 1 mJ energy", "energy-j<=0.001", 4),
            ("under 10 GMACs", "multiply-adds<10", 3),
            ("under 7b", "parameters<7000", 2),
            ("<10ms", "latency-ms<10", 1),
            ("at 30 fps", "throughput-per-s>=30", 3),
            ("do 1000 images per second on", "throughput-per-s>=1000", 5),
            ("reaches 30 fps", "throughput-per-s>=30", 3),
            ("throughput > 60 images/min", "throughput-per-s>1", 4),
            ("more than 120 images per minute on a T4", "throughput-per-s>2", 6),
            ("at least 36k images / hour", "throughput-per-s>=10", 6),
            ("throughput over 60 per minute", "throughput-per-s>1", 5),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let size = size_of(&words, false)
                .map(|size| (format!("{}{}", size.aspect.key(), in_filter(size.bounds)), size.taken));
            assert_eq!(size.unwrap_or_default(), (filter.to_owned(), taken), "{question}");
        }
        for question in ["more than V100", "over the years", "under pytorch 1.0", "latency", "less than 10"] {
            let words: Vec<&str> = question.split(' ').collect();
            assert!(size_of(&words, false).is_none(), "{question}");
        }
        let of_networks = size_of(&["under", "1", "GFLOPs"], true).map(|size| (size.aspect, size.bounds.1));
        assert_eq!(of_networks, Some((Aspect::Fact(Fact::MultiplyAdds), Bound::Excluded(1.0))));
        let images = samples(&["more", "than", "one", "million", "images?"]).map(|size| (size.bounds.0, size.taken));
        assert_eq!(images, Some((Bound::Excluded(1e6), 5)));
    }
}

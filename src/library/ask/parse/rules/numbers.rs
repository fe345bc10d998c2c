//! Rules that decide what a number refers to: a bound, a version, a count, a size, a year, or the field next to it.

use std::ops::{Bound, Range};

use super::pieces::{Pieces, Rule};
use crate::ask::parse::filter::{self, GRADES};
use crate::ask::parse::grammar::Sign;
use crate::ask::parse::lexicon::{GRADED, Subject, key_of, quantities};
use crate::ask::parse::names::nominal_size_range;
use crate::ask::parse::piece::{Means, Number};
use crate::ask::parse::question::{End, Is, Key, Quantity, Test};
use crate::ask::parse::span::How;
use crate::ask::parse::spans::key_of_dimension;
use crate::model::{Aspect, Derived, Facet, Fact, Field, FieldType, Metric};
use crate::stores::resolve::{Suffix, suffix_of};
use crate::values::Unit;

/// The rules of this file, in the order in which they are tried at each piece.
pub(super) const RULES: &[Rule] = &[
    factor,
    grade,
    between,
    bound,
    rate,
    version,
    size,
    field_value,
    count,
    key_from_before_link,
    key_from_after_link,
    year,
    equal,
    range,
    other_product,
];

/// A grade next to the graded metric: `at least moderate energy efficiency`, `rated high in compatibility`.
fn grade(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let bound_at = |place: usize| if let Means::Bound(word) = pieces.means(place) { Some(*word) } else { None };
    let Some(word) = bound_at(at) else { return false };
    let behind = pieces.after(at).and_then(|next| Some((next, bound_at(next)?.strip_prefix("grade ")?)));
    let (sign, (last, grade)) = match (word.strip_prefix("grade "), behind) {
        (Some(grade), _) => (Sign::Is, (at, grade)),
        (None, Some(behind)) => (Sign::of(word).unwrap_or(Sign::Is), behind),
        _ => return false,
    };
    let graded = |place: Option<usize>| {
        let place = place?;
        let id = pieces.means(place).quantity()?.split([' ', ',', ':']).find(|id| GRADED.contains(id))?;
        Some((place, id))
    };
    let Some((place, id)) = graded(pieces.after(last)).or_else(|| graded(pieces.before(at))) else { return false };
    let Some(rank) = GRADES.iter().position(|name| *name == grade) else { return false };
    let values = GRADES[sign.ranks(rank, GRADES.len())].iter().map(|name| (*name).to_owned());
    let test = Test { key: Key::Grade(id.to_owned()), is: Is::OneOf(values.collect()) };
    pieces.fuse(at.min(place)..place.max(last) + 1, Means::Test(test), How::Lexicon, "grade")
}

/// A claimed multiple between two devices: `is a 5090 at least 1.5x a 4090`. It becomes a comparison, whose ratio is the answer.
fn factor(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let is_device = |place: usize| pieces.list[place].is_of(&[Facet::Device]);
    let Some(number) = pieces.number(at).filter(|number| number.dimension == Some("count")) else { return false };
    let next_word = pieces.words.get(pieces.list[at].words.end).map(|word| word.text);
    let is_multiple = number.value.fract() != 0.0 || matches!(next_word, Some("a" | "an" | "the"));
    // `a 9x speed-up`
    if pieces.next_is(at, |means| matches!(means, Means::Ask("speedup") | Means::Comparative(..))) {
        pieces.mark(at, "claim");
        return false;
    }
    let from = pieces.before(at).filter(|before| matches!(pieces.means(*before), Means::Bound(_))).unwrap_or(at);
    let before = pieces.before(from).map(|before| match pieces.means(before) {
        Means::Ask("is") => pieces.before(before),
        _ => Some(before),
    });
    let stands_between = before.flatten().is_some_and(is_device) && pieces.after(at).is_some_and(is_device);
    is_multiple && stands_between && pieces.fuse(from..at + 1, Means::Link("versus"), How::Number, "")
}

/// A range between two numbers: `between 16 and 24 gb of memory`, `from 8 to 1024 gpus`, `batch size 64 to 256`.
fn between(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let is_arrow = |link: usize| matches!(&*pieces.text(link), "->" | "→" | "=>");
    let is_link = |link: &usize| pieces.means(*link).is_link(&["and", "to"]) || is_arrow(*link);
    let Some(link) = pieces.after(at).filter(is_link) else { return false };
    let Some(last) = pieces.after(link) else { return false };
    let Some((first, second)) = pieces.number(at).zip(pieces.number(last)) else { return false };
    let opened = pieces.before(at).filter(|before| matches!(pieces.means(*before), Means::Bound("between" | "=")));
    let is_and = pieces.means(link).is_link(&["and"]);
    // `tensorflow from 1.4 to 1.12` are versions to compare.
    let is_plain = |number: &Number| number.dimension.is_none() && number.text.contains('.');
    let of_framework = pieces.list[..at].iter().any(|piece| piece.is_of(&[Facet::Framework]));
    if is_plain(first) && is_plain(second) && of_framework {
        if let Some(opened) = opened.filter(|_| is_and) {
            pieces.mark(opened, "between");
            pieces.list[link].means = Means::Link("versus");
        }
        return false;
    }
    if opened.is_none() && (is_and || second.value <= first.value) {
        return false;
    }
    // A unit after the second number applies to both.
    let plain = second.text.parse::<f64>().ok().filter(|plain| *plain != 0.0);
    let takes_unit = first.dimension.is_none() && second.dimension.is_some();
    let scale = plain.filter(|_| takes_unit).map_or(1.0, |plain| second.value / plain);
    let number = Number { value: first.value * scale, upper: Some(second.value), ..second.clone() };
    let from = opened.unwrap_or(at);
    pieces.fuse(from..last + 1, Means::Number(number), How::Number, "between");
    bound(pieces, from) || field_value(pieces, from) || count(pieces, from) || year(pieces, from)
}

/// The operator of a bound (if known), the index of its number, and the range of pieces of both.
fn compared(pieces: &mut Pieces<'_>, at: usize) -> Option<(Option<Sign>, usize, Range<usize>)> {
    // `below` ends a bound in `5 GMACs and below`, but begins one in `above 80 % and below 5 GMACs`.
    let leads = |place: usize| {
        let word = pieces.words[pieces.list[place].words.end - 1].text;
        ["below", "above"].iter().any(|sign| word.eq_ignore_ascii_case(sign))
            && pieces.next_is(place, |next| matches!(next, Means::Number(_)))
    };
    let end = |place: usize| match pieces.means(place) {
        Means::Bound(_) if leads(place) => None,
        Means::Bound("or more") => Some(Sign::AtLeast),
        Means::Bound("or less") => Some(Sign::AtMost),
        _ => None,
    };
    let next = pieces.after(at);
    if let Means::Bound(word) = *pieces.means(at) {
        // `before cuda 8`
        let named = next.filter(|next| pieces.means(*next).quantity().is_some()).and_then(|next| pieces.after(next));
        let mut numbers = next.into_iter().chain(named).filter(|place| pieces.number(*place).is_some());
        let number = numbers.next().filter(|_| !word.starts_with("grade"))?;
        let behind = pieces.after(number).filter(|_| word == "=");
        return Some(match behind.and_then(|behind| Some((end(behind)?, behind))) {
            Some((sign, behind)) => (Some(sign), number, at..behind + 1),
            None if leads(at) && word == "or more" => (Some(Sign::More), number, at..number + 1),
            None if leads(at) && word == "or less" => (Some(Sign::Less), number, at..number + 1),
            // `in one hour`
            None if pieces.text(at) == "in" && pieces.number(number)?.dimension == Some("time") => {
                (Some(Sign::AtMost), number, at..number + 1)
            }
            None => (Sign::of(word), number, at..number + 1),
        });
    }
    let number = pieces.number(at)?;
    let late = |place: usize| match *pieces.means(place) {
        Means::Bound(word @ ("<=" | ">=")) if !pieces.next_is(place, |next| matches!(next, Means::Number(_))) => {
            Sign::of(word)
        }
        _ => end(place),
    };
    if let Some((sign, next)) = next.and_then(|next| Some((late(next)?, next))) {
        return Some((Some(sign), at, at..next + 1));
    }
    let kind = next.filter(|next| pieces.means(*next).kind().is_some() && counted(pieces, at));
    if let Some((sign, behind)) =
        kind.and_then(|kind| pieces.after(kind)).and_then(|behind| Some((late(behind)?, behind)))
    {
        pieces.mark(behind, "bound");
        return Some((Some(sign), at, at..at + 1));
    }
    let sign = if number.or_more { Some(Sign::AtLeast) } else { number.upper.map(|_| Sign::Is) };
    sign.map(|sign| (Some(sign), at, at..at + 1))
}

/// A comparison with a number: `under 10 ms`, `memory of at least 24 GB`, `16 gb or more`, `more than 8 gpus`, `since 2020`.
fn bound(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some((sign, number_at, mut range)) = compared(pieces, at) else { return false };
    let Some(number) = pieces.number(number_at).cloned() else { return false };
    let quantity_at = |place: Option<usize>| place.filter(|place| pieces.means(*place).quantity().is_some());
    let inner = quantity_at(Some(number_at.saturating_sub(1)).filter(|place| *place > range.start));
    let before = inner.or(quantity_at(pieces.before(range.start)));
    let after = quantity_at(pieces.after(range.end - 1));
    let sources = !is_year(&number) && pieces.next_is(range.end - 1, |means| means.is_kind(Facet::Source));
    // `batch > 1 and < 16`
    let joined = pieces.before(range.start).filter(|link| pieces.means(*link).is_link(&["and", "or"]));
    let joined = joined.and_then(|link| pieces.list[pieces.before(link)?].test());
    let joined = joined.filter(|test| matches!(test.is, Is::Within(..))).map(|test| test.key.clone());
    // `2017..2019 V100` are years.
    // `doubling the GPUs from four to eight`
    let is_behind_kind = || pieces.previous_is(range.start, |means| means.is_kind(Facet::Device));
    let is_count = matches!(number.dimension, None | Some("thousand"))
        && !is_year(&number)
        && (counted(pieces, range.end - 1) || number.upper.is_some() && is_behind_kind());
    let keyed = |place: Option<usize>| {
        // The range in `batch 64-256 p100` does not count devices, whatever follows it.
        let of_batch = |place: usize| place + 1 == range.start && pieces.means(place).asks_for("batch-size");
        let place = place.filter(|place| !is_count || number.upper.is_some() && of_batch(*place))?;
        Some((place, keyed_quantity(pieces, place, &number)?))
    };
    // The 2020 of `from 2020 with memory` is not a memory size.
    let years = [Facet::Year.into(), Fact::Released.into(), Fact::Published.into(), Fact::FirstRelease.into()];
    let behind = || keyed(after).filter(|(_, (key, _))| !is_year(&number) || years.contains(key));
    // `keep the first-token latency of a 7B model under 200 ms`, `at least one training measurement`
    let open = || {
        let is_counted = |at: &usize| !pieces.list[*at].is_filler() && pieces.list[*at].test().is_none();
        let counted = (range.end..pieces.list.len()).find(is_counted).filter(|_| number.dimension.is_none());
        let is_open = |place: &usize| {
            let by = pieces.means(*place).quantity().filter(|_| pieces.unused(*place));
            let is_rows = |by: &str| by == "any:rows" && counted == Some(*place);
            by.is_some_and(|by| matches!(number.dimension, Some("time" | "money")) || is_rows(by))
        };
        let mut open = (0..pieces.list.len()).filter(is_open);
        open.find_map(|place| Some((place, keyed_quantity(pieces, place, &number)?)))
    };
    // `memory bandwidth 2012-2024`, `without tensor cores after 2018` are years.
    let is_span = number.upper.is_some_and(|end| YEARS.contains(&end)) && sign == Some(Sign::Is);
    let is_time = is_year(&number) && (is_span || DATE_BOUND_WORDS.contains(&&*pieces.text(range.start)));
    let in_front = keyed(before).filter(|(_, (key, _))| !is_time || years.contains(key));
    let (key, scale) = if let Some((place, found)) = in_front.or_else(behind) {
        range = range.start.min(place)..range.end.max(place + 1);
        found
    } else if number.dimension.is_none() && sources {
        (Key::Sources, 1.0)
    } else if let Some(key) = joined.filter(|_| number.dimension.is_none() && !is_count) {
        (key, 1.0)
    } else if is_count {
        (Key::from(Field::DeviceCount), 1.0)
    } else if is_year(&number) {
        // `which GPUs from before 2016`
        (pieces.year_key(pieces.previous_is(range.start, |means| means.kind().is_some())), 1.0)
    } else if let Some((place, found)) = open() {
        pieces.mark(place, "bound");
        found
    } else if let Some(found) = pieces.key_of(&number, number_at) {
        found
    } else {
        let is_version = pieces.before(range.start).is_some_and(|place| pieces.list[place].is_of(&[Facet::Framework]));
        // `from 1.4 to 1.12`, `at least 2 times as fast`
        let is_factor = |means: &Means| matches!(means, Means::Comparative(..) | Means::Link("equals"));
        if sign == Some(Sign::Is) || pieces.next_is(number_at, is_factor) {
            pieces.mark(range.start, "bound");
            return false;
        }
        if !is_version || number.dimension.is_some() {
            return pieces.fuse(range, Means::Unread, How::UnreadBound, "bound");
        }
        (Key::from(Field::FrameworkVersion), 1.0)
    };
    // A bound on scaling efficiency is unread, because the value belongs to several rows together and to none alone.
    if key == Key::Aspect(Aspect::Derived(Derived::ScalingEfficiency)) {
        return pieces.fuse(range, Means::Unread, How::UnreadBound, "bound");
    }
    let sign = sign.unwrap_or(Sign::Is);
    let (low, high) = (scaled(number.value, scale), number.upper.map(|upper| scaled(upper, scale)));
    let (low, high, sign) = match number.dimension {
        Some("item-cost") => (high.unwrap_or(low).recip(), high.map(|_| low.recip()), sign.mirrored()),
        _ => (low, high, sign),
    };
    let is = worded(&key, sign, &number).unwrap_or_else(|| match (high, sign.bounds(low)) {
        (Some(high), _) => Is::range(low, high),
        (None, (low, high)) => Is::Within(low, high),
    });
    pieces.fuse_test(range, key, is, "bound")
}

/// The bound as text, for keys such as versions whose values are not numbers.
fn worded(key: &Key, sign: Sign, number: &Number) -> Option<Is> {
    let is_word = match key {
        Key::Aspect(Aspect::Field(field)) => {
            !matches!(field.kind(), FieldType::Count | FieldType::Number | FieldType::Date)
        }
        Key::Aspect(Aspect::Fact(fact)) => fact.is_version(),
        _ => false,
    };
    let sign = if sign == Sign::Is { "" } else { sign.typed() };
    is_word.then(|| Is::OneOf(vec![format!("{sign}{}", number.text)]))
}

/// Converts a value to another unit without floating-point noise: 94 % is 0.94.
fn scaled(value: f64, scale: f64) -> f64 {
    if scale < 1.0 { value / (1.0 / scale).round() } else { value * scale }
}

/// A version after a framework or a round after a benchmark: `tensorflow 1.12`, `pytorch 2.x`, `mlperf 4.1`.
fn version(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    // `tensorflow from 1.4 to 1.12`
    let is_framework = |place: &usize| pieces.list[*place].is_of(&[Facet::Framework]);
    let earlier = (0..at).rev().find(is_framework).filter(|_| number.text.contains('.'));
    let Some(before) = at.checked_sub(1).filter(|before| pieces.list[*before].test().is_some()).or(earlier) else {
        return false;
    };
    // `tensorrt 8 vs tensorrt 7 t4`
    let is_again = pieces.list[..before]
        .windows(2)
        .any(|pair| pair[1].tests(Field::FrameworkVersion) && pair[0].test() == pieces.list[before].test());
    let is_count = counted(pieces, at) && !number.text.contains('.') && !is_again;
    if number.dimension.is_some() || number.upper.is_some() || is_count || is_year(&number) {
        return false;
    }
    let Some(Test { key: Key::Facet(facet), is: Is::OneOf(values) }) = pieces.list[before].test() else { return false };
    let text = number.text.trim_end_matches(".x");
    match (facet, text) {
        (Facet::Framework, text) => {
            let is = Is::OneOf(vec![text.to_owned()]);
            pieces.fuse_test(at..at + 1, Key::from(Field::FrameworkVersion), is, "version")
        }
        // MLPerf's share of the reference accuracy: `gpt-j 99.9`.
        (Facet::Network, "99" | "99.9") => {
            let is = Is::exactly(if text == "99" { 0.99 } else { 0.999 });
            pieces.fuse_test(at..at + 1, Key::from(Field::RelativeAccuracyTarget), is, "version")
        }
        // `mlperf-*` of round 4.1 is `mlperf-*-v4.1`.
        (Facet::Source, text) if values.iter().all(|id| id.ends_with("-*")) => {
            let round = values.iter().map(|id| format!("{}*-v{text}", id.trim_end_matches("-*")));
            let test = Test { key: Key::Facet(Facet::Source), is: Is::OneOf(round.collect()) };
            pieces.fuse(before..at + 1, Means::Test(test), How::Lexicon, "version")
        }
        _ => false,
    }
}

/// A number after a link has the key of the number before it: `pytorch 1.0 vs 2.0`, `cudnn 7 vs 6`.
fn key_from_before_link(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned().filter(|number| number.upper.is_none()) else { return false };
    let links = |means: &Means| matches!(means, Means::Link(_) | Means::Comparative(..) | Means::Axis("over"));
    let Some(link) = pieces.before(at).filter(|link| links(pieces.means(*link))) else { return false };
    let passes = |means: &Means| links(means) || matches!(means, Means::Filler | Means::Kind(..));
    let Some(facing) = (0..link).rev().find(|place| !passes(pieces.means(*place))) else { return false };
    let is_plain = number.dimension.is_none();
    // `do two 3090s train twice as fast as one`
    let is_count = |place: &usize| pieces.list[*place].tests(Field::DeviceCount);
    let is_alone = is_plain
        && number.value.fract() == 0.0
        && pieces.after(at).is_none_or(|next| pieces.list[next].test().is_some());
    let others = (0..link).rev().find(is_count).filter(|_| is_alone && !counted(pieces, at) && !is_year(&number));
    let own = pieces.list[facing].test().filter(|test| test.facet().is_none() && test.is.single().is_some());
    if let (Some(_), None) = (others, own) {
        return pieces.fuse_test(at..at + 1, Key::from(Field::DeviceCount), Is::exactly(number.value), "facing");
    }
    let Some(Test { key, is }) = pieces.list[facing].test().cloned() else { return false };
    let is_field = matches!(key, Key::Aspect(Aspect::Field(_)));
    let is = match &is {
        Is::OneOf(_) if is_plain && is_field => Is::OneOf(vec![number.text.trim_end_matches(".x").to_owned()]),
        is if is.single().is_some() && matches!(key, Key::Aspect(_)) => {
            let is_same = key_of_dimension(&number).map_or(is_plain && is_field, |(of, _)| of == key);
            if !is_same || counted(pieces, at) && key != Key::from(Field::DeviceCount) {
                return false;
            }
            Is::exactly(number.value)
        }
        _ => return false,
    };
    pieces.fuse_test(at..at + 1, key, is, "facing")
}

/// As [`key_from_before_link`], for a number before the link: `2 vs 8 a100`.
fn key_from_after_link(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    // The `one` of `twice as fast as one` is not a count of devices.
    let links = |link: &usize| matches!(pieces.means(*link), Means::Link(of) if *of != "equals");
    let Some(link) = pieces.after(at).filter(links) else { return false };
    let Some(Test { key: key @ Key::Aspect(aspect), is: Is::Within(..) }) =
        pieces.after(link).and_then(|place| pieces.list[place].test()).cloned()
    else {
        return false;
    };
    // `24 or 48 gigs`, not `resnet 50 vs 16 gb`
    let is_like = matches!(aspect, Aspect::Field(_)) || pieces.means(link).is_link(&["or"]);
    let is_plain = number.dimension.is_none() && number.upper.is_none();
    is_like && is_plain && pieces.fuse_test(at..at + 1, key, Is::exactly(number.value), "facing")
}

/// A size after a family of networks: `llama 70b`.
fn size(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at) else { return false };
    let (unit, size) = match number.dimension {
        Some("billion") => ('b', number.value / 1e9),
        Some("million") => ('m', number.value / 1e6),
        _ => return false,
    };
    let is_network = |place: &usize| pieces.list[*place].is_of(&[Facet::Network]);
    let Some(place) = pieces.before(at).filter(is_network) else { return false };
    let Some(Test { key, is: Is::OneOf(values) }) = pieces.list[place].test() else { return false };
    let sized = values.iter().map(|family| format!("{family}-*{size}{unit}")).collect();
    let test = Test { key: key.clone(), is: Is::OneOf(sized) };
    pieces.fuse(place..at + 1, Means::Test(test), How::Alias, "size")
}

/// A field next to its value: `batch size 64`, `cuda 11`, `sequence length of 128`, `8 threads`.
fn field_value(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    if !matches!(number.dimension, None | Some("count" | "thousand")) {
        return false;
    }
    let is_version = |of: &Quantity| matches!(of, Quantity::Fact(fact) if fact.is_version());
    let is_field = |of: &Quantity| matches!(of, Quantity::Field(_)) || is_version(of);
    let field_at = |place: usize| Some((place, pieces.quantity(place, Subject::Rows).filter(is_field)?));
    let may_follow = |field: &Quantity| !matches!(field, Quantity::Field(Field::BatchSize | Field::FrameworkVersion));
    // `four CPU threads`
    let class = pieces.after(at).filter(|place| matches!(pieces.means(*place), Means::Kind(Facet::Device, Some(_))));
    let next = || class.map_or_else(|| pieces.after(at), |class| pieces.after(class));
    let is_counted = |field: &Quantity| class.is_none() || *field == Quantity::Field(Field::Threads);
    let after = || next().and_then(field_at).filter(|(_, field)| may_follow(field) && is_counted(field));
    // `when the context grows from 1k to 16k`
    let is_verb = |place: &usize| matches!(pieces.means(*place), Means::Ask("changes" | "evolve"));
    let verb = pieces.before(at).filter(|place| number.upper.is_some() && is_verb(place));
    let before = || verb.map_or_else(|| pieces.before(at), |verb| pieces.before(verb));
    let Some((place, field)) = before().and_then(field_at).or_else(after) else { return false };
    let Some(key) = key_of(&field) else { return false };
    let is_numeric = matches!(key, Key::Aspect(aspect) if aspect.is_numeric());
    // `to target accuracy on 8 A100s`
    let is_dated = is_year(&number) && !is_numeric;
    if place + 1 < at && counted(pieces, at) || is_dated || !is_numeric && field == Quantity::Field(Field::Date) {
        return false;
    }
    let is = match (is_numeric, number.upper) {
        // A prompt of 8k has 8,000 or 8,192 tokens.
        (true, None) if number.dimension == Some("thousand") => Is::range(number.value, number.value * 1.024),
        (true, _) => number.is(),
        (false, _) => Is::OneOf(vec![number.text]),
    };
    if verb.is_some() || place > at + 1 {
        pieces.mark(place, "field-value");
        return pieces.fuse_test(at..at + 1, key, is, "field-value");
    }
    pieces.fuse_test(place.min(at)..place.max(at) + 1, key, is, "field-value")
}

/// A number of devices: `8x V100`, `4 gpus`, `8 V100`.
fn count(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    let is_times = number.dimension == Some("count");
    // `a single 8x H100 node`
    if matches!(&*pieces.text(at), "single" | "one")
        && pieces.number(at + 1).is_some_and(|next| next.dimension == Some("count"))
    {
        pieces.list[at].means = Means::Filler;
        return true;
    }
    // `pixel 4 gpu`, and not `horovod 64 gpu`
    let is_word = number.text.starts_with(char::is_alphabetic) || pieces.text(at).starts_with(char::is_alphabetic);
    if !is_times && !is_word && number.value < 16.0 && at > 0 && *pieces.means(at - 1) == Means::Unread {
        return false;
    }
    let orders = |means: &Means| matches!(means, Means::Order(..) | Means::Ask("take" | "which"));
    // `five gpus with the lowest tdp`
    let leads = !is_times && pieces.before(at).is_none() && pieces.orders();
    // `fastest single gpu`
    let is_single = pieces.text(at) == "single" && pieces.previous_is(at, |means| matches!(means, Means::Order(..)));
    let is_ordered = leads || pieces.previous_is(at, orders) && !is_single;
    // `which of my two cards`
    let is_kind = |means: &Means| means.kind().is_some();
    let is_owned = pieces.is_preceded_by(at, &["my", "these", "those", "the"]) && pieces.next_is(at, is_kind);
    let compared = pieces.next_is(at, |means| matches!(means, Means::Comparative(..)));
    // `resnet50 2020 V100`
    if is_year(&number)
        || !is_times && (number.dimension.is_some() || is_ordered || !counted(pieces, at))
        || compared
        || is_owned
        || number.value.fract() != 0.0
        || number.value > 100_000.0
    {
        return false;
    }
    // `1 2 4 8 gpus`, `2 or 4 gpus`
    let plain = |place: &usize| {
        pieces.number(*place).is_some_and(|number| number.dimension.is_none() && number.value.fract() == 0.0)
    };
    let previous = |first: &usize| {
        let before = pieces.before(*first)?;
        let is_linked = pieces.means(before).is_link(&["or", "and"]);
        Some(if is_linked { pieces.before(before)? } else { before }).filter(plain)
    };
    let counts: Vec<(usize, Is)> = std::iter::successors(Some(at), previous)
        .filter_map(|place| Some((place, pieces.number(place)?.is())))
        .collect();
    for (place, is) in counts {
        pieces.fuse_test(place..place + 1, Key::from(Field::DeviceCount), is, "count");
    }
    true
}

/// A year on its own: `2023 resnet50`.
fn year(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).filter(|number| is_year(number)).cloned() else { return false };
    let is_date = |means: &Means| means.asks_for("released") || means.asks_for("published");
    let before = pieces.before(at).filter(|place| is_date(pieces.means(*place)));
    let key = before.and_then(|place| keyed_quantity(pieces, place, &number));
    let key = key.map_or_else(|| pieces.year_key(false), |(key, _)| key);
    pieces.fuse_test(before.unwrap_or(at)..at + 1, key, number.is(), "year")
}

/// A number with a unit but without a comparison: `24 GB memory`, `in 8 GB`.
fn equal(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    let Some(dimension) = number.dimension else { return false };
    // `the speed for an 8k prompt` is not a speed of 8,000.
    let is_multiple = matches!(dimension, "thousand" | "million" | "billion");
    let is_measured = |key: &Key| matches!(key, Key::Aspect(Aspect::Metric(_) | Aspect::Derived(_)));
    let keyed = |place: Option<usize>| {
        let place = place.filter(|_| dimension != "count")?;
        let found = keyed_quantity(pieces, place, &number)?;
        (!is_multiple || !is_measured(&found.0)).then_some((place, found))
    };
    let (range, (key, scale)) = match keyed(pieces.after(at)).or_else(|| keyed(pieces.before(at))) {
        Some((place, found)) => (place.min(at)..place.max(at) + 1, found),
        None => {
            let Some((key, scale)) = pieces.key_of(&number, at) else { return false };
            // `slowest gpu that still does 100 images/s`, `can a Jetson Nano keep up 30 fps`
            if dimension == "rate" && (pieces.is_list() || pieces.orders() || pieces.is_yes_or_no()) {
                let is = number.upper.map_or(Is::at_least(number.value), |upper| Is::range(number.value, upper));
                return pieces.fuse_test(at..at + 1, key, is, "rate");
            }
            let next = pieces.list.get(at + 1);
            let found = match dimension {
                "time" | "rate" | "count" => return false,
                // `90% sparsity`
                "percent" if next.is_some_and(|next| next.means == Means::Unread) => return false,
                "percent" => (Key::from(Field::AccuracyTarget), 0.01),
                _ => (key, scale),
            };
            (at..at + 1, found)
        }
    };
    let value = scaled(number.value, scale);
    let is = match (dimension, number.upper) {
        // `if I have 600 dollars`
        ("money", None) => Is::Within(Bound::Unbounded, Bound::Included(value)),
        ("billion" | "million", _) => nominal_size_range(value),
        (_, upper) => Is::range(value, upper.map_or(value, |upper| scaled(upper, scale))),
    };
    pieces.fuse_test(range, key, is, "equal")
}

/// Two values of one field with `to` between them: `from batch 1 to batch 64`.
fn range(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some((from, to)) = pieces.before(at).zip(pieces.after(at)).filter(|_| pieces.means(at).is_link(&["to"])) else {
        return false;
    };
    // `from one V100 to eight`
    let device = Some(from).filter(|from| pieces.list[*from].is_of(&[Facet::Device]));
    let from = device.and_then(|device| pieces.before(device)).unwrap_or(from);
    let single = |place: usize| {
        let test = pieces.list[place].test()?;
        matches!(test.key, Key::Aspect(Aspect::Field(_))).then_some((test.key.clone(), test.is.single()?))
    };
    let (Some((key, low)), Some((other, high))) = (single(from), single(to)) else { return false };
    if key != other || low >= high {
        return false;
    }
    // The device between the two numbers remains a separate piece.
    let end = if device.is_some() { from } else { to };
    if device.is_some() {
        pieces.fuse(at..to + 1, Means::Filler, How::Filler, "range");
    }
    pieces.fuse_test(from..end + 1, key, Is::range(low, high), "range")
}

/// A rate that results must exceed or stay below: `faster than 10000 images per second`.
fn rate(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Means::Comparative(end, Some("speed")) = *pieces.means(at) else { return false };
    let Some(&Number { value, dimension: Some("rate"), .. }) = pieces.number(at + 2) else { return false };
    let sign = if matches!(end, End::Best | End::Most) { Sign::More } else { Sign::Less };
    let (low, high) = sign.bounds(value);
    pieces.means(at + 1).is_link(&["than"])
        && pieces.fuse_test(at..at + 3, Key::from(Metric::ThroughputPerS), Is::Within(low, high), "rate")
}

/// A number, model or form factor after a name that makes it a product not known here: `Gaudi 4`, `Arc A770`, `4090 laptop`.
fn other_product(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let (name, start) = (&pieces.list[before], pieces.list[at].words.start);
    let Some(Test { key: Key::Facet(Facet::Device | Facet::Network), is: Is::OneOf(values) }) = name.test() else {
        return false;
    };
    let is_name = matches!(name.how, How::Exact | How::Alias) && name.words.end == start;
    let comma = pieces.words[start - 1].comma;
    let word = pieces.text(at);
    let portable = suffix_of(&word) == Some(Suffix::Portable);
    let is_other = match pieces.means(at) {
        Means::Number(number) => {
            number.dimension.is_none() && number.upper.is_none() && word.starts_with(|c: char| c.is_ascii_digit())
        }
        // `galaxy s21` is another product than the one whose name begins with `galaxy`.
        Means::Unread => {
            let is_of_line = values.len() > 1 || name.how == How::Alias;
            suffix_of(&word).is_some() || is_of_line && word.contains(|c: char| c.is_ascii_digit())
        }
        Means::Test(_) => portable && values.len() == 1,
        _ => false,
    };
    // The number of `h100 3584` is a count: after a name that ends with a digit, a number from 100 up is not a model.
    let is_count = pieces.number(at).is_some_and(|number| number.value >= 100.0)
        && pieces.words[name.words.end - 1].text.ends_with(|c: char| c.is_ascii_digit());
    let is_own = is_name && !comma && is_other && !is_count;
    is_own && pieces.fuse(before..at + 1, Means::Unread, How::UnreadSubject, "other-product")
}

/// Whether the next piece is countable, such as devices. In `batch 64 on Pascal cards` the number does not count cards.
fn counted(pieces: &Pieces<'_>, at: usize) -> bool {
    const ADJECTIVES: &[&str] = &["used", "new", "old", "full", "separate", "different", "second hand"];
    // `two used RTX 3090s`
    let place = at + 1 + usize::from(pieces.list.get(at + 1).is_some() && ADJECTIVES.contains(&&*pieces.text(at + 1)));
    let Some(next) = pieces.list.get(place) else { return false };
    match (&next.means, next.facet()) {
        (Means::Kind(Facet::Device, _), _) | (Means::Test(_), Some(Facet::Device)) => true,
        // `two 24 gb cards`
        (Means::Number(Number { dimension: Some("memory"), .. }), _) => counted(pieces, place),
        // `8 nvidia gpus`
        (Means::Test(_), Some(Facet::Vendor | Facet::Architecture)) => {
            pieces.next_is(place, |means| means.is_kind(Facet::Device))
        }
        _ => false,
    }
}

/// Words that bound a date.
pub(super) const DATE_BOUND_WORDS: [&str; 6] = ["since", "after", "before", "until", "pre", "post"];

/// Numbers that may be years; 2048 is a number of devices.
const YEARS: std::ops::Range<f64> = 1980.0..2040.0;

fn is_year(number: &Number) -> bool {
    let is_plain = number.dimension.is_none() && number.value.fract() == 0.0 && number.text.len() >= 4;
    is_plain && YEARS.contains(&number.value)
}

/// The key of the quantity at `place` that fits the number's unit, and the factor to the key's own unit.
fn keyed_quantity(pieces: &Pieces<'_>, place: usize, number: &Number) -> Option<(Key, f64)> {
    let meaning = pieces.means(place).quantity()?;
    let subjects =
        [pieces.subject(), Subject::Device, Subject::Network, Subject::Dataset, Subject::Framework, Subject::Rows];
    // In `with 48 GB or more of memory`, memory is a fact of the device.
    let is_had = number.dimension == Some("memory")
        && number.value >= 1.0
        && meaning.contains(" device:memory")
        && pieces.says(&["with", "has", "have", "having"]);
    let subjects = if is_had { [Subject::Device; 6] } else { subjects };
    let mut all = subjects.iter().flat_map(|subject| quantities(meaning, *subject));
    let found = all.find_map(|quantity| Some((key_of(&quantity)?, scale(number, unit_of(&quantity))?)));
    let found = found.filter(|(key, _)| !(is_year(number) && *key == Key::Rows));
    found.map(|(key, scale)| match is_year(number) && pieces.has_kind(Facet::Source) {
        true => (Key::Facet(Facet::Year), 1.0),
        // The memory into which something must fit is counted in GiB.
        false if pieces.key_in_fits(key.clone()) != key => (pieces.key_in_fits(key), 1.0),
        false => (key, scale),
    })
}

fn unit_of(quantity: &Quantity) -> Option<Unit> {
    match quantity {
        Quantity::Fact(fact) if fact.is_version() => Some(Unit::Count),
        Quantity::Field(Field::AccuracyTarget | Field::RelativeAccuracyTarget) => Some(Unit::Fraction),
        Quantity::Field(_) => Some(Unit::Count),
        quantity => filter::unit_of(&key_of(quantity)?),
    }
}

/// The factor from the base unit of the number's dimension to `unit`; `None` if the dimensions differ.
fn scale(number: &Number, unit: Option<Unit>) -> Option<f64> {
    match (number.dimension, unit?) {
        (None, Unit::Fraction) if number.value > 1.0 => Some(0.01),
        (None, _) => Some(1.0),
        (Some(dimension), unit) => unit.of_dimension(dimension),
    }
}

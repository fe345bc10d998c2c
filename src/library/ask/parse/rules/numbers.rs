//! What a number is of: bounds, versions, counts, sizes, years, fields that are beside it.

use std::ops::Bound;

use super::pieces::{Pieces, Rule};
use crate::ask::parse::lexicon::{GRADED, Subject, key_of, quantities};
use crate::ask::parse::names::sized;
use crate::ask::parse::piece::{Means, Number};
use crate::ask::parse::question::{End, Is, Key, Quantity, Test};
use crate::ask::parse::span::How;
use crate::ask::parse::spans::key_of_dimension;
use crate::model::{Aspect, Derived, Facet, Fact, Field, FieldType, Metric};
use crate::stores::resolve::{Suffix, suffix_of};
use crate::values::Unit;

/// The rules of this file, in the order in which they are tried at each piece.
pub(super) const RULES: &[Rule] = &[
    Rule { apply: grade },
    Rule { apply: between },
    Rule { apply: bound },
    Rule { apply: rate },
    Rule { apply: version },
    Rule { apply: size },
    Rule { apply: field_value },
    Rule { apply: count },
    Rule { apply: facing },
    Rule { apply: faced },
    Rule { apply: year },
    Rule { apply: equal },
    Rule { apply: range },
    Rule { apply: other_product },
];

/// The grades, the worst first.
const GRADES: [&str; 4] = ["Low", "Moderate", "Good", "High"];

/// A grade beside what is graded: `at least moderate energy efficiency`, `rated high in compatibility`.
fn grade(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Means::Bound(word) = pieces.list[at].means else { return false };
    let (grade, comparator) = match word.strip_prefix("grade ") {
        Some(grade) => (grade, "="),
        None => match pieces.after(at).map(|next| &pieces.list[next].means) {
            Some(Means::Bound(next)) if next.starts_with("grade ") => (&next[6..], word),
            _ => return false,
        },
    };
    let last = if comparator == "=" { at } else { pieces.after(at).unwrap_or(at) };
    let graded = |place: Option<usize>| {
        let place = place?;
        let Means::Quantity(meaning) = pieces.list[place].means else { return None };
        let id = meaning.split([' ', ',', ':']).find(|id| GRADED.contains(id))?;
        Some((place, id))
    };
    let Some((place, id)) = graded(pieces.after(last)).or_else(|| graded(pieces.before(at))) else { return false };
    let Some(rank) = GRADES.iter().position(|name| name.eq_ignore_ascii_case(grade)) else { return false };
    let values: Vec<String> = match comparator {
        ">=" => GRADES[rank..].to_vec(),
        ">" => GRADES[rank + 1..].to_vec(),
        "<=" => GRADES[..=rank].to_vec(),
        "<" => GRADES[..rank].to_vec(),
        _ => vec![GRADES[rank]],
    }
    .into_iter()
    .map(str::to_lowercase)
    .collect();
    let test = Test { key: Key::Grade(id.to_owned()), is: Is::OneOf(values) };
    pieces.fuse(at.min(place)..at.max(place).max(last) + 1, Means::Test(test), How::Lexicon, "grade");
    true
}

/// Between two numbers: `between 16 and 24 gb of memory`, `from 8 to 1024 gpus`, `batch size 64 to 256`.
fn between(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(first) = pieces.number(at) else { return false };
    let Some(link) = pieces
        .after(at)
        .filter(|link| matches!(pieces.list[*link].means, Means::Link("and" | "to")) || pieces.is_arrow(*link))
    else {
        return false;
    };
    let Some(second_at) = pieces.after(link) else { return false };
    let Some(second) = pieces.number(second_at) else { return false };
    let opened = pieces.before(at).filter(|before| matches!(pieces.list[*before].means, Means::Bound("between" | "=")));
    let is_range = !matches!(pieces.list[link].means, Means::Link("and")) && second.value > first.value;
    // `tensorflow from 1.4 to 1.12` are versions, set against each other.
    let is_plain = |number: &Number| number.dimension.is_none() && number.text.contains('.');
    let of_framework = pieces.list[..at].iter().any(|piece| piece.facet() == Some(Facet::Framework));
    if is_plain(first) && is_plain(second) && of_framework {
        if let Some(opened) = opened.filter(|_| matches!(pieces.list[link].means, Means::Link("and"))) {
            pieces.mark(opened, "between");
            pieces.list[link].means = Means::Link("versus");
        }
        return false;
    }
    if opened.is_none() && !is_range {
        return false;
    }
    let mut number = second.clone();
    number.value = first.value;
    number.upper = Some(second.value);
    // The unit behind the second is that of both.
    if first.dimension.is_none() && second.dimension.is_some() {
        let scale =
            second.text.parse::<f64>().map_or(1.0, |plain| if plain == 0.0 { 1.0 } else { second.value / plain });
        number.value *= scale;
    }
    let from = opened.unwrap_or(at);
    pieces.fuse(from..second_at + 1, Means::Number(number), How::Number, "between");
    bound(pieces, from) || field_value(pieces, from) || count(pieces, from) || year(pieces, from)
}

/// A comparison with a number: `under 10 ms`, `memory of at least 24 GB`, `16 gb or more`, `more than 8 gpus`, `since 2020`.
fn bound(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let mut late = None;
    let (comparator, number_at, mut range) = match (&pieces.list[at].means, pieces.number(at)) {
        (Means::Bound(word), _) if !word.starts_with("grade") => {
            let next = pieces.after(at);
            // `before cuda 8`
            let named = next
                .filter(|next| matches!(pieces.list[*next].means, Means::Quantity(_)))
                .and_then(|next| pieces.after(next));
            let Some(number) = next.into_iter().chain(named).find(|next| pieces.number(*next).is_some()) else {
                return false;
            };
            let ends = pieces
                .after(number)
                .filter(|behind| matches!(pieces.list[*behind].means, Means::Bound("or less" | "or more")));
            // `above 80 % and below 5 GMACs`
            let word = match *word {
                "or less" if leads_number(pieces, at) => "<",
                "or more" if leads_number(pieces, at) => ">",
                word => word,
            };
            match (word, ends.map(|ends| &pieces.list[ends].means)) {
                ("=", Some(Means::Bound("or less"))) => ("<=", number, at..ends.unwrap_or(number) + 1),
                ("=", Some(Means::Bound(_))) => (">=", number, at..ends.unwrap_or(number) + 1),
                _ => (word, number, at..number + 1),
            }
        }
        (_, Some(number)) => {
            let is_late = |place: &usize| match pieces.list[*place].means {
                Means::Bound("or more" | "or less") => !leads_number(pieces, *place),
                Means::Bound("<=" | ">=") => pieces.after(*place).is_none_or(|next| pieces.number(next).is_none()),
                _ => false,
            };
            let next = pieces.after(at);
            let kind = next.filter(|next| matches!(pieces.list[*next].means, Means::Kind(..)));
            let behind_kind = kind.filter(|_| counted(pieces, at)).and_then(|kind| pieces.after(kind)).filter(is_late);
            match next.filter(is_late).or(behind_kind) {
                Some(behind) => {
                    let is_more = matches!(pieces.list[behind].means, Means::Bound("or more" | ">="));
                    late = behind_kind;
                    (if is_more { ">=" } else { "<=" }, at, at..if next == Some(behind) { behind + 1 } else { at + 1 })
                }
                None if number.or_more => (">=", at, at..at + 1),
                None if number.upper.is_some() => ("=", at, at..at + 1),
                None => return false,
            }
        }
        _ => return false,
    };
    if let Some(behind) = late {
        pieces.mark(behind, "bound");
    }
    let Some(number) = pieces.number(number_at).cloned() else { return false };
    let quantity_at =
        |place: Option<usize>| place.filter(|place| matches!(pieces.list[*place].means, Means::Quantity(_)));
    let inner = quantity_at(Some(number_at.saturating_sub(1)).filter(|place| *place > range.start));
    let before = inner.or(quantity_at(pieces.before(range.start)));
    let after = quantity_at(pieces.after(range.end - 1));
    let sources = pieces
        .after(range.end - 1)
        .is_some_and(|next| matches!(pieces.list[next].means, Means::Kind(Key::Facet(Facet::Source), _)));
    // `batch > 1 and < 16`
    let joined = pieces
        .before(range.start)
        .filter(|link| matches!(pieces.list[*link].means, Means::Link("and" | "or")))
        .and_then(|link| pieces.before(link));
    let joined = joined
        .and_then(|place| pieces.list[place].test())
        .filter(|test| matches!(test.is, Is::Within(..)))
        .map(|test| test.key.clone());
    // `2017..2019 V100` are years.
    let is_count = number.dimension.is_none() && !is_year(&number) && counted(pieces, range.end - 1);
    let keyed = |place: Option<usize>| {
        // `batch 64-256 p100` counts no devices, whatever is behind it.
        let is_named =
            |place: &usize| number.upper.is_some() && place + 1 == range.start && of_batch(&pieces.list[*place].means);
        place
            .filter(|place| !is_count || is_named(place))
            .and_then(|place| Some((place, keyed_quantity(pieces, place, &number)?)))
    };
    // `from 2020 with memory` says nothing of a memory of 2020.
    let is_of_years = |key: &Key| {
        matches!(
            key,
            Key::Facet(Facet::Year) | Key::Aspect(Aspect::Fact(Fact::Released | Fact::Published | Fact::FirstRelease))
        )
    };
    let behind = || keyed(after).filter(|(_, (key, _))| !is_year(&number) || is_of_years(key));
    // `memory bandwidth 2012-2024` are years.
    let is_span = number.upper.is_some_and(|upper| YEARS.contains(&upper)) && is_year(&number) && comparator == "=";
    let in_front = keyed(before).filter(|(_, (key, _))| !is_span || is_of_years(key));
    let (key, scale) = if let Some((place, found)) = in_front.or_else(behind) {
        range = range.start.min(place)..range.end.max(place + 1);
        found
    } else if number.dimension.is_none() && sources {
        (Key::Sources, 1.0)
    } else if let Some(key) = joined.filter(|_| number.dimension.is_none() && !is_count) {
        (key, 1.0)
    } else if is_count {
        (Key::Aspect(Aspect::Field(Field::DeviceCount)), 1.0)
    } else if is_year(&number) {
        // `which GPUs from before 2016`
        let kind = pieces.before(range.start).filter(|kind| matches!(pieces.list[*kind].means, Means::Kind(..)));
        (pieces.year_key(kind.is_some()), 1.0)
    } else if let Some((place, found)) = (0..pieces.list.len()).find_map(|place| {
        // `keep the first-token latency of a 7B model under 200 ms`
        let is_open = matches!(number.dimension, Some("time" | "money")) && pieces.unused(place);
        Some((place, keyed_quantity(pieces, place, &number).filter(|_| is_open)?))
    }) {
        pieces.mark(place, "bound");
        found
    } else if let Some(found) = pieces.key_of(&number, number_at) {
        found
    } else {
        let is_version = pieces
            .before(range.start)
            .and_then(|place| pieces.list[place].test())
            .is_some_and(|test| test.key == Key::Facet(Facet::Framework));
        let is_factor = pieces
            .after(number_at)
            .is_some_and(|next| matches!(pieces.list[next].means, Means::Comparative(..) | Means::Link("equals")));
        // `from 1.4 to 1.12`, `at least 2 times as fast`
        if comparator == "=" || is_factor {
            pieces.mark(range.start, "bound");
            return false;
        }
        if is_version && number.dimension.is_none() {
            (Key::Aspect(Aspect::Field(Field::FrameworkVersion)), 1.0)
        } else {
            pieces.fuse(range, Means::Unread, How::UnreadBound, "bound");
            return true;
        }
    };
    // It is that of many rows, and of none alone.
    if key == Key::Aspect(Aspect::Derived(Derived::ScalingEfficiency)) {
        pieces.fuse(range, Means::Unread, How::UnreadBound, "bound");
        return true;
    }
    let (low, high) = (scaled(number.value, scale), number.upper.map(|upper| scaled(upper, scale)));
    let is_inverse = number.dimension == Some("item-cost");
    let (low, high) = if is_inverse { (high.unwrap_or(low).recip(), high.map(|_| low.recip())) } else { (low, high) };
    let comparator = match comparator {
        "<" if is_inverse => ">",
        "<=" if is_inverse => ">=",
        ">" if is_inverse => "<",
        ">=" if is_inverse => "<=",
        other => other,
    };
    if let Some(is) = worded(&key, comparator, &number) {
        pieces.fuse(range, Means::Test(Test { key, is }), How::Number, "bound");
        return true;
    }
    let is = match (comparator, high) {
        (_, Some(high)) => Is::Within(Bound::Included(low), Bound::Included(high)),
        ("<", _) => Is::Within(Bound::Unbounded, Bound::Excluded(low)),
        ("<=", _) => Is::Within(Bound::Unbounded, Bound::Included(low)),
        (">", _) => Is::Within(Bound::Excluded(low), Bound::Unbounded),
        (">=", _) => Is::Within(Bound::Included(low), Bound::Unbounded),
        _ => Is::exactly(low),
    };
    pieces.fuse(range, Means::Test(Test { key, is }), How::Number, "bound");
    true
}

/// Whether what ends a bound elsewhere begins one: `and below 5 GMACs`, where `5 GMACs and below` ends it.
fn leads_number(pieces: &Pieces<'_>, at: usize) -> bool {
    let word = pieces.words[pieces.list[at].words.end - 1].text.to_lowercase();
    matches!(word.as_str(), "below" | "above") && pieces.after(at).is_some_and(|next| pieces.number(next).is_some())
}

/// Whether a quantity is a batch size.
fn of_batch(means: &Means) -> bool {
    matches!(means, Means::Quantity(meaning) if meaning.contains("batch-size"))
}

/// The bound of what is said in words: versions and the like, which are no numbers.
fn worded(key: &Key, comparator: &str, number: &Number) -> Option<Is> {
    let is_word = match key {
        Key::Aspect(Aspect::Field(field)) => {
            !matches!(field.kind(), FieldType::Count | FieldType::Number | FieldType::Date)
        }
        Key::Aspect(Aspect::Fact(fact)) => fact.is_version(),
        _ => false,
    };
    let sign = if comparator == "=" { "" } else { comparator };
    is_word.then(|| Is::OneOf(vec![format!("{sign}{}", number.text)]))
}

/// A value in another unit, without the noise of binary fractions: 94 % is 0.94.
fn scaled(value: f64, scale: f64) -> f64 {
    if scale < 1.0 { value / (1.0 / scale).round() } else { value * scale }
}

/// A version behind a framework or a round behind a benchmark: `tensorflow 1.12`, `pytorch 2.x`, `mlperf 4.1`.
fn version(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    let is_framework = |place: &usize| matches!(pieces.list[*place].facet(), Some(Facet::Framework));
    // `tensorflow from 1.4 to 1.12`
    let earlier = (0..at).rev().find(is_framework).filter(|_| number.text.contains('.'));
    let Some(before) = at.checked_sub(1).filter(|before| pieces.list[*before].test().is_some()).or(earlier) else {
        return false;
    };
    // `tensorrt 8 vs tensorrt 7 t4`
    let is_again = pieces.list[..before].windows(2).any(|pair| {
        let version = Key::Aspect(Aspect::Field(Field::FrameworkVersion));
        pair[0].test() == pieces.list[before].test() && pair[1].test().is_some_and(|test| test.key == version)
    });
    if number.dimension.is_some()
        || number.upper.is_some()
        || counted(pieces, at) && !number.text.contains('.') && !is_again
        || is_year(&number)
    {
        return false;
    }
    let Some(Test { key: Key::Facet(facet), is: Is::OneOf(values) }) = pieces.list[before].test().cloned() else {
        return false;
    };
    let text = number.text.trim_end_matches(".x").to_owned();
    match facet {
        Facet::Framework => {
            let key = Key::Aspect(Aspect::Field(Field::FrameworkVersion));
            let test = Test { key, is: Is::OneOf(vec![text]) };
            pieces.fuse(at..at + 1, Means::Test(test), How::Number, "version");
            true
        }
        // MLPerf's share of the reference accuracy: `gpt-j 99.9`.
        Facet::Network if matches!(text.as_str(), "99" | "99.9") => {
            let key = Key::Aspect(Aspect::Field(Field::RelativeAccuracyTarget));
            let test = Test { key, is: Is::exactly(if text == "99" { 0.99 } else { 0.999 }) };
            pieces.fuse(at..at + 1, Means::Test(test), How::Number, "version");
            true
        }
        Facet::Source => {
            // `mlperf-*` of round 4.1 is `mlperf-*-v4.1`.
            let round: Vec<String> =
                values.iter().map(|id| format!("{}*-v{text}", id.trim_end_matches("-*"))).collect();
            if !values.iter().all(|id| id.ends_with("-*")) {
                return false;
            }
            let test = Test { key: Key::Facet(Facet::Source), is: Is::OneOf(round) };
            pieces.fuse(before..at + 1, Means::Test(test), How::Lexicon, "version");
            true
        }
        _ => false,
    }
}

/// A number on the other side of a link is of what the number before it is of: `pytorch 1.0 vs 2.0`, `cudnn 7 vs 6`, `is tensorrt 10
/// faster than 8`.
fn facing(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned().filter(|number| number.upper.is_none()) else { return false };
    let links = |piece: &Means| matches!(piece, Means::Link(_) | Means::Comparative(..) | Means::Axis("over"));
    let Some(link) = pieces.before(at).filter(|link| links(&pieces.list[*link].means)) else { return false };
    let Some(facing) = (0..link).rev().find(|place| {
        !pieces.list[*place].is_filler()
            && !links(&pieces.list[*place].means)
            && !matches!(pieces.list[*place].means, Means::Kind(..))
    }) else {
        return false;
    };
    let Some(Test { key, is }) = pieces.list[facing].test().cloned() else { return false };
    let is = match (&key, is) {
        (Key::Aspect(Aspect::Field(_)), Is::OneOf(_)) if number.dimension.is_none() => {
            Is::OneOf(vec![number.text.trim_end_matches(".x").to_owned()])
        }
        (Key::Aspect(aspect), Is::Within(Bound::Included(low), Bound::Included(high))) if low == high => {
            let is_same = match key_of_dimension(&number) {
                Some((of, _)) => of == key,
                None => number.dimension.is_none() && matches!(aspect, Aspect::Field(_)),
            };
            if !is_same || counted(pieces, at) && key != Key::Aspect(Aspect::Field(Field::DeviceCount)) {
                return false;
            }
            Is::exactly(number.value)
        }
        _ => return false,
    };
    pieces.fuse(at..at + 1, Means::Test(Test { key, is }), How::Number, "facing");
    true
}

/// The same in front of the link: `2 vs 8 a100`.
fn faced(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned().filter(|number| number.dimension.is_none() && number.upper.is_none())
    else {
        return false;
    };
    let Some(link) = pieces.after(at).filter(|link| matches!(pieces.list[*link].means, Means::Link(_))) else {
        return false;
    };
    let Some(Test { key: key @ Key::Aspect(aspect), is: Is::Within(..) }) =
        pieces.after(link).and_then(|place| pieces.list[place].test()).cloned()
    else {
        return false;
    };
    // `24 or 48 gigs`, not `resnet 50 vs 16 gb`
    if !matches!(aspect, Aspect::Field(_)) && !matches!(pieces.list[link].means, Means::Link("or")) {
        return false;
    }
    let is = Is::exactly(number.value);
    pieces.fuse(at..at + 1, Means::Test(Test { key, is }), How::Number, "facing");
    true
}

/// The size of a network behind its family: `llama 70b`.
fn size(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) =
        pieces.number(at).cloned().filter(|number| matches!(number.dimension, Some("billion" | "million")))
    else {
        return false;
    };
    let is_network = |place: usize| matches!(pieces.list[place].facet(), Some(Facet::Network));
    let Some(place) = pieces.before(at).filter(|place| is_network(*place)) else { return false };
    let Some(Test { is: Is::OneOf(values), .. }) = pieces.list[place].test().cloned() else { return false };
    let (unit, size) =
        if number.dimension == Some("billion") { ('b', number.value / 1e9) } else { ('m', number.value / 1e6) };
    let sized = values.iter().map(|family| format!("{family}-*{size}{unit}")).collect();
    let test = Test { key: Key::Facet(Facet::Network), is: Is::OneOf(sized) };
    pieces.fuse(place..at + 1, Means::Test(test), How::Alias, "size");
    true
}

/// A field beside its value: `batch size 64`, `cuda 11`, `sequence length of 128`, `8 threads`.
fn field_value(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    if !matches!(number.dimension, None | Some("count" | "thousand")) {
        return false;
    }
    let is_field = |quantity: &Quantity| match quantity {
        Quantity::Field(_) => true,
        Quantity::Fact(fact) => fact.is_version(),
        _ => false,
    };
    let field_at = |place: usize| match pieces.list[place].means {
        Means::Quantity(meaning) => quantities(meaning, Subject::Rows).into_iter().next().filter(is_field),
        _ => None,
    };
    let is_in_front =
        |quantity: &Quantity| matches!(quantity, Quantity::Field(Field::BatchSize | Field::FrameworkVersion));
    let before = pieces.before(at).and_then(|place| Some((place, field_at(place)?)));
    let after =
        pieces.after(at).and_then(|place| Some((place, field_at(place).filter(|quantity| !is_in_front(quantity))?)));
    let Some((place, quantity)) = before.or(after) else { return false };
    // `to target accuracy on 8 A100s`
    if place + 1 < at && counted(pieces, at) {
        return false;
    }
    let Some(key) = key_of(&quantity) else { return false };
    let is_numeric = matches!(key, Key::Aspect(aspect) if aspect.is_numeric());
    let is = match (is_numeric, number.upper) {
        // A prompt of 8k has 8,000 or 8,192 tokens.
        (true, None) if number.dimension == Some("thousand") => {
            Is::Within(Bound::Included(number.value), Bound::Included(number.value * 1.024))
        }
        (true, upper) => Is::Within(Bound::Included(number.value), Bound::Included(upper.unwrap_or(number.value))),
        (false, _) if quantity == Quantity::Field(Field::Date) => return false,
        (false, _) => Is::OneOf(vec![number.text.clone()]),
    };
    pieces.fuse(place.min(at)..place.max(at) + 1, Means::Test(Test { key, is }), How::Number, "field-value");
    true
}

/// A number of devices: `8x V100`, `4 gpus`, `8 V100`.
fn count(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    let is_times = number.dimension == Some("count");
    // `pixel 4 gpu`, and not `horovod 64 gpu`
    if !is_times && number.value < 16.0 && at > 0 && matches!(pieces.list[at - 1].means, Means::Unread) {
        return false;
    }
    let ordered = pieces
        .before(at)
        .is_some_and(|before| matches!(pieces.list[before].means, Means::Order(..) | Means::Ask("take" | "which")));
    // `five gpus with the lowest tdp`
    let leads = pieces.before(at).is_none() && pieces.list.iter().any(|piece| matches!(piece.means, Means::Order(..)));
    let ordered = ordered || leads && !is_times;
    // `which of my two cards`
    let word = pieces.list[at].words.start.checked_sub(1).map(|before| pieces.words[before].text.to_lowercase());
    let is_owned = word.is_some_and(|word| matches!(word.as_str(), "my" | "these" | "those" | "the"));
    let is_kind = pieces.after(at).is_some_and(|next| matches!(pieces.list[next].means, Means::Kind(..)));
    // `1 2 4 8 gpus`, `2 or 4 gpus`
    let mut first = at;
    let plain = |place: &usize| {
        pieces.number(*place).is_some_and(|number| number.dimension.is_none() && number.value.fract() == 0.0)
    };
    let previous = |first: usize| {
        let before = pieces.before(first)?;
        let linked = matches!(pieces.list[before].means, Means::Link("or" | "and"));
        Some(if linked { pieces.before(before)? } else { before })
    };
    while let Some(before) = previous(first).filter(plain) {
        first = before;
    }
    let compared = pieces.after(at).is_some_and(|after| matches!(pieces.list[after].means, Means::Comparative(..)));
    // `resnet50 2020 V100`
    if is_year(&number)
        || !is_times && (number.dimension.is_some() || ordered || !counted(pieces, at))
        || compared
        || is_owned && is_kind
        || number.value.fract() != 0.0
        || number.value > 100_000.0
    {
        return false;
    }
    for place in (first..=at).rev() {
        if let Some(number) = pieces.number(place) {
            let test = Test { key: Key::Aspect(Aspect::Field(Field::DeviceCount)), is: number.is() };
            pieces.fuse(place..place + 1, Means::Test(test), How::Number, "count");
        }
    }
    true
}

/// A year alone: `2023 resnet50`.
fn year(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).filter(|number| is_year(number)).cloned() else { return false };
    let before = pieces.before(at).filter(|place| matches!(pieces.list[*place].means, Means::Quantity(meaning) if meaning.contains("released") || meaning.contains("published")));
    let key = match before.and_then(|place| keyed_quantity(pieces, place, &number)) {
        Some((key, _)) => key,
        None => pieces.year_key(false),
    };
    let is = number.is();
    pieces.fuse(before.unwrap_or(at)..at + 1, Means::Test(Test { key, is }), How::Number, "year");
    true
}

/// A number with a unit and nothing that compares: `24 GB memory`, `in 8 GB`.
fn equal(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(number) = pieces.number(at).cloned() else { return false };
    let quantity_at =
        |place: Option<usize>| place.filter(|place| matches!(pieces.list[*place].means, Means::Quantity(_)));
    let (before, after) = (quantity_at(pieces.before(at)), quantity_at(pieces.after(at)));
    // `the speed for an 8k prompt` is not a speed of 8,000.
    let is_multiple = matches!(number.dimension, Some("thousand" | "million" | "billion"));
    let is_measured = |key: &Key| matches!(key, Key::Aspect(Aspect::Metric(_) | Aspect::Derived(_)));
    let keyed = |place: Option<usize>| {
        let found = place.and_then(|place| Some((place, keyed_quantity(pieces, place, &number)?)));
        found.filter(|(_, (key, _))| !(is_multiple && is_measured(key)))
    };
    let found = keyed(after)
        .or_else(|| keyed(before))
        .filter(|_| number.dimension.is_some() && number.dimension != Some("count"));
    let (range, (key, scale)) = match found {
        Some((place, found)) => (place.min(at)..place.max(at) + 1, found),
        None => {
            let found = pieces.key_of(&number, at);
            // `slowest gpu that still does 100 images/s`
            if let (Some((key, _)), "rate") = (&found, number.dimension.unwrap_or_default())
                && (pieces.is_list() || pieces.list.iter().any(|piece| matches!(piece.means, Means::Order(..))))
            {
                let is =
                    Is::Within(Bound::Included(number.value), number.upper.map_or(Bound::Unbounded, Bound::Included));
                pieces.fuse(at..at + 1, Means::Test(Test { key: key.clone(), is }), How::Number, "rate");
                return true;
            }
            match found.filter(|_| !matches!(number.dimension, Some("time" | "rate" | "count"))) {
                // `90% sparsity`
                _ if number.dimension == Some("percent")
                    && pieces.list.get(at + 1).is_some_and(|next| next.means == Means::Unread) =>
                {
                    return false;
                }
                Some((key, _)) if number.dimension == Some("percent") && key != Key::Text => {
                    (at..at + 1, (Key::Aspect(Aspect::Field(Field::AccuracyTarget)), 0.01))
                }
                Some(found) => (at..at + 1, found),
                None => return false,
            }
        }
    };
    let value = scaled(number.value, scale);
    // `if I have 600 dollars`
    if number.dimension == Some("money") && number.upper.is_none() {
        let is = Is::Within(Bound::Unbounded, Bound::Included(value));
        pieces.fuse(range, Means::Test(Test { key, is }), How::Number, "equal");
        return true;
    }
    if matches!(number.dimension, Some("billion" | "million")) {
        let is = sized(value);
        pieces.fuse(range, Means::Test(Test { key, is }), How::Number, "equal");
        return true;
    }
    let is =
        Is::Within(Bound::Included(value), Bound::Included(number.upper.map_or(value, |upper| scaled(upper, scale))));
    pieces.fuse(range, Means::Test(Test { key, is }), How::Number, "equal");
    true
}

/// Two values of one field with `to` between them: `from batch 1 to batch 64`.
fn range(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let equal = |place: Option<usize>| match pieces.list[place?].test()? {
        Test {
            key: key @ Key::Aspect(Aspect::Field(_)),
            is: Is::Within(Bound::Included(low), Bound::Included(high)),
        } if low == high => Some((key.clone(), *low)),
        _ => None,
    };
    if !matches!(pieces.list[at].means, Means::Link("to")) {
        return false;
    }
    let (Some((first, low)), Some((second, high))) = (equal(pieces.before(at)), equal(pieces.after(at))) else {
        return false;
    };
    let (Some(from), Some(to)) = (pieces.before(at), pieces.after(at)) else { return false };
    if first != second || low >= high {
        return false;
    }
    let test = Test { key: first, is: Is::Within(Bound::Included(low), Bound::Included(high)) };
    pieces.fuse(from..to + 1, Means::Test(test), How::Number, "range");
    true
}

/// A rate that something is to be beyond: `faster than 10000 images per second`.
fn rate(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Means::Comparative(end, Some("speed")) = pieces.list[at].means else { return false };
    let Some(Number { value, dimension: Some("rate"), .. }) = pieces.number(at + 2).cloned() else { return false };
    if !matches!(pieces.list[at + 1].means, Means::Link("than")) {
        return false;
    }
    let is = match end {
        End::Best | End::Most => Is::Within(Bound::Excluded(value), Bound::Unbounded),
        End::Worst | End::Least => Is::Within(Bound::Unbounded, Bound::Excluded(value)),
    };
    let test = Test { key: Key::Aspect(Aspect::Metric(Metric::ThroughputPerS)), is };
    pieces.fuse(at..at + 3, Means::Test(test), How::Number, "rate");
    true
}

/// A number, a model or a form behind a name that makes it another product than any here: `Gaudi 4`, `Arc A770`, `4090 laptop`.
fn other_product(pieces: &mut Pieces<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let Some(Test { key: Key::Facet(Facet::Device | Facet::Network), is: Is::OneOf(values) }) =
        pieces.list[before].test()
    else {
        return false;
    };
    let is_name = matches!(pieces.list[before].how, How::Exact | How::Alias)
        && pieces.list[before].words.end == pieces.list[at].words.start;
    let comma = pieces.words[pieces.list[at].words.start - 1].comma;
    let word = pieces.words[pieces.list[at].words.start].text.to_lowercase();
    let portable = suffix_of(&word) == Some(Suffix::Portable);
    let is_other = match &pieces.list[at].means {
        Means::Number(number) => {
            number.dimension.is_none() && number.upper.is_none() && word.starts_with(|c: char| c.is_ascii_digit())
        }
        // `galaxy s21` is another one than the one that begins so.
        Means::Unread => {
            let is_of_line = values.len() > 1 || pieces.list[before].how == How::Alias;
            suffix_of(&word).is_some() || is_of_line && word.contains(|c: char| c.is_ascii_digit())
        }
        Means::Test(_) => portable && values.len() == 1,
        _ => false,
    };
    // `h100 3584` are many of them: no product has two numbers of which the second is the larger by so much.
    let is_count = matches!(&pieces.list[at].means, Means::Number(number) if number.value >= 100.0)
        && pieces.words[pieces.list[before].words.end - 1].text.ends_with(|c: char| c.is_ascii_digit());
    if !is_name || comma || !is_other || is_count {
        return false;
    }
    pieces.fuse(before..at + 1, Means::Unread, How::UnreadSubject, "other-product");
    true
}

/// Whether what is behind a piece is something of which there are several devices.
fn counted(pieces: &Pieces<'_>, at: usize) -> bool {
    // `batch 64 on Pascal cards` counts no cards.
    Some(at + 1).filter(|next| *next < pieces.list.len()).is_some_and(|after| match &pieces.list[after].means {
        Means::Kind(Key::Facet(Facet::Device), _) => true,
        // `two 24 gb cards`
        Means::Number(Number { dimension: Some("memory"), .. }) => counted(pieces, after),
        Means::Test(Test { key: Key::Facet(Facet::Device), .. }) => after == at + 1,
        // `8 nvidia gpus`
        Means::Test(Test { key: Key::Facet(Facet::Vendor | Facet::Architecture), .. }) => pieces
            .after(after)
            .is_some_and(|next| matches!(pieces.list[next].means, Means::Kind(Key::Facet(Facet::Device), _))),
        _ => false,
    })
}

/// What may be a year: 2048 is a number of devices.
const YEARS: std::ops::Range<f64> = 1980.0..2040.0;

fn is_year(number: &Number) -> bool {
    let is_plain = number.dimension.is_none() && number.value.fract() == 0.0 && number.text.len() >= 4;
    is_plain && YEARS.contains(&number.value)
}

/// The key of a quantity that a number's unit can be of, and the factor to its own unit.
fn keyed_quantity(pieces: &Pieces<'_>, place: usize, number: &Number) -> Option<(Key, f64)> {
    let Means::Quantity(meaning) = pieces.list[place].means else { return None };
    let subjects =
        [pieces.subject(), Subject::Device, Subject::Network, Subject::Dataset, Subject::Framework, Subject::Rows];
    let mut all = subjects.iter().flat_map(|subject| quantities(meaning, *subject));
    let found = all.find_map(|quantity| Some((key_of(&quantity)?, scale(number, unit_of(&quantity))?)));
    let found = found.filter(|(key, _)| !(is_year(number) && *key == Key::Rows));
    found.map(|(key, scale)| match is_year(number) && pieces.lists_sources() {
        true => (Key::Facet(Facet::Year), 1.0),
        // What something fits into is counted in GiB.
        false if pieces.key_in_fits(key.clone()) != key => (pieces.key_in_fits(key), 1.0),
        false => (key, scale),
    })
}

fn unit_of(quantity: &Quantity) -> Option<Unit> {
    match quantity {
        Quantity::Metric(metric) => Some(metric.unit()),
        Quantity::Derived(derived) => Some(derived.unit()),
        Quantity::Fact(fact) if fact.is_version() => Some(Unit::Count),
        Quantity::Fact(fact) => fact.unit(),
        Quantity::Field(Field::AccuracyTarget | Field::RelativeAccuracyTarget) => Some(Unit::Fraction),
        Quantity::Field(_) | Quantity::Rows | Quantity::Sources => Some(Unit::Count),
        Quantity::Speed => Some(Unit::PerSecond),
        _ => None,
    }
}

/// The factor from the base unit of a number's dimension to a unit; `None` where it is of something else.
fn scale(number: &Number, unit: Option<Unit>) -> Option<f64> {
    match (number.dimension, unit?) {
        (None, Unit::Fraction) if number.value > 1.0 => Some(0.01),
        (None, _) => Some(1.0),
        (Some(dimension), unit) => unit.of_dimension(dimension),
    }
}

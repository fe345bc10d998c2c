//! Comparisons with a number: `at least 24 GB`, `300 W or less`, `8+`, `between 2 and 8`.

use std::ops::Bound;

use super::comparators::{IN_FRONT, comparator, comparator_of_number, is_of_speed};
use super::ranges::{Ends, Written, ends};
use crate::ask::question::filters::{Bounds, bounds_of};
use crate::ask::question::grammar::Operator;
use crate::ask::question::vocabulary::{DEVICE_NOUNS, plain};
use crate::values::Unit;

/// Comparators that are superlatives where neither a unit nor what is counted stands behind the number: `max 1 mJ`, `max 64
/// accelerators`, but not `max 8 batch`.
const ONLY_WITH_UNIT: &[&str] = &["max", "maximum", "min", "minimum"];

/// The units of times.
const TIMES: &[&str] = &["us", "ms", "s", "min", "h", "d", "hours", "days"];

/// Powers of ten in words.
const SCALES: &[&str] = &["thousand", "million", "billion"];

/// Numbers in words; `one` says something else as often as not.
const IN_WORDS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("ten", "10"),
    ("twelve", "12"),
    ("sixteen", "16"),
];

/// The digits of a number in words.
fn in_words(word: &str) -> Option<&'static str> {
    let word = plain(word);
    IN_WORDS.iter().find(|(name, _)| *name == word).map(|(_, digits)| *digits)
}

/// Numbers that a comparison leaves, with their unit still in words.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::ask::question) enum BoundInWords {
    /// On one side of a number.
    Than(Operator, String),
    /// From one number to another.
    Range(String, String),
}

impl BoundInWords {
    /// What it leaves of numbers in a unit; `None` where the unit that stands there is another one.
    pub fn bounds(&self, unit: Unit) -> Option<Bounds> {
        match self {
            Self::Than(operator, number) => Some(bounds_of(*operator, number_in(unit, number)?)),
            Self::Range(low, high) => {
                let high_number = number_in(unit, high)?;
                // `between 100 and 300 W`: the unit stands once.
                let low = number_in(unit, low).filter(|_| low.parse::<f64>().is_err()).or_else(|| {
                    let letters = high.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '$'));
                    number_in(unit, &format!("{low}{letters}"))
                })?;
                (low <= high_number).then_some((Bound::Included(low), Bound::Included(high_number)))
            }
        }
    }

    /// The number that it is with, as it was written.
    pub fn number(&self) -> &str {
        match self {
            Self::Than(_, number) | Self::Range(_, number) => number,
        }
    }

    /// The same of a number that counts the other way.
    fn mirrored(self) -> Self {
        match self {
            Self::Than(operator, number) => Self::Than(operator.mirrored(), number),
            range @ Self::Range(..) => range,
        }
    }

    /// Whether it is in any of some units.
    pub fn is_in(&self, units: &[&str]) -> bool {
        let unit = self.number().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        units.contains(&unit)
    }

    /// Whether a unit or a currency stands at the number.
    pub fn has_unit(&self) -> bool {
        self.number().contains(|c: char| c.is_alphabetic() || matches!(c, '$' | '%' | '/'))
    }
}

/// A number of a unit; of a fraction, 80 are percent.
fn number_in(unit: Unit, text: &str) -> Option<f64> {
    let number = unit.parse(text)?;
    Some(if unit == Unit::Fraction && number > 1.0 { number / 100.0 } else { number })
}

/// The comparison with a number that these words begin with, and how many of them it takes. `unit_length` tells how many of
/// the words behind a number are its unit, and how that is written shortly.
pub(in crate::ask::question) fn comparison(
    words: &[&str],
    unit_length: &impl Fn(&[&str]) -> Option<(usize, String)>,
) -> Option<(usize, BoundInWords)> {
    if let Some(range) = range(words, unit_length, false) {
        return Some(range);
    }
    // `<10ms` is one word.
    let glued = |(sign, operator): &(&str, Operator)| {
        let rest = words.first()?.strip_prefix(sign).filter(|_| !sign.starts_with(char::is_alphabetic))?;
        (!rest.is_empty() && !rest.starts_with(['=', '>', '<'])).then_some((rest, *operator))
    };
    if let Some((rest, operator)) = IN_FRONT.iter().find_map(glued) {
        let words: Vec<&str> = [rest].into_iter().chain(words[1..].iter().copied().take(3)).collect();
        let (taken, number) = number_at(&words, unit_length)?;
        return Some((taken, BoundInWords::Than(operator, number)));
    }
    if let Some((sign, operator)) = comparator(words) {
        let (taken, number) = number_at(&words[sign..], unit_length)?;
        let compared = BoundInWords::Than(operator, number);
        let compared =
            if is_of_speed(&words[..sign]) && compared.is_in(TIMES) { compared.mirrored() } else { compared };
        let needs_unit = sign == 1 && ONLY_WITH_UNIT.contains(&plain(words[0]).as_str());
        let is_limit = !needs_unit || compared.has_unit() || words.get(sign + taken).is_some_and(|word| counts(word));
        return is_limit.then_some((sign + taken, compared));
    }
    // `24 GB or more`, `8 or more`, `24GB+`.
    let (taken, number) = number_at(words, unit_length)?;
    if let Some(number) = number.strip_suffix('+') {
        return Some((taken, BoundInWords::Than(Operator::GreaterOrEqual, number.to_owned())));
    }
    let (sign, operator) = comparator_of_number(&words[taken..])?;
    let compared = BoundInWords::Than(operator, number);
    // `16 max batch size` begins something else.
    let is_superlative = matches!(plain(words[taken]).as_str(), "max" | "maximum" | "min" | "minimum");
    (!is_superlative || compared.has_unit()).then_some((taken + sign, compared))
}

/// Whether a word says what is counted, in the plural.
fn counts(word: &str) -> bool {
    let word = plain(word);
    word.ends_with('s') && (DEVICE_NOUNS.contains(&word.as_str()) || word == "threads")
}

/// `between 100 and 300 W`, `from 16 to 24 GB`, `16-24 GB`; a bare one needs neither a word in front nor a unit: the `64 to 256` of
/// `batch size 64 to 256`.
pub(in crate::ask::question) fn range(
    words: &[&str],
    unit_length: &impl Fn(&[&str]) -> Option<(usize, String)>,
    is_bare: bool,
) -> Option<(usize, BoundInWords)> {
    let Ends { low, high, taken, written } = ends(words, &|words: &[&str]| number_at(words, unit_length))?;
    let is_led = matches!(written, Written::Between | Written::From);
    let range = BoundInWords::Range(low, high);
    // Without a word in front only a unit tells a range from names and counts.
    (is_led || is_bare || range.has_unit()).then_some((taken, range))
}

/// A number with its unit, in one word or several: `24GB`, `24 GB`, `1000 images per second`, `$1000`.
pub(in crate::ask::question) fn number_at(
    words: &[&str],
    unit_length: &impl Fn(&[&str]) -> Option<(usize, String)>,
) -> Option<(usize, String)> {
    // `one million`
    if let [one, scale, ..] = words
        && matches!(plain(one).as_str(), "one" | "a")
        && SCALES.contains(&plain(scale).as_str())
    {
        return Some((2, format!("1 {}", plain(scale))));
    }
    // `under an hour`
    if let [article, unit, ..] = words
        && matches!(plain(article).as_str(), "a" | "an")
        && matches!(plain(unit).as_str(), "minute" | "hour" | "day" | "week")
    {
        return Some((2, format!("1 {}", plain(unit))));
    }
    if let Some(number) = words.first().and_then(|first| in_words(first)) {
        return Some(match unit_length(&words[1..]) {
            Some((length, unit)) => (1 + length, format!("{number} {unit}")),
            None => (1, number.to_owned()),
        });
    }
    let first = words.first()?.trim_end_matches([',', '?', '!', ';', ')']).replace(',', "");
    let digits = first.trim_start_matches('$');
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || first.len() > 20 {
        return None;
    }
    if digits.parse::<f64>().is_err() {
        // `2k images per minute`: a number with its scale has a unit behind it only where that is a rate.
        let is_scaled =
            first.to_lowercase().strip_suffix(['k', 'm']).is_some_and(|number| number.parse::<f64>().is_ok());
        let rate = unit_length(&words[1..]).filter(|(_, unit)| is_scaled && Unit::PerSecond.is_called(unit));
        return Some(rate.map_or((1, first.clone()), |(length, unit)| (1 + length, format!("{first} {unit}"))));
    }
    // A sign ends the number: `stable diffusion 1.5, seconds per image`.
    let is_ended = words[0].ends_with([',', ';', '?', '!', ')']);
    match unit_length(&words[1..]).filter(|_| !is_ended) {
        Some((length, unit)) => Some((1 + length, format!("{first} {unit}"))),
        None => Some((1, first)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_faster_takes_less_time_and_does_more_in_it() {
        let unit = |words: &[&str]| words.first().map(|unit| (1, (*unit).to_owned()));
        for (question, operator) in [
            ("faster than 10 ms", Operator::Less),
            ("no slower than 10 ms", Operator::LessOrEqual),
            ("faster than 30 fps", Operator::Greater),
            ("slower than 30 fps", Operator::Less),
            ("longer than 10 ms", Operator::Greater),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let Some((_, BoundInWords::Than(found, _))) = comparison(&words, &unit) else { panic!("{question}") };
            assert_eq!(found, operator, "{question}");
        }
    }
}

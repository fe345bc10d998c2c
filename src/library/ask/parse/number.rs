//! Numbers of explicit filters: `32`, `1,024`, `1.5s`, `8..64`, `>=16GB`, in the unit of a key.

use std::ops::{Bound, Range};

use super::error::GrammarError;
use super::grammar::{FilterPart, Sign};
use crate::values::Unit;
use crate::values::text::or_list;

/// A range of numbers.
pub(super) type Bounds = (Bound<f64>, Bound<f64>);

/// The ranges of a filter's values in `unit`, of which one must hold.
///
/// # Errors
///
/// When a value is not a number, or a comparison has several numbers.
pub(super) fn all_bounds(filter: &FilterPart<'_>, key: &str, unit: Unit) -> Result<Vec<Bounds>, GrammarError> {
    let bounds = values(filter)?.into_iter().map(|(text, place)| {
        bounds(filter.sign, &text, |number| unit.parse(number)).ok_or_else(|| not_a_number(key, &text, unit, place))
    });
    bounds.collect()
}

/// The values of a number filter: `>1,000` is one number, because a comparison takes one; `:8,64` is two; `:1,024` is one.
fn values(filter: &FilterPart<'_>) -> Result<Vec<(String, Range<usize>)>, GrammarError> {
    let is_bound = filter.sign != Sign::Is;
    let mut read: Vec<(String, Range<usize>)> = Vec::new();
    for (text, place) in &filter.values {
        match read.last_mut() {
            // A quoted text is always a separate value.
            Some((before, whole))
                if whole.end + 1 == place.start && place.len() == text.len() && continues(before, text, is_bound) =>
            {
                before.push(',');
                before.push_str(text);
                whole.end = place.end;
            }
            _ => read.push(((*text).to_owned(), place.clone())),
        }
    }
    read.iter_mut().for_each(|(text, _)| text.retain(|c| c != ','));
    match read.as_slice() {
        [(_, first), .., (_, last)] if is_bound => Err(several(filter, first.start..last.end)),
        _ => Ok(read),
    }
}

/// Whether the comma between two texts is a thousands separator.
fn continues(before: &str, after: &str, is_bound: bool) -> bool {
    let head = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = before.len() - head.len();
    let begins = matches!(digits, 1..=3) && (head.is_empty() || head.ends_with("..") || head.ends_with('$'));
    let goes_on = digits == 3 && head.ends_with(',');
    let group = after.bytes().take_while(u8::is_ascii_digit).count();
    (begins || goes_on) && group == 3 && (is_bound || after.starts_with('0'))
}

/// Parses `32`, `8..64`, `8..`, `..64`, `>8..<64` (excluding its ends), or a number after a comparison operator.
pub(super) fn bounds(sign: Sign, text: &str, number: impl Fn(&str) -> Option<f64> + Copy) -> Option<Bounds> {
    // `year:>=2021` is `year>=2021`.
    if sign == Sign::Is && !text.contains("..") {
        let mut signs = Sign::TYPED.iter().filter(|(_, sign)| *sign != Sign::Is);
        if let Some((sign, text)) = signs.find_map(|(typed, sign)| Some((*sign, text.strip_prefix(typed)?))) {
            return bounds(sign, text, number);
        }
    }
    let (low, high) = match text.split_once("..") {
        Some(ends) if sign == Sign::Is => ends,
        _ => return number(text).map(|value| sign.bounds(value)),
    };
    let end = |text: &str, without: char| match (text, text.strip_prefix(without)) {
        ("", _) => Some(Bound::Unbounded),
        (_, Some(rest)) => number(rest).map(Bound::Excluded),
        _ => number(text).map(Bound::Included),
    };
    match (end(low, '>')?, end(high, '<')?) {
        (Bound::Unbounded, Bound::Unbounded) => None,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) if low > high => {
            None
        }
        both => Some(both),
    }
}

/// Formats bounds as they follow a filter's key: `>=32`, `:8..64`.
pub(super) fn print(low: Bound<f64>, high: Bound<f64>) -> String {
    match (low, high) {
        (Bound::Unbounded, Bound::Unbounded) => ":*".to_owned(),
        (Bound::Unbounded, Bound::Included(high)) => format!("<={high}"),
        (Bound::Unbounded, Bound::Excluded(high)) => format!("<{high}"),
        (Bound::Included(low), Bound::Unbounded) => format!(">={low}"),
        (Bound::Excluded(low), Bound::Unbounded) => format!(">{low}"),
        _ => format!(":{}", alternative(low, high)),
    }
}

/// Formats bounds as one of several values: `8`, `8..64`, `8..`.
pub(super) fn alternative(low: Bound<f64>, high: Bound<f64>) -> String {
    let end = |bound, without| match bound {
        Bound::Unbounded => String::new(),
        Bound::Included(value) => format!("{value}"),
        Bound::Excluded(value) => format!("{without}{value}"),
    };
    match (low, high) {
        (Bound::Included(low), Bound::Included(high)) if low == high => format!("{low}"),
        _ => format!("{}..{}", end(low, ">"), end(high, "<")),
    }
}

fn not_a_number(key: &str, text: &str, unit: Unit, place: Range<usize>) -> GrammarError {
    let example = if key == "year" { "2018..2020" } else { "8..64" };
    let units: Vec<String> = unit.names().take(5).map(|unit| format!("`{unit}`")).collect();
    GrammarError {
        message: format!("`{text}` is not a number or a range"),
        span: place,
        label: format!("expected a number, or a range from low to high such as {key}:{example}"),
        help: (key != "year").then(|| format!("a unit such as {} may stand behind a number", or_list(&units))),
    }
}

/// The error for a comparison with several numbers, possibly one number with a decimal comma.
fn several(filter: &FilterPart<'_>, place: Range<usize>) -> GrammarError {
    let (key, sign) = (filter.key, filter.sign.typed());
    GrammarError {
        message: format!("`{key}{sign}` takes one number"),
        span: place,
        label: "expected one number, with a comma only between its thousands, such as 1,500.5".to_owned(),
        help: Some(format!("alternatives are written {key}:8,64")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::parse::grammar::{PartKind, read};

    fn read_bounds(sign: Sign, text: &str) -> Option<Bounds> {
        bounds(sign, text, |number| Unit::Milliseconds.parse(number))
    }

    #[test]
    fn ranges_take_units_at_both_ends() {
        assert_eq!(read_bounds(Sign::Is, "1ms..0.5s"), Some((Bound::Included(1.0), Bound::Included(500.0))));
        assert_eq!(read_bounds(Sign::Is, "..<20"), Some((Bound::Unbounded, Bound::Excluded(20.0))));
        assert_eq!(read_bounds(Sign::Less, "2s"), Some((Bound::Unbounded, Bound::Excluded(2000.0))));
        for text in ["..", "9..8", "a..b", "", "1..2..3"] {
            assert_eq!(read_bounds(Sign::Is, text), None, "{text}");
        }
        assert_eq!(read_bounds(Sign::Less, "8..9"), None);
    }

    #[test]
    fn a_comma_divides_thousands_or_alternatives() {
        let read = |question: &str| {
            let parts = read(question, &|_| Ok(true)).unwrap().concat();
            let PartKind::Filter(filter) = &parts[0].kind else { panic!("{question}") };
            values(filter).map(|values| values.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" | "))
        };
        for (question, values) in [
            ("latency>1,000ms", "1000ms"),
            ("latency<=12,345,678.5", "12345678.5"),
            ("price<$1,500", "$1500"),
            ("batch:1,024", "1024"),
            ("batch:1,024,2,048", "1024 | 2048"),
            ("latency:1,000..2,000ms", "1000..2000ms"),
            ("batch:1,128,256", "1 | 128 | 256"),
            ("batch:\"1\",\"024\"", "1 | 024"),
        ] {
            assert_eq!(read(question).unwrap(), values, "{question}");
        }
        for question in ["latency>1,5", "batch>=8,64", "latency>0.5,100", "batch<1234,567", "batch>1,0000"] {
            assert!(read(question).is_err(), "{question}");
        }
    }
}

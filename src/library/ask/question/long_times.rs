//! The unit in which times of minutes and hours are asked for: `how many minutes does training take`.

use super::question::LongTime;
use super::vocabulary::plain;

/// Words for units, and what they are.
const UNITS: &[(&[&str], LongTime)] = &[
    (&["minutes", "minute", "mins", "min", "minuten"], LongTime { unit: "min", seconds: 60.0 }),
    (&["hours", "hrs", "stunden"], LongTime { unit: "h", seconds: 3600.0 }),
    (&["days"], LongTime { unit: "days", seconds: 86_400.0 }),
];

/// Words in front of a unit that divide by it.
const DIVIDING: &[&str] = &["per", "an", "a", "each", "every", "/"];

/// The unit that a question tells times in; none where it divides by one, or where a number of them is a limit.
pub(super) fn long_time(question: &str) -> Option<LongTime> {
    let words: Vec<String> = question.split_whitespace().map(plain).collect();
    let is_asked = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        before.is_none_or(|word| !DIVIDING.contains(&word.as_str()) && word.parse::<f64>().is_err())
    };
    let unit_at = |at: usize| UNITS.iter().find(|(names, _)| names.contains(&words[at].as_str()));
    (0..words.len()).filter(|at| is_asked(*at)).find_map(unit_at).map(|(_, unit)| *unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_asked_for_where_nothing_is_divided_by_it() {
        for (question, unit) in [
            ("how many minutes does resnet-50 take to train", Some("min")),
            ("time to train bert, minutes please", Some("min")),
            ("hours of training", Some("h")),
            ("price of a T4 per minute", None),
            ("trained in under 10 minutes", None),
            ("resnet-50 on a T4", None),
        ] {
            assert_eq!(long_time(question).map(|own| own.unit), unit, "{question}");
        }
    }
}

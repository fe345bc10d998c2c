//! How a fault changes a record: typical mistakes of contributors, as data.

use std::collections::BTreeMap;
use std::ops::Range;

use super::numbers::Numbers;
use super::record::Record;

/// A mistake.
#[derive(Clone, Copy)]
pub enum Slip {
    /// A number is multiplied by a factor: wrong unit or scale.
    Times(&'static str, f64),
    /// A value is replaced by a fixed literal.
    Set(&'static str, &'static str),
    /// Two values are swapped.
    Exchange(&'static str, &'static str),
    /// A value is also written for another key.
    Copy { from: &'static str, to: &'static str },
    /// A literal is transformed; `None` if that is impossible.
    Map(&'static str, fn(&str) -> Option<String>),
    /// The value of another record in any file of the same kind.
    Other(&'static str),
    /// New literals computed from the record.
    With(fn(&Record) -> Option<NewLiterals>),
}

/// Keys of a record, each with its new literal.
pub type NewLiterals = Vec<(&'static str, String)>;

/// Byte ranges of a text, each with its replacement.
pub type Changes = Vec<(Range<usize>, String)>;

/// The literals of each key in all files of a kind.
pub type Literals = BTreeMap<String, Vec<String>>;

impl Slip {
    /// The changes that the mistake makes to a record; `None` if it does not apply.
    pub fn changes(self, record: &Record, others: &Literals, numbers: &mut Numbers) -> Option<Changes> {
        let put = |key: &str, literal: String| {
            let span = record.span(key)?;
            (record.literal(key)? != literal).then_some((span, literal))
        };
        match self {
            Self::Times(key, factor) => Some(vec![put(key, scaled(record.literal(key)?, factor)?)?]),
            Self::Set(key, literal) => Some(vec![put(key, literal.to_owned())?]),
            Self::Exchange(a, b) => {
                let (first, second) = (record.literal(a)?.to_owned(), record.literal(b)?.to_owned());
                Some(vec![put(a, second)?, put(b, first)?])
            }
            Self::Copy { from, to } => Some(vec![put(to, record.literal(from)?.to_owned())?]),
            Self::Map(key, map) => Some(vec![put(key, map(record.literal(key)?)?)?]),
            Self::Other(key) => {
                let own = record.literal(key)?;
                let others: Vec<&String> = others.get(key)?.iter().filter(|other| *other != own).collect();
                let other = others.get(numbers.below(others.len().max(1)))?;
                Some(vec![put(key, (*other).clone())?])
            }
            Self::With(make) => make(record)?.into_iter().map(|(key, literal)| put(key, literal)).collect(),
        }
    }
}

/// A number multiplied by a factor, formatted as a person would write it.
pub fn scaled(literal: &str, factor: f64) -> Option<String> {
    let value: f64 = literal.parse().ok()?;
    let product = value * factor;
    let whole = !literal.contains('.') && (product.fract() == 0.0 || product.abs() >= 100.0);
    Some(match whole {
        true => format!("{product:.0}"),
        false => {
            let digits = if product.abs() < 1.0 { 6 } else { 3 };
            let text = format!("{product:.digits$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    })
}

/// The text with the changes applied.
pub fn applied(text: &str, changes: &Changes) -> String {
    let mut sorted: Vec<_> = changes.iter().collect();
    sorted.sort_by_key(|(span, _)| span.start);
    sorted.dedup_by_key(|(span, _)| span.start);
    let (mut changed, mut at) = (String::with_capacity(text.len()), 0);
    for (span, literal) in sorted {
        changed.push_str(&text[at..span.start]);
        changed.push_str(literal);
        at = span.end;
    }
    changed.push_str(&text[at..]);
    changed
}

#[test]
fn a_scaled_number_is_written_as_people_do() {
    assert_eq!(scaled("250", 10.0).as_deref(), Some("2500"));
    assert_eq!(scaled("250", 0.1).as_deref(), Some("25"));
    assert_eq!(scaled("15.67", 0.001).as_deref(), Some("0.01567"));
    assert_eq!(scaled("92.9", 1000.0).as_deref(), Some("92900"));
}

//! How conclusions call quantities and write values.

use super::conclusion::{Entry, EntryValue};
use crate::model::Fact;
use crate::values::Decimal;

/// More items of a list than this are counted, not said.
const MOST_ITEMS: usize = 12;
/// A computed number is said with so many significant digits.
const DIGITS_OF_COMPUTED: u8 = 4;
/// A number with more significant digits than this was computed.
const DIGITS_OF_PRINTED: u8 = 7;

/// What a fact is called, without its unit: `TDP`, `tested networks`.
pub fn fact_name(fact: Fact) -> String {
    let name = match fact {
        Fact::CoreLanguage => "core language",
        Fact::ApiLanguage => "interface languages",
        Fact::Hardware => "supported hardware",
        Fact::MultiServer => "training on several servers",
        Fact::TestedNetwork => "networks with a listed test",
        Fact::TestedDataset => "data sets with a listed test",
        Fact::License => "licence",
        Fact::Bandwidth => "memory bandwidth",
        Fact::Published => "year of publication",
        Fact::Released => "release date",
        fact => fact.heading(),
    };
    let name = name.split_once(" [").map_or(name, |(name, _)| name);
    if fact.key().starts_with("peak-") { format!("{name} peak") } else { name.to_owned() }
}

/// The unit of a fact as its heading has it; `None` where it has none.
pub fn unit_of(fact: Fact) -> Option<String> {
    if fact == Fact::Price {
        return Some("USD/h".to_owned());
    }
    let (_, unit) = fact.heading().split_once(" [")?;
    Some(match unit.trim_end_matches(']') {
        "10^6" => "M".to_owned(),
        "10^9" => "G".to_owned(),
        unit => unit.to_owned(),
    })
}

/// A value for a person.
pub fn value_text(value: &EntryValue) -> String {
    match value {
        EntryValue::Flag(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        EntryValue::Number(number) => number_text(*number),
        EntryValue::Text(text) => text.clone(),
        EntryValue::List(items) if items.len() > MOST_ITEMS => {
            format!("{} and {} more", items[..MOST_ITEMS].join(", "), items.len() - MOST_ITEMS)
        }
        EntryValue::List(items) => items.join(", "),
    }
}

/// The value of an entry with its unit, a range where it has several: `16 to 32 GiB`; `None` where it is not known.
pub(in crate::ask::conclude) fn value_in_words(entry: &Entry) -> Option<String> {
    let value = match (&entry.value, entry.low, entry.high) {
        (Some(value), ..) => value_text(value),
        (None, Some(low), Some(high)) => format!("{} to {}", number_text(low), number_text(high)),
        _ => return None,
    };
    let is_number = !matches!(entry.value, Some(EntryValue::Text(_) | EntryValue::List(_) | EntryValue::Flag(_)));
    Some(match &entry.unit {
        Some(unit) if is_number => format!("{value} {unit}"),
        _ => value,
    })
}

/// A fact of an entry with its name where the value does not speak for itself: `memory 16 to 32 GiB`, `Apache-2.0`.
pub(in crate::ask::conclude) fn fact_in_words(entry: &Entry) -> Option<String> {
    let fact = Fact::of_file_key(&entry.quantity)?;
    let value = value_in_words(entry)?;
    let name = fact_name(fact);
    Some(match (fact, &entry.value) {
        (Fact::Published | Fact::Task | Fact::Maturity | Fact::License | Fact::Architecture, _) => value,
        (Fact::Released, _) => format!("released {value}"),
        (Fact::Hardware, _) => format!("runs on {value}"),
        (Fact::MultiServer, Some(EntryValue::Flag(true))) => "trains on several servers".to_owned(),
        (Fact::MultiServer, Some(EntryValue::Flag(false))) => "trains on one server only".to_owned(),
        (Fact::CoreLanguage, _) => format!("core in {value}"),
        (Fact::ApiLanguage, _) => format!("interfaces for {value}"),
        (Fact::DiffersIn, _) => format!("differs in {value}"),
        _ => format!("{name} {value}"),
    })
}

/// A number as it was printed; a computed one rounded.
pub fn number_text(number: f64) -> String {
    let Ok(exact) = number.to_string().parse::<Decimal>() else { return number.to_string() };
    let digits = if exact.significant_digits() > DIGITS_OF_PRINTED { DIGITS_OF_COMPUTED } else { DIGITS_OF_PRINTED };
    exact.cut(digits).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_keep_their_digits_and_computed_ones_are_rounded() {
        assert_eq!(number_text(300.0), "300");
        assert_eq!(number_text(897.28), "897.28");
        assert_eq!(number_text(1.0 / 3.0), "0.3333");
    }

    #[test]
    fn facts_are_called_as_people_call_them() {
        assert_eq!(fact_name(Fact::Tdp), "TDP");
        assert_eq!(unit_of(Fact::Tdp).as_deref(), Some("W"));
        assert_eq!(unit_of(Fact::License), None);
    }
}

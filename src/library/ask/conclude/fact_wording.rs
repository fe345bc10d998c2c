//! How conclusions call quantities and write values.

use super::conclusion::EntryValue;
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
        Fact::ApiLanguage => "languages with an official interface",
        Fact::Hardware => "hardware that it runs on",
        Fact::MultiServer => "training on several servers",
        Fact::TestedNetwork => "networks that a test is listed of",
        Fact::TestedDataset => "data sets that a test is listed of",
        Fact::License => "licence",
        Fact::Bandwidth => "memory bandwidth",
        Fact::Published => "year of publication",
        Fact::Released => "release date",
        fact => fact.heading(),
    };
    name.split_once(" [").map_or(name, |(name, _)| name).to_owned()
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

/// A number as it was printed; a computed one rounded.
pub fn number_text(number: f64) -> String {
    let Ok(exact) = number.to_string().parse::<Decimal>() else { return number.to_string() };
    let digits = if exact.significant_digits() > DIGITS_OF_PRINTED { DIGITS_OF_COMPUTED } else { DIGITS_OF_PRINTED };
    exact.cut(digits).to_string()
}

/// The same with a capital in front.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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

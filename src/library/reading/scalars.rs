//! Single values of TOML as the model has them.

use toml::de::DeValue;

use crate::values::{Date, Decimal};

/// An integer of any radix that fits.
pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(integer) => i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok(),
        _ => None,
    }
}

/// An integer or a finite float, with the digits it was written with.
pub(super) fn decimal(value: &DeValue<'_>) -> Option<Decimal> {
    match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// What a value should have been that is no number: one with digits that cannot be kept is told so.
pub(super) fn expected_number(value: &DeValue<'_>) -> String {
    let text = match value {
        DeValue::Integer(number) => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        _ => "",
    };
    text.parse::<Decimal>().map_or_else(|error| error.to_string(), |_| "expected a number".to_owned())
}

/// A date in either of its two forms.
pub(super) fn date(value: &DeValue<'_>) -> Option<Date> {
    match value {
        DeValue::String(text) => text.parse().ok(),
        DeValue::Datetime(date) if date.time.is_none() => date.date?.to_string().parse().ok(),
        _ => None,
    }
}

/// A value as a field shows it.
pub(super) fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.as_ref().to_owned()),
        other => integer(other)
            .map(|count| count.to_string())
            .or_else(|| decimal(other).map(|number| number.to_string()))
            .or_else(|| date(other).map(|date| date.to_string())),
    }
}

/// What a value is, in a sentence.
pub(super) fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

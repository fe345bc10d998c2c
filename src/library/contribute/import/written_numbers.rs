//! Numbers and times as sources write them, copied with their digits.

use crate::model::{FieldType, MeasurementKey, Value};
use crate::values::Decimal;

/// The value of a key; `None` when the key needs a number and the text is none.
pub(super) fn value_of(key: MeasurementKey, text: &str, scale: Option<f64>) -> Option<Value> {
    if !key.is_number() {
        return Some(Value::Text(text.into()));
    }
    let text = without_commas(text);
    let number = match scale {
        None => Decimal::nearest(&text),
        Some(scale) => Decimal::product(&text, scale),
    }
    .ok()?;
    let count = matches!(key, MeasurementKey::Field(field) if field.kind() == FieldType::Count);
    // A count that a spreadsheet wrote as 1024.0 is 1024.
    let number = if count && number.value().fract() == 0.0 { Decimal::new(number.value(), 0)? } else { number };
    Some(Value::Number(number))
}

/// The product of two whole numbers; a spreadsheet may have written them as `8.0`.
pub(super) fn product(count: &str, times: &str) -> Option<String> {
    let whole = |text: &str| {
        let number: f64 = text.trim().parse().ok()?;
        (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u64)
    };
    whole(count)?.checked_mul(whole(times)?).map(|product| product.to_string())
}

/// A whole number by another; `None` where one of them is none, or a rest is left.
pub(super) fn quotient(number: &str, divisor: &str) -> Option<String> {
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<u64>().ok();
    let (number, divisor) = (whole(number)?, whole(divisor)?);
    (number.checked_rem(divisor)? == 0).then(|| (number / divisor).to_string())
}

/// The seconds of `3:19:59`, `62:03`, `1h02min`, `4h 48min` or `50min`; seconds after a colon may have decimals.
pub(super) fn seconds(text: &str) -> Option<String> {
    if let Some(minutes) = text.strip_suffix("min") {
        let (hours, minutes) = minutes.split_once('h').unwrap_or(("0", minutes));
        let (hours, minutes): (u64, u64) = (hours.trim().parse().ok()?, minutes.trim().parse().ok()?);
        return Some((hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?).to_string());
    }
    let (whole, seconds) = text.rsplit_once(':')?;
    let minutes = match whole.split_once(':') {
        Some((hours, minutes)) => hours.parse::<u64>().ok()?.checked_mul(60)?.checked_add(minutes.parse().ok()?)?,
        None => whole.parse().ok()?,
    };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let whole = minutes.checked_mul(60)?.checked_add(seconds.parse().ok()?)?;
    let digits = fraction.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") })
}

/// A number without the commas between its thousands. A single comma that has not three digits behind it stands for the
/// point: `17,89`.
fn without_commas(text: &str) -> String {
    match text.split_once(',') {
        Some((whole, rest))
            if !rest.contains([',', '.']) && rest.chars().take_while(char::is_ascii_digit).count() != 3 =>
        {
            format!("{whole}.{rest}")
        }
        _ => text.replace(',', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_divides_thousands_or_stands_for_the_point() {
        for (text, plain) in [("17,89", "17.89"), ("1,234", "1234"), ("1,234,567.8", "1234567.8"), ("12.5", "12.5")] {
            assert_eq!(without_commas(text), plain, "{text}");
        }
    }

    #[test]
    fn a_count_of_a_node_times_the_nodes_is_whole_or_absent() {
        assert_eq!(product("8.0", "4").as_deref(), Some("32"));
        assert_eq!((product("8", ""), product("8", "N/A"), product("1.5", "2")), (None, None, None));
    }

    #[test]
    fn a_number_is_divided_where_no_rest_is_left() {
        let divided = [("2048", "8.0"), ("2048", "7"), ("2048", "0"), ("x", "2"), ("2048", "")];
        let found = divided.map(|(number, divisor)| quotient(number, divisor));
        assert_eq!(found, [Some("256".to_owned()), None, None, None, None]);
    }

    #[test]
    fn a_time_of_the_clock_becomes_its_seconds() {
        let read = |text: &str| seconds(text);
        assert_eq!((read("03:19:59"), read("62:03")), (Some("11999".to_owned()), Some("3723".to_owned())));
        assert_eq!((read("0:00:01.50"), read("1:x"), read("17")), (Some("1.50".to_owned()), None, None));
        let words = ["1h02min", "4h 48min", "50min", "2 min", "1h", "xmin"].map(read);
        assert_eq!(
            words,
            [Some("3720"), Some("17280"), Some("3000"), Some("120"), None, None].map(|s| s.map(str::to_owned))
        );
    }
}
